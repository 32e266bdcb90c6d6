package booking

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

const bookingColumns = `b.id, b.location_id, b.offering_id, b.occurrence_id, b.customer_id, b.hold_id, b.order_id, b.group_id, b.state,
	b.online, b.party, b.attendee, b.note, b.starts_at, b.ends_at, b.price_amount, b.currency, coalesce(b.policy, 'null') as rules, b.confirmed_at,
	b.cancelled_at, b.checked_in_at, b.checked_out_at, b.reschedules, b.review_at, b.grace_until, b.version, b.created_at, b.updated_at`

// shownColumns and shownFrom read the columns of Shown of a booking b. The first date of a course is null when the
// booking is not one date of several; dates cancelled by the studio do not count.
var (
	shownColumns = bookingColumns + `, f.name as offering_name, f.kind, l.name as location_name, l.zone, ` + schedule.InstructorAndSpaceSQL + `,
		case when f.enrolment = 'series' and b.group_id is not null then coalesce((
			select min(g.starts_at) from bookings g
			where g.business_id = b.business_id and g.group_id = b.group_id and g.state <> 'studio_cancelled'), b.starts_at) end as course_from`
	shownFrom = `
	from bookings b` + shownBeside
	shownBeside = `
	join customers c on c.business_id = b.business_id and c.id = b.customer_id
	join offerings f on f.business_id = b.business_id and f.id = b.offering_id
	join locations l on l.business_id = b.business_id and l.id = b.location_id
	join occurrences o on o.business_id = b.business_id and o.id = b.occurrence_id` + schedule.InstructorAndSpaceJoinSQL("b.business_id", "o")
)

// studioSelect has the caller's person as $2: own is true for an occurrence with this person as instructor.
var (
	studioColumns = `select ` + shownColumns + `, c.name as customer_name, c.email as customer_email, c.phone as customer_phone,
		` + schedule.TaughtBySQL("$2") + ` as own`
	studioSelect = studioColumns + shownFrom + `
	where b.business_id = $1`
)

// A list of the studio's is limited before names are joined to its rows. Joined first, every booking there is would
// be: the conditions of row-level security make Postgres believe that one row remains.
var (
	studioPage  = studioColumns + ` from (select b.* from bookings b where b.business_id = $1`
	studioNamed = `) b` + shownBeside
)

var customerSelect = `select ` + shownColumns + `, b.business_id, s.name as business_name, l.slug as location_slug,
		f.slug as offering_slug` + shownFrom + `
	join businesses s on s.business_id = b.business_id
	where b.business_id = $1`

// list reads the bookings in cover. Only the filters that are set become conditions, so that an index serves each.
// Its plan is cached, except with a state: a state may have few bookings or nearly all, and the planner has
// statistics for that.
func list(ctx context.Context, v *pg.View, in ListInput, cover policy.Cover, person uuid.UUID) (paging.Page[StudioBooking, paging.Moment], error) {
	s := pg.NewShape(studioPage, v.Business(), person)
	s.AndIf(in.LocationID != uuid.Nil, "b.location_id = ?", in.LocationID)
	s.AndIf(in.OfferingID != uuid.Nil, "b.offering_id = ?", in.OfferingID)
	s.AndIf(in.OccurrenceID != uuid.Nil, "b.occurrence_id = ?", in.OccurrenceID)
	s.AndIf(in.CustomerID != uuid.Nil, "b.customer_id = ?", in.CustomerID)
	s.AndIf(in.GroupID != uuid.Nil, "b.group_id = ?", in.GroupID)
	s.AndIf(len(in.IDs) > 0, "b.id = any(?)", in.IDs)
	s.AndIf(in.MemberID != uuid.Nil, "b.occurrence_id = any(array(select o.id from occurrences o where o.business_id = $1 and o.member_id = ?))", in.MemberID)
	if in.State != "" {
		s.And("b.state = ?", in.State)
	} else {
		s.And("b.state not in ('held', 'expired')")
		v = v.Kept()
	}
	s.AndIf(!in.From.IsZero(), "b.starts_at >= ?", in.From)
	s.AndIf(!in.To.IsZero(), "b.starts_at < ?", in.To)
	if cover.Own {
		s.And(`(b.location_id = any(?) or b.occurrence_id in (
			select o.id from occurrences o join members m on m.business_id = o.business_id and m.id = o.member_id
			where o.business_id = $1 and m.person_id = $2 and m.deactivated_at is null))`, cover.Locations)
	} else if !cover.Everywhere {
		s.And("b.location_id = any(?)", cover.Locations)
	}
	order, beyond := " order by b.starts_at desc, b.id desc", "(b.starts_at, b.id) < (?, ?)"
	if in.Ascending {
		order, beyond = " order by b.starts_at, b.id", "(b.starts_at, b.id) > (?, ?)"
	}
	after := in.Page.From()
	s.AndIf(in.Page.After != nil, beyond, after.At, after.ID)
	s.Add(order+" limit ?", in.Page.Size()+1)
	s.Add(studioNamed + order)
	rows, err := pg.All[subject](ctx, v, s.SQL(), s.Args()...)
	return paging.Of(each(rows, subject.shown), in.Page.Size(), func(b StudioBooking) paging.Moment {
		return paging.Moment{At: b.StartsAt, ID: b.ID}
	}), err
}

