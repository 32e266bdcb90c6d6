package checkout

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

// balancesAtOnce is how many bookings a round of the sweep looks at.
const balancesAtOnce = 100

// CollectBalances is the sweep checkout.rests: what deposits have left is charged to the card that the customer had the studio keep, so long
// before it begins as the policy of the booking says; what was booked together at once, and of a course all of it by its first date. Who has
// no card kept is mailed the way to pay; the same happens when the card is declined. It is tried once. Nothing is charged that has begun or was booked later than that, or
// to a customer who disputes a payment: that is paid at the studio. One booking's failure does not keep the others from being charged.
func (s *Service) CollectBalances(ctx context.Context) error {
	found, err := booking.BalancesDue(ctx, s.db, balancesAtOnce)
	return errors.Join(err, s.collectEach(ctx, found, s.claimBalance))
}

// balancesEvery is how often deposits are looked for whose rest is to be charged, in real time.
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
	locked, err := lockCharging(ctx, tx, owedBy{bookings: []atLocation{{Bookings: bookings}}})
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
	d, err := s.debtOf(ctx, tx, desk)
	if err != nil || len(d.sale.Lines) == 0 {
		return none, false, err
	}
	open, err := openDebts(ctx, tx, d.bookings)
	if err != nil || slices.ContainsFunc(open, func(o openDebt) bool { return o.beside(d.bookings) }) {
		return none, false, err // the studio has had a card charged for it, with something else
	}
	takes, err := takesCards(ctx, tx, s.billing.Env(), d.sale.Totals.Currency)
	return dueCharge{
		customer: d.sale.Customer,
		charge:   func(card billing.SavedCard) error { return s.chargeDebt(ctx, tx, d, locked, card) },
		ask: func() error {
			order, err := s.debtOrder(ctx, tx, d, open, locked)
			if err != nil {
				return err
			}
			return jobs.EnqueueTx(ctx, tx, FeeMailJob{Business: tx.Business(), Order: order, Asks: true})
		},
	}, takes, err
}

// balancesWith are the bookings of the order of one for whose deposits it is time now, and those for which nothing is charged by itself: they have
// begun, were booked when that time was over, or their policy asks for no deposit.
func balancesWith(ctx context.Context, tx *pg.Tx, id uuid.UUID) (due, over []uuid.UUID, err error) {
	rows, err := pg.All[struct {
		ID       uuid.UUID
		StartsAt time.Time
		BookedAt time.Time
		Rules    catalog.Rules
	}](ctx, tx, `select k.id, k.starts_at, k.confirmed_at as booked_at, coalesce(k.policy, 'null') as rules
		from bookings b join bookings k on k.business_id = $1 and k.order_id = b.order_id
		where b.business_id = $1 and b.id = $2 and k.state = 'confirmed' and k.rest_asked_at is null order by k.id`, tx.Business(), id)
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
