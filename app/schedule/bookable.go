package schedule

import (
	"fmt"
	"strings"
	"time"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
)

// Two rules stand here, each once in Go and once in SQL, on the same facts: whether an occurrence can be booked, and
// whether its waitlist is open. Pages, embeds and refusals use the Go; statements that write what they decide use the
// SQL. TestRulesAgree compares the two over every combination of the facts.

// Facts are the deciding facts of an occurrence that are the same for all customers; those of one customer are in an
// Ask.
type Facts struct {
	State            State
	StartsAt         time.Time
	InSeries         bool // a date of a class; otherwise the time of one appointment or rental
	Kind             catalog.Kind
	Enrolment        catalog.Enrolment
	OfferingState    catalog.State
	LocationArchived bool
	BusinessStatus   business.Status
	Zone             string // IANA name
	Seats
}

// Query is a request for seats of an occurrence.
type Query struct {
	Seats    int  // how many
	Course   bool // it is one of the dates of a course, which are booked together
	Follows  bool // a later date of a course: lead time and window apply to the first
	Reserved bool // the available seats belong to the waitlist, see ReservedSQL
}

// Obstacle is the reason why an occurrence or its waitlist is unavailable; empty when it is available.
type Obstacle string

// The obstacles.
const (
	ObstacleCancelled      Obstacle = "cancelled"
	ObstacleBegun          Obstacle = "begun"
	ObstaclePaused         Obstacle = "paused"      // the business takes no bookings right now (E48)
	ObstaclePayment        Obstacle = "no_payment"  // it has a price, and no way to pay it online or at the studio (E48)
	ObstacleNotOnSale      Obstacle = "not_on_sale" // its offering is not published, or closed
	ObstacleWholly         Obstacle = "wholly"      // it is a date of a course
	ObstacleNoCourse       Obstacle = "no_course"   // it was requested as a date of a course, and is none any more
	ObstacleTooLate        Obstacle = "too_late"
	ObstacleTooEarly       Obstacle = "too_early"
	ObstacleFull           Obstacle = "full"
	ObstacleNoWaitlist     Obstacle = "no_waitlist" // there is no waitlist for this date, and there will be none
	ObstacleWaitlistClosed Obstacle = "wait_over"   // no entry is added or offered a seat any more
)

// Course reports whether it is a date of a course, which is booked with all its dates.
func (f Facts) Course() bool { return f.Enrolment == catalog.BySeries }

// Public reports whether the public sees it: it is scheduled, has not begun, and its offering is published.
func (f Facts) Public(now time.Time) bool {
	return f.OfferingState == catalog.Published && !f.LocationArchived && f.BusinessStatus != business.Closed &&
		f.State == Scheduled && f.StartsAt.After(now)
}

// Sold returns the reason why the storefront does not sell it to any customer; empty when it does.
func (f Facts) Sold(now time.Time) Obstacle {
	switch {
	case f.State == Cancelled:
		return ObstacleCancelled
	case !f.StartsAt.After(now):
		return ObstacleBegun
	case f.BusinessStatus == business.Paused:
		return ObstaclePaused
	case !f.Public(now) || (f.Kind == catalog.Class) != f.InSeries:
		return ObstacleNotOnSale
	}
	return ""
}

const soldSQL = `o.state = 'scheduled' and o.starts_at > @now and f.state = 'published' and l.archived_at is null
	and s.status = 'active' and (f.kind = 'class') = (o.series_id is not null)`

// Bookable returns the reason why this cannot be booked online now; empty when it can.
func (f Facts) Bookable(ask Query, r catalog.Rules, now time.Time) Obstacle {
	if o := f.Open(ask, r, now); o != "" {
		return o
	}
	if ask.Reserved || !f.Room(ask.Seats, true) {
		return ObstacleFull
	}
	return ""
}

// Open is Bookable, seats aside.
func (f Facts) Open(ask Query, r catalog.Rules, now time.Time) Obstacle {
	switch o := f.Sold(now); {
	case o != "":
		return o
	case f.Course() && !ask.Course:
		return ObstacleWholly
	case !f.Course() && ask.Course:
		return ObstacleNoCourse
	case ask.Follows:
		return ""
	}
	o, _ := Opens(r, f.StartsAt, now, civil.ZoneOrUTC(f.Zone))
	return o
}

