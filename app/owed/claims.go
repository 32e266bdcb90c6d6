package owed

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fees"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing"
)

// claimFee is claimDue of a fee. One of 0 needs no payment.
func (s *Service) claimFee(ctx context.Context, tx *pg.Tx, id uuid.UUID) (none dueCharge, found bool, err error) {
	f, found, err := fees.ClaimTx(ctx, tx, id)
	if err != nil || !found || f.Amount == 0 {
		return none, false, err
	}
	open, err := openDue(ctx, tx, nil, []uuid.UUID{id})
	if err != nil || len(open) > 0 {
		return none, false, err // the studio has had it charged before
	}
	desk, err := deskOf(ctx, tx, nil, []fees.Fee{f})
	return dueCharge{
		customer: f.CustomerID,
		charge: func(card billing.SavedCard) error {
			_, err := s.charge(ctx, tx, desk.byCard(), nil, card)
			return err
		},
	}, true, err
}

// claimBalance is claimDue of the balances of the bookings that are due with one.
func (s *Service) claimBalance(ctx context.Context, tx *pg.Tx, id uuid.UUID) (none dueCharge, found bool, err error) {
	bookings, over, err := balancesWith(ctx, tx, id)
	if err == nil && len(bookings) == 0 && len(over) > 0 {
		_, err = booking.ClaimBalanceTx(ctx, tx, over)
	}
	if err != nil || len(bookings) == 0 {
		return none, false, err
	}
	locked, err := lockCharging(ctx, tx, bookings, nil)
	if err != nil {
		return none, false, err
	}
	desk, err := lockDesk(ctx, tx, PaymentInput{BookingIDs: bookings})
	if err != nil {
		return none, false, err
	}
	turn, err := booking.ClaimBalanceTx(ctx, tx, desk.bookings)
	if err != nil || !turn {
		return none, false, err
	}
	d, err := pricesOf(ctx, tx, desk)
	if err != nil || len(d.order.Lines) == 0 {
		return none, false, err
	}
	open, err := openDue(ctx, tx, desk.bookings, nil)
	if err != nil || slices.ContainsFunc(open, func(o openOrder) bool { return o.beside(desk.bookings) }) {
		return none, false, err // the studio has charged a card for it, with other amounts
	}
	takes, err := takesCards(ctx, tx, s.billing.Env(), d.order.Totals.Currency)
	return dueCharge{
		customer: d.order.Customer,
		charge: func(card billing.SavedCard) error {
			_, err := s.charge(ctx, tx, d, locked, card)
			return err
		},
		mail: func() error {
			orderID, err := s.openOrder(ctx, tx, d, open, locked)
			if err != nil {
				return err
			}
			return jobs.EnqueueTx(ctx, tx, ChargeMailJob{Business: tx.Business(), Order: orderID, NoCard: true})
		},
	}, takes, err
}

// balancesWith returns the bookings of one's order with deposits due for their balance now, and those that are not
// charged by themselves: they have begun, were booked after that time, or their policy has no deposit.
func balancesWith(ctx context.Context, tx *pg.Tx, id uuid.UUID) (due, over []uuid.UUID, err error) {
	rows, err := pg.All[struct {
		ID       uuid.UUID
		StartsAt time.Time
		BookedAt time.Time
		Rules    catalog.Rules
	}](ctx, tx, `select k.id, k.starts_at, k.confirmed_at as booked_at, coalesce(k.policy, 'null') as rules
		from bookings b join bookings k on k.business_id = $1 and k.order_id = b.order_id
		where b.business_id = $1 and b.id = $2 and k.state = 'confirmed' and k.balance_requested_at is null order by k.id`, tx.Business(), id)
	for _, row := range rows {
		from, asked := row.Rules.Deposit.BalanceDueFrom(row.StartsAt)
		switch {
		case !asked || !tx.Now().Before(row.StartsAt) || row.BookedAt.After(from):
			over = append(over, row.ID)
		case !from.After(tx.Now()):
			due = append(due, row.ID)
		}
	}
	return due, over, err
}
