package plan

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// A plan that is frozen pays for nothing, and its customer pays nothing for it. Nothing is lost by that: its end moves
// by as many days, and so do its billing period of that time, those after it and their charges. A freeze without an end
// moves them when it is ended.

// Frozen is a time for which a membership is frozen.
type Frozen struct {
	ID       uuid.UUID   `json:"id"`
	StartsOn civil.Date  `json:"startsOn"`
	EndsOn   *civil.Date `json:"endsOn"` // the first day after; nil: no end is known
	Note     string      `json:"note"`   // of the studio
}

// Over reports whether a freeze has ended by a day.
func (f Frozen) Over(today civil.Date) bool { return f.EndsOn != nil && !today.Before(*f.EndsOn) }

// period returns the freeze as rules has it; its end is the end of time if none is known.
func (f Frozen) period() rules.Period {
	p := rules.Period{From: f.StartsOn, Until: civil.NewDate(9999, 12, 31)}
	if f.EndsOn != nil {
		p.Until = *f.EndsOn
	}
	return p
}

// The errors of freezes.
var (
	// ErrFreeze refuses a freeze: details.why is one of rules.WhyNot.
	ErrFreeze = fault.New(fault.Conflict, "freeze_refused", "This plan cannot be frozen for these days.")
	// ErrFreezeBooked refuses a freeze of a plan that pays for bookings in that time: details.bookings is their number.
	ErrFreezeBooked = fault.New(fault.Conflict, "freeze_booked",
		"This plan pays for bookings in that time. Cancel them first.")
	// ErrPeriodDue refuses a freeze while a billing period is not paid.
	ErrPeriodDue = fault.New(fault.Conflict, "period_due", "Pay the billing period that is due first.")
	// ErrNotFrozen refuses to end a freeze of a plan that has none.
	ErrNotFrozen = fault.New(fault.Conflict, "not_frozen", "This plan is not frozen.")
	// ErrFrozen refuses to cancel a membership in a freeze without an end: what is paid begins again with its end.
	ErrFrozen = fault.New(fault.Conflict, "membership_frozen", "End the freeze of this membership first.")
)

// FreezeInput is a freeze that is to be set.
type FreezeInput struct {
	CustomerID, MembershipID uuid.UUID
	Version                  int64       // of the membership that was read; 0: any
	StartsOn                 civil.Date  // the first day
	EndsOn                   *civil.Date // the first day after; nil: no end is known
	Note                     string      // of the studio; at most 500 characters
	RenewsOn                 *civil.Date // the next charge that was shown; nil: whatever it is
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *FreezeInput) Validate() error {
	var c fault.Checks
	in.Note = strings.TrimSpace(in.Note)
	c.That(in.StartsOn.Valid(), "startsOn", "Enter a date.")
	c.That(in.EndsOn == nil || in.EndsOn.Valid() && in.EndsOn.After(in.StartsOn), "lastDay", "Enter a later date.")
	c.That(in.EndsOn == nil || !in.EndsOn.After(in.StartsOn.AddDays(FreezeMax)), "lastDay",
		"Freeze it for at most a year.")
	c.That(utf8.RuneCountInString(in.Note) <= 500, "note", "Use at most 500 characters.")
	c.That(!strings.ContainsFunc(in.Note, unprinted), "note", unprintable)
	return c.Err()
}

// Freezing is what a freeze does.
type Freezing struct {
	StartsOn civil.Date
	EndsOn   *civil.Date
	Ends     *civil.Date // the first day without the plan; nil: no end, or the freeze has none
	RenewsOn *civil.Date // the next charge; nil: none, or the freeze has no end
	Amount   int64       // of that charge
	Booked   int         // bookings in that time, which it pays for
	moved    moved
}

// FreezingOf reads a membership of a customer, and what a freeze of it would do. by says whether the studio enters it,
// which is bound by no rules of the plan. It returns a validation error, a not found error, ErrEnded, ErrPeriodDue and
// ErrFreeze.
func FreezingOf(ctx context.Context, r pg.Reader, in FreezeInput, staff bool) (Membership, Freezing, error) {
	if err := in.Validate(); err != nil {
		return Membership{}, Freezing{}, err
	}
	m, err := membershipOf(ctx, r, in.CustomerID, in.MembershipID)
	if err != nil {
		return m, Freezing{}, err
	}
	today := civil.LocalDate(r.Now(), civil.ZoneOrUTC(m.Zone))
	if err := m.freezable(in, today, staff); err != nil {
		return m, Freezing{}, err
	}
	f := Freezing{StartsOn: in.StartsOn, EndsOn: in.EndsOn, moved: m.still()}
	if in.EndsOn != nil {
		cycles, err := cyclesFrom(ctx, r, m.ID, in.StartsOn)
		if err != nil {
			return m, f, err
		}
		f.moved = m.move(cycles, in.StartsOn, in.StartsOn.DaysUntil(*in.EndsOn))
		f.Ends = f.moved.endsOn
		if m.Next != nil {
			on := f.moved.start(m.Next.ID, m.Next.StartsOn)
			f.RenewsOn, f.Amount = &on, m.Next.Amount
		}
	}
	f.Booked, err = bookedFrom(ctx, r, m.ID, in.StartsOn, in.EndsOn)
	return m, f, err
}

