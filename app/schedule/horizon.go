package schedule

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/claim"
)

// DaysAhead is the horizon up to which dates are written: 26 weeks.
const DaysAhead = 26 * 7

// horizon has the dates of a rule to write now, the last date they cover, and the time at which the first date after
// that comes near enough; nil when there is none.
type horizon struct {
	dates []placed
	to    civil.Date
	due   *time.Time
}

// placed is a date of a rule with the date that the wall clock shows when it begins: another one when the rule's own
// time fell into a gap before midnight.
type placed struct {
	Span
	local civil.Date
	id    uuid.UUID // of the row, once it has one
}

// claims returns the claims of a date of a series that is to be made.
func (p placed) claims(s Series) []claim.Claim {
	return claim.Of(p.id, p.StartsAt, p.EndsAt, s.MemberID, s.SpaceID, 0)
}

// placedIn places the dates of a rule between from and to that begin after an instant.
func (r Rule) placedIn(loc *time.Location, from, to civil.Date, now time.Time) []placed {
	var out []placed
	for _, span := range Occurrences(r, loc, from, to) {
		if span.StartsAt.After(now) {
			out = append(out, placed{Span: span, local: civil.LocalDate(span.StartsAt, loc)})
		}
	}
	return out
}

// horizon plans a rule in a zone from the day after written, or from its start: the dates that have come near or, of
// a rule of a course, all of them. Dates that have begun are not written.
func (r Rule) horizon(loc *time.Location, written *civil.Date, now time.Time, course bool) horizon {
	h := horizon{to: civil.LocalDate(now, loc).AddDays(DaysAhead)}
	if course {
		h.to = latest(h.to, r.last())
	}
	from := h.to // nothing, when the rule has no date
	if first, any := r.first(); any {
		from = first
	}
	if written != nil {
		from = written.AddDays(1)
	}
	h.dates = r.placedIn(loc, from, h.to, now)
	if written != nil && h.to.Before(*written) {
		h.to = *written
	}
	h.due = r.due(loc, h.to)
	return h
}

// due is when the first date of the rule after to comes within DaysAhead: the beginning of that day. So each date is
// written on the first day it should be, and a series that has been written is never due at once.
func (r Rule) due(loc *time.Location, to civil.Date) *time.Time {
	next, ok := r.firstAfter(to)
	if !ok {
		return nil
	}
	at, _ := civil.DayBounds(next.AddDays(-DaysAhead), loc)
	return &at
}
