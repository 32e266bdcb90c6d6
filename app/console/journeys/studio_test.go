package journeys_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/consoletest"
	"foyer/app/schedule"
)

// day is the data of a studio on the day of the journeys, a Wednesday at eight in the morning.
type day struct {
	Ines           business.Member // instructor of tomorrow's Noon Stretch
	Vinyasa, Noon  apptest.OfferingRow
	Early          apptest.OccurrenceRow // Sunrise Vinyasa, begins in half an hour, with Cleo Marin and Li Wei
	Today, NextDay apptest.OccurrenceRow // of Noon Stretch
}

// busy fills the studio: two classes, bookings on the first, a sauna for walk-ins, and a late-cancellation fee.
func busy(t *testing.T, s *consoletest.Studio) (d day) {
	t.Helper()
	s.AddHours(t, apptest.Daily(0, 24*60)...)
	steam := s.AddSpace(t, "Steam room", func(in *business.SpaceInput) { in.Capacity = 4 })
	s.AddRental(t, []uuid.UUID{steam.ID}, func(r *apptest.ServiceRow) { r.Name, r.SoldAs, r.Walkins, r.Grid = "Sauna", "person", true, 0 })
	d.Ines = s.AddInstructor(t, "Ines Vale")
	named := func(name string) func(*apptest.OfferingRow) {
		return func(o *apptest.OfferingRow) { o.Name = name }
	}
	d.Vinyasa, d.Noon = s.AddOffering(t, named("Sunrise Vinyasa")), s.AddOffering(t, named("Noon Stretch"))
	now := s.Clock.Now()
	late(t, s)
	d.Early = s.AddOccurrence(t, d.Vinyasa, now.Add(30*time.Minute))
	d.Today = s.AddOccurrence(t, d.Noon, now.Add(4*time.Hour))
	d.NextDay = s.AddOccurrence(t, d.Noon, now.Add(28*time.Hour), func(o *apptest.OccurrenceRow) { o.Member = &d.Ines.ID })
	for _, name := range []string{"Cleo Marin", "Li Wei"} {
		s.Seat(t, d.Early.ID, name, "")
	}
	return d
}

// late adds a late-cancellation fee of ten dollars within a day of the start.
func late(t *testing.T, s *consoletest.Studio) {
	t.Helper()
	rules := catalog.StandardRules()
	rules.Cancel.LateFromMinutes, rules.Cancel.LateFeeAmount = 24*60, 1000
	made, err := s.Catalog.CreatePolicy(t.Context(), s.Owner, catalog.CreatePolicyInput{Name: "House rules", Rules: rules})
	if err == nil {
		_, err = s.Catalog.PutLocationPolicy(t.Context(), s.Owner, catalog.PutLocationPolicyInput{LocationID: s.Location.ID, PolicyID: &made.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// weekly adds a class on Mondays and Wednesdays at nine, from next Monday on, and books Cleo Marin for its first
// date.
func weekly(t *testing.T, s *consoletest.Studio) (apptest.OfferingRow, schedule.NewSeries) {
	t.Helper()
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Morning Flow" })
	monday, err := civil.ParseDate("2026-06-15")
	if err != nil {
		t.Fatal(err)
	}
	until := monday.AddDays(30)
	made, err := s.Schedule.CreateSeries(t.Context(), s.Owner, schedule.CreateSeriesInput{OfferingID: class.ID, Rule: schedule.Rule{
		Freq: schedule.Weekly, Weekdays: schedule.Weekdays{time.Monday, time.Wednesday}, Start: monday, At: 9 * 60, Minutes: 60, Until: &until,
	}})
	if err != nil {
		t.Fatal(err)
	}
	first := apptest.Value[uuid.UUID](t, s.World, "select id from occurrences where series_id = $1 order by starts_at limit 1", made.ID)
	if _, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: "cleo@example.com", Name: "Cleo Marin"}, OccurrenceID: first,
	}); err != nil {
		t.Fatal(err)
	}
	return class, made
}

// memberOf returns the member with an address.
func memberOf(t *testing.T, s *consoletest.Studio, email string) uuid.UUID {
	t.Helper()
	return apptest.Value[uuid.UUID](t, s.World, "select id from members where email = $1", email)
}
