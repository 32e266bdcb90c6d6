package apptest

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Shop is a business with one location, as rows: what a test sells at. Its methods write what is sold there, valid by
// default and changed by stated difference. They are for arranging only, and no verb of the product runs.
type Shop struct {
	w                  *World
	Business, Location uuid.UUID
	Slug               string // of the business; the location's has -main behind it
	Zone, Currency     string
	Status             string // of the business
}

// Shop writes a business with a location in New York that sells in dollars.
func (w *World) Shop(t testing.TB, but ...func(*Shop)) *Shop {
	t.Helper()
	s := &Shop{w: w, Business: pg.NewID(), Location: pg.NewID(), Zone: "America/New_York", Currency: "USD", Status: "active"}
	s.Slug = "shop-" + s.Business.String()[24:]
	change(s, but)
	w.SQL(t, `insert into businesses (business_id, name, slug, currency, zone, status, created_at, updated_at)
		values ($1, 'Studio', $2, $3, $4, $5, $6, $6)`, s.Business, s.Slug, s.Currency, s.Zone, s.Status, w.Clock.Now())
	s.Location = s.AddLocation(t, "main")
	return s
}

func change[T any](row *T, but []func(*T)) {
	for _, f := range but {
		f(row)
	}
}

// Scope is the system's: it may do everything.
func (s *Shop) Scope() tenancy.Scope { return tenancy.System(s.Business, tenancy.SurfaceAPI) }

// ScopeAt is a person's who holds these features at one location and nothing elsewhere.
func (s *Shop) ScopeAt(location uuid.UUID, features ...tenancy.Feature) tenancy.Scope {
	return tenancy.Scope{
		Principal: tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: pg.NewID(), Name: "Somebody"}},
		Tenant:    s.Business,
		Grants:    tenancy.Grants{AtLocation: map[uuid.UUID]tenancy.FeatureSet{location: tenancy.NewFeatureSet(features...)}},
		Surface:   tenancy.SurfaceAPI,
	}
}

// AddLocation writes a further location.
func (s *Shop) AddLocation(t testing.TB, name string) uuid.UUID {
	t.Helper()
	id := pg.NewID()
	s.w.SQL(t, `insert into locations (id, business_id, slug, name, zone, currency, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $7)`, id, s.Business, s.Slug+"-"+name, name, s.Zone, s.Currency, s.w.Clock.Now())
	return id
}

// AddSpace writes a space of the location.
func (s *Shop) AddSpace(t testing.TB, name string, capacity int) uuid.UUID {
	t.Helper()
	id := pg.NewID()
	s.w.SQL(t, `insert into spaces (id, business_id, location_id, name, capacity, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $6)`, id, s.Business, s.Location, name, capacity, s.w.Clock.Now())
	return id
}

// AddMember writes a member of the team, with the person behind them.
func (s *Shop) AddMember(t testing.TB, name string) uuid.UUID {
	t.Helper()
	person, id := pg.NewID(), pg.NewID()
	email := person.String() + "@example.com"
	s.w.SQL(t, `insert into persons (id, email, name, created_at, updated_at) values ($1, $2, $3, $4, $4)`,
		person, email, name, s.w.Clock.Now())
	s.w.SQL(t, `insert into members (id, business_id, person_id, email, name, bookable, created_at, updated_at)
		values ($1, $2, $3, $4, $5, true, $6, $6)`, id, s.Business, person, email, name, s.w.Clock.Now())
	return id
}

// AddTaxRate writes a tax rate; 8.25 % is 82500.
func (s *Shop) AddTaxRate(t testing.TB, name string, ppm int) uuid.UUID {
	t.Helper()
	id := pg.NewID()
	s.w.SQL(t, `insert into tax_rates (id, business_id, name, ppm, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
		id, s.Business, name, ppm, s.w.Clock.Now())
	return id
}

// OfferingRow is a row of offerings.
type OfferingRow struct {
	ID, Location               uuid.UUID
	Kind, Slug, Name, Heading  string
	State                      string
	Minutes                    int
	Price                      *int64 // minor units
	TaxRate                    *uuid.UUID
	Capacity, Online, Position int
}

// AddOffering writes a published class of an hour for 22.00 with twelve seats, all of them online.
func (s *Shop) AddOffering(t testing.TB, but ...func(*OfferingRow)) OfferingRow {
	t.Helper()
	price := int64(2200)
	o := OfferingRow{ID: pg.NewID(), Location: s.Location, Kind: "class", Name: "Morning Yoga", State: "published",
		Minutes: 60, Price: &price, Capacity: 12, Online: 12}
	o.Slug = "offering-" + o.ID.String()[24:]
	change(&o, but)
	s.w.SQL(t, `insert into offerings (id, business_id, location_id, kind, slug, name, heading, state, duration_minutes,
			price_amount, tax_rate_id, capacity, online_capacity, position, published_at, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8::text, $9, $10, $11, $12, $13, $14, case $8::text when 'published' then $15::timestamptz end, $15, $15)`,
		o.ID, s.Business, o.Location, o.Kind, o.Slug, o.Name, o.Heading, o.State, o.Minutes, o.Price, o.TaxRate, o.Capacity,
		o.Online, o.Position, s.w.Clock.Now())
	return o
}

// OccurrenceRow is a row of occurrences, on a series of its own.
type OccurrenceRow struct {
	ID, Series         uuid.UUID
	StartsAt           time.Time
	State              string
	Capacity, Online   int
	Taken, TakenOnline int
	Member, Space      *uuid.UUID
}

// AddOccurrence writes one date of an offering, with the offering's length and seats and nobody booked.
func (s *Shop) AddOccurrence(t testing.TB, of OfferingRow, startsAt time.Time, but ...func(*OccurrenceRow)) OccurrenceRow {
	t.Helper()
	o := OccurrenceRow{ID: pg.NewID(), Series: pg.NewID(), StartsAt: startsAt, State: "scheduled",
		Capacity: of.Capacity, Online: of.Online}
	change(&o, but)
	s.w.SQL(t, `with local as (select $5::timestamptz at time zone $6 as at), made as (
			insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes,
				max_count, except_dates, zone, capacity, online_capacity, materialized_to, created_at, updated_at)
			select $1, $2, $3, $4, (array['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'])[1 + extract(dow from at)::int], at::date,
				extract(hour from at)::int * 60 + extract(minute from at)::int, $7, 1, '[]', $6, $8, $9, at::date, $10, $10 from local
		)
		insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
			member_id, space_id, state, capacity, online_capacity, taken, taken_online, created_at, updated_at)
		select $11, $2, $3, $4, $1, at::date, at::date, $5, $5::timestamptz + make_interval(mins => $7), $12, $13, $14, $8, $9, $15, $16,
			$10, $10 from local`,
		o.Series, s.Business, of.Location, of.ID, startsAt, s.Zone, of.Minutes, o.Capacity, o.Online, s.w.Clock.Now(), o.ID,
		o.Member, o.Space, o.State, o.Taken, o.TakenOnline)
	return o
}
