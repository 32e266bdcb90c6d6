package schedule

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/pg"
)

// written is a date of a series as the table has it.
type written struct {
	ID             uuid.UUID       `json:"id"`
	SeriesID       uuid.UUID       `json:"series_id"`
	RuleDate       civil.Date      `json:"rule_date"`
	LocalDate      civil.Date      `json:"local_date"`
	StartsAt       time.Time       `json:"starts_at"`
	EndsAt         time.Time       `json:"ends_at"`
	MemberID       *uuid.UUID      `json:"member_id"`
	SpaceID        *uuid.UUID      `json:"space_id"`
	State          State           `json:"state"`
	Capacity       int             `json:"capacity"`
	OnlineCapacity int             `json:"online_capacity"`
	Taken          int             `json:"-"`
	Offered        int             `json:"-"`
	Overrides      []Field         `json:"overrides"`
	CancelReason   string          `json:"cancel_reason"`
	Version        int64           `json:"version"`
	Row            json.RawMessage `json:"-"` // all of it, to undo to
}

// Field is a field of a date that can differ from its series.
type Field string

// The fields. A date with its own state was cancelled by hand; one that an edit removed has no state of its own.
const (
	FieldStartsAt       Field = "startsAt"
	FieldMinutes        Field = "minutes"
	FieldMemberID       Field = "memberId"
	FieldSpaceID        Field = "spaceId"
	FieldCapacity       Field = "capacity"
	FieldOnlineCapacity Field = "onlineCapacity"
	FieldState          Field = "state"
)

func (w written) own(f Field) bool { return slices.Contains(w.Overrides, f) }

// takenAway reports whether an edit has cancelled the date.
func (w written) takenAway() bool { return w.State == Cancelled && !w.own(FieldState) }

// seats is how many people there have to be seats for.
func (w written) seats() int { return w.Taken + w.Offered }

// same reports whether nothing would be written.
func (w written) same(o written) bool {
	return w.SeriesID == o.SeriesID && w.RuleDate == o.RuleDate && w.LocalDate == o.LocalDate && w.sameTime(o) && w.sameRest(o) &&
		w.State == o.State && slices.Equal(w.Overrides, o.Overrides) && w.CancelReason == o.CancelReason
}

func (w written) sameTime(o written) bool {
	return w.StartsAt.Equal(o.StartsAt) && w.EndsAt.Equal(o.EndsAt)
}

func (w written) sameRest(o written) bool {
	return equal(w.MemberID, o.MemberID) && equal(w.SpaceID, o.SpaceID) && w.Capacity == o.Capacity && w.OnlineCapacity == o.OnlineCapacity
}

func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// claims returns the claims of a date: none when it is cancelled.
func (w written) claims() []claim.Claim {
	if w.State != Scheduled {
		return nil
	}
	return claim.Of(w.ID, w.StartsAt, w.EndsAt, w.MemberID, w.SpaceID, 0)
}

// step is a date before and after an edit.
type step struct{ was, is written }

// work is the change of rows by an edit.
type work struct {
	steps     []step     // rows that change, in the order of the rule's dates
	displaced []step     // removed rows that make room for a date that is rescheduled onto theirs
	insert    []placed   // dates to be made
	staying   []written  // scheduled dates that do not change
	kept      int        // dates at the same time as before
	to        civil.Date // dates are written up to here
}

// work decides about every row that the series has from cut on. Dates that have begun stay, and so does their
// position in the rule.
func (e edit) work(rows []written, now time.Time) work {
	var w work
	var live []written
	var old []matchable
	away := map[civil.Date]written{}
	begun := map[civil.Date]bool{}
	slices.SortFunc(rows, func(a, b written) int { return a.RuleDate.Compare(b.RuleDate) })
	for _, r := range rows {
		switch {
		case !r.StartsAt.After(now):
			begun[r.RuleDate] = true
		case r.RuleDate.Before(e.cut): // rescheduled by hand to an upcoming day
			if e.whole {
				w.change(r, e.follow(r, placed{Span: Span{Date: r.RuleDate, StartsAt: r.StartsAt, EndsAt: r.EndsAt}, local: r.LocalDate}))
			}
		case r.takenAway():
			away[r.RuleDate] = r
		default:
			live, old = append(live, r), append(old, matchable{r.RuleDate, r.seats() > 0})
		}
	}
	dates := slices.DeleteFunc(slices.Clone(e.dates), func(d placed) bool { return begun[d.Date] })
	e.place(&w, live, match(old, days(dates), e.reach()), dates, away)
	return w
}

func days(dates []placed) []civil.Date {
	out := make([]civil.Date, len(dates))
	for i, d := range dates {
		out[i] = d.Date
	}
	return out
}

// reach returns the maximum shift of a date.
func (e edit) reach() int {
	if e.target.Rule.Freq == Monthly {
		return 27
	}
	return 6
}

// place gives every date of the rule its row: an existing one, a removed one that comes back, or a new one.
func (e edit) place(w *work, live []written, to []int, dates []placed, away map[civil.Date]written) {
	given := make([]bool, len(dates))
	w.to = e.to
	for i, r := range live {
		if to[i] < 0 {
			w.change(r, e.takeAway(r))
			continue
		}
		d := dates[to[i]]
		given[to[i]] = true
		w.to = latest(w.to, d.Date)
		if other, in := away[d.Date]; in {
			is := other
			is.RuleDate, is.SeriesID = r.RuleDate, e.target.ID
			w.displaced = append(w.displaced, step{other, is})
			delete(away, d.Date)
		}
		w.change(r, e.follow(r, d))
	}
	for i, d := range dates {
		if given[i] || d.Date.After(w.to) {
			continue
		}
		if r, in := away[d.Date]; in {
			w.change(r, e.bringBack(r, d))
			delete(away, d.Date)
			continue
		}
		w.insert = append(w.insert, d)
	}
	for _, r := range away {
		is := r
		is.SeriesID = e.target.ID
		w.change(r, is)
	}
	slices.SortFunc(w.steps, func(a, b step) int { return a.was.RuleDate.Compare(b.was.RuleDate) })
}

