package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/words"
)

// Allowed is an action available on a booking now.
type Allowed struct {
	Action    booking.Action `json:"action"`
	Until     *time.Time     `json:"until" doc:"Last instant at which it is possible; null if there is no deadline."`
	FreeUntil *time.Time     `json:"freeUntil" doc:"For a cancellation: last instant of a full refund."`
	LateFrom  *time.Time     `json:"lateFrom" doc:"For a cancellation: first instant at which it is late; null if it is never late."`
	Fee       int64          `json:"fee" doc:"Late-cancellation fee in minor units, before any grace rule."`
}

// Words returns the rules as English sentences, as on the product's pages.
func Words(rules catalog.Rules, kind catalog.Kind, course bool, cur money.Currency) []string {
	if course {
		return rules.CourseSummary(cur, words.In("en"))
	}
	return rules.Summary(kind, cur, words.In("en"))
}

// ShowAllowed returns the actions that a policy allows.
func ShowAllowed(a booking.Allowance) Allowed {
	return Allowed{
		Action: a.Action, Until: TimeOrNull(a.Until), FreeUntil: TimeOrNull(a.FreeUntil), LateFrom: TimeOrNull(a.LateFrom), Fee: a.FeeAmount,
	}
}

// TimeOrNull returns null for the zero time.
func TimeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// CourseDate is one date of a booked course.
type CourseDate struct {
	BookingID    uuid.UUID     `json:"bookingId"`
	OccurrenceID uuid.UUID     `json:"occurrenceId"`
	StartsAt     time.Time     `json:"startsAt"`
	EndsAt       time.Time     `json:"endsAt"`
	Instructor   string        `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space        string        `json:"space" doc:"Name of the space; empty if none is assigned."`
	State        booking.State `json:"state"`
}

// ShowCourseDate returns a date of a course.
func ShowCourseDate(d booking.CourseDate) CourseDate {
	return CourseDate{
		BookingID: d.BookingID, OccurrenceID: d.OccurrenceID, StartsAt: d.StartsAt, EndsAt: d.EndsAt,
		Instructor: d.Instructor, Space: d.Space, State: d.State,
	}
}

// Named is a member or a space.
type Named struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}

// Optional returns nil for the zero value, so that the member is omitted.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// ShowNamed returns a record as its id and name.
func ShowNamed(n catalog.Named) Named { return Named(n) }

// Duration is one length to choose from, with its price.
type Duration struct {
	Minutes     int   `json:"minutes" minimum:"5" maximum:"1440"`
	PriceAmount int64 `json:"priceAmount" minimum:"0" maximum:"99999999" doc:"Price in minor units: 2200 is 22.00; 0 is free."`
}

// Duration returns the duration as a catalog type.
func (d Duration) Duration() catalog.Duration { return catalog.Duration(d) }

// ShowDuration returns a duration of an offering.
func ShowDuration(d catalog.Duration) Duration { return Duration(d) }
