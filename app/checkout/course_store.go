package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// courseRow is one date of a course that is an item of a cart.
type courseRow struct {
	ItemID, OccurrenceID uuid.UUID
	StartsAt, EndsAt     time.Time
	State                schedule.State
	schedule.Seats
	Instructor, Space string
	BookingID         *uuid.UUID // the booking that holds its seat
}

// readCourses reads the dates of the courses in a cart that are upcoming, and those of its hold, in the order of
// their start.
func readCourses(ctx context.Context, r pg.Reader, cart uuid.UUID, h *booking.Hold) ([]courseRow, error) {
	var hold *uuid.UUID
	if h != nil {
		hold = &h.ID
	}
	return pg.All[courseRow](ctx, r, `select i.id as item_id, o.id as occurrence_id, o.starts_at, o.ends_at, o.state, o.capacity,
			o.online_capacity, o.taken, o.taken_online, o.offered, `+schedule.InstructorAndSpaceSQL+`,
			k.id as booking_id
		from cart_items i
		join offerings f on f.business_id = $1 and f.id = i.offering_id and f.enrolment = 'series'
		join occurrences o on o.business_id = $1 and o.offering_id = i.offering_id and o.series_id is not null
		left join bookings k on k.business_id = $1 and k.hold_id = $3 and k.state = 'held' and k.occurrence_id = o.id and k.attendee = i.attendee`+schedule.InstructorAndSpaceJoinSQL("$1", "o")+`
		where i.business_id = $1 and i.cart_id = $2 and (k.id is not null or o.state = 'scheduled' and o.starts_at > $4)
		order by o.starts_at, o.id limit $5`, r.Business(), cart, hold, r.Now(), ItemsMax*(schedule.CourseMax+1))
}

// noCourse returns the reason that an offering has no date to enrol in.
func noCourse(ctx context.Context, tx *pg.Tx, location, offering uuid.UUID) error {
	type row struct {
		Course, Public bool
	}
	o, err := pg.One[row](ctx, tx, `select enrolment = 'series' as course, state = 'published' as public from offerings
		where business_id = $1 and location_id = $2 and id = $3`, tx.Business(), location, offering)
	switch {
	case errors.Is(err, pg.ErrNoRow):
		return fault.Missing()
	case err != nil:
		return err
	case !o.Course:
		return fault.Invalid("startsAt", "This is not a course. Choose one of its times.")
	case !o.Public:
		return booking.ErrNotBookable.With("offeringId", offering.String())
	}
	return booking.ErrStarted.WithMessage("All dates of this course have begun.").With("offeringId", offering.String())
}
