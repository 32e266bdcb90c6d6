package availability_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
)

// BenchmarkSearch is a whole search with its reads: 5 people, 14 days, a grid of 15 minutes, in a business with 20,000
// bookings of 20 people.
func BenchmarkSearch(b *testing.B) {
	w := apptest.Open(b)
	s := w.Studio(b)
	var people []uuid.UUID
	for range 20 {
		people = append(people, s.AddMember(b, "Somebody").ID)
	}
	o := s.AddAppointment(b, people[:5], func(o *apptest.ServiceRow) { o.Before, o.After = 5, 10 })
	w.SQL(b, `insert into occurrences (id, business_id, location_id, offering_id, local_date, starts_at, ends_at, member_id, capacity,
			online_capacity, taken, taken_online, created_at, updated_at)
		select gen_random_uuid(), $1, $2, $3, at::date, at, at + interval '1 hour', m, 1, 1, 1, 1, $4, $4
		from unnest($5::uuid[]) m, generate_series(0, 124) d, generate_series(0, 7) n,
			lateral (select timestamptz '2026-03-10T13:00:00Z' + d * interval '1 day' + n * interval '1 hour' as at) x`,
		s.Business.ID, s.Location.ID, o.ID, w.Clock.Now(), people)
	w.SQL(b, `insert into claims (id, business_id, occurrence_id, member_id, starts_at, ends_at, exclusive)
		select gen_random_uuid(), business_id, id, member_id, starts_at, ends_at, true from occurrences`)
	w.SQL(b, `vacuum analyze claims`)
	w.SQL(b, `analyze`)
	service := apptest.Times(w.DB)
	from := apptest.Instant("2026-06-11T04:00:00Z")
	in := availability.SearchInput{LocationID: s.Location.ID, From: from, To: from.Add(14 * 24 * time.Hour), Segments: []availability.Segment{{OfferingID: o.ID}}}
	b.ReportAllocs()
	for b.Loop() {
		page, err := service.Search(b.Context(), s.System(), in)
		if err != nil || len(page.Days) != 14 {
			b.Fatalf("%d days: %v", len(page.Days), err)
		}
	}
}
