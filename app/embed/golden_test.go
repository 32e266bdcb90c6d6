package embed_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
)

// A state of the world, and its requests by the name of their golden.
type scene struct {
	arrange func(w *world)
	asks    map[string]string
}

// scenes are every fragment in every state. E136: a golden is frozen for the life of v1. A golden may be added; one
// that has to change is a /embed/v2.
var scenes = map[string]scene{
	"a timetable": {week, map[string]string{"schedule.html": "schedule", "schedule.jsonld": "schedule.jsonld"}},
	"a paused studio": {paused(week), map[string]string{
		"schedule-paused.html": "schedule", "times-class-paused.html": "times/sunrise-vinyasa",
	}},
	"nothing": {func(*world) {}, map[string]string{
		"schedule-empty.html": "schedule", "classes-empty.html": "classes", "appointments-empty.html": "appointments",
		"rentals-empty.html": "rentals", "listings-empty.html": "listings",
	}},
	"a bit of everything": {catalogue, map[string]string{
		"classes.html": "classes", "appointments.html": "appointments", "rentals.html": "rentals", "listings.html": "listings",
		"listings-group.html": "listings?group=WORKSHOP", "listings-no-group.html": "listings?group=retreats",
		"times-appointment.html": "times/deep-tissue-massage", "times-rental.html": "times/sauna",
		"times-rental-space.html": "times/the-loft",
	}},
	"a month": {month, map[string]string{
		"times-class.html":      "times/sunrise-vinyasa",
		"times-class-last.html": "times/sunrise-vinyasa?after=2026-07-02T13:30:00Z",
		"times-class-from.html": "times/sunrise-vinyasa?from=2026-07-01",
		"times-empty.html":      "times/sunrise-vinyasa?from=2027-01-01",
	}},
	"a course":          {course, map[string]string{"schedule-course.html": "schedule", "times-course.html": "times/pottery"}},
	"nobody inside":     {door(0), map[string]string{"walkins-open.html": "walkins"}},
	"some inside":       {door(6), map[string]string{"walkins-filling-up.html": "walkins"}},
	"many inside":       {door(9), map[string]string{"walkins-busy.html": "walkins?book=sauna&target=_self"}},
	"no seat left":      {door(10), map[string]string{"walkins-full.html": "walkins?target=_blank"}},
	"closed until nine": {shut, map[string]string{"walkins-closed.html": "walkins"}},
	"closed for good":   {closedForGood, map[string]string{"walkins-closed-long.html": "walkins"}},
	"every text is evil": {hostile, map[string]string{
		"hostile.html": "schedule", "hostile-list.html": "listings", "hostile-times.html": "times/hostile",
		"hostile.jsonld": "schedule.jsonld",
	}},
}

// E36, E41, E42.
func TestE136_Goldens(t *testing.T) {
	t.Parallel()
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			s.arrange(w)
			for file, path := range s.asks {
				golden(t, filepath.Join("testdata", file), w.get(path).want(200).body)
			}
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed:\n%s\nwant\n%s", file, got, want)
	}
}

// week is a timetable with every kind of row.
func week(w *world) {
	ana := w.AddInstructor(w.t, "Ana Ruiz").ID
	by := func(o *apptest.OccurrenceRow) { o.Member = &ana }
	flow, still, course := w.class("Sunrise Vinyasa"), w.class("Stillness", func(o *apptest.OfferingRow) {
		free := int64(0)
		o.Price, o.Minutes = &free, 45
	}), w.class("Beginners")
	off := w.AddPolicy(w.t, func(r *catalog.Rules) { r.Waitlist.Mode = catalog.WaitlistOff })
	w.SQL(w.t, "update offerings set policy_id = $2 where id = $1", course.ID, off)
	w.date(flow, "2026-06-10T11:00:00Z", by)            // an hour ago
	w.date(flow, "2026-06-10T12:40:00Z", by, taken(12)) // full, and too late to wait
	w.date(flow, "2026-06-10T22:00:00Z", by, taken(9))
	w.date(still, "2026-06-11T03:59:00Z") // 23:59 today
	w.date(flow, "2026-06-11T13:30:00Z", by, taken(12))
	w.date(course, "2026-06-13T14:00:00Z", taken(12))
	w.date(flow, "2026-06-24T03:00:00Z", by)
	w.date(flow, "2026-06-24T04:00:00Z", by) // the fifteenth day
}

// course is a class that is booked with all its dates: a row leads to its page, by a date like any other.
func course(w *world) {
	pottery := w.class("Pottery")
	w.SQL(w.t, "update offerings set enrolment = 'series' where id = $1", pottery.ID)
	w.date(pottery, "2026-06-12T22:00:00Z", taken(4))
	w.date(pottery, "2026-06-19T22:00:00Z", taken(12))
}

func paused(arrange func(*world)) func(*world) {
	return func(w *world) {
		arrange(w)
		w.Pause(w.t)
	}
}

