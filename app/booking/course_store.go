package booking

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// courseFrom is, of a booking b of an offering f, when the first date of its course begins or began; null when it is not one
// date of several. Dates that the studio cancelled do not count.
const courseFrom = `case when f.enrolment = 'series' and b.group_id is not null then coalesce(
	(select min(g.starts_at) from bookings g where g.business_id = b.business_id and g.group_id = b.group_id and g.state <> 'studio_cancelled'),
	b.starts_at) end as course_from`

// wholeCourses are, for statements, the ids of $2 and those of the bookings that are of one course with them.
const wholeCourses = `select unnest($2::uuid[]) union select g.id from bookings b
	join offerings f on f.business_id = $1 and f.id = b.offering_id and f.enrolment = 'series'
	join bookings g on g.business_id = $1 and g.group_id = b.group_id
	where b.business_id = $1 and b.id = any($2) and b.group_id is not null`

// lockCourses is lockBookings for verbs that take a course as a whole: with a booking of one come all the others, in
// whatever state they are. Who belongs to a course is settled when it is booked.
func lockCourses(ctx context.Context, tx *pg.Tx, person uuid.UUID, ids []uuid.UUID, customers bool) (map[uuid.UUID]subject, error) {
	all, err := pg.All[uuid.UUID](ctx, tx, wholeCourses, tx.Business(), ids)
	if err != nil {
		return nil, err
	}
	return lockBookings(ctx, tx, person, all, customers)
}

// lockCourse is lockCourses for one; an unknown id is not found.
func lockCourse(ctx context.Context, tx *pg.Tx, person, id uuid.UUID) (map[uuid.UUID]subject, subject, error) {
	list, err := lockCourses(ctx, tx, person, []uuid.UUID{id}, false)
	if err != nil {
		return nil, subject{}, err
	}
	b, err := found(list, id)
	return list, b, err
}

// coursesOf reads the dates of courses by their groups, in the order of their start.
func coursesOf(ctx context.Context, r pg.Reader, groups []uuid.UUID) (map[uuid.UUID][]CourseDate, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	type row struct {
		GroupID, BookingID, OccurrenceID uuid.UUID
		StartsAt, EndsAt                 time.Time
		State                            State
		Instructor, Space                string
		Version                          int64
		UpdatedAt                        time.Time
	}
	rows, err := pg.All[row](ctx, r, `select b.group_id, b.id as booking_id, b.occurrence_id, b.starts_at, b.ends_at, b.state, b.version, b.updated_at,
			coalesce(m.name, '') as instructor, coalesce(e.name, '') as space
		from bookings b
		join occurrences o on o.business_id = $1 and o.id = b.occurrence_id
		left join members m on m.business_id = $1 and m.id = o.member_id
		left join spaces e on e.business_id = $1 and e.id = o.space_id
		where b.business_id = $1 and b.group_id = any($2) order by b.starts_at, b.id`, r.Business(), groups)
	out := map[uuid.UUID][]CourseDate{}
	for _, x := range rows {
		out[x.GroupID] = append(out[x.GroupID], CourseDate{
			BookingID: x.BookingID, OccurrenceID: x.OccurrenceID, StartsAt: x.StartsAt.UTC(), EndsAt: x.EndsAt.UTC(), State: x.State,
			Instructor: x.Instructor, Space: x.Space, Version: x.Version, UpdatedAt: x.UpdatedAt.UTC(),
		})
	}
	return out, err
}

// courseVisits are courses as their customer sees them, each by the date that stands for it. rows are some of their bookings.
func courseVisits(ctx context.Context, v pg.Reader, groups []uuid.UUID, rows []bookingRow) ([]CustomerBooking, error) {
	dates, err := coursesOf(ctx, v, groups)
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	var missing []uuid.UUID
	for _, group := range groups {
		id := StandsFor(dates[group], v.Now()).BookingID
		if !slices.ContainsFunc(rows, func(r bookingRow) bool { return r.ID == id }) {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		more, err := pg.All[bookingRow](ctx, v, visitSelect+visitFrom+` where b.business_id = $1 and b.id = any($2)`, v.Business(), missing)
		if err != nil {
			return nil, err
		}
		rows = append(slices.Clone(rows), more...)
	}
	out := make([]CustomerBooking, 0, len(groups))
	for _, r := range rows {
		if r.CourseFrom == nil || StandsFor(dates[*r.GroupID], v.Now()).BookingID != r.ID {
			continue
		}
		visit := r.visit(v.Business())
		visit.Dates = dates[*r.GroupID]
		out = append(out, visit)
	}
	return out, nil
}
