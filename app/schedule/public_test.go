package schedule_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

func (s *studio) timetable(t *testing.T, from string, days int) schedule.Timetable {
	t.Helper()
	var first civil.Date
	if from != "" {
		first = apptest.Day(from)
	}
	got, err := s.Schedule(t.Context(), s.Business.ID, s.Location.ID, first, days)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// E41 to E50: the contents of the public schedule.
func TestSchedule(t *testing.T) {
	s := open(t) // Wednesday 08:00 in New York
	yoga, barre := s.AddOffering(t, named("Yoga")), s.AddOffering(t, named("Barre"))
	draft := s.AddOffering(t, named("Draft"), func(o *apptest.OfferingRow) { o.State, o.Price = "draft", nil })
	gone := s.AddOffering(t, named("Gone"), func(o *apptest.OfferingRow) { o.State = "archived" })
	next := s.AddLocation(t, "Next Door")
	elsewhere := s.AddOffering(t, named("Elsewhere"), func(o *apptest.OfferingRow) { o.Location = next.ID })
	mia, hall := s.AddInstructor(t, "Mia").ID, s.AddSpace(t, "Hall").ID
	s.AddOccurrence(t, yoga, apptest.Instant("2026-06-10T12:00:00Z")) // begins now
	s.AddOccurrence(t, yoga, apptest.Instant("2026-06-10T22:00:00Z"), func(o *apptest.OccurrenceRow) {
		o.Member, o.Space, o.Taken, o.TakenOnline = &mia, &hall, 10, 4
	})
	s.AddOccurrence(t, barre, apptest.Instant("2026-06-11T03:59:00Z")) // 23:59 today
	s.AddOccurrence(t, barre, apptest.Instant("2026-06-11T04:00:00Z")) // midnight: tomorrow
	s.AddOccurrence(t, yoga, apptest.Instant("2026-06-24T03:59:59Z"))  // the last minute of the fourteenth day
	s.AddOccurrence(t, yoga, apptest.Instant("2026-06-24T04:00:00Z"))  // the fifteenth
	for _, o := range []apptest.OfferingRow{draft, gone, elsewhere} {
		s.AddOccurrence(t, o, apptest.Instant("2026-06-12T12:00:00Z"))
	}
	s.AddOccurrence(t, yoga, apptest.Instant("2026-06-12T13:00:00Z"), func(o *apptest.OccurrenceRow) { o.State = "cancelled" })

	got := s.timetable(t, "", 0)
	want := []string{"Wed 10 +0: 18:00 Yoga, 23:59 Barre", "Thu 11 +1: 00:00 Barre", "Tue 23 +13: 23:59 Yoga"}
	if told := apptest.Told(got.Location, got.Days); !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
	if got.From != apptest.Day("2026-06-10") || got.To != apptest.Day("2026-06-23") || got.Next == nil || *got.Next != apptest.Day("2026-06-24") {
		t.Errorf("from %s to %s, then %v", got.From, got.To, got.Next)
	}
	p := got.Location
	if p.ID != s.Location.ID || p.Slug != s.Location.Slug || p.Name != "Harbour" || p.Zone != "America/New_York" || p.Currency != "USD" ||
		p.Paused || p.Today != apptest.Day("2026-06-10") {
		t.Errorf("place %+v", p)
	}
	x := got.Days[0].Occurrences[0]
	if x.OfferingID != yoga.ID || x.Slug != yoga.Slug || x.Kind != "class" || x.PriceAmount != 2200 || x.Minutes() != 60 ||
		x.Instructor != "Mia" || x.Space != "Hall" || x.Spots != 2 || x.Full() {
		t.Errorf("row %+v", x)
	}
	if y := got.Days[0].Occurrences[1]; y.Instructor != "" || y.Space != "" || y.Spots != 12 {
		t.Errorf("row %+v", y)
	}
	s.w.SQL(t, "update members set deactivated_at = now() where id = $1", mia)
	s.Pause(t)
	got = s.timetable(t, "", 0)
	if got.Days[0].Occurrences[0].Instructor != "" {
		t.Error("somebody who left is named")
	}
	if !got.Location.Paused { // E48
		t.Error("a paused business is not told")
	}
}

// Spots are the seats available in the storefront (E47): the lesser of all available seats and of those sold online.
func TestSpots(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	for i, c := range []struct{ capacity, online, taken, takenOnline, want int }{
		{12, 12, 0, 0, 12}, {12, 8, 0, 0, 8}, {12, 8, 5, 5, 3}, {12, 8, 6, 0, 6}, {12, 8, 12, 0, 0}, {12, 8, 8, 8, 0}, {12, 0, 0, 0, 0},
		{12, 2, 4, 4, 0}, // fewer are sold online than were before
	} {
		s.AddOccurrence(t, o, apptest.Instant("2026-06-11T12:00:00Z").Add(time.Duration(i)*time.Hour), func(o *apptest.OccurrenceRow) {
			o.Capacity, o.Online, o.Taken, o.TakenOnline = c.capacity, c.online, c.taken, c.takenOnline
		})
		day := s.timetable(t, "", 0).Days[0]
		got := day.Occurrences[i]
		seats := schedule.Seats{Capacity: c.capacity, OnlineCapacity: c.online, Taken: c.taken, TakenOnline: c.takenOnline}
		if got.Spots != c.want || seats.Spots() != c.want || got.Full() != (c.want == 0) || seats.Free() != c.capacity-c.taken {
			t.Errorf("%+v: %d spots shown, %d computed", c, got.Spots, seats.Spots())
		}
	}
}

// Days are days of the location, in any zone of the reader and over changes of the clocks.
func TestScheduleDays(t *testing.T) {
	w := apptest.Open(t)
	for _, c := range []struct {
		zone, now, from string
		days            int
		starts          string
		want            []string
		next            string
	}{
		{"Pacific/Kiritimati", "2026-06-10T12:00:00Z", "", 1, "2026-06-10T13:00:00Z 2026-06-11T09:59:00Z 2026-06-11T10:00:00Z",
			[]string{"Thu 11 +0: 03:00 X, 23:59 X"}, "2026-06-12"},
		{"Pacific/Pago_Pago", "2026-06-10T10:00:00Z", "", 2, "2026-06-10T10:59:00Z 2026-06-10T11:00:00Z 2026-06-11T11:00:00Z",
			[]string{"Tue 9 +0: 23:59 X", "Wed 10 +1: 00:00 X"}, "2026-06-11"},
		{"America/New_York", "2026-10-31T12:00:00Z", "2026-11-01", 1, "2026-11-01T04:00:00Z 2026-11-01T05:30:00Z 2026-11-01T06:30:00Z 2026-11-02T04:59:00Z 2026-11-02T05:00:00Z",
			[]string{"Sun 1 +1: 00:00 X, 01:30 X, 01:30 X, 23:59 X"}, "2026-11-02"}, // a day of 25 hours
		{"America/Santiago", "2026-09-05T12:00:00Z", "2026-09-06", 1, "2026-09-06T03:59:00Z 2026-09-06T04:00:00Z 2026-09-07T02:59:00Z 2026-09-07T03:00:00Z",
			[]string{"Sun 6 +1: 01:00 X, 23:59 X"}, "2026-09-07"}, // a day that begins at 01:00
		{"Europe/London", "2026-06-10T23:30:00Z", "2026-06-10", 1, "2026-06-10T23:45:00Z 2026-06-11T22:59:00Z",
			[]string{"Thu 11 +0: 00:45 X, 23:59 X"}, ""}, // yesterday, there: today is meant
		{"Asia/Tokyo", "2026-06-10T12:00:00Z", "2027-01-05", 2, "2026-06-12T12:00:00Z 2027-01-04T15:00:00Z 2027-02-01T12:00:00Z",
			[]string{"Tue 5 +209: 00:00 X"}, "2027-02-01"},
		{"Asia/Tokyo", "2026-06-10T12:00:00Z", "", 62, "", nil, ""},
	} {
		t.Run(c.zone+" "+c.from, func(t *testing.T) {
			s := openIn(t, w, in(c.zone))
			s.w.Clock.Set(apptest.Instant(c.now))
			o := s.AddOffering(t, named("X"))
			for start := range strings.FieldsSeq(c.starts) {
				s.AddOccurrence(t, o, apptest.Instant(start))
			}
			got := s.timetable(t, c.from, c.days)
			if told := apptest.Told(got.Location, got.Days); !slices.Equal(told, c.want) {
				t.Errorf("%q, want %q", told, c.want)
			}
			var next string
			if got.Next != nil {
				next = got.Next.String()
			}
			if next != c.next {
				t.Errorf("next %q, want %q", next, c.next)
			}
			if got.To != got.From.AddDays(c.days-1) {
				t.Errorf("from %s to %s", got.From, got.To)
			}
		})
	}
}

func TestScheduleWalk(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	s.AddOccurrence(t, o, apptest.Instant("2027-03-01T12:00:00Z")) // after eleven weeks of nothing
	seen := map[string]int{}
	pages, from := 0, ""
	for {
		page := s.timetable(t, from, 9)
		pages++
		for _, d := range page.Days {
			for _, x := range d.Occurrences {
				seen[x.ID.String()]++
			}
		}
		if page.Next == nil {
			break
		}
		from = page.Next.String()
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s came %d times", id, n)
		}
	}
	if len(seen) != 28 || pages > 15 {
		t.Errorf("%d dates on %d pages", len(seen), pages)
	}
}

