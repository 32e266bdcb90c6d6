package apptest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/pg"
)

// Computed times: members and spaces with their hours, offerings that need them, and absences. Everything is written
// as rows, so that a test may start from any state; hours are minutes after midnight on the wall clock of the
// studio's location.

// Daily is one interval on every day of the week: Daily(9*60, 17*60) is nine to five.
func Daily(opens, closes int) []business.Interval {
	return On(opens, closes, time.Sunday, time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday)
}

// On is one interval on some days of the week.
func On(opens, closes int, days ...time.Weekday) []business.Interval {
	week := make([]business.Interval, len(days))
	for i, d := range days {
		week[i] = business.Interval{Weekday: d, Opens: opens, Closes: closes}
	}
	return week
}

// NineToFive is the default of opening hours.
var NineToFive = Daily(9*60, 17*60)

// AddHours opens the studio's location at these times, beside those it has. Without any it is NineToFive.
func (s Studio) AddHours(t testing.TB, week ...business.Interval) {
	s.AddHoursAt(t, s.Location.ID, week...)
}

// AddHoursAt is AddHours for any location of the studio.
func (s Studio) AddHoursAt(t testing.TB, location uuid.UUID, week ...business.Interval) {
	t.Helper()
	s.weekly(t, `insert into location_hours (id, business_id, location_id, weekday, opens, closes)
		select gen_random_uuid(), $1, $2, `+weekRows, week, location)
}

// AddMember adds a member that can be booked at the studio's location at these times; NineToFive without any.
func (s Studio) AddMember(t testing.TB, name string, week ...business.Interval) business.Member {
	t.Helper()
	m := s.AddInstructor(t, name)
	s.AddMemberHours(t, m.ID, s.Location.ID, week...)
	return m
}

// AddMemberHours adds hours of a member at a location; NineToFive without any.
func (s Studio) AddMemberHours(t testing.TB, member, location uuid.UUID, week ...business.Interval) {
	t.Helper()
	s.weekly(t, `insert into member_hours (id, business_id, location_id, member_id, weekday, opens, closes)
		select gen_random_uuid(), $1, $2, $6, `+weekRows, week, location, member)
}

// AddSpaceHours adds hours of a space; NineToFive without any. A space without hours is open with its location.
func (s Studio) AddSpaceHours(t testing.TB, space business.Space, week ...business.Interval) {
	t.Helper()
	s.weekly(t, `insert into space_hours (id, business_id, location_id, space_id, weekday, opens, closes)
		select gen_random_uuid(), $1, $2, $6, `+weekRows, week, space.LocationID, space.ID)
}

const weekRows = `w.day, w.opens, w.closes from unnest($3::int[], $4::int[], $5::int[]) w (day, opens, closes)`

func (s Studio) weekly(t testing.TB, insert string, week []business.Interval, location uuid.UUID, of ...any) {
	t.Helper()
	if len(week) == 0 {
		week = NineToFive
	}
	var day, opens, closes []int
	for _, v := range week {
		day, opens, closes = append(day, int(v.Weekday)), append(opens, v.Opens), append(closes, v.Closes)
	}
	s.w.SQL(t, insert, append([]any{s.Business.ID, location, day, opens, closes}, of...)...)
}

// AddTimeOff adds an absence of a member.
func (s Studio) AddTimeOff(t testing.TB, member uuid.UUID, from, to time.Time) uuid.UUID {
	t.Helper()
	id := pg.NewID()
	s.w.SQL(t, `insert into time_off (id, business_id, member_id, starts_at, ends_at, created_at) values ($1, $2, $3, $4, $5, $6)`,
		id, s.Business.ID, member, from, to, s.w.Clock.Now())
	return id
}

// AddBlock blocks a space.
func (s Studio) AddBlock(t testing.TB, space business.Space, from, to time.Time) uuid.UUID {
	t.Helper()
	id := pg.NewID()
	s.w.SQL(t, `insert into space_blocks (id, business_id, location_id, space_id, starts_at, ends_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $7)`, id, s.Business.ID, space.LocationID, space.ID, from, to, s.w.Clock.Now())
	return id
}

