package plan

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/words"
	"foyer/policy"
)

// A membership is ended before its least number of periods for a fee, if its plan has one: with the period that is
// paid, once the fee is paid. Until then it pays for no bookings after that end. What is not paid by then is given up,
// and the membership renews.

// The errors of early ends.
var (
	// ErrNoEarlyEnd refuses to end a membership for a fee whose terms have none, or not any more.
	ErrNoEarlyEnd = fault.New(fault.Conflict, "no_early_end", "This membership cannot be ended early for a fee.")
	// ErrEndingEarly refuses what an early end of the membership is in the way of.
	ErrEndingEarly = fault.New(fault.Conflict, "membership_ending", "Withdraw the early end of this membership first.")
)

// EarlyEnd is an end of a membership that waits for the payment of its fee.
type EarlyEnd struct {
	ID      uuid.UUID  `json:"id"`
	EndsOn  civil.Date `json:"endsOn"` // the first day without the membership
	Amount  int64      `json:"amount"` // of the fee, as listed
	Failed  string     `json:"failed"` // the code of the failed charge; empty: none failed
	OrderID *uuid.UUID `json:"orderId"`
}

// EarlyEnding is what an early end does.
type EarlyEnding struct {
	EndsOn civil.Date // the first day without the membership
	Amount int64      // the fee, as listed
	Saves  int64      // the prices of the periods that are not paid then, as listed
	Booked int        // bookings after the end, which it pays for
	m      Membership
	tax    taxOf
}

// EndEarlyInput ends a membership early, as it was shown.
type EndEarlyInput struct {
	CustomerID, MembershipID uuid.UUID
	Version                  int64      // of the membership that was read; 0: any
	EndsOn                   civil.Date // zero: whatever it is
	Amount                   *int64     // of the fee; nil: likewise
}

// EarlyEndingOf reads a membership of a customer, and what its early end would do now. It returns a not found error,
// ErrNotRenewing, ErrEnded, ErrCanceled, ErrFrozen, ErrPeriodDue and ErrNoEarlyEnd.
func EarlyEndingOf(ctx context.Context, r pg.Reader, customer, id uuid.UUID) (Membership, EarlyEnding, error) {
	m, err := membershipOf(ctx, r, customer, id)
	if err != nil {
		return m, EarlyEnding{}, err
	}
	today := civil.LocalDate(r.Now(), civil.ZoneOrUTC(m.Zone))
	e, err := m.earlyEnding(today)
	if err != nil {
		return m, EarlyEnding{}, err
	}
	if e.tax, err = taxOfPlan(ctx, r, m); err != nil {
		return m, e, err
	}
	e.Booked, err = bookedFrom(ctx, r, id, e.EndsOn, nil)
	return m, e, err
}

// EarlyEnds reports whether the membership can be ended early on a day.
func (m Membership) EarlyEnds(today civil.Date) bool {
	_, err := m.earlyEnding(today)
	return err == nil
}

func (m Membership) earlyEnding(today civil.Date) (EarlyEnding, error) {
	switch {
	case m.Kind != Renewing:
		return EarlyEnding{}, ErrNotRenewing
	case m.State != Active:
		return EarlyEnding{}, ErrEnded
	case m.CanceledAt != nil:
		return EarlyEnding{}, ErrCanceled
	case m.inOpenFreeze(today):
		return EarlyEnding{}, ErrFrozen
	case m.Next == nil:
		return EarlyEnding{}, ErrNoEarlyEnd
	case m.Next.Due || !m.Next.StartsOn.After(today):
		return EarlyEnding{}, ErrPeriodDue
	}
	t := m.terms()
	cost, rest, possible := t.EndCost(today, m.law().ends(), func(n int) int64 { return m.amount(m.Next.Number + n) })
	if !possible {
		return EarlyEnding{}, ErrNoEarlyEnd
	}
	return EarlyEnding{EndsOn: m.Next.StartsOn, Amount: cost, Saves: rest, m: m}, nil
}

// inOpenFreeze reports whether a freeze without an end has begun before a day.
func (m Membership) inOpenFreeze(today civil.Date) bool {
	f := m.Freeze(today)
	return f != nil && f.EndsOn == nil && f.StartsOn.Before(today)
}

// Item returns the fee as an item of an order.
func (e EarlyEnding) Item() *order.CartItem {
	it := &order.CartItem{
		ID: e.m.PlanID, LocationID: e.m.LocationID, Kind: order.Plan, Subject: e.m.PlanID, Quantity: 1, AtDesk: true,
	}
	it.Name, it.ListedAmount, it.Tax = e.m.Name, e.Amount, e.tax.Tax()
	asEarlyEnd(it, e.tax.Language)
	return it
}

