package schedule

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
)

// edit is a change of a series that is being carried out.
type edit struct {
	before   Series // as it was
	target   Series // as it will be; of a split, the new one
	rest     Series // of a split: the remaining old series
	split    bool
	whole    bool       // dates that were rescheduled here by hand from before cut change, too
	cut      civil.Date // dates of the rule from here on change
	dates    []placed   // dates of the target from cut on, within reach of the time that is written
	to       civil.Date // up to which dates are written in any case
	loc      *time.Location
	onBooked OnBooked
	allow    bool
	why      Because
}

// splitAt reports whether a change from a date on splits the series. It does not when there is nothing before that
// date.
func (s Series) splitAt(from, today civil.Date) (bool, error) {
	if from.Before(today) {
		return false, fault.Invalid("from", "Past dates cannot change: use today or a later date.")
	}
	if _, any := s.Rule.firstAfter(from.AddDays(-1)); !any {
		return false, fault.Invalid("from", "The series has no date on or after this day.")
	}
	first, _ := s.Rule.first()
	return first.Before(from), nil
}

// ground returns the input of groundOf for a change: the people and spaces that it names.
func (c SeriesChange) ground(offering uuid.UUID, space *uuid.UUID) CreateSeriesInput {
	c.SpaceID.To(&space)
	return CreateSeriesInput{OfferingID: offering, MemberID: c.MemberID.Value, SpaceID: space}
}

// apply returns the series after the change. Problems are recorded in checks.
func (c SeriesChange) apply(s Series, g ground, cut civil.Date, split bool, checks *fault.Checks) Series {
	s.Rule = c.rule(s.Rule, cut, split, checks)
	s.Rule.Check(checks)
	c.assign(g, &s.MemberID, &s.SpaceID, &s.Capacity, &s.OnlineCapacity, checks)
	if c.MemberID.Set {
		s.Instructor = deref(g.Instructor)
	}
	if c.SpaceID.Set {
		s.Space = deref(g.Space)
	}
	if c.End != nil {
		s.EndedAt = nil
	}
	return s
}

// assign changes member, space and seats of a date or of all dates of a series. A smaller space cuts the seats to its
// capacity.
func (c SeriesChange) assign(g ground, member, space **uuid.UUID, capacity, online *int, checks *fault.Checks) {
	g.check(checks, c.MemberID.Value, c.SpaceID.Value)
	c.MemberID.To(member)
	c.SpaceID.To(space)
	if c.SpaceID.Set || c.Capacity != nil || c.OnlineCapacity != nil {
		g.Capacity, g.OnlineCapacity = *capacity, *online
		in := CreateSeriesInput{Capacity: c.Capacity, OnlineCapacity: c.OnlineCapacity}
		in.checkSeats(checks)
		*capacity, *online = in.seats(g, checks)
	}
}

// rule returns the rule after the change. A rule with another pattern, and that of a split, begins anew: its Start is
// its first date from cut on, in step with the old one, and its Count is the remaining number.
func (c SeriesChange) rule(old Rule, cut civil.Date, split bool, checks *fault.Checks) Rule {
	r := c.pattern(old)
	if c.Start != nil {
		checks.That(!c.Start.Before(cut), "start", "The first date must not be before the dates that change.")
		checks.That(cut.DaysUntil(*c.Start) <= StartMaxDays, "start", "The first date must be within two years.")
	}
	for i, d := range r.Extra {
		known := slices.Contains(old.Extra, d)
		checks.That(known || !d.Before(cut) && cut.DaysUntil(d) <= StartMaxDays, fmt.Sprintf("extraDates[%d]", i),
			"A new date must be among the dates that change, and within two years.")
	}
	if split || !r.samePattern(old) {
		r = c.anew(r, old, cut, checks)
	}
	if checks.Err() == nil && r.Validate() == nil {
		_, any := r.firstAfter(cut.AddDays(-1))
		checks.That(any, "until", "This leaves no dates: end the series instead.")
	}
	return r.tidy()
}