func TestScheduleRefuses(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	read := func(of *studio, from civil.Date, days int) error {
		_, err := s.Schedule(t.Context(), s.Business.ID, of.Location.ID, from, days)
		return err
	}
	if err := read(s, civil.Date{}, 63); apptest.Wrong(err) != "days" {
		t.Error(err)
	}
	for _, from := range []civil.Date{{Year: 2026, Month: 2, Day: 30}, {Year: 9999, Month: 12, Day: 31}} {
		if err := read(s, from, 1); apptest.Wrong(err) != "from" {
			t.Errorf("from %s: %v", from, err)
		}
	}
	apptest.Refused(t, read(theirs, civil.Date{}, 14), fault.NotFound)
	s.Close(t)
	apptest.Refused(t, read(s, civil.Date{}, 14), fault.NotFound)
	s.Resume(t)
	s.w.SQL(t, "update locations set archived_at = now()")
	apptest.Refused(t, read(s, civil.Date{}, 14), fault.NotFound)
	_, err := s.Schedule(t.Context(), s.Business.ID, pg.NewID(), civil.Date{}, 14)
	apptest.Refused(t, err, fault.NotFound)
}

// Every public read is one round trip, at any size.
func TestPublicRoundTrips(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	for range 5 {
		s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Weekdays = []time.Weekday{0, 1, 2, 3, 4, 5, 6} })})
	}
	first := s.timetable(t, "", 0).Days[0].Occurrences[0]
	ctx := t.Context()
	for name, call := range map[string]func() error{
		"schedule": func() error {
			_, err := s.Schedule(ctx, s.Business.ID, s.Location.ID, civil.Date{}, 62)
			return err
		},
		"times": func() error {
			_, err := s.availability.Times(ctx, s.Business.ID, schedule.TimesInput{OfferingID: o.ID})
			return err
		},
		"times by slug": func() error {
			_, err := s.availability.Times(ctx, s.Business.ID, schedule.TimesInput{LocationID: s.Location.ID, Slug: o.Slug})
			return err
		},
		"next times": func() error {
			_, err := s.NextTimes(ctx, s.Business.ID, []uuid.UUID{o.ID, pg.NewID()})
			return err
		},
		"one": func() error { _, err := schedule.OccurrenceOf(ctx, s.w.DB.View(s.Business.ID), first.ID); return err },
		"occurrences": func() error {
			_, err := s.Occurrences(ctx, s.System(), schedule.OccurrencesInput{OfferingID: o.ID})
			return err
		},
		"series": func() error {
			_, err := s.SeriesOf(ctx, s.System(), schedule.SeriesOfInput{OfferingID: o.ID})
			return err
		},
	} {
		got := s.w.Statements(func() {
			if err := call(); err != nil {
				t.Error(name, err)
			}
		})
		if got != 1 {
			t.Errorf("%s: %d round trips", name, got)
		}
	}
}
