package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// RemoveItem takes an item out of a cart. A seat that was kept for it is free at once; the others stay kept. Errors: not
// found for an unknown cart or item; booking.ErrPaymentStarted, ErrOrdered.
func (s *Service) RemoveItem(ctx context.Context, sc tenancy.Scope, token string, item uuid.UUID) (Cart, error) {
	_, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		l, err := s.lock(ctx, tx, token, sc.Person(), lockToFill)
		if err != nil {
			return struct{}{}, err
		}
		if err := s.fillable(l.Cart, sc.Person()); err != nil {
			return struct{}{}, err
		}
		line, found := l.line(item)
		if !found {
			return struct{}{}, fault.Missing()
		}
		if err := deleteItem(ctx, tx, item); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, drop(ctx, tx, sc, l.Hold, line)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

func (c *Cart) line(item uuid.UUID) (Line, bool) {
	for _, l := range c.Lines {
		if l.ItemID == item {
			return l, true
		}
	}
	return Line{}, false
}

// drop lets the seat of a line go, and the hold with its last one.
func drop(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h *booking.Hold, line Line) error {
	seats := line.bookings()
	switch {
	case h == nil || len(seats) == 0:
		return nil
	case len(h.Seats) == len(seats):
		return booking.ReleaseTx(ctx, tx, sc, h.ID)
	}
	return booking.DropTx(ctx, tx, sc, seats...)
}