// find reads one booking; an unknown id is not found.
func find(ctx context.Context, r pg.Reader, person, id uuid.UUID) (subject, error) {
	return pg.Found(pg.One[subject](ctx, r, studioSelect+` and b.id = $3`, r.Business(), person, id))
}

func roster(ctx context.Context, v *pg.View, person uuid.UUID, in RosterInput, size int) (r Roster, own bool, err error) {
	type row struct {
		Roster
		Own bool
	}
	var head row
	var found bool
	var rows []subject
	after := in.Page.From() // before all rows of the first page
	b := v.Kept().Batch()
	pg.QueueOne(b, &head, &found, `select o.id as occurrence_id, o.offering_id, o.location_id, f.name as offering_name,
			l.name as location_name, l.zone, o.starts_at, o.ends_at, o.state, `+schedule.InstructorAndSpaceSQL+`,
			o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered,
			`+schedule.TaughtBySQL("$2")+` as own
		from occurrences o
		join offerings f on f.business_id = o.business_id and f.id = o.offering_id
		join locations l on l.business_id = o.business_id and l.id = o.location_id`+schedule.InstructorAndSpaceJoinSQL("o.business_id", "o")+`
		where o.business_id = $1 and o.id = $3`, v.Business(), person, in.OccurrenceID)
	pg.QueueAll(b, &rows, studioPage+` and b.occurrence_id = $3 and b.state in `+ActiveStatesSQL+`
			and (b.created_at, b.id) > ($4, $5) order by b.created_at, b.id limit $6`+studioNamed+` order by b.created_at, b.id`,
		v.Business(), person, in.OccurrenceID, after.At, after.ID, size+1)
	if err := b.Send(ctx); err != nil {
		return Roster{}, false, err
	}
	if !found {
		return Roster{}, false, fault.Missing()
	}
	head.Entries = paging.Of(each(rows, subject.shown), size, func(b StudioBooking) paging.Moment {
		return paging.Moment{At: b.CreatedAt, ID: b.ID}
	})
	return head.Roster, head.Own, nil
}

func mine(ctx context.Context, db *pg.DB, person uuid.UUID, in MineInput) ([]pg.Keyed, error) {
	var at *time.Time
	var id *uuid.UUID
	if in.Page.After != nil {
		at, id = &in.Page.After.At, &in.Page.After.ID
	}
	none := db.View(uuid.Nil)
	return pg.All[pg.Keyed](ctx, none, `select business_id, id, starts_at as at from app.bookings_of($1, $2, $3, $4, $5, $6)`,
		person, none.Now(), !in.Past, at, id, in.Page.Size()+1)
}

// businessOfMine finds the business of a person's booking; another person's booking is not found.
func businessOfMine(ctx context.Context, db *pg.DB, person, id uuid.UUID) (uuid.UUID, error) {
	return pg.Found(pg.One[uuid.UUID](ctx, db.View(uuid.Nil), `select business_id from app.booking_of($1, $2)`, person, id))
}

// theirs reads bookings of one business by their ids, if they are this person's. A date of a course is replaced by
// the date that lists its course, once.
func theirs(ctx context.Context, r pg.Reader, person uuid.UUID, ids ...uuid.UUID) ([]CustomerBooking, error) {
	rows, err := pg.All[CustomerBooking](ctx, r, customerSelect+` and b.id = any($2) and c.person_id = $3
		and b.state not in ('held', 'expired')`, r.Business(), ids, person)
	if err != nil {
		return nil, err
	}
	var out, dates []CustomerBooking
	for _, b := range rows {
		if b.Course() {
			dates = append(dates, b)
		} else {
			out = append(out, b)
		}
	}
	courses, err := coursesAsOne(ctx, r, dates)
	return append(out, courses...), err
}

// CustomerBookingOf reads one booking in its customer's view, a date of a course with all dates. It returns
// pg.ErrNoRow for an unknown id.
func CustomerBookingOf(ctx context.Context, r pg.Reader, id uuid.UUID) (CustomerBooking, error) {
	b, err := pg.One[CustomerBooking](ctx, r, customerSelect+` and b.id = $2`, r.Business(), id)
	if err != nil || !b.Course() {
		return b, err
	}
	dates, err := coursesOf(ctx, r, *b.GroupID)
	b.Dates = dates[*b.GroupID]
	return b, err
}