// freezable returns the error that refuses a freeze on a day.
func (m Membership) freezable(in FreezeInput, today civil.Date, staff bool) error {
	switch {
	case m.State != Active:
		return ErrEnded
	case m.Next != nil && (m.Next.Due || m.Next.StartsOn.Before(today)):
		return ErrPeriodDue
	case m.Change != nil && m.Change.Due:
		return ErrChanging
	}
	why := m.refuses(in, today, staff)
	if why == "" {
		return nil
	}
	return ErrFreeze.With("why", string(why))
}

func (m Membership) refuses(in FreezeInput, today civil.Date, staff bool) rules.WhyNot {
	paid := 0
	if m.Kind == Renewing && m.Next != nil {
		paid = m.Whole(m.Next.Number - 1)
	}
	req := rules.FreezeRequest{RequestedOn: today, From: in.StartsOn, Staff: staff}
	if in.EndsOn != nil {
		req.Until = *in.EndsOn
	}
	before := make([]rules.Period, len(m.Freezes))
	for i, f := range m.Freezes {
		before[i] = f.period()
	}
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	t := rules.Terms{}
	if m.Kind == Renewing {
		t.Schedule = v.schedule(m.AnchorOn, 0)
	}
	why := m.FreezeRules.Refuses(t, req, before, paid)
	switch {
	case why != "":
		return why
	case m.EndsOn != nil && !in.StartsOn.Before(*m.EndsOn):
		return rules.FreezeAfterEnd
	case m.Next != nil && !in.StartsOn.Before(m.Next.EndsOn):
		return rules.FreezeTooFar
	}
	return ""
}

// FreezeTx sets a freeze, as it was shown. It returns the errors of FreezingOf, fault.ErrStale if the next charge would
// be another one, or the membership has another version, and ErrFreezeBooked.
func FreezeTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, in FreezeInput, staff bool) error {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{in.MembershipID}); err != nil {
		return err
	}
	m, f, err := FreezingOf(ctx, tx, in, staff)
	if m.ID != uuid.Nil && in.Version != 0 { // before any other refusal
		err = cmp.Or(fault.Stale(in.Version, m.Version), err)
	}
	switch {
	case err != nil:
		return err
	case in.RenewsOn != nil && (f.RenewsOn == nil || *in.RenewsOn != *f.RenewsOn):
		return fault.ErrStale
	case f.Booked > 0:
		return ErrFreezeBooked.With("bookings", f.Booked)
	}
	b := tx.Batch()
	pg.QueueExec(b, `insert into freezes (id, business_id, membership_id, starts_on, ends_on, note, actor_kind, actor_id,
			actor_name, version, created_at, updated_at)
		values (@id, @business, @membership, @starts, @ends, @note, @actor_kind, @actor, @actor_name, 1, @now, @now)`,
		pg.Named{
			"id": pg.NewID(), "business": tx.Business(), "membership": m.ID, "starts": in.StartsOn, "ends": in.EndsOn,
			"note": in.Note, "actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
		})
	f.moved.in(b, tx, m)
	if err := b.Send(ctx); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ReminderJob{tx.Business(), m.ID, FrozenFor})
}

// UnfreezeInput ends a freeze.
type UnfreezeInput struct {
	CustomerID, MembershipID uuid.UUID
	Version                  int64 // of the membership that was read; 0: any
}

// freezeNow returns the freeze that is running on a day, or comes; found is false without one.
func (m Membership) freezeNow(today civil.Date) (f Frozen, found bool) {
	for _, f := range m.Freezes {
		if !f.Over(today) {
			return f, true
		}
	}
	return Frozen{}, false
}

// Freeze returns the freeze that is running, or the next one to come, at a time; nil without one.
func (m Membership) Freeze(today civil.Date) *Frozen {
	if f, found := m.freezeNow(today); found {
		return &f
	}
	return nil
}

