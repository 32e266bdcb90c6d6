package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// BookAtStudio books a held cart to be paid at the studio, if the rules of all its items allow that
// (catalog.Rules.PayAtStudio). The whole total is due there; no processor is called, and neither a platform fee nor a
// service fee is part of it (A29). quoted is the total that the customer saw: Cart.AtStudio. A card payment that
// began is canceled first; if it succeeds all the same, it is refunded. A second call on a booked cart returns the
// receipt, as Confirm does.
//
// It needs the session of the cart's holder. It returns:
//
//   - identity.ErrSignIn
//   - a not found error
//   - ErrOther, ErrEmpty
//   - booking.ErrHoldExpired, ErrNotHeld
//   - agreement.ErrOutstanding
//   - ErrNothingToPay
//   - ErrNotAtStudio
//   - ErrPriceChanged
//   - ErrPaymentPending while a payment is in progress
//   - ErrRefunded for a cart with a payment that came too late
func (s *Service) BookAtStudio(ctx context.Context, sc tenancy.Scope, token string, quoted int64) (Confirmed, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Confirmed{}, err
	}
	orderID, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (uuid.UUID, error) {
		l, err := s.lockToOrder(ctx, tx, token, person, lockToUse)
		if err != nil {
			return uuid.Nil, err
		}
		if l.State == CartOrdered && l.Order != nil {
			return l.Order.ID, nil
		}
		if err := s.desk(l, person, quoted); err != nil {
			return uuid.Nil, err
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return uuid.Nil, err
		}
		l.Totals, l.dueAmount = *l.AtStudio, l.AtStudio.TotalAmount
		o, err := s.bookNow(ctx, tx, sc, l)
		return o.ID, err
	})
	if err != nil {
		return Confirmed{}, err
	}
	return s.confirmed(ctx, sc.Tenant, orderID)
}

// desk returns nil if the cart can be booked to be paid at the studio for the quoted total, and otherwise the reason.
func (s *Service) desk(l loaded, person uuid.UUID, quoted int64) error {
	if err := s.bookable(l.Cart, person); err != nil {
		return err
	}
	switch {
	case l.Totals.TotalAmount == 0:
		return ErrNothingToPay
	case l.AtStudio == nil:
		return ErrNotAtStudio
	case quoted != l.AtStudio.TotalAmount:
		return priceChanged(quoted, l.AtStudio.TotalAmount)
	}
	return agreement.Require(l.BusinessID, l.Agreements)
}
