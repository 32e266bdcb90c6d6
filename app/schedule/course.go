package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
)

// A course is a class whose enrolment is the series: all series of the offering form it, and one booking is for all
// of its upcoming dates. Cancelled dates are not part of it. So a course has an end, and every one of its dates is
// written before it can be booked.

// CourseMax is the maximum number of upcoming dates of a course.
const CourseMax = 400

// Reasons why series are not a course.
var (
	courseEnds  = "A course has an end: give its series a last date or a number of dates."
	courseShort = fmt.Sprintf("A course has at most %d dates.", CourseMax)
)

// Course is a course in short, for a customer who could join now.
type Course struct {
	Dates int        // upcoming
	Total int        // with those that have begun
	First *time.Time // start of the next date; nil when there is none
	Last  *time.Time // start of the last one
	Spots int        // seats available online on every upcoming date
}

// Open reports whether the course can be joined: it has upcoming dates, and no more than one booking can have.
func (c Course) Open() bool { return c.Dates > 0 && c.Dates <= CourseMax }

// Bookable returns the reason why no customer can join the course now, for its price and under its rules; empty
// when they can. Lead time and window apply to its next date, as in Facts.Bookable.
func (c Course) Bookable(p Location, amount int64, r catalog.Rules, now time.Time) Obstacle {
	switch {
	case p.Paused:
		return ObstaclePaused
	case !p.Payable(amount, r):
		return ObstaclePayment
	case !c.Open():
		return ObstacleNotOnSale
	}
	if o, _ := Opens(r, *c.First, now, p.Loc); o != "" {
		return o
	}
	if c.Spots == 0 {
		return ObstacleFull
	}
	return ""
}

// CourseTx prepares an offering for enrolment as a course: it writes every date of its series, up to the end of each,
// so that a booking has all of them. catalog.Ports.CourseTx. why is the obstacle, for the studio; empty when there is
// none. The caller has locked the offering.
func CourseTx(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (why string, err error) {
	list, err := lockCourse(ctx, tx, offering)
	if err != nil {
		return "", err
	}
	ahead := 0
	for _, s := range list {
		loc, err := civil.LoadZone(s.Zone)
		if err != nil {
			return "", err
		}
		n, why := s.Rule.courseDates(civil.LocalDate(tx.Now(), loc), CourseMax-ahead)
		if why != "" {
			return why, nil
		}
		ahead += n
	}
	for _, s := range list {
		if s.DueAt == nil {
			continue
		}
		if err := extendTo(ctx, tx, s, true); err != nil {
			return "", err
		}
	}
	return "", nil
}

// courseDates counts the dates of a rule from a day on. why is the reason why it cannot be a part of a course
// with room for so many.
func (r Rule) courseDates(from civil.Date, room int) (n int, why string) {
	if r.endless() {
		return 0, courseEnds
	}
	for range r.Dates(from, lastDate) {
		if n++; n > room {
			return n, courseShort
		}
	}
	return n, ""
}

// endless reports whether the pattern has no end.
func (r Rule) endless() bool { return r.Until == nil && r.Count == nil }

// last is the last date of a rule that ends; Start when it gives none.
func (r Rule) last() civil.Date {
	last, _ := r.first()
	for d := range r.Dates(last, lastDate) {
		last = d
	}
	if last.IsZero() {
		return r.Start
	}
	return last
}

// checkCourse records the reasons why a new rule cannot be a series of a course.
func (g ground) checkCourse(c *fault.Checks, r Rule, today civil.Date) {
	if !g.Course {
		return
	}
	_, why := r.courseDates(today, CourseMax)
	c.That(why == "", "until", why)
}