// pattern is the old rule with the values of the change.
func (c SeriesChange) pattern(old Rule) Rule {
	r := old
	patch.Set(&r.Freq, c.Freq)
	patch.Set(&r.Every, c.Every)
	if r.Freq != Weekly {
		r.Weekdays = nil
	}
	if r.Freq != Monthly {
		r.MonthlyBy = ""
	}
	if c.Weekdays != nil {
		r.Weekdays = c.Weekdays
	}
	patch.Set(&r.MonthlyBy, c.MonthlyBy)
	patch.Set(&r.Start, c.Start)
	patch.Set(&r.At, c.At)
	patch.Set(&r.Minutes, c.Minutes)
	if c.End != nil {
		r.Until, r.Count = c.End.Until, c.End.Count
	}
	patch.Set(&r.Except, c.Except)
	patch.Set(&r.Extra, c.Extra)
	return r
}

// anew lets a rule begin at cut.
func (c SeriesChange) anew(r, old Rule, cut civil.Date, checks *fault.Checks) Rule {
	if r.Count != nil && c.End == nil {
		left := *r.Count - old.used(cut)
		checks.That(left > 0, "from", "The rule of the series has no more dates to change.")
		r.Count = &left
	}
	if c.Start == nil {
		open := r
		open.Until, open.Count, open.Except, open.Extra = nil, nil, nil, nil
		if open.Minutes = max(open.Minutes, MinutesMin); open.Validate() == nil {
			r.Start, _ = open.firstAfter(cut.AddDays(-1))
		}
	}
	r.Except = slices.DeleteFunc(slices.Clone(r.Except), func(d civil.Date) bool { return d.Before(cut) })
	r.Extra = slices.DeleteFunc(slices.Clone(r.Extra), func(d civil.Date) bool { return d.Before(cut) })
	return r
}

// endedOn is the rule that stops on a date: it has the same dates up to there, and none after.
func (r Rule) endedOn(on civil.Date) Rule {
	r.Extra = inOrder(slices.DeleteFunc(slices.Clone(r.Extra), on.Before))
	var last *civil.Date
	for d := range r.counted(r.Start, on) {
		last = &d
	}
	switch {
	case last == nil: // the pattern has no date left, and a rule must not end before it starts
		r.Start, r.Until = on, &on
		if !slices.Contains(r.Extra, on) {
			r.Except = inOrder(append(slices.Clone(r.Except), on))
		}
	case r.Count != nil:
		r.Until = last // a count that was reached stays reached
	case r.Until == nil || on.Before(*r.Until):
		r.Until = &on
	}
	r.Count = nil
	return r
}

// endedOn is the series that stops on a date, as an edit of now.
func (s Series) endedOn(on civil.Date, loc *time.Location, now time.Time) Series {
	s.Rule = s.Rule.endedOn(on)
	written := s.Rule.Start.AddDays(-1) // nothing yet
	if s.WrittenTo != nil {
		written = *s.WrittenTo
	}
	s.DueAt = s.Rule.due(loc, written)
	s.Version++
	s.UpdatedAt = now
	return s
}

// settle computes the dates of the target, and the remaining old series. It covers the dates that are written, and
// enough further ones for the last one to be rescheduled to; those of a course to the end.
func (e *edit) settle(now time.Time, loc *time.Location, course bool) {
	e.loc = loc
	e.to = latest(civil.LocalDate(now, loc).AddDays(DaysAhead), e.cut.AddDays(-1))
	if e.before.WrittenTo != nil {
		e.to = latest(e.to, *e.before.WrittenTo)
	}
	if course {
		e.to = latest(e.to, e.target.Rule.last())
	}
	e.dates = e.target.Rule.placedIn(loc, e.cut, e.to.AddDays(e.reach()), now)
	e.target.UpdatedAt = now
	if !e.split {
		e.target.Version++
		return
	}
	e.rest = e.before.endedOn(e.cut.AddDays(-1), loc, now)
	e.target.ID, e.target.SplitFrom, e.target.EndedAt = pg.NewID(), &e.before.ID, nil
	e.target.Version, e.target.CreatedAt = 1, now
}

func latest(dates ...civil.Date) civil.Date { return slices.MaxFunc(dates, civil.Date.Compare) }

// written notes how far the target is written once its dates are known.
func (e *edit) written(to civil.Date) {
	if e.loc == nil {
		return // an end writes nothing
	}
	e.target.WrittenTo, e.target.DueAt = &to, e.target.Rule.due(e.loc, to)
}