// Unfreezes reports whether a freeze can be ended before its end on a day: a customer keeps to the shortest freeze of
// the plan and to whole periods.
func (m Membership) Unfreezes(f Frozen, today civil.Date, staff bool) bool {
	if staff || !f.StartsOn.Before(today) { // it has not paid for a day less yet
		return true
	}
	if m.FreezeRules.WholePeriods && f.EndsOn != nil {
		return false
	}
	return f.StartsOn.DaysUntil(today) >= m.FreezeRules.MinDays
}

// Unfreezing is what the end of a freeze does today.
type Unfreezing struct {
	Frozen
	Began    bool        // else it is canceled
	Ends     *civil.Date // the first day without the plan; nil: no end
	RenewsOn *civil.Date // the next charge; nil: none
	Amount   int64       // of that charge
}

// unfreezing returns the days that a freeze has had by a day, and what its end then moves.
func (m Membership) unfreezing(ctx context.Context, r pg.Reader, f Frozen, today civil.Date) (int, moved, error) {
	used := max(0, f.StartsOn.DaysUntil(today))
	postponed := 0 // a freeze without an end has moved nothing yet
	if f.EndsOn != nil {
		postponed = f.StartsOn.DaysUntil(*f.EndsOn)
	}
	if used == 0 && f.StartsOn == m.Freezes[len(m.Freezes)-1].StartsOn { // no later one has moved the same periods
		cycles, err := cyclesFrom(ctx, r, m.ID, m.StartsOn)
		return used, m.moveBack(cycles, f.StartsOn, postponed), err
	}
	cycles, err := cyclesFrom(ctx, r, m.ID, f.StartsOn)
	if m.Kind != Renewing && f.EndsOn != nil {
		return used, m.move(nil, today, used-postponed), err
	}
	return used, m.move(cycles, f.StartsOn, used-postponed), err
}

// UnfreezingOf returns what the end of the freeze of a membership would do. It returns ErrEnded and ErrNotFrozen.
func UnfreezingOf(ctx context.Context, r pg.Reader, m Membership) (Unfreezing, error) {
	today := civil.LocalDate(r.Now(), civil.ZoneOrUTC(m.Zone))
	f, found := m.freezeNow(today)
	switch {
	case m.State != Active:
		return Unfreezing{}, ErrEnded
	case !found:
		return Unfreezing{}, ErrNotFrozen
	}
	used, move, err := m.unfreezing(ctx, r, f, today)
	out := Unfreezing{Frozen: f, Began: used > 0, Ends: move.endsOn}
	if m.Next != nil {
		on := move.start(m.Next.ID, m.Next.StartsOn)
		out.RenewsOn, out.Amount = &on, m.Next.Amount
	}
	return out, err
}

// UnfreezeTx ends the freeze of a membership today: what it has moved moves back for the days that are left of it. One
// that has not begun is canceled. It returns a not found error, fault.ErrStale, ErrEnded, ErrNotFrozen, and ErrFreeze
// if the rules of the plan do not allow it to end yet.
func UnfreezeTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, in UnfreezeInput, staff bool) error {
	if _, err := tx.Exec(ctx, lockSQL, tx.Business(), []uuid.UUID{in.MembershipID}); err != nil {
		return err
	}
	m, err := membershipOf(ctx, tx, in.CustomerID, in.MembershipID)
	if err != nil {
		return err
	}
	today := civil.LocalDate(tx.Now(), civil.ZoneOrUTC(m.Zone))
	f, found := m.freezeNow(today)
	switch {
	case in.Version != 0 && in.Version != m.Version:
		return fault.Stale(in.Version, m.Version)
	case m.State != Active:
		return ErrEnded
	case !found:
		return ErrNotFrozen
	case !m.Unfreezes(f, today, staff):
		return ErrFreeze.With("why", string(rules.FreezeTooShort))
	}
	used, move, err := m.unfreezing(ctx, tx, f, today)
	if err != nil {
		return err
	}
	b := tx.Batch()
	if used == 0 {
		pg.QueueExec(b, `update freezes set canceled_at = $3, version = version + 1, updated_at = $3
			where business_id = $1 and id = $2`, tx.Business(), f.ID, tx.Now())
	} else {
		pg.QueueExec(b, `update freezes set ends_on = $3, version = version + 1, updated_at = $4
			where business_id = $1 and id = $2`, tx.Business(), f.ID, today, tx.Now())
	}
	move.in(b, tx, m)
	if err := b.Send(ctx); err != nil {
		return err
	}
	return jobs.EnqueueTx(ctx, tx, ReminderJob{tx.Business(), m.ID, Unfrozen})
}

// Freeze freezes a plan of a customer, by the studio, whatever its rules are. It needs membership.manage at the
// membership's location, and the customer in its reach. It returns the errors of FreezeTx.
func (s *Service) Freeze(ctx context.Context, sc tenancy.Scope, in FreezeInput) (Membership, error) {
	return s.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, _ Membership) error {
		return FreezeTx(ctx, tx, sc.Actor, in, true)
	})
}

