package apptest

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// System is the scope of the machinery, which may do everything in the studio.
func (s Studio) System() tenancy.Scope { return tenancy.System(s.Business.ID, tenancy.SurfaceAPI) }

// Holding is the scope of somebody who holds these features at one location and nothing elsewhere.
func (s Studio) Holding(location uuid.UUID, features ...tenancy.Feature) tenancy.Scope {
	return tenancy.Scope{
		Principal: tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: pg.NewID(), Name: "Somebody"}},
		Tenant:    s.Business.ID,
		Grants:    tenancy.Grants{AtLocation: map[uuid.UUID]tenancy.FeatureSet{location: tenancy.NewFeatureSet(features...)}},
		Surface:   tenancy.SurfaceAPI,
	}
}

// AddInstructor puts somebody on the team who can be named as who teaches and has no access.
func (s Studio) AddInstructor(t testing.TB, name string) business.Member {
	t.Helper()
	m, err := s.w.House(t).AddMember(t.Context(), s.Owner, business.AddMemberInput{
		Email: pg.NewID().String() + "@example.com", Name: name, Bookable: true,
	})
	if err != nil {
		t.Fatalf("apptest: instructor: %v", err)
	}
	return m
}

// OfferingRow is a row of offerings. Rows, and not verbs, so that a test may start from any state and any kind.
type OfferingRow struct {
	ID, Location               uuid.UUID
	Kind, Slug, Name, Heading  string
	State                      string
	Minutes                    int
	Price                      *int64 // minor units; nil only for a draft
	TaxRate                    *uuid.UUID
	Capacity, Online, Position int
}

// AddOffering writes a published class of an hour for 22.00 with twelve seats, all of them online, unless a change says
// otherwise.
func (s Studio) AddOffering(t testing.TB, changes ...func(*OfferingRow)) OfferingRow {
	t.Helper()
	price := int64(2200)
	o := OfferingRow{ID: pg.NewID(), Location: s.Location.ID, Kind: "class", Name: "Morning Yoga", State: "published",
		Minutes: 60, Price: &price, Capacity: 12, Online: 12}
	o.Slug = "offering-" + o.ID.String()[24:]
	for _, change := range changes {
		change(&o)
	}
	var published *time.Time
	if now := s.w.Clock.Now(); o.State == "published" {
		published = &now
	}
	s.w.SQL(t, `insert into offerings (id, business_id, location_id, kind, slug, name, heading, state, duration_minutes,
			price_amount, tax_rate_id, capacity, online_capacity, position, published_at, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
		o.ID, s.Business.ID, o.Location, o.Kind, o.Slug, o.Name, o.Heading, o.State, o.Minutes, o.Price, o.TaxRate, o.Capacity,
		o.Online, o.Position, published, s.w.Clock.Now())
	return o
}

// OccurrenceRow is a row of occurrences, on a series of its own that gives just this date.
type OccurrenceRow struct {
	ID, Series         uuid.UUID
	StartsAt           time.Time
	State              string
	Capacity, Online   int
	Taken, TakenOnline int
	Member, Space      *uuid.UUID
}

// AddOccurrence writes one date of an offering, with the offering's length and seats and nobody booked, unless a change
// says otherwise.
func (s Studio) AddOccurrence(t testing.TB, of OfferingRow, startsAt time.Time, changes ...func(*OccurrenceRow)) OccurrenceRow {
	t.Helper()
	o := OccurrenceRow{ID: pg.NewID(), Series: pg.NewID(), StartsAt: startsAt, State: "scheduled",
		Capacity: of.Capacity, Online: of.Online}
	for _, change := range changes {
		change(&o)
	}
	s.w.SQL(t, `with wall as (select $5::timestamptz at time zone l.zone as clock, l.zone from locations l where l.id = $3), made as (
			insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
				max_count, except_dates, zone, capacity, online_capacity, materialized_to, created_at, updated_at)
			select $1, $2, $3, $4, (array['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'])[1 + extract(dow from clock)::int], clock::date,
				extract(hour from clock)::int * 60 + extract(minute from clock)::int, $6, 1, '[]', zone, $7, $8, clock::date, $9, $9
			from wall
		)
		insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
			member_id, space_id, state, capacity, online_capacity, taken, taken_online, created_at, updated_at)
		select $10, $2, $3, $4, $1, clock::date, clock::date, $5, $5::timestamptz + make_interval(mins => $6), $11, $12, $13, $7, $8,
			$14, $15, $9, $9 from wall`,
		o.Series, s.Business.ID, of.Location, of.ID, startsAt, of.Minutes, o.Capacity, o.Online, s.w.Clock.Now(), o.ID,
		o.Member, o.Space, o.State, o.Taken, o.TakenOnline)
	return o
}