// AddPolicy writes a policy: the standard one with a change.
func (s Studio) AddPolicy(t testing.TB, changes ...func(*catalog.Rules)) uuid.UUID {
	t.Helper()
	rules := catalog.StandardRules()
	for _, change := range changes {
		change(&rules)
	}
	id := pg.NewID()
	s.w.SQL(t, `insert into policies (id, business_id, name, rules, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
		id, s.Business.ID, "Policy "+id.String(), encode(t, rules), s.w.Clock.Now())
	return id
}

// SetPolicy makes a policy the default of the studio's location.
func (s Studio) SetPolicy(t testing.TB, policy uuid.UUID) {
	t.Helper()
	s.w.SQL(t, `update locations set policy_id = $2 where id = $1`, s.Location.ID, policy)
}

// Duration is one of the lengths of a service, with its price.
type Duration struct {
	Minutes     int   `json:"minutes"`
	PriceAmount int64 `json:"priceAmount"` // minor units
}

// ServiceRow is an offering with computed times, its members and spaces.
type ServiceRow struct {
	OfferingRow
	Before, After   int  // buffers, minutes
	Grid            int  // minutes; 0: one after the other
	LastStart       *int // minutes after midnight
	Compact         bool
	Approval        bool
	Walkins         bool
	SoldAs          string // person or space
	NeedsMember     bool
	Durations       []Duration
	Policy          *uuid.UUID
	Members, Spaces []uuid.UUID
}

// AddAppointment writes a published appointment of an hour for 60.00 on a quarter-hour grid, with these members as
// instructors and in no particular space, unless a change overrides it.
func (s Studio) AddAppointment(t testing.TB, members []uuid.UUID, changes ...func(*ServiceRow)) ServiceRow {
	t.Helper()
	price := int64(6000)
	r := ServiceRow{Grid: 15, SoldAs: "person", Members: members}
	r.Kind, r.Name, r.Price, r.Minutes, r.Capacity, r.Online = "appointment", "Massage", &price, 60, 1, 1
	return s.addService(t, r, changes)
}

// AddRental writes a published rental of an hour for 30.00 of one of these spaces as a whole on a half-hour grid,
// unless a change overrides it.
func (s Studio) AddRental(t testing.TB, spaces []uuid.UUID, changes ...func(*ServiceRow)) ServiceRow {
	t.Helper()
	price := int64(3000)
	r := ServiceRow{Grid: 30, SoldAs: "space", Spaces: spaces}
	r.Kind, r.Name, r.Price, r.Minutes, r.Capacity, r.Online = "rental", "Sauna", &price, 60, 12, 12
	return s.addService(t, r, changes)
}

func (s Studio) addService(t testing.TB, r ServiceRow, changes []func(*ServiceRow)) ServiceRow {
	t.Helper()
	r.ID, r.Location, r.State = pg.NewID(), s.Location.ID, "published"
	r.Slug = "offering-" + r.ID.String()[24:]
	for _, change := range changes {
		change(&r)
	}
	s.AddOffering(t, func(o *OfferingRow) { *o = r.OfferingRow })
	if r.Durations == nil {
		r.Durations = []Duration{}
	}
	s.w.SQL(t, `update offerings set buffer_before_minutes = $2, buffer_after_minutes = $3, grid_minutes = nullif($4, 0),
			last_start_minute = $5, compact = $6, approval = $7, walkins = $8, sold_as = $9, needs_member = $10, durations = $11,
			policy_id = $12 where id = $1`,
		r.ID, r.Before, r.After, r.Grid, r.LastStart, r.Compact, r.Approval, r.Walkins, r.SoldAs, r.NeedsMember,
		encode(t, r.Durations), r.Policy)
	for table, ids := range map[string][]uuid.UUID{"member": r.Members, "space": r.Spaces} {
		s.w.SQL(t, `insert into offering_`+table+`s (id, business_id, location_id, offering_id, `+table+`_id, position)
			select gen_random_uuid(), $1, $2, $3, w.id, w.n from unnest($4::uuid[]) with ordinality w (id, n)`,
			s.Business.ID, r.Location, r.ID, ids)
	}
	return r
}

// BusyRow is a booked time of a service: an occurrence of no series, and the claims of its member and space.
type BusyRow struct {
	ID               uuid.UUID // of the occurrence
	StartsAt, EndsAt time.Time // without buffers
	Members, Spaces  []uuid.UUID
	Seats            int // of shared spaces; 0: the whole space
	Forced           bool
}

// AddBusy writes a booked time of a service: of the service's length, buffers included in the claims, for its first
// member or else its first space, unless a change overrides it. Parts of a space are not claimed: name them.
func (s Studio) AddBusy(t testing.TB, of ServiceRow, startsAt time.Time, changes ...func(*BusyRow)) BusyRow {
	t.Helper()
	b := BusyRow{ID: pg.NewID(), StartsAt: startsAt, EndsAt: startsAt.Add(time.Duration(of.Minutes) * time.Minute)}
	switch {
	case len(of.Members) > 0:
		b.Members = of.Members[:1]
	case len(of.Spaces) > 0:
		b.Spaces = of.Spaces[:1]
	}
	for _, change := range changes {
		change(&b)
	}
	only := func(ids []uuid.UUID) *uuid.UUID {
		if len(ids) == 0 {
			return nil
		}
		return &ids[0]
	}
	seats := max(1, b.Seats)
	s.w.SQL(t, `insert into occurrences (id, business_id, location_id, offering_id, local_date, starts_at, ends_at, member_id,
			space_id, capacity, online_capacity, taken, taken_online, created_at, updated_at)
		select $1, $2, $3, $4, ($5::timestamptz at time zone l.zone)::date, $5, $6, $7, $8, $9, $9, $9, $9, $10, $10
		from locations l where l.id = $3`,
		b.ID, s.Business.ID, of.Location, of.ID, b.StartsAt, b.EndsAt, only(b.Members), only(b.Spaces), seats, s.w.Clock.Now())
	from, to := b.StartsAt.Add(-time.Duration(of.Before)*time.Minute), b.EndsAt.Add(time.Duration(of.After)*time.Minute)
	s.w.SQL(t, `insert into claims (id, business_id, occurrence_id, member_id, space_id, starts_at, ends_at, exclusive, forced, seats)
		select gen_random_uuid(), $1::uuid, $2::uuid, w.id, null::uuid, $3::timestamptz, $4::timestamptz, true, $5::bool, 0
		from unnest($6::uuid[]) w (id)
		union all
		select gen_random_uuid(), $1, $2, null, w.id, $3, $4, $8::int = 0, $5, $8 from unnest($7::uuid[]) w (id)`,
		s.Business.ID, b.ID, from, to, b.Forced, b.Members, b.Spaces, b.Seats)
	return b
}

func encode(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