// Unfreeze ends the freeze of a plan of a customer, by the studio. It needs membership.manage at the membership's
// location, and the customer in its reach. It returns the errors of UnfreezeTx.
func (s *Service) Unfreeze(ctx context.Context, sc tenancy.Scope, in UnfreezeInput) (Membership, error) {
	return s.AtDesk(ctx, sc, in.CustomerID, in.MembershipID, func(tx *pg.Tx, _ Membership) error {
		return UnfreezeTx(ctx, tx, sc.Actor, in, true)
	})
}

// AtDesk does something with a plan of a customer that needs membership.manage at its location, and the customer in its
// reach, and returns it as it is then. do gets it as it was read, and is called again if it returns pg.ErrUnmet: a
// concurrent call did the same.
func (s *Service) AtDesk(
	ctx context.Context, sc tenancy.Scope, customer, membership uuid.UUID, do func(*pg.Tx, Membership) error,
) (Membership, error) {
	if err := policy.RequireAny(sc, policy.MembershipManage); err != nil {
		return Membership{}, err
	}
	return s.twice(ctx, sc.Tenant, func(tx *pg.Tx) (Membership, error) {
		if _, err := crm.Seen(ctx, tx, sc, policy.MembershipManage, customer); err != nil {
			return Membership{}, err
		}
		m, err := membershipOf(ctx, tx, customer, membership)
		if err == nil {
			err = policy.RequireAt(sc, policy.MembershipManage, m.LocationID)
		}
		return after(ctx, tx, m, err, do)
	})
}

// after does something with a membership that was read, and returns it as it is then.
func after(
	ctx context.Context, tx *pg.Tx, m Membership, err error, do func(*pg.Tx, Membership) error,
) (Membership, error) {
	if err == nil {
		err = do(tx, m)
	}
	if err != nil {
		return Membership{}, err
	}
	return membershipOf(ctx, tx, m.CustomerID, m.ID)
}

// twice runs a transaction, and again if it returns pg.ErrUnmet.
func (s *Service) twice(
	ctx context.Context, business uuid.UUID, do func(*pg.Tx) (Membership, error),
) (Membership, error) {
	m, err := pg.InTx(ctx, s.o.DB, business, do)
	if errors.Is(err, pg.ErrUnmet) {
		m, err = pg.InTx(ctx, s.o.DB, business, do)
	}
	return m, err
}

// FreezeMine freezes a plan of the signed-in person, by its rules. It returns identity.ErrSignIn and the errors of
// FreezeTx.
func (s *Service) FreezeMine(ctx context.Context, p tenancy.Principal, in FreezeInput) (Membership, error) {
	return s.OfMine(ctx, p, in.MembershipID, func(tx *pg.Tx, m Membership) error {
		in.CustomerID, in.Note = m.CustomerID, ""
		return FreezeTx(ctx, tx, p.Actor, in, false)
	})
}

// FreezingMine reads a plan of the signed-in person, and what a freeze of it would do. It returns identity.ErrSignIn
// and the errors of FreezingOf.
func (s *Service) FreezingMine(
	ctx context.Context, p tenancy.Principal, in FreezeInput,
) (Membership, Freezing, error) {
	m, err := s.MineOf(ctx, p, in.MembershipID)
	if err != nil {
		return m, Freezing{}, err
	}
	in.CustomerID = m.CustomerID
	return FreezingOf(ctx, s.o.DB.View(m.BusinessID), in, false)
}

// UnfreezeMine ends the freeze of a plan of the signed-in person. It returns identity.ErrSignIn and the errors of
// UnfreezeTx.
func (s *Service) UnfreezeMine(ctx context.Context, p tenancy.Principal, in UnfreezeInput) (Membership, error) {
	return s.OfMine(ctx, p, in.MembershipID, func(tx *pg.Tx, m Membership) error {
		in.CustomerID = m.CustomerID
		return UnfreezeTx(ctx, tx, p.Actor, in, false)
	})
}

// OfMine is AtDesk for a plan of the signed-in person. It returns identity.ErrSignIn too.
func (s *Service) OfMine(
	ctx context.Context, p tenancy.Principal, membership uuid.UUID, do func(*pg.Tx, Membership) error,
) (Membership, error) {
	m, err := s.MineOf(ctx, p, membership)
	if err != nil {
		return m, err
	}
	return s.twice(ctx, m.BusinessID, func(tx *pg.Tx) (Membership, error) {
		seen, err := membershipOf(ctx, tx, m.CustomerID, m.ID)
		return after(ctx, tx, seen, err, do)
	})
}
