package agenda

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Service holds the verbs of the package. Make it with New.
type Service struct{ db *pg.DB }

// New makes the service.
func New(db *pg.DB) *Service { return &Service{db} }

// The most that one answer has.
const (
	MaxSpan  = 45 * 24 * time.Hour
	MaxDates = 1000
)

// DatesInput chooses dates by when they are; a filter that is not set chooses all.
type DatesInput struct {
	From, To   time.Time // a date that overlaps the span is in it
	LocationID uuid.UUID
	MemberID   uuid.UUID // instructor
	SpaceID    uuid.UUID
	OfferingID uuid.UUID
	Cancelled  bool // cancelled dates, too
}

// Validate checks the input.
func (in DatesInput) Validate() error {
	var c fault.Checks
	c.That(in.From.Before(in.To), "to", "The end must be after the beginning.")
	c.That(in.To.Sub(in.From) <= MaxSpan, "to", "Ask for at most 45 days.")
	return c.Err()
}

// Date is a date of a class, an appointment or a rental as the calendar shows it.
type Date struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	Zone         string // of the location
	OfferingID   uuid.UUID
	OfferingName string
	Kind         catalog.Kind
	Enrolment    catalog.Enrolment
	SeriesID     *uuid.UUID // nil: an appointment or a rental
	StartsAt     time.Time
	EndsAt       time.Time
	MemberID     *uuid.UUID
	Instructor   string // empty: no instructor
	SpaceID      *uuid.UUID
	Space        string // empty: none is named
	State        schedule.State
	CancelReason string // the studio's; empty unless the date was cancelled by hand
	schedule.Seats
	Waiting   int
	CheckedIn int // seats checked in
	Requests  int // waiting for an answer
	// The booking of an appointment or a rental.
	BookingID *uuid.UUID
	Customer  string
	Version   int64
}

// Course reports whether the date is part of a course, so that it cannot be booked alone.
func (d Date) Course() bool { return d.Enrolment == catalog.BySeries }

// Dates returns dates by their start, in one round trip; MaxDates at most. It needs booking.view.
func (s *Service) Dates(ctx context.Context, sc tenancy.Scope, in DatesInput) ([]Date, error) {
	cover, err := policy.Where(sc, policy.BookingView)
	if err == nil {
		err = in.Validate()
	}
	if err != nil {
		return nil, err
	}
	q := datesOf(sc, in, cover)
	return pg.All[Date](ctx, s.db.View(sc.Tenant), q.SQL(), q.Args()...)
}

// Date returns one date in any state, in one round trip. It needs booking.view; a date that the caller's grants do
// not open is not found.
func (s *Service) Date(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Date, error) {
	cover, err := policy.Where(sc, policy.BookingView)
	if err != nil {
		return Date{}, err
	}
	q := pg.NewShape(dateColumns+` where o.business_id = $1 and o.id = $2`, sc.Tenant, id)
	covered(q, "o", cover, sc.Person())
	q.Add(dateNames, 1)
	return pg.Found(pg.One[Date](ctx, s.db.View(sc.Tenant), q.SQL(), q.Args()...))
}

// A date longer than a day is none that is held: the index finds dates by their start.
const longest = 24 * time.Hour

// datesOf selects the dates first and then their details, so that names are looked up for those alone.
func datesOf(sc tenancy.Scope, in DatesInput, cover policy.Cover) *pg.Shape {
	q := pg.NewShape(dateColumns+` where o.business_id = $1 and o.starts_at < $2 and o.ends_at > $3 and o.starts_at > $4`,
		sc.Tenant, in.To, in.From, in.From.Add(-longest))
	q.AndIf(in.LocationID != uuid.Nil, "o.location_id = ?", in.LocationID)
	q.AndIf(in.MemberID != uuid.Nil, "o.member_id = ?", in.MemberID)
	q.AndIf(in.SpaceID != uuid.Nil, "o.space_id = ?", in.SpaceID)
	q.AndIf(in.OfferingID != uuid.Nil, "o.offering_id = ?", in.OfferingID)
	q.AndIf(!in.Cancelled, "o.state = 'scheduled'")
	covered(q, "o", cover, sc.Person())
	q.Add(dateNames, MaxDates)
	return q
}

// dateColumns and dateNames select the columns of Date for dates o, around the condition that chooses them.
var dateColumns = `select d.id, d.location_id, l.zone, d.offering_id, f.name as offering_name, f.kind, f.enrolment, d.series_id, d.starts_at, d.ends_at,
			d.member_id, d.space_id, ` + schedule.InstructorAndSpaceSQL + `, d.state, d.cancel_reason,
			d.capacity, d.online_capacity, d.taken, d.taken_online, d.offered, d.version,
			(select count(*) from waitlist_entries w where w.business_id = $1 and w.occurrence_id = d.id and w.state in ('waiting', 'offered')) as waiting,
			coalesce(n.checked_in, 0) as checked_in, coalesce(n.requests, 0) as requests, n.booking_id, coalesce(n.customer, '') as customer
		from (select o.* from occurrences o`

var dateNames = ` order by o.starts_at, o.id limit ?) d
		join offerings f on f.business_id = d.business_id and f.id = d.offering_id
		join locations l on l.business_id = d.business_id and l.id = d.location_id` + schedule.InstructorAndSpaceJoinSQL("d.business_id", "d") + `
		left join lateral (
			select sum(b.party) filter (where b.state = 'checked_in') as checked_in, count(*) filter (where b.state = 'requested') as requests,
				min(b.id::text) filter (where d.series_id is null)::uuid as booking_id, min(c.name) filter (where d.series_id is null) as customer
			from bookings b left join customers c on c.business_id = b.business_id and c.id = b.customer_id
			where b.business_id = $1 and b.occurrence_id = d.id and b.state not in ('held', 'expired', 'declined', 'cancelled', 'late_cancelled')
		) n on true
		order by d.starts_at, d.id`

// covered selects the dates of a table that the caller may see: all, those of their locations, or the ones that they
// teach.
func covered(q *pg.Shape, date string, cover policy.Cover, person uuid.UUID) {
	switch {
	case cover.Own:
		q.And(`(`+date+`.location_id = any(?) or `+date+`.member_id in (select m.id from members m
			where m.business_id = $1 and m.person_id = ? and m.deactivated_at is null))`, cover.Locations, person)
	case !cover.Everywhere:
		q.And(date+".location_id = any(?)", cover.Locations)
	}
}
