package owed

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing"
)

// A billing period of a membership is an order. The sweep makes it on the first day of the period and charges the saved
// card of its customer, if they agreed to that; a card that was declined is tried again on later days, and another card
// at once when it is saved. A customer whose card is not charged is mailed a link. The same order is paid by the link
// and at the desk.

const (
	renewalsEvery = 10 * time.Minute
	renewalsMost  = 200
	tryApart      = 20 * time.Hour // also of tries that are late
)

// tryAgainAt is when a card is tried again, at the location.
var tryAgainAt = civil.NewClock(10, 0)

// The days after the first one of a period on which its card is charged, and on which a customer without one is mailed
// the way to pay.
var (
	chargeDays = []int{0, 1, 3, 5, 7}
	linkDays   = []int{0, 3, 7}
)

// hardDeclines are the processor's codes after which the same card is not tried again.
var hardDeclines = []string{
	"lost_card", "stolen_card", "pickup_card", "expired_card", "authentication_required", "card_not_supported",
	"revocation_of_authorization", "revocation_of_all_authorizations", "stop_payment_order",
}

// RenewDue is the sweep owed.renewals: billing periods that begin are charged, and those that were not paid are tried
// again or end their membership. One failure does not stop the others. It can run in several processes at once.
func (s *Service) RenewDue(ctx context.Context) error {
	ahead := civil.DateOf(s.db.Clock().Now().Add(14 * time.Hour)) // the latest day anywhere
	return s.db.EachOf(ctx, "select business_id from app.renewals_due($3, $1, $2)", s.renewAll, ahead)
}

func (s *Service) renewAll(ctx context.Context, business uuid.UUID) error {
	var failed error
	for after := uuid.Nil; ; {
		list, err := plan.PeriodsDue(ctx, s.db.View(business), after, renewalsMost)
		if err != nil {
			return errors.Join(failed, err)
		}
		for _, p := range list {
			after = p.ID
			err := pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return s.renew(ctx, tx, p) })
			if errors.Is(err, plan.ErrNoPeriod) || errors.Is(err, pg.ErrUnmet) { // it was paid meanwhile
				err = nil
			}
			failed = errors.Join(failed, err)
		}
		if len(list) < renewalsMost {
			return failed
		}
	}
}

// renew does what is due for a billing period at this time.
func (s *Service) renew(ctx context.Context, tx *pg.Tx, seen plan.Period) error {
	var card billing.SavedCard
	var found bool
	var err error
	if seen.ConsentedAt != nil {
		card, found, err = s.renewalCard(ctx, tx, seen.CustomerID)
	}
	if err != nil || !dueNow(seen, tx.Now(), card, found) && !seen.Lapsed(tx.Now()) {
		return err
	}
	p, err := s.lockPeriod(ctx, tx, seen.ID)
	switch {
	case err != nil || !p.Active || p.Tries != seen.Tries || p.StartsOn != seen.StartsOn:
		return err
	case p.Lapsed(tx.Now()):
		return s.lapse(ctx, tx, p)
	}
	if p, err = s.startChange(ctx, tx, p); err != nil {
		return err
	}
	if p.OrderID != nil {
		pay, err := billing.PaymentOfOrder(ctx, tx, *p.OrderID)
		switch {
		case err == nil && pay.InTransit():
			return nil // its result is on its way
		case err != nil && !fault.IsKind(err, fault.NotFound):
			return err
		}
	}
	id, err := s.orderOf(ctx, tx, &p)
	if err != nil || p.Amount == 0 {
		return err
	}
	if found {
		err = s.chargeOrder(ctx, tx, id, card)
	} else {
		err = s.askToPay(ctx, tx, id)
	}
	switch {
	case unchargeable(err):
		return nil // the studio takes no cards now: that is no try, and the period does not lapse
	case err != nil:
		return err
	}
	return plan.TriedTx(ctx, tx, p.ID)
}

