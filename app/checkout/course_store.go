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

// selectCourses selects the dates of the courses in carts $2 that are upcoming at $4, and those of their holds $3, in
// the order of their start.
var selectCourses = `select i.id as item_id, o.id as occurrence_id, o.starts_at, o.ends_at, o.state, o.capacity,
			o.online_capacity, o.taken, o.taken_online, o.offered, ` + schedule.InstructorAndSpaceSQL + `,
			k.id as booking_id
		from cart_items i
		join offerings f on f.business_id = $1 and f.id = i.offering_id and f.enrolment = 'series'
		join occurrences o on o.business_id = $1 and o.offering_id = i.offering_id and o.series_id is not null
		left join bookings k on k.business_id = $1 and k.hold_id =
			(select u.hold from unnest($2::uuid[], $3::uuid[]) as u (cart, hold) where u.cart = i.cart_id) and k.state = 'held'
			and k.occurrence_id = o.id
			and k.attendee = i.attendee` + schedule.InstructorAndSpaceJoinSQL("$1", "o") + `
		where i.business_id = $1 and i.cart_id = any($2) and (k.id is not null or o.state = 'scheduled' and o.starts_at > $4)
		order by o.starts_at, o.id limit $5`

// coursesMost is the number of dates that the courses of a cart can have: upcoming ones, and one that has begun.
const coursesMost = ItemsMax * (schedule.CourseMax + 1)

// readCourses queues the reading of the dates of the courses in carts, all in one statement.
func readCourses(b *pg.Batch, r pg.Reader, carts []*loaded, rows *[]courseRow) {
	ids, holds := make([]uuid.UUID, len(carts)), make([]uuid.UUID, len(carts)) // uuid.Nil: no hold
	for i, l := range carts {
		ids[i] = l.ID
		if l.Hold != nil {
			holds[i] = l.Hold.ID
		}
	}
	pg.QueueAll(b, rows, selectCourses, r.Business(), ids, holds, r.Now(), len(carts)*coursesMost)
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