// coursesAsOne returns the courses of these dates as shown to their customer, each by the date that lists it.
func coursesAsOne(ctx context.Context, r pg.Reader, some []CustomerBooking) ([]CustomerBooking, error) {
	if len(some) == 0 {
		return nil, nil
	}
	var groups, missing []uuid.UUID
	for _, b := range some {
		if !slices.Contains(groups, *b.GroupID) {
			groups = append(groups, *b.GroupID)
		}
	}
	dates, err := coursesOf(ctx, r, groups...)
	if err != nil {
		return nil, err
	}
	for _, group := range groups {
		id := CourseListing(dates[group], r.Now()).BookingID
		if !slices.ContainsFunc(some, func(b CustomerBooking) bool { return b.ID == id }) {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		more, err := pg.All[CustomerBooking](ctx, r, customerSelect+` and b.id = any($2)`, r.Business(), missing)
		if err != nil {
			return nil, err
		}
		some = slices.Concat(some, more)
	}
	out := make([]CustomerBooking, 0, len(groups))
	for _, b := range some {
		if b.Course() && CourseListing(dates[*b.GroupID], r.Now()).BookingID == b.ID {
			b.Dates = dates[*b.GroupID]
			out = append(out, b)
		}
	}
	return out, nil
}

// coursesOf reads the dates of courses by their groups, in the order of their start.
func coursesOf(ctx context.Context, r pg.Reader, groups ...uuid.UUID) (map[uuid.UUID][]CourseDate, error) {
	type row struct {
		GroupID uuid.UUID
		CourseDate
	}
	rows, err := pg.All[row](ctx, r, `select b.group_id, b.id as booking_id, b.occurrence_id, b.starts_at, b.ends_at, b.state, b.version, b.updated_at,
			`+schedule.InstructorAndSpaceSQL+`
		from bookings b
		join occurrences o on o.business_id = $1 and o.id = b.occurrence_id`+schedule.InstructorAndSpaceJoinSQL("$1", "o")+`
		where b.business_id = $1 and b.group_id = any($2) order by b.starts_at, b.id`, r.Business(), groups)
	out := map[uuid.UUID][]CourseDate{}
	for _, x := range rows {
		out[x.GroupID] = append(out[x.GroupID], x.CourseDate)
	}
	return out, err
}

// DatesOf reads times and states of bookings of one customer, in the order of their start.
func DatesOf(ctx context.Context, r pg.Reader, bookings []uuid.UUID) ([]CourseDate, error) {
	return pg.All[CourseDate](ctx, r, `select b.id as booking_id, b.occurrence_id, b.starts_at, b.ends_at, b.state, b.version, b.updated_at,
			`+schedule.InstructorAndSpaceSQL+`
		from bookings b
		join occurrences o on o.business_id = $1 and o.id = b.occurrence_id`+schedule.InstructorAndSpaceJoinSQL("$1", "o")+`
		where b.business_id = $1 and b.id = any($2) order by b.starts_at, b.id`, r.Business(), bookings)
}

// groupsOf reads the bookings of groups, those of one group after the other.
func groupsOf(ctx context.Context, r pg.Reader, groups []uuid.UUID) (map[uuid.UUID][]Booking, error) {
	rows, err := pg.All[Booking](ctx, r, `select `+bookingColumns+` from bookings b
		where b.business_id = $1 and b.group_id = any($2) order by b.starts_at, b.id`, r.Business(), groups)
	out := map[uuid.UUID][]Booking{}
	for _, b := range rows {
		out[*b.GroupID] = append(out[*b.GroupID], b)
	}
	return out, err
}

// bookedAt lists the bookings of dates, by their start: the live ones, and those cancelled by the studio.
func bookedAt(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) ([]Booking, error) {
	return pg.All[Booking](ctx, tx, `select `+bookingColumns+` from bookings b
		where b.business_id = $1 and b.occurrence_id = any($2) and b.state in ('requested', 'confirmed', 'checked_in', 'studio_cancelled')
		order by b.starts_at, b.id`, tx.Business(), dates)
}

// hasSeat finds the occurrences at which the customer has, or has requested, a seat for that attendee.
func hasSeat(ctx context.Context, tx *pg.Tx, customer uuid.UUID, attendee string, occurrences ...uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select occurrence_id from bookings where business_id = $1 and customer_id = $2 and (attendee = $3 or attendee_key = $5)
		and occurrence_id = any($4) and state in `+ActiveStatesSQL, tx.Business(), customer, attendee, occurrences, names.Key(attendee))
}

// NoSeatYet returns ErrDuplicate if the customer has a seat for that attendee at one of these occurrences.
func NoSeatYet(ctx context.Context, tx *pg.Tx, customer uuid.UUID, attendee string, occurrences ...uuid.UUID) error {
	has, err := hasSeat(ctx, tx, customer, attendee, occurrences...)
	if err == nil && len(has) > 0 {
		err = At(ErrDuplicate, has[0])
	}
	return err
}

// HitsTx names the customers with a booking or a request at occurrences: availability.Ports.HitsTx. Held seats are
// not included.
func HitsTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID, most int) (availability.Hits, error) {
	type row struct {
		availability.Hit
		Count int
	}
	rows, err := pg.All[row](ctx, tx, `select b.id as booking_id, b.starts_at, c.name as customer, count(*) over () as count
		from bookings b join customers c on c.business_id = b.business_id and c.id = b.customer_id
		where b.business_id = $1 and b.occurrence_id = any($2) and b.state in ('requested', 'confirmed', 'checked_in')
		order by b.starts_at, b.id limit $3`, tx.Business(), occurrences, most)
	var out availability.Hits
	for _, r := range rows {
		out.Count = r.Count
		out.First = append(out.First, r.Hit)
	}
	return out, err
}
