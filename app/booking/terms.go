package booking

import (
	"slices"
	"time"

	"foyer/app/civil"
)

// By is the party on whose behalf a booking is cancelled. It decides the cost of the cancellation, so every caller
// states it.
type By string

// The parties.
const (
	ByCustomer By = "customer" // the policy decides
	ByStudio   By = "studio"   // everything is refunded, and there is never a fee
)

// All lists them.
func (By) All() []By { return []By{ByCustomer, ByStudio} }

// FeeMode selects whether the policy's consequences apply.
type FeeMode string

// The modes.
const (
	FeePolicy FeeMode = "policy"
	FeeWaive  FeeMode = "waive" // as if in time: the price is refunded, and no fee is charged
)

// All lists them.
func (FeeMode) All() []FeeMode { return []FeeMode{FeePolicy, FeeWaive} }

// Consequence is the effect of a cancellation by the rules, before grace is applied.
type Consequence struct {
	Transition   Transition
	Late         bool
	RefundsPrice bool  // the price is refunded; otherwise it is forfeited
	KeepsDeposit bool  // with RefundsPrice: except for its deposit, which stays with the studio
	Whole        bool  // its part of the service fee is refunded too
	FeeAmount    int64 // minor units
}

// Cancelling returns the consequence of a cancellation at that time. The policy is the booking's own copy; its two
// windows are independent: until FreeUntil the price is refunded, from LateFrom on the cancellation is late. Of a
// course b is the next upcoming date. It returns ErrState if the booking's state does not allow it.
func (b Booking) Cancelling(by By, now time.Time) (Consequence, error) {
	if by == ByStudio {
		if _, ok := b.State.After(TransitionStudioCancel); !ok {
			return Consequence{}, WrongState(b.State)
		}
		return Consequence{Transition: TransitionStudioCancel, RefundsPrice: true, Whole: true}, nil
	}
	if _, ok := b.State.After(TransitionCancel); !ok {
		return Consequence{}, WrongState(b.State)
	}
	if b.State == Requested || b.inGrace(now) {
		return Consequence{Transition: TransitionCancel, RefundsPrice: true, Whole: b.State == Requested}, nil
	}
	c := Consequence{Transition: TransitionCancel, RefundsPrice: !now.After(b.Rules.FreeUntil(b.paidFrom()))}
	c.KeepsDeposit = c.RefundsPrice && b.Rules.Deposit.Required() && b.Rules.Deposit.NonRefundable
	if c.Late = !now.Before(b.Rules.LateFrom(b.StartsAt)); c.Late {
		c.Transition, c.FeeAmount = TransitionCancelLate, b.Rules.LateFee(b.Currency)
	}
	return c, nil
}

// inGrace reports whether the booking was promoted from the waitlist so late that it can still be cancelled free of
// charge.
func (b Booking) inGrace(now time.Time) bool { return b.GraceUntil != nil && !now.After(*b.GraceUntil) }

// mayCancel checks whether the customer may cancel it: nil, ErrState, ErrStarted or ErrNotAllowed.
func (b Booking) mayCancel(now time.Time) error {
	switch {
	case b.State != Confirmed && b.State != Requested:
		return WrongState(b.State)
	case !now.Before(b.StartsAt):
		return At(ErrStarted, b.OccurrenceID)
	case !b.Rules.Cancel.Allowed && b.State == Confirmed && !b.inGrace(now):
		return ErrNotAllowed.WithMessage("The studio's rules do not let you cancel this yourself. Ask the studio.")
	}
	return nil
}

// MayReschedule checks whether the customer may reschedule it: nil, ErrState, ErrCourse, ErrStarted, ErrNotAllowed,
// or ErrTooLate with details.at.
func (b Booking) MayReschedule(now time.Time) error {
	until := b.Rules.RescheduleUntil(b.StartsAt)
	switch {
	case b.State != Confirmed:
		return WrongState(b.State)
	case b.Course():
		return NotCourse(b.OfferingID).WithMessage("A course cannot be rescheduled: its dates are booked together.")
	case !b.Rules.Reschedule.Allowed:
		return ErrNotAllowed.WithMessage("The studio's rules do not let you reschedule this yourself. Ask the studio.")
	case b.Rules.Reschedule.Max > 0 && b.Reschedules >= b.Rules.Reschedule.Max:
		return ErrNotAllowed.WithMessage("This booking cannot be rescheduled again. Ask the studio.")
	case !now.Before(b.StartsAt):
		return At(ErrStarted, b.OccurrenceID)
	case now.After(until):
		return ErrTooLate.With("at", until)
	}
	return nil
}

// Action is an action on a booking.
type Action string

// The actions, each the name of its operation.
const (
	ActCancel      Action = "cancel"
	ActReschedule  Action = "reschedule"
	ActApprove     Action = "approve"
	ActDecline     Action = "decline"
	ActCheckIn     Action = "check_in"
	ActUndoCheckIn Action = "undo_check_in"
	ActNoShow      Action = "no_show"
	ActUndoNoShow  Action = "undo_no_show"
)

// All lists them.
func (Action) All() []Action {
	return []Action{ActCancel, ActReschedule, ActApprove, ActDecline, ActCheckIn, ActUndoCheckIn, ActNoShow, ActUndoNoShow}
}

// Allowance is an action that a booking allows now. Its deadlines are instants: the last at which it is possible. A
// zero time is no deadline.
type Allowance struct {
	Action    Action
	Until     time.Time
	FreeUntil time.Time // cancel: the last instant at which the price is refunded
	LateFrom  time.Time // cancel: the first instant at which it is late
	FeeAmount int64     // cancel: the fee from then on, minor units, unless waived by the grace rule
}