// startChange applies the change of plan that begins with a locked period, and gives up the order of one that was not
// paid in the period before.
func (s *Service) startChange(ctx context.Context, tx *pg.Tx, p plan.Period) (plan.Period, error) {
	over := p.ChangeOrderID
	p, err := plan.StartChangeTx(ctx, tx, tenancy.Actor{Kind: tenancy.ActorSystem}, p)
	if err == nil && over != nil {
		err = s.drop(ctx, tx, *over)
	}
	return p, err
}

// askToPay mails the customer of an open order the way to pay it by card.
func (s *Service) askToPay(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	p, err := s.payment(ctx, tx, id)
	if err == nil {
		err = billing.Chargeable(p.Amount, p.Currency)
	}
	if err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ChargeMailJob{Business: tx.Business(), Order: id, NoCard: true})
}

// dueNow reports whether something is to be tried for a period at a time: with the card that would be charged, if there
// is one.
func dueNow(p plan.Period, now time.Time, card billing.SavedCard, found bool) bool {
	var saved *time.Time
	if found {
		saved = &card.CreatedAt
	}
	at, left := nextTry(p, saved)
	return left && !now.Before(at)
}

// nextTry returns the earliest time of the next try of a period, with the card that was saved at a time, or without
// one; left is false after the last one, and after a decline for which the same card is not tried again.
func nextTry(p plan.Period, saved *time.Time) (at time.Time, left bool) {
	days := linkDays
	if saved != nil {
		since := func(at time.Time) bool { return p.TriedAt != nil && at.After(*p.TriedAt) }
		if since(*saved) || since(*p.ConsentedAt) {
			return *p.TriedAt, true
		}
		if slices.Contains(hardDeclines, p.Failed) {
			return at, false
		}
		days = chargeDays
	}
	if p.Tries >= len(days) {
		return at, false
	}
	at = triedAt(p, days[p.Tries])
	if p.TriedAt != nil && at.Before(p.TriedAt.Add(tryApart)) {
		at = p.TriedAt.Add(tryApart)
	}
	return at, true
}

// triedAt returns the time of a try: on the first day within two hours after its midnight, the same for any number of
// calls, and later at ten o'clock.
func triedAt(p plan.Period, day int) time.Time {
	zone := civil.ZoneOrUTC(p.Zone)
	if day == 0 {
		return civil.StartOfDay(p.StartsOn, zone).Add(time.Duration(p.ID[15]) * 2 * time.Hour / 256)
	}
	return civil.Instant(p.StartsOn.AddDays(day), tryAgainAt, zone)
}

// RenewalCard returns the card that is charged for the memberships of a customer who agrees to that: the latest that
// has not expired; of somebody who disputes a payment none. The caller may see the customer's memberships.
func (s *Service) RenewalCard(
	ctx context.Context, business, customer uuid.UUID,
) (card billing.SavedCard, found bool, err error) {
	return s.renewalCard(ctx, s.db.View(business), customer)
}

func (s *Service) renewalCard(
	ctx context.Context, r pg.Reader, customer uuid.UUID,
) (card billing.SavedCard, found bool, err error) {
	cards, err := s.billing.SavedCards(ctx, r, customer)
	i := slices.IndexFunc(cards, func(c billing.SavedCard) bool { return !c.Expired(r.Now()) })
	if err != nil || i < 0 {
		return card, false, err
	}
	disputes, err := billing.Disputes(ctx, r, customer)
	return cards[i], err == nil && !disputes, err
}

// lockPeriod locks a billing period, and before that the payments of its order and of a change of its membership.
func (s *Service) lockPeriod(ctx context.Context, tx *pg.Tx, id uuid.UUID) (plan.Period, error) {
	seen, err := plan.FindPeriod(ctx, tx, id)
	if err != nil {
		return seen, err
	}
	if orders := ordersOf(seen); len(orders) > 0 {
		if err := billing.LockPaymentsTx(ctx, tx, orders); err != nil {
			return seen, err
		}
	}
	p, err := plan.LockPeriod(ctx, tx, id)
	if err != nil {
		return p, err
	}
	for _, o := range ordersOf(p) {
		if !slices.Contains(ordersOf(seen), o) {
			return p, pg.ErrUnmet // its payments are not locked
		}
	}
	return p, nil
}

