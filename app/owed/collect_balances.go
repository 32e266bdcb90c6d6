package owed

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing"
)

// balancesAtOnce is the number of bookings in a round of the sweep.
const balancesAtOnce = 100

// CollectBalances is the sweep owed.balances: the balances of deposits are charged to the customer's saved card, at
// the time before the start that the policy of the booking sets; bookings made together at once, and a course in full
// by its first date. A customer without a saved card is mailed the way to pay; the same happens after a decline. It
// is tried once. A booking that has begun or was made after that time is not charged, nor is a customer who disputes
// a payment: these pay at the studio. One booking's failure does not stop the others.
func (s *Service) CollectBalances(ctx context.Context) error {
	found, err := booking.BalancesDue(ctx, s.db, balancesAtOnce)
	return errors.Join(err, s.collectEach(ctx, found, s.claimBalance))
}

// balancesEvery is the interval of the sweep of balances, in real time.
const balancesEvery = time.Minute

// claimBalance is claimDue of the balances of the bookings that are due with one.
func (s *Service) claimBalance(ctx context.Context, tx *pg.Tx, id uuid.UUID) (none dueCharge, found bool, err error) {
	bookings, over, err := balancesWith(ctx, tx, id)
	if err == nil && len(bookings) == 0 && len(over) > 0 {
		_, err = booking.ClaimBalanceTx(ctx, tx, over)
	}
	if err != nil || len(bookings) == 0 {
		return none, false, err
	}
	locked, err := lockCharging(ctx, tx, amountsDue{bookings: []atLocation{{Bookings: bookings}}})
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
	d, err := s.balanceOf(ctx, tx, desk)
	if err != nil || len(d.sale.Lines) == 0 {
		return none, false, err
	}
	open, err := openBalances(ctx, tx, d.bookings)
	if err != nil || slices.ContainsFunc(open, func(o openBalance) bool { return o.beside(d.bookings) }) {
		return none, false, err // the studio has charged a card for it, with other amounts
	}
	takes, err := takesCards(ctx, tx, s.billing.Env(), d.sale.Totals.Currency)
	return dueCharge{
		customer: d.sale.Customer,
		charge:   func(card billing.SavedCard) error { return s.chargeBalance(ctx, tx, d, locked, card) },
		mail: func() error {
			orderID, err := s.balanceOrder(ctx, tx, d, open, locked)
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