// asEarlyEnd names an item of a plan as the fee of its early end, in a language. It is income at once.
func asEarlyEnd(it *order.CartItem, language string) {
	it.Name = words.In(language).T("{plan}: early end", "plan", it.Name)
	_, it.Income = Renewing.Deferred()
}

// EndEarlyTx ends a membership early, as it was shown; with a fee, that is to be paid, it is written by BillEndTx. An
// earlier one that waits for its payment is void: its order is the caller's to give up, with its payments locked, as is
// that of an open change. It returns the errors of EarlyEndingOf, fault.ErrStale if another end or another fee is due
// now, or the membership has another version, and ErrBooked.
func EndEarlyTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, in EndEarlyInput,
) (Membership, EarlyEnding, error) {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{in.MembershipID}); err != nil {
		return Membership{}, EarlyEnding{}, err
	}
	m, e, err := EarlyEndingOf(ctx, tx, in.CustomerID, in.MembershipID)
	if m.ID != uuid.Nil && in.Version != 0 { // before any other refusal
		err = cmp.Or(fault.Stale(in.Version, m.Version), err)
	}
	switch {
	case err != nil:
		return m, e, err
	case !in.EndsOn.IsZero() && in.EndsOn != e.EndsOn, in.Amount != nil && *in.Amount != e.Amount:
		return m, e, fault.ErrStale
	case e.Booked > 0:
		return m, e, ErrBooked.With("bookings", e.Booked)
	}
	b := tx.Batch()
	voidChangesIn(b, tx, []uuid.UUID{m.ID})
	voidEndsIn(b, tx, []uuid.UUID{m.ID})
	if e.Amount > 0 {
		touchIn(b, tx, m.ID)
		return m, e, b.Send(ctx)
	}
	endAtIn(b, tx, by, `m.id = @membership`, pg.Named{"membership": m.ID, "ends": e.EndsOn})
	if err := b.Send(ctx); err != nil {
		return m, e, err
	}
	return m, e, jobs.EnqueueTx(ctx, tx, ReminderJob{tx.Business(), m.ID, CanceledFor})
}

// Canceling is what a customer of a membership can do to end it: nil for what is refused.
type Canceling struct {
	Ending *Ending
	Early  *EarlyEnding
}

// CancelingOf reads a membership of a customer, and what its cancellation and its early end would do now. It returns
// the errors of EndingOf if both are refused.
func CancelingOf(ctx context.Context, r pg.Reader, customer, id uuid.UUID) (Membership, Canceling, error) {
	var c Canceling
	m, e, refused := EndingOf(ctx, r, customer, id)
	if m.ID == uuid.Nil {
		return m, c, refused
	}
	if refused == nil {
		c.Ending = &e
	}
	if !m.EarlyEnds(civil.LocalDate(r.Now(), civil.ZoneOrUTC(m.Zone))) {
		return m, c, refused
	}
	m, early, err := EarlyEndingOf(ctx, r, customer, id)
	c.Early = &early
	return m, c, err
}

// Canceling returns what ends a membership of a customer. It needs membership.manage at the membership's location, and
// the customer in its reach. It returns the errors of CancelingOf.
func (s *Service) Canceling(
	ctx context.Context, sc tenancy.Scope, customer, membership uuid.UUID,
) (Membership, Canceling, error) {
	v := s.o.DB.View(sc.Tenant)
	if _, err := crm.Seen(ctx, v, sc, policy.MembershipManage, customer); err != nil {
		return Membership{}, Canceling{}, err
	}
	m, c, err := CancelingOf(ctx, v, customer, membership)
	if m.ID != uuid.Nil {
		err = cmp.Or(policy.RequireAt(sc, policy.MembershipManage, m.LocationID), err)
	}
	return m, c, err
}

// CancelingMine reads a membership of the signed-in person, and what ends it. It returns identity.ErrSignIn and the
// errors of CancelingOf.
func (s *Service) CancelingMine(
	ctx context.Context, p tenancy.Principal, membership uuid.UUID,
) (Membership, Canceling, error) {
	m, err := s.MineOf(ctx, p, membership)
	if err != nil {
		return m, Canceling{}, err
	}
	return CancelingOf(ctx, s.o.DB.View(m.BusinessID), m.CustomerID, m.ID)
}