// ordersOf returns the open orders of a period, and of a change of its membership.
func ordersOf(p plan.Period) (out []uuid.UUID) {
	for _, o := range []*uuid.UUID{p.OrderID, p.ChangeOrderID} {
		if o != nil {
			out = append(out, *o)
		}
	}
	return out
}

// orderOf returns the open order of a locked period, which is written if there is none. A free period is paid by it.
func (s *Service) orderOf(ctx context.Context, tx *pg.Tx, p *plan.Period) (uuid.UUID, error) {
	if p.OrderID != nil {
		return *p.OrderID, nil
	}
	d, err := deskOfPeriod(ctx, tx, *p)
	if err != nil {
		return uuid.Nil, err
	}
	o := d.byCard().order
	inSteps(&o)
	if p.Amount == 0 {
		o.State = order.Fulfilled
	}
	o.ID = pg.NewID()
	o.Receipt = s.order.ReceiptHash(o.ID)
	if err := order.Insert(ctx, tx, o); err != nil {
		return uuid.Nil, err
	}
	if err := plan.BillTx(ctx, tx, p.ID, o.Lines[0].ID); err != nil || p.Amount > 0 {
		return o.ID, err
	}
	return o.ID, s.order.FulfilTx(ctx, tx, o.ID)
}

// deskOfPeriod returns a billing period as what is due at the desk.
func deskOfPeriod(ctx context.Context, r pg.Reader, p plan.Period) (deskDue, error) {
	m := plan.Membership{LocationID: p.LocationID, CustomerID: p.CustomerID, Currency: p.Currency}
	d, err := deskOfMembership(ctx, r, m, p.Item())
	d.period = &p
	return d, err
}

// chargeOrder charges an open order to a saved card, a moment later.
func (s *Service) chargeOrder(ctx context.Context, tx *pg.Tx, id uuid.UUID, card billing.SavedCard) error {
	p, err := s.payment(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := billing.Chargeable(p.Amount, p.Currency); err != nil {
		return err
	}
	p, err = s.billing.ChooseTx(ctx, tx, p, billing.Choice{CustomerID: card.CustomerID, CardID: card.ID})
	if err != nil {
		return err
	}
	if _, err := order.SetChargeFailed(ctx, tx, id, ""); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ChargeJob{Business: tx.Business(), Order: id})
}

// lapse ends a membership whose period was not paid, and gives up the order.
func (s *Service) lapse(ctx context.Context, tx *pg.Tx, p plan.Period) error {
	if p.OrderID != nil {
		if pay, err := billing.PaymentOfOrder(ctx, tx, *p.OrderID); err == nil && pay.InTransit() {
			return nil
		}
		if err := s.drop(ctx, tx, *p.OrderID); err != nil {
			return err
		}
	}
	if p.ChangeOrderID != nil {
		if err := s.drop(ctx, tx, *p.ChangeOrderID); err != nil {
			return err
		}
	}
	if err := plan.LapseTx(ctx, tx, p); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, plan.ReminderJob{
		Business: tx.Business(), Membership: p.MembershipID, Event: plan.EndedUnpaid,
	})
}