// CustomerActions lists the customer's allowed actions now.
func (b Booking) CustomerActions(now time.Time) []Allowance {
	out := []Allowance{}
	if b.mayCancel(now) == nil {
		out = append(out, b.cancelling())
	}
	if b.MayReschedule(now) == nil {
		out = append(out, Allowance{Action: ActReschedule, Until: last(b.StartsAt, b.Rules.RescheduleUntil(b.StartsAt))})
	}
	return out
}

// CustomerMay reports whether the customer may do that now, and until when.
func (b Booking) CustomerMay(action Action, now time.Time) (Allowance, bool) {
	for _, a := range b.CustomerActions(now) {
		if a.Action == action {
			return a, true
		}
	}
	return Allowance{}, false
}

// cancelling returns the deadlines and costs of a cancellation. Without a deadline in the policy there is none before
// the start.
func (b Booking) cancelling() Allowance {
	a := Allowance{Action: ActCancel, Until: lastBefore(b.StartsAt)}
	if b.State == Requested {
		a.FreeUntil = a.Until
		return a
	}
	a.FreeUntil, a.LateFrom, a.FeeAmount = last(b.paidFrom(), b.Rules.FreeUntil(b.paidFrom())), b.Rules.LateFrom(b.StartsAt), b.Rules.LateFee(b.Currency)
	if b.GraceUntil != nil {
		grace := last(b.StartsAt, *b.GraceUntil)
		if grace.After(a.FreeUntil) {
			a.FreeUntil = grace
		}
		if !a.LateFrom.After(grace) {
			a.LateFrom = grace.Add(tick)
		}
	}
	return a
}

// tick is the smallest difference of time that the database keeps.
const tick = time.Microsecond

// lastBefore is the last instant before t.
func lastBefore(t time.Time) time.Time { return t.Add(-tick) }

// last is until, or the last instant before the start when that is earlier.
func last(start, until time.Time) time.Time {
	if until.Before(start) {
		return until
	}
	return lastBefore(start)
}

// StudioActions lists the studio's allowed actions now without an override. zone is the location's.
func (b Booking) StudioActions(now time.Time, zone *time.Location) []Allowance {
	out := []Allowance{}
	add := func(ok bool, a Allowance) {
		if ok {
			out = append(out, a)
		}
	}
	add(b.State == Requested && now.Before(b.StartsAt), Allowance{Action: ActApprove, Until: lastBefore(b.StartsAt)})
	add(b.State == Requested, Allowance{Action: ActDecline})
	cancel := b.cancelling()
	cancel.Until = time.Time{}
	add(b.State.Live(), cancel)
	add(b.State == Confirmed && now.Before(b.StartsAt) && now.Before(b.paidFrom()), Allowance{Action: ActReschedule, Until: lastBefore(b.paidFrom())})
	add(b.mayCheckIn(now, zone) == nil, Allowance{Action: ActCheckIn})
	add(b.mayUndoCheckIn(now, zone) == nil, Allowance{Action: ActUndoCheckIn, Until: lastBefore(dayEnd(b.EndsAt, zone))})
	add(b.mayNoShow(now) == nil, Allowance{Action: ActNoShow})
	add(b.State == NoShow, Allowance{Action: ActUndoNoShow})
	return out
}

// mayCheckIn: from the beginning of the local day on.
func (b Booking) mayCheckIn(now time.Time, zone *time.Location) error {
	from, _ := civil.DayBounds(civil.LocalDate(b.StartsAt, zone), zone)
	switch {
	case b.State != Confirmed:
		return WrongState(b.State)
	case now.Before(from):
		return ErrTooEarly.With("at", from)
	}
	return nil
}

// mayUndoCheckIn: until the end of the local day, also after the end of the occurrence.
func (b Booking) mayUndoCheckIn(now time.Time, zone *time.Location) error {
	until := dayEnd(b.EndsAt, zone)
	switch {
	case b.State != CheckedIn && b.State != Completed:
		return WrongState(b.State)
	case !now.Before(until):
		return ErrTooLate.With("at", until)
	}
	return nil
}

// mayNoShow: there is no no-show before the start.
func (b Booking) mayNoShow(now time.Time) error {
	switch {
	case b.State != Confirmed:
		return WrongState(b.State)
	case now.Before(b.StartsAt):
		return ErrTooEarly.With("at", b.StartsAt)
	}
	return nil
}

// dayEnd returns the end of the local day on which an occurrence ends. An end at midnight belongs to the day before.
func dayEnd(ends time.Time, zone *time.Location) time.Time {
	_, end := civil.DayBounds(civil.LocalDate(lastBefore(ends), zone), zone)
	return end
}

// StudioActions lists the studio's allowed actions now without an override. A course is cancelled from its next date
// on.
func (e StudioBooking) StudioActions(now time.Time, zone *time.Location) []Allowance {
	out := e.Booking.StudioActions(now, zone)
	if len(e.Dates) == 0 {
		return out
	}
	next := CourseListing(e.Dates, now)
	out = slices.DeleteFunc(out, func(a Allowance) bool { return a.Action == ActCancel })
	if next.State.Live() {
		b := e.Booking
		b.State, b.StartsAt, b.EndsAt = next.State, next.StartsAt, next.EndsAt
		a := b.cancelling()
		a.Until = time.Time{}
		out = append(out, a)
	}
	return out
}