// catalogue is a studio with a bit of everything.
func catalogue(w *world) {
	t := w.t
	w.AddHours(t, apptest.Daily(9*60, 21*60)...)
	flow := w.class("Sunrise Vinyasa", func(o *apptest.OfferingRow) { o.Position = 2 })
	w.describe(flow.ID, "A calm, strong start to the day.\n\nAll levels; mats & blocks are here. We breathe, we move, we hold still, and we end with ten minutes of doing nothing at all.\nBring water.")
	w.date(flow, "2026-06-19T13:30:00Z")
	w.class("Handstands", func(o *apptest.OfferingRow) { o.Heading, o.Position = "Workshops", 1 })
	for _, state := range []string{"draft", "archived"} {
		w.class("No "+state, func(o *apptest.OfferingRow) { o.State = state })
	}
	ana, jo := w.AddMember(t, "Ana Ruiz", apptest.On(10*60, 12*60, time.Thursday, time.Friday)...), w.AddMember(t, "Jo Park", apptest.On(9*60, 18*60, time.Saturday)...)
	massage := w.AddAppointment(t, []uuid.UUID{ana.ID, jo.ID}, slugged("Deep tissue massage", func(r *apptest.ServiceRow) {
		r.Durations = []apptest.Duration{{Minutes: 60, PriceAmount: 6000}, {Minutes: 90, PriceAmount: 8500}}
	}))
	w.describe(massage.ID, "For tired shoulders.")
	sauna, loft := w.AddSpace(t, "Sauna"), w.AddSpace(t, "Loft")
	w.AddSpaceHours(t, sauna, apptest.On(17*60, 21*60, time.Friday)...)
	w.AddSpaceHours(t, loft, apptest.On(9*60, 12*60, time.Sunday)...)
	shared := w.AddRental(t, []uuid.UUID{sauna.ID}, slugged("Sauna", func(r *apptest.ServiceRow) {
		r.SoldAs, r.Position = "person", 3
	}))
	w.AddBusy(t, shared, instant(t, "2026-06-12T22:00:00Z"), func(b *apptest.BusyRow) { b.Seats = 9 })
	w.AddRental(t, []uuid.UUID{loft.ID}, slugged("The Loft", func(r *apptest.ServiceRow) {
		r.Heading, r.Minutes, r.Position = "workshop", 180, 4
	}))
}

// month is a class with more dates than a page has room for, three a day.
func month(w *world) {
	flow := w.class("Sunrise Vinyasa")
	for day := range 24 {
		for _, hour := range []int{13, 17, 22} {
			at := time.Date(2026, 6, 10+day, hour, 30, 0, 0, time.UTC)
			w.date(flow, at.Format(time.RFC3339), taken(map[int]int{13: 12, 17: 8}[hour]))
		}
	}
}

// door is a place that is open since an hour and has so many people inside, of ten.
func door(inside int) func(*world) {
	return func(w *world) {
		r := bath(w)
		w.Clock.Set(instant(w.t, "2026-06-10T14:00:00Z"))
		if inside > 0 {
			w.AddBusy(w.t, r, w.Clock.Now(), func(b *apptest.BusyRow) { b.Seats = inside })
		}
	}
}

// bath is a place that takes walk-ins from nine to five.
func bath(w *world) apptest.ServiceRow {
	w.AddHours(w.t)
	pool := w.AddSpace(w.t, "Pool")
	return w.AddRental(w.t, []uuid.UUID{pool.ID}, slugged("Sauna", func(r *apptest.ServiceRow) {
		r.SoldAs, r.Walkins, r.Capacity, r.Online = "person", true, 10, 10
	}))
}

func shut(w *world) { bath(w) }

func closedForGood(w *world) {
	bath(w)
	w.SQL(w.t, "delete from location_hours")
}

// hostile is a studio with texts that try to be markup, to turn the page around, or to end their container.
func hostile(w *world) {
	const nasty = "</a><script>alert(1)</script>\"'&amp;<!-- \u202eevil\u2067 \x01\x1f\ufeff\U0001F9D8"
	t := w.t
	w.AddHours(t)
	o := w.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug, o.Heading = nasty+"1", "hostile", nasty })
	w.describe(o.ID, nasty+"\n<img src=x onerror=alert(1)>")
	m, s := w.AddMember(t, "Ana"), w.AddSpace(t, "Room")
	w.SQL(t, "update members set name = $1", nasty)
	w.SQL(t, "update spaces set name = $1", nasty)
	w.SQL(t, "update locations set name = $1, street = $1, city = $1, region = $1, postal_code = $1", nasty)
	w.SQL(t, "update businesses set name = $1, class_word = $1, appointment_word = $1, rental_word = $1", nasty)
	w.date(o, "2026-06-11T13:30:00Z", func(x *apptest.OccurrenceRow) { x.Member, x.Space = &m.ID, &s.ID })
	r := w.AddRental(t, []uuid.UUID{s.ID}, slugged("Room"))
	w.SQL(t, "update offerings set name = $2 where id = $1", r.ID, nasty)
}
