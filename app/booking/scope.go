package booking

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Scope selects the bookings of a recurring one for a change. Bookings of one group (group_id) that are no course
// recur: each is a booking of its own, with its own price, policy and state. Bookings that have begun are not
// changed.
type Scope string

// The scopes.
const (
	ScopeThis      Scope = "this"      // the booking that is named
	ScopeFollowing Scope = "following" // with those that begin later
	ScopeAll       Scope = "all"       // with all upcoming ones
)

// All lists them.
func (Scope) All() []Scope { return []Scope{ScopeThis, ScopeFollowing, ScopeAll} }

// check fills in ScopeThis.
func (s *Scope) check(c *fault.Checks) {
	if *s == "" {
		*s = ScopeThis
	}
	c.That(slices.Contains(s.All(), *s), "scope", "Use this, following or all.")
}

// several reports whether a change is for more than the named booking.
func (s Scope) several() bool { return s == ScopeFollowing || s == ScopeAll }

// lockScope locks the bookings of a recurring one, and returns the named one and those in scope, by their start: the
// named one, and of the others the upcoming ones that allow t.
func lockScope(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, scope Scope, t Transition, customers bool) (map[uuid.UUID]subject, []subject, error) {
	ids, err := pg.All[uuid.UUID](ctx, tx, `select g.id from bookings b join bookings g on g.business_id = $1 and (g.id = b.id or g.group_id = b.group_id)
		where b.business_id = $1 and b.id = $2`, tx.Business(), id)
	if err != nil {
		return nil, nil, err
	}
	list, err := lockBookings(ctx, tx, sc.Person(), ids, customers)
	if err != nil {
		return nil, nil, err
	}
	asked, err := found(list, id)
	switch {
	case err != nil:
		return nil, nil, err
	case asked.Course():
		return nil, nil, NotCourse(asked.OfferingID).WithMessage("A course can only be changed as a whole.")
	case asked.GroupID == nil:
		return nil, nil, fault.Invalid("scope", "This booking does not recur.")
	}
	var out []subject
	for _, b := range list {
		_, ok := b.State.After(t)
		ahead := ok && b.StartsAt.After(tx.Now()) && (scope == ScopeAll || !b.StartsAt.Before(asked.StartsAt))
		if b.ID == asked.ID || ahead {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, byStart)
	return list, out, nil
}

// cancelRecurring cancels bookings of a recurring one, each as decide returns, by its own policy. The customer is
// notified once.
func (s *Service) cancelRecurring(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, scope Scope,
	decide func(list map[uuid.UUID]subject, id uuid.UUID) ([]ending, error),
) (Cancellation, error) {
	list, parts, err := lockScope(ctx, tx, sc, id, scope, TransitionCancel, true)
	if err != nil {
		return Cancellation{}, err
	}
	var ends []ending
	for _, b := range parts {
		end, err := decide(list, b.ID)
		if err != nil {
			return Cancellation{}, err
		}
		end[0].silent = true
		if b.ID == id {
			ends = append(end, ends...)
			continue
		}
		ends = append(ends, end...)
	}
	done, err := s.cancelTx(ctx, tx, sc, ends)
	if err != nil {
		return Cancellation{}, err
	}
	job := NoticeJob{Business: tx.Business(), Booking: id, Notice: ends[0].notice(), Bookings: each(parts, func(b subject) uuid.UUID { return b.ID })}
	for i := range done {
		done[i].Mail = true
		job.RefundAmount += done[i].RefundAmount
		job.Held = job.Held || done[i].Held
		job.CreditAmount += done[i].CreditAmount
		job.GiftCardAmount += done[i].GiftCardAmount
		job.Plan, job.PlanCredits = cmp.Or(job.Plan, done[i].Plan), job.PlanCredits+done[i].PlanCredits
		job.DeskAmount += done[i].DeskAmount
	}
	out := done[0]
	out.Others = done[1:]
	return out, jobs.EnqueueTx(ctx, tx, job)
}

// moveRecurring reschedules bookings of a recurring one by the same shift as the named one, on the location's wall
// clock: by as many days, to the new time of day. All of them or none; the unavailable ones are named. The customer
// is notified once.
func (in RescheduleInput) moveRecurring(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) (Rescheduled, error) {
	_, parts, err := lockScope(ctx, tx, sc, in.BookingID, in.Scope, TransitionReschedule, false)
	if err != nil {
		return Rescheduled{}, err
	}
	i := slices.IndexFunc(parts, func(b subject) bool { return b.ID == in.BookingID })
	asked := parts[i]
	for _, b := range parts {
		if err := mayManage(sc, b.LocationID, b.Own, in.Override); err != nil {
			return Rescheduled{}, err
		}
	}
	if asked.State != TransitionReschedule.From() {
		return Rescheduled{}, WrongState(asked.State)
	}
	targets, err := in.targets(ctx, tx, asked, parts)
	if err != nil {
		return Rescheduled{}, err
	}
	order := make([]int, len(parts))
	for i := range parts {
		order[i] = i
	}
	if targets[i].StartsAt.After(asked.StartsAt) { // the last one makes room for the one before it
		slices.Reverse(order)
	}
	done, clashes := make([]Rescheduled, len(parts)), []Clash{}
	for _, k := range order {
		m := moving{sc: sc, subject: parts[k], target: targets[k].Target, staff: true, override: in.Override, words: in.Reason, silent: true}
		var refusal *fault.Error
		if done[k], err = m.moveOr(ctx, tx, targets[k]); err != nil {
			if refusal = fault.From(err); refusal == nil || refusal.Kind != fault.Conflict {
				return Rescheduled{}, err
			}
			clashes = append(clashes, Clash{StartsAt: targets[k].StartsAt, Reason: refusal.Reason})
		}
	}
	if len(clashes) > 0 {
		slices.SortFunc(clashes, func(a, b Clash) int { return a.StartsAt.Compare(b.StartsAt) })
		return Rescheduled{}, ErrClashes.With("clashes", clashes)
	}
	out := done[i]
	out.Others = slices.Delete(done, i, i+1)
	return out, jobs.EnqueueTx(ctx, tx, NoticeJob{
		Business: tx.Business(), Booking: asked.ID, Notice: ToldRescheduled, StartsAt: out.StartsAt,
		Bookings: each(parts, func(b subject) uuid.UUID { return b.ID }),
	})
}

// recurringTarget is the destination of one booking of a recurring one. Its OccurrenceID is Nil when its class has no
// date then.
type recurringTarget struct {
	Target
	StartsAt time.Time
}

// moveOr is move, or ErrNotBookable when there is no date to reschedule to.
func (m moving) moveOr(ctx context.Context, tx *pg.Tx, to recurringTarget) (Rescheduled, error) {
	if m.Kind == catalog.Class && to.OccurrenceID == uuid.Nil {
		return Rescheduled{}, ErrNotBookable.WithMessage("There is no date at that time.")
	}
	return m.move(ctx, tx)
}

// targets computes the destination of each of the bookings. The dates of a class, old and new, are locked all at
// once.
func (in RescheduleInput) targets(ctx context.Context, tx *pg.Tx, asked subject, parts []subject) ([]recurringTarget, error) {
	wall := asked.Wall()
	at := in.Target.StartsAt
	if in.Target.OccurrenceID != uuid.Nil {
		var err error
		if at, err = startOf(ctx, tx, asked.OfferingID, in.Target.OccurrenceID); err != nil {
			return nil, err
		}
	}
	days, clock := civil.LocalDate(asked.StartsAt, wall).DaysUntil(civil.LocalDate(at, wall)), civil.LocalClock(at, wall)
	out, starts := make([]recurringTarget, len(parts)), make([]time.Time, len(parts))
	for i, b := range parts {
		starts[i] = civil.Instant(civil.LocalDate(b.StartsAt, wall).AddDays(days), clock, wall)
		if b.ID == asked.ID {
			starts[i] = at
		}
		out[i] = recurringTarget{in.Target, starts[i]}
		out[i].Target.StartsAt = starts[i]
	}
	if asked.Kind != catalog.Class {
		return out, nil
	}
	dates, err := datesAt(ctx, tx, asked.OfferingID, starts)
	if err != nil {
		return nil, err
	}
	ids := occurrencesOf(parts)
	for i := range out {
		out[i].Target = Target{OccurrenceID: dates[starts[i].UnixMicro()]}
		if out[i].OccurrenceID != uuid.Nil {
			ids = append(ids, out[i].OccurrenceID)
		}
	}
	_, err = lockPlaces(ctx, tx, uuid.Nil, ids...)
	return out, err
}