// change notes the change of a row, if any.
func (w *work) change(was, is written) {
	if was.State == Scheduled && is.State == Scheduled && was.sameTime(is) {
		w.kept++
	}
	switch {
	case !was.same(is):
		w.steps = append(w.steps, step{was, is})
	case is.State == Scheduled:
		w.staying = append(w.staying, is)
	}
}

// takeAway is a date that the rule does not give any more. One that was cancelled by hand stays as it is.
func (e edit) takeAway(w written) written {
	w.SeriesID = e.target.ID
	if w.State == Scheduled {
		w.State = Cancelled
	}
	return w
}

// follow is a date with the present values of the series, except for the fields that are its own.
func (e edit) follow(w written, d placed) written {
	length := d.EndsAt.Sub(d.StartsAt)
	if w.own(FieldMinutes) {
		length = w.EndsAt.Sub(w.StartsAt)
	}
	w.SeriesID, w.RuleDate = e.target.ID, d.Date
	if !w.own(FieldStartsAt) {
		w.StartsAt, w.LocalDate = d.StartsAt, d.local
	}
	w.EndsAt = w.StartsAt.Add(length)
	if !w.own(FieldMemberID) && !equal(e.before.MemberID, e.target.MemberID) {
		w.MemberID = e.target.MemberID
	}
	if !w.own(FieldSpaceID) && !equal(e.before.SpaceID, e.target.SpaceID) {
		w.SpaceID = e.target.SpaceID
	}
	if !w.own(FieldCapacity) && e.before.Capacity != e.target.Capacity {
		w.Capacity = e.target.Capacity
	}
	if !w.own(FieldOnlineCapacity) && e.before.OnlineCapacity != e.target.OnlineCapacity {
		w.OnlineCapacity = e.target.OnlineCapacity
	}
	w.OnlineCapacity = min(w.OnlineCapacity, w.Capacity)
	return w
}

// bringBack is a removed date that is scheduled again, with the values of the series.
func (e edit) bringBack(w written, d placed) written {
	w.SeriesID, w.RuleDate, w.LocalDate, w.StartsAt, w.EndsAt = e.target.ID, d.Date, d.local, d.StartsAt, d.EndsAt
	w.MemberID, w.SpaceID, w.State = e.target.MemberID, e.target.SpaceID, Scheduled
	w.Capacity, w.OnlineCapacity = e.target.Capacity, e.target.OnlineCapacity
	w.Overrides, w.CancelReason = nil, ""
	return w
}

// plan returns the work as people see it, without the effects on bookings and on other dates.
func (w work) plan() Plan {
	p := Plan{Unchanged: w.kept}
	for _, d := range w.insert {
		p.Added = append(p.Added, PlannedDate{StartsAt: d.StartsAt, EndsAt: d.EndsAt})
	}
	for _, s := range w.steps {
		switch {
		case s.was.State == Cancelled && s.is.State == Scheduled:
			p.Added = append(p.Added, PlannedDate{ID: s.is.ID, StartsAt: s.is.StartsAt, EndsAt: s.is.EndsAt})
		case s.was.State == Scheduled && s.is.State == Cancelled:
			p.Removed = append(p.Removed, PlannedDate{ID: s.was.ID, StartsAt: s.was.StartsAt, EndsAt: s.was.EndsAt})
		case s.is.State == Scheduled && !s.was.sameTime(s.is):
			p.Moved = append(p.Moved, MovedDate{ID: s.is.ID, From: s.was.StartsAt, To: s.is.StartsAt, ToEnds: s.is.EndsAt})
		case s.is.State == Scheduled && !s.was.sameRest(s.is):
			p.Changed++
		}
	}
	slices.SortStableFunc(p.Added, func(a, b PlannedDate) int { return a.StartsAt.Compare(b.StartsAt) })
	return p
}

// busyChange is claims that go and claims that come. A person or a space that stays where it was keeps its claim.
type busyChange struct {
	people, spaces []uuid.UUID // dates whose people's or spaces' claims go
	claims         []claim.Claim
}

// busyChange returns the effects of the work on busy time. Dates that are to be made are target's, and get their ids
// here.
func (w work) busyChange(target Series) busyChange {
	var b busyChange
	for _, st := range w.steps {
		b.add(st)
	}
	for i := range w.insert {
		d := &w.insert[i]
		d.id = pg.NewID()
		b.claims = append(b.claims, d.claims(target)...)
	}
	return b
}

func (b *busyChange) add(st step) {
	again := st.was.State != st.is.State || !st.was.sameTime(st.is)
	people := again || !equal(st.was.MemberID, st.is.MemberID)
	spaces := again || !equal(st.was.SpaceID, st.is.SpaceID)
	for _, c := range st.is.claims() {
		if people && c.MemberID != uuid.Nil || spaces && c.SpaceID != uuid.Nil {
			b.claims = append(b.claims, c)
		}
	}
	if st.was.State != Scheduled {
		return
	}
	if people && st.was.MemberID != nil {
		b.people = append(b.people, st.was.ID)
	}
	if spaces && st.was.SpaceID != nil {
		b.spaces = append(b.spaces, st.was.ID)
	}
}
