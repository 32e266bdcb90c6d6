package schedule_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/schedule"
)

// times reads the times of an offering as the public does: package availability returns those of a class by
// ClassTimes.
func (s *studio) times(t *testing.T, in schedule.TimesInput) schedule.Times {
	t.Helper()
	got, err := s.availability.Times(t.Context(), s.Business.ID, in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// sizes is how many times each day of a page has.
func sizes(page schedule.Times) (n []int) {
	for _, d := range page.Days {
		n = append(n, len(d.Occurrences))
	}
	return n
}

// addDay writes n times on a day from midnight in New York on, in summer.
func (s *studio) addDay(t *testing.T, o apptest.OfferingRow, day string, n int, every time.Duration) {
	t.Helper()
	for i := range n {
		s.AddOccurrence(t, o, apptest.Instant(day+"T04:00:00Z").Add(time.Duration(i)*every))
	}
}

func TestTimes(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t, named("Yoga"))
	other := s.AddOffering(t)
	mia, hall := s.AddInstructor(t, "Mia").ID, s.AddSpace(t, "Hall").ID
	s.AddOccurrence(t, o, apptest.Instant("2026-06-10T11:00:00Z")) // has begun
	first := s.AddOccurrence(t, o, apptest.Instant("2026-06-10T22:00:00Z"), func(o *apptest.OccurrenceRow) { o.Member, o.Space, o.Taken, o.TakenOnline = &mia, &hall, 2, 2 })
	s.AddOccurrence(t, o, apptest.Instant("2026-06-11T22:00:00Z"), func(o *apptest.OccurrenceRow) { o.State = "cancelled" })
	s.AddOccurrence(t, other, apptest.Instant("2026-06-11T22:00:00Z"))
	s.AddOccurrence(t, o, apptest.Instant("2026-06-20T22:00:00Z"))
	for name, in := range map[string]schedule.TimesInput{
		"by id":   {OfferingID: o.ID},
		"by slug": {LocationID: s.Location.ID, Slug: o.Slug},
		"past":    {OfferingID: o.ID, From: apptest.Day("2020-01-01"), After: apptest.Instant("2020-01-01T00:00:00Z")},
	} {
		got := s.times(t, in)
		if want := []string{"Wed 10 +0: 18:00 Yoga", "Sat 20 +10: 18:00 Yoga"}; !slices.Equal(apptest.Told(got.Location, got.Days), want) || got.Next != nil {
			t.Errorf("%s: %q, next %v", name, apptest.Told(got.Location, got.Days), got.Next)
		}
		h := got.Head
		if h.OfferingID != o.ID || h.OfferingName != "Yoga" || h.OfferingSlug != o.Slug || h.PriceAmount != 2200 || h.DurationMinutes != 60 || h.Kind != "class" ||
			got.Location.ID != s.Location.ID || got.Location.Currency != "USD" {
			t.Errorf("%s: head %+v of %+v", name, h, got.Location)
		}
		x := got.Days[0].Occurrences[0]
		if x.ID != first.ID || x.Spots != 10 || x.Instructor != "Mia" || x.Space != "Hall" || x.OfferingID != o.ID || x.Slug != o.Slug || x.PriceAmount != 2200 {
			t.Errorf("%s: row %+v", name, x)
		}
	}
	if got := s.times(t, schedule.TimesInput{OfferingID: o.ID, From: apptest.Day("2026-06-11")}); len(got.Days) != 1 || got.Days[0].Date != apptest.Day("2026-06-20") {
		t.Errorf("from the next day on: %q", apptest.Told(got.Location, got.Days))
	}
	if got := s.times(t, schedule.TimesInput{OfferingID: o.ID, From: apptest.Day("2026-06-21")}); got.Days != nil || got.Next != nil { // E59
		t.Errorf("after the last: %q", apptest.Told(got.Location, got.Days))
	}
}

func TestTimesRefuses(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	draft := s.AddOffering(t, func(o *apptest.OfferingRow) { o.State = "draft" })
	foreign, mine := theirs.AddOffering(t), s.AddOffering(t)
	for name, in := range map[string]schedule.TimesInput{
		"draft": {OfferingID: draft.ID}, "draft by slug": {LocationID: s.Location.ID, Slug: draft.Slug},
		"foreign": {OfferingID: foreign.ID}, "foreign location": {LocationID: theirs.Location.ID, Slug: foreign.Slug},
		"other location": {LocationID: theirs.Location.ID, Slug: mine.Slug}, "nothing": {}, "no slug": {LocationID: s.Location.ID, Slug: "a\x00b"},
	} {
		if _, err := s.availability.Times(t.Context(), s.Business.ID, in); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.availability.Times(t.Context(), s.Business.ID, schedule.TimesInput{OfferingID: mine.ID, From: civil.Date{Year: 2026, Month: 13, Day: 1}}); apptest.Wrong(err) != "from" {
		t.Error(err)
	}
}

// E55: whole days up to 24 times, the first day whole at any size.
func TestTimesPages(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	for day, n := range map[string]int{"2026-06-11": 10, "2026-06-12": 14, "2026-06-13": 1, "2026-06-14": 23, "2026-06-15": 1, "2026-06-16": 40, "2026-06-17": 2} {
		s.addDay(t, o, day, n, 20*time.Minute)
	}
	var got string
	in := schedule.TimesInput{OfferingID: o.ID}
	for {
		page := s.times(t, in)
		got += fmt.Sprint(sizes(page))
		if page.Next == nil {
			break
		}
		in.After = *page.Next
	}
	if want := "[10 14][1 23][1][40][2]"; got != want {
		t.Errorf("pages of %s, want %s", got, want)
	}
}

// E55: a day with more times than one read is whole all the same, also where two begin at once at its end, and the
// page after it is the next day.
func TestTimesOfAnEndlessDay(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	s.w.SQL(t, `insert into series (id, business_id, location_id, offering_id, weekdays, starts_on, starts_at_minute, duration_minutes, except_dates,
			zone, capacity, online_capacity, created_at, updated_at)
		select o.id, o.business_id, location_id, o.id, 'TH', '2026-06-11', 0, 60, '[]', 'America/New_York', 9, 9, o.created_at, o.created_at from offerings o`)
	s.w.SQL(t, `insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date, starts_at, ends_at,
			capacity, online_capacity, created_at, updated_at)
		select gen_random_uuid(), o.business_id, o.location_id, o.id, o.id, date '2030-01-01' + n, '2026-06-11', at, at + interval '1 hour', 9, 9, o.created_at, o.created_at
		from offerings o, generate_series(0, 449) n, lateral (select timestamptz '2026-06-11T04:00:00Z' + n / 3 * interval '5 minutes' as at) x`)
	s.addDay(t, o, "2026-06-12", 2, time.Hour)
	page := s.times(t, schedule.TimesInput{OfferingID: o.ID})
	if got := sizes(page); !slices.Equal(got, []int{450}) || page.Next == nil {
		t.Fatalf("a page of %d, and then %v", got, page.Next)
	}
	seen := map[uuid.UUID]bool{}
	for i, x := range page.Days[0].Occurrences {
		if seen[x.ID] || i > 0 && x.StartsAt.Before(page.Days[0].Occurrences[i-1].StartsAt) {
			t.Fatalf("the time %d came before, or out of order", i)
		}
		seen[x.ID] = true
	}
	page = s.times(t, schedule.TimesInput{OfferingID: o.ID, After: *page.Next})
	if got := sizes(page); !slices.Equal(got, []int{2}) || page.Next != nil {
		t.Errorf("then a page of %d, and then %v", got, page.Next)
	}
}

// E58, E96: the beginning of a page, by the parameters of an address.
func TestBeginning(t *testing.T) {
	type begins struct {
		from  string
		after time.Time
	}
	july := time.Date(2026, 7, 1, 13, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		from, after string
		want        begins
	}{
		{"", "", begins{}},
		{"2026-07-01", "", begins{from: "2026-07-01"}},
		{"", "2026-07-01T13:30:00Z", begins{after: july}},
		{"", "2026-07-01T15:30:00+02:00", begins{after: july}},
		{"", "2026-07-01T15:30:00 02:00", begins{after: july}},
		{"2026-07-04", "2026-07-01T13:30:00Z", begins{after: july}},
		{"2026-07-04", "2026-07-01", begins{from: "2026-07-04"}},
		{"2026-07-04", "9001-01-01T00:00:00Z", begins{from: "2026-07-04"}},
		{"9001-01-01", "", begins{}}, {"2026-02-30", "never", begins{}}, {"1 July", "1 July", begins{}},
	} {
		in := schedule.TimesInput{Slug: "yoga", From: apptest.Day("2020-01-01"), After: july}.Beginning(c.from, c.after)
		got := begins{after: in.After}
		if !in.From.IsZero() {
			got.from = in.From.String()
		}
		if got != c.want || in.Slug != "yoga" {
			t.Errorf("from %q after %q: %+v, want %+v", c.from, c.after, got, c.want)
		}
	}
}

// E55, E56: the times read are shown in pages of whole days, about two dozen times each, and the next begins where it
// ends.
func TestScreen(t *testing.T) {
	s := open(t)
	s.AddHours(t, apptest.Daily(9*60, 20*60)...)
	room := s.AddRental(t, []uuid.UUID{s.AddSpace(t, "Room").ID}) // every half hour: 21 a day
	page := s.times(t, schedule.TimesInput{OfferingID: room.ID})
	shown, rest := page.Screen()
	if len(shown) != 1 || len(rest) != len(page.Days)-1 || len(rest) < 10 {
		t.Fatalf("%d days are shown, and %d are not", len(shown), len(rest))
	}
	next := s.times(t, schedule.TimesInput{OfferingID: room.ID, After: *page.Following()})
	if next.Days[0].Date != rest[0].Date || len(next.Days[0].Occurrences) != len(rest[0].Occurrences) {
		t.Errorf("the next page begins on %s with %d times", next.Days[0].Date, len(next.Days[0].Occurrences))
	}
	short := schedule.Times{Days: page.Days[:1], Next: page.Next}
	if shown, rest := short.Screen(); len(shown) != 1 || rest != nil || short.Following() != page.Next {
		t.Error("a page of one day is cut")
	}
}
