package booking

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// RecurringTimes are the times of a recurring appointment or rental, on the location's wall clock: half past nine
// stays half past nine when the clocks change.
type RecurringTimes struct {
	At       civil.Clock
	Minutes  int  // 0: the offering's
	Every    int  // weeks; 0: every week
	Count    *int // how many; nil: up to the last day
	MemberID *uuid.UUID
	SpaceID  *uuid.UUID
}

// TimesMax is the maximum number of times of an appointment or a rental in one call: a bit more than weekly for a
// year.
const TimesMax = 60

// rule is the rule of the times: weekly from the first day on.
func (in RecurringInput) rule() schedule.Rule {
	t := in.Times
	r := schedule.Rule{
		Freq: schedule.Weekly, Every: t.Every, Weekdays: in.Weekdays, Start: in.From, At: t.At, Minutes: max(t.Minutes, schedule.MinutesMin),
		Count: t.Count,
	}
	if len(r.Weekdays) == 0 {
		r.Weekdays = schedule.Weekdays{in.From.Weekday()}
	}
	if !in.Until.IsZero() {
		r.Until = &in.Until
	}
	return r
}

// checkTimes checks the input of a recurring appointment or rental.
func (in RecurringInput) checkTimes(c *fault.Checks) {
	c.That(len(in.OccurrenceIDs) == 0 && in.SeriesID == uuid.Nil, "occurrenceIds", "List dates of a class or times, not both.")
	c.That(in.Times.Minutes >= 0 && in.Times.Minutes <= schedule.MinutesMax, "minutes", "Use at most 1440.")
	c.That(in.Times.Count != nil || !in.Until.IsZero(), "until", "Set a last date or a number of times.")
	c.That(in.Times.Count == nil || *in.Times.Count <= TimesMax, "count", fmt.Sprintf("Use at most %d times.", TimesMax))
	in.rule().Check(c)
}

// spans are the times of the rule in a zone.
func (in RecurringInput) spans(loc *time.Location) ([]schedule.Span, error) {
	to := in.Until
	if to.IsZero() {
		to = in.From.AddDays(7 * TimesMax * schedule.EveryMax)
	}
	list := schedule.Occurrences(in.rule(), loc, in.From, to)
	switch {
	case len(list) == 0:
		return nil, fault.Invalid("until", "There is no date in this period.")
	case len(list) > TimesMax:
		return nil, fault.Invalid("until", fmt.Sprintf("These are more than %d times.", TimesMax))
	}
	return list, nil
}

// bookTimes books an appointment or a rental at each of the times, one after the other. Instructors and spaces are
// found and claimed as in the storefront.
func (in RecurringInput) bookTimes(ctx context.Context, tx *pg.Tx, d desk, loc *time.Location) (Recurring, error) {
	spans, err := in.spans(loc)
	if err != nil {
		return Recurring{}, err
	}
	out := Recurring{GroupID: d.group, Bookings: []Booked{}, Clashes: []Clash{}}
	free := []FreeTime{}
	for _, s := range spans {
		made, err := d.bookTime(ctx, tx, Times{
			OfferingID: in.OfferingID, StartsAt: s.StartsAt, Minutes: in.Times.Minutes, MemberID: in.Times.MemberID, SpaceID: in.Times.SpaceID,
		})
		if f := fault.From(err); f != nil && f.Kind == fault.Conflict {
			out.Clashes = append(out.Clashes, Clash{StartsAt: s.StartsAt, Reason: f.Reason})
			continue
		}
		if err != nil {
			return Recurring{}, err
		}
		out.Bookings, free = append(out.Bookings, made), append(free, FreeTime{s.StartsAt})
	}
	if len(out.Clashes) > 0 && in.OnClash == ClashRefuse || len(free) == 0 {
		return Recurring{}, ErrClashes.With("clashes", out.Clashes).With("free", free)
	}
	return out, nil
}

// FreeTime is an available time of an appointment or a rental, where others are not.
type FreeTime struct {
	StartsAt time.Time `json:"startsAt"`
}