// periodOf locks the billing period that is paid at the desk, and fills in its location and customer; nil: none is. It
// returns a not found error, plan.ErrNoPeriod, ErrPaymentPending and ErrOneCustomer.
func (s *Service) periodOf(ctx context.Context, tx *pg.Tx, in *PaymentInput) (*plan.Period, error) {
	if in.PeriodID == uuid.Nil {
		return nil, nil
	}
	p, err := s.lockPeriod(ctx, tx, in.PeriodID)
	switch {
	case err == nil && !p.Active:
		err = plan.ErrNoPeriod
	case err == nil && p.Changing && p.StartsOn.After(p.Today(tx.Now())):
		err = plan.ErrChanging
	case err == nil && p.Changing:
		p, err = s.startChange(ctx, tx, p)
	}
	if err == nil {
		err = s.notPaying(ctx, tx, p)
	}
	if err != nil {
		return nil, err
	}
	if in.LocationID != uuid.Nil && in.LocationID != p.LocationID ||
		in.CustomerID != uuid.Nil && in.CustomerID != p.CustomerID {
		return nil, ErrOneCustomer
	}
	in.LocationID, in.CustomerID = p.LocationID, p.CustomerID
	return &p, nil
}

// payPeriod makes a line of a written order pay a billing period, whose earlier order is given up.
func (s *Service) payPeriod(ctx context.Context, tx *pg.Tx, p plan.Period, o order.Draft) error {
	if p.OrderID != nil {
		if err := s.drop(ctx, tx, *p.OrderID); err != nil {
			return err
		}
	}
	i := slices.IndexFunc(o.Lines, func(l order.DraftLine) bool { return l.Kind == order.Plan && l.Subject == p.PlanID })
	return plan.BillTx(ctx, tx, p.ID, o.Lines[i].ID)
}

// notPaying returns checkout.ErrPaymentPending if the payment of a period is in progress.
func (s *Service) notPaying(ctx context.Context, r pg.Reader, p plan.Period) error {
	if p.OrderID == nil {
		return nil
	}
	pay, err := billing.PaymentOfOrder(ctx, r, *p.OrderID)
	switch {
	case fault.IsKind(err, fault.NotFound):
		return nil
	case err == nil && pay.InTransit():
		return checkout.ErrPaymentPending
	}
	return err
}

// CancelInput cancels a membership for the end that was shown.
type CancelInput struct {
	CustomerID, MembershipID uuid.UUID
	Version                  int64      // of the membership that was read; 0: any
	EndsOn                   civil.Date // as plan.EndingOf has it; zero: whatever it is
}

// CancelPlan cancels a membership of a customer, for the earliest end that its terms allow: see plan.Ending. It needs
// membership.manage at the membership's location, and the customer in its reach. It returns:
//
//   - a not found error
//   - fault.ErrStale, also if another end is the earliest now
//   - plan.ErrNotRenewing, plan.ErrEnded, plan.ErrCanceled
//   - plan.ErrBooked
//   - ErrPaymentPending while a payment of its period is in progress
func (s *Service) CancelPlan(ctx context.Context, sc tenancy.Scope, in CancelInput) (plan.Membership, error) {
	return s.plans.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		return s.cancel(ctx, tx, sc.Actor, in, seen)
	})
}

// CancelMyPlan is CancelPlan for the signed-in person. It returns identity.ErrSignIn too.
func (s *Service) CancelMyPlan(ctx context.Context, p tenancy.Principal, in CancelInput) (plan.Membership, error) {
	return s.plans.OfMine(ctx, p, in.MembershipID, func(tx *pg.Tx, seen plan.Membership) error {
		in.CustomerID = seen.CustomerID
		return s.cancel(ctx, tx, p.Actor, in, seen)
	})
}

// cancel cancels a membership that was read, and gives up the order of a period that is not to be paid any more, and of
// a change.
func (s *Service) cancel(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, in CancelInput, seen plan.Membership,
) error {
	if seen.Next != nil {
		if err := s.lockUnpaid(ctx, tx, seen.Next.OrderID); err != nil {
			return err
		}
	}
	if err := s.lockChange(ctx, tx, seen); err != nil {
		return err
	}
	m, e, err := plan.CancelTx(ctx, tx, by, in.CustomerID, in.MembershipID, in.Version, in.EndsOn)
	if err == nil && e.Now && m.Next.OrderID != nil {
		err = s.drop(ctx, tx, *m.Next.OrderID)
	}
	if err == nil {
		err = s.dropChange(ctx, tx, seen)
	}
	return err
}
