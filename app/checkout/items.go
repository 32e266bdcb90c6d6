package checkout

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// addSlot adds a time to the cart, if it is available now.
func (l *loaded) addSlot(ctx context.Context, tx *pg.Tx, in AddItemInput) error {
	if err := l.room(); err != nil {
		return err
	}
	placed, err := availability.AssignTx(ctx, tx, []availability.SlotRequestAt{in.Slot.request()}, availability.Storefront)
	if err != nil {
		return err
	}
	if placed[0].LocationID != l.LocationID {
		return fault.Missing()
	}
	return insertSlotItem(ctx, tx, *l, placed[0], in)
}

// UpdateItemInput is the changeable part of an item.
type UpdateItemInput struct {
	Attendee string // the attendee, if not the customer; may be empty
}

// Validate trims the input and checks it.
func (in *UpdateItemInput) Validate() error {
	var c fault.Checks
	in.Attendee = checkAttendee(&c, "attendee", in.Attendee)
	return c.Err()
}

// UpdateItem sets the attendee. A held seat stays held. It returns:
//
//   - a validation error on body.attendee
//   - a not found error for an unknown cart or item
//   - booking.ErrDuplicate if that person has a seat already
//   - booking.ErrPaymentStarted
//   - ErrOther, ErrOrdered
func (s *Service) UpdateItem(ctx context.Context, sc tenancy.Scope, token string, item uuid.UUID, in UpdateItemInput) (Cart, error) {
	if err := in.Validate(); err != nil {
		return Cart{}, err
	}
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error { return l.rename(ctx, tx, item, in.Attendee) })
}

func (l *loaded) rename(ctx context.Context, tx *pg.Tx, item uuid.UUID, attendee string) error {
	line, found := l.line(item)
	if !found {
		return fault.Missing()
	}
	if !line.Kind.Seat() {
		return fault.Invalid("attendee", "This item has no attendee.")
	}
	if line.Attendee == attendee {
		return nil
	}
	another := !names.Same(line.Attendee, attendee)
	if another && (l.has(line.OccurrenceID, attendee) || line.Course && l.enrols(line.OfferingID, attendee)) {
		return alreadyIn(line.OccurrenceID)
	}
	if err := renameItem(ctx, tx, item, attendee); err != nil {
		return err
	}
	if line.BookingID == nil {
		return nil
	}
	return booking.RenameTx(ctx, tx, attendee, line.bookings()...)
}

// enrols reports whether the cart has that course for that person.
func (l *loaded) enrols(offering uuid.UUID, attendee string) bool {
	return slices.ContainsFunc(l.Lines, func(line Line) bool {
		return line.Course && line.OfferingID == offering && names.Same(line.Attendee, attendee)
	})
}

// AcceptPrice accepts the current price of an item that had another one when it was added. It returns a not found
// error for an unknown cart or item, booking.ErrNotBookable for an offering that is no longer sold,
// booking.ErrPaymentStarted, ErrOther and ErrOrdered. A74.
func (s *Service) AcceptPrice(ctx context.Context, sc tenancy.Scope, token string, item uuid.UUID) (Cart, error) {
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error {
		line, found := l.line(item)
		switch {
		case !found:
			return fault.Missing()
		case line.Problem != "":
			return booking.ErrNotBookable.With("occurrenceId", line.OccurrenceID.String())
		}
		return setListedAmount(ctx, tx, item, line.ListedAmount)
	})
}

// TotalsWithout returns the totals of a cart without some of its items.
func (s *Service) TotalsWithout(ctx context.Context, sc tenancy.Scope, token string, items []uuid.UUID) (order.Totals, error) {
	l, err := s.read(ctx, sc, token)
	if err != nil {
		return order.Totals{}, err
	}
	var lines []Line
	var rest []order.Item
	for i, line := range l.Lines {
		if !slices.Contains(items, line.ItemID) {
			lines, rest = append(lines, line), append(rest, l.items[i])
		}
	}
	return l.quote(lines, rest, l.terms).Totals, nil
}

// RemoveItem removes an item from a cart. Its held seat is free at once; the others stay held. It returns a not found
// error for an unknown cart or item, booking.ErrPaymentStarted, ErrOther and ErrOrdered.
func (s *Service) RemoveItem(ctx context.Context, sc tenancy.Scope, token string, item uuid.UUID) (Cart, error) {
	return s.fill(ctx, sc, token, func(tx *pg.Tx, l loaded) error {
		line, found := l.line(item)
		if !found {
			return fault.Missing()
		}
		if err := s.drop(ctx, tx, sc, l, line); err != nil {
			return err
		}
		return deleteItem(ctx, tx, item)
	})
}

func (c *Cart) line(item uuid.UUID) (Line, bool) {
	for _, l := range c.Lines {
		if l.ItemID == item {
			return l, true
		}
	}
	return Line{}, false
}

// drop releases the seat of a line, or what its seller keeps for it, and ends the hold with its last line.
func (s *Service) drop(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, l loaded, line Line) error {
	mine := slices.DeleteFunc(l.kept(), func(it *order.CartItem) bool { return it.ID != line.ItemID })
	if err := s.releaseItems(ctx, tx, mine); err != nil || l.Hold == nil || !line.Held() {
		return err
	}
	last := !slices.ContainsFunc(l.Lines, func(x Line) bool { return x.Held() && x.ItemID != line.ItemID })
	switch seats := line.bookings(); {
	case last:
		return booking.ReleaseTx(ctx, tx, sc, l.Hold.ID)
	case len(seats) > 0:
		return booking.DropTx(ctx, tx, sc, seats...)
	}
	return nil
}