// Opens checks the lead time and the booking window of rules for a booking now of that start. It returns the obstacle
// and the instant until or from which it can be booked. Lead time is elapsed time; a window is counted in days of the
// location: starts within so many days from today can be booked.
func Opens(r catalog.Rules, start, now time.Time, zone *time.Location) (Obstacle, time.Time) {
	if until := r.BookUntil(start); now.After(until) {
		return ObstacleTooLate, until
	}
	if r.WindowDays > 0 {
		if from, _ := civil.DayBounds(civil.LocalDate(start, zone).AddDays(-r.WindowDays), zone); now.Before(from) {
			return ObstacleTooEarly, from
		}
	}
	return "", time.Time{}
}

const opensSQL = `o.starts_at - make_interval(mins => coalesce((p.rules ->> 'noticeMinutes')::integer, 0)) >= @now
	and (coalesce((p.rules ->> 'windowDays')::integer, 0) = 0
		or (@now at time zone l.zone)::date >= (o.starts_at at time zone l.zone)::date - (p.rules ->> 'windowDays')::integer)`

// BookableSQL is Bookable of an occurrence o of an offering f at a location l of a business s, under a policy p that
// may be null, for the request w: its seats, course and follows. now is the placeholder of the time, reserved a
// condition.
func BookableSQL(now, reserved string) string {
	return at(now, `(`+soldSQL+` and (f.enrolment = 'series') = w.course and (w.follows or `+opensSQL+`)
		and `+RoomSQL("w.seats", "true")+` and not `+reserved+`)`)
}

// Room reports whether so many seats are available: of those sold online, or of all. Seats on offer to the waitlist
// count as occupied.
func (s Seats) Room(seats int, online bool) bool {
	return s.Taken+s.Offered+seats <= s.Capacity && (!online || s.TakenOnline+s.Offered+seats <= s.OnlineCapacity)
}

// RoomSQL is Room of an occurrence o.
func RoomSQL(seats, online string) string {
	return `(o.taken + o.offered + ` + seats + ` <= o.capacity
	and (not ` + online + ` or o.taken_online + o.offered + ` + seats + ` <= o.online_capacity))`
}

// ReservedSQL is a condition of an occurrence o: its released seats belong to the waitlist, because a round is due.
// It is written in the transaction that releases them, so no other booking comes between. A round that is a minute
// late reserves nothing any more.
func ReservedSQL(now string) string {
	return at(now, `exists (select from waitlist_rounds r where r.business_id = o.business_id and r.occurrence_id = o.id
		and r.due_at <= @now and r.due_at > @now::timestamptz - interval '1 minute')`)
}

// HasWaitlist reports whether there is a waitlist for a date of a class at all, now or earlier.
func (f Facts) HasWaitlist(r catalog.Rules) bool {
	return !f.Course() && f.OnlineCapacity > 0 && r.Waitlist.Mode != catalog.WaitlistOff
}

// TakesEntries returns the reason why the waitlist takes no entries and makes no offers now; empty when it
// does. It does not check for a free seat: a customer waits while Room has none for them.
func (f Facts) TakesEntries(r catalog.Rules, now time.Time) Obstacle {
	switch o := f.Sold(now); {
	case o != "":
		return o
	case f.Kind != catalog.Class: // the time of an appointment or rental
		return ObstacleNotOnSale
	case !f.HasWaitlist(r):
		return ObstacleNoWaitlist
	case !now.Before(r.OffersUntil(f.StartsAt)):
		return ObstacleWaitlistClosed
	}
	return ""
}

// TakesEntriesSQL is TakesEntries for the same names as BookableSQL.
func TakesEntriesSQL(now string) string {
	standard := catalog.StandardRules()
	return at(now, `(`+soldSQL+` and f.kind = 'class' and f.enrolment = 'date' and o.online_capacity > 0
		and coalesce(p.rules #>> '{waitlist,mode}', '`+string(standard.Waitlist.Mode)+`') <> 'off'
		and o.starts_at - make_interval(mins => greatest(coalesce((p.rules ->> 'noticeMinutes')::integer, `+fmt.Sprint(standard.NoticeMinutes)+`),
			coalesce((p.rules #>> '{waitlist,cutoffMinutes}')::integer, `+fmt.Sprint(standard.Waitlist.CutoffMinutes)+`))) > @now)`)
}

// at puts the placeholder of the time into a fragment.
func at(now, fragment string) string { return strings.ReplaceAll(fragment, "@now", now) }
