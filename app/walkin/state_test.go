package walkin_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/walkin"
)

// doorDay is a Wednesday without a change of the clocks; the pool of these tests is open from nine to nine, in New
// York.
var doorDay = ny("2026-06-10 12:00")

func ny(wall string) time.Time {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", wall, zone)
	if err != nil {
		panic(err)
	}
	return at
}

func room(name string, capacity int, busy ...walkin.Claim) walkin.Room {
	return walkin.Room{ID: uuid.NewSHA1(uuid.Nil, []byte(name)), Name: name, Capacity: capacity, Busy: busy}
}

// inside is a party that came in half an hour ago and stays for half an hour.
func inside(seats int) walkin.Claim { return around(-30, 30, seats) }

// around is seats taken from so many minutes after noon up to so many.
func around(from, to, seats int) walkin.Claim {
	return walkin.Claim{
		From: doorDay.Add(time.Duration(from) * time.Minute), To: doorDay.Add(time.Duration(to) * time.Minute), Seats: seats,
	}
}

// offer is an offering of an hour in these rooms.
func offer(slug string, rooms ...int) walkin.Listing {
	price := int64(1500)
	return walkin.Listing{
		ID: uuid.NewSHA1(uuid.Nil, []byte(slug)), Slug: slug, Capacity: 1000, Rooms: rooms,
		Lengths: catalog.Lengths{Kind: catalog.Rental, SoldAs: catalog.PerPerson, Minutes: 60, Amount: &price},
	}
}

// pool is a location with these rooms, all of one offering.
func pool(rooms ...walkin.Room) walkin.Facts {
	all := make([]int, len(rooms))
	for i := range rooms {
		all[i] = i
	}
	return walkin.Facts{
		Zone: doorDay.Location(), Week: apptest.Daily(9*60, 21*60), Rooms: rooms, Offers: []walkin.Listing{offer("swim", all...)},
	}
}

func live(t *testing.T, f walkin.Facts, now time.Time, slugs ...string) walkin.Walkins {
	t.Helper()
	w, err := walkin.LiveOf(f, slugs, now)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// E62, E63. The bands are of the free share, and state and level follow from each other.
func TestE63_Bands(t *testing.T) {
	for _, c := range []struct {
		taken, spots int
		state        walkin.State
		level        walkin.Level
	}{
		{0, 10, walkin.Open, walkin.Plenty},
		{4, 6, walkin.Open, walkin.Plenty},
		{5, 5, walkin.Open, walkin.FillingUp}, // half is not more than half
		{7, 3, walkin.Open, walkin.FillingUp},
		{8, 2, walkin.Busy, walkin.NearlyFull}, // a fifth is not more than a fifth
		{9, 1, walkin.Busy, walkin.NearlyFull},
		{10, 0, walkin.Full, walkin.LevelFull},
		{12, 0, walkin.Full, walkin.LevelFull}, // more people than seats
	} {
		f := pool(room("Pool", 10))
		if c.taken > 0 {
			f.Rooms[0].Busy = []walkin.Claim{inside(c.taken)}
		}
		w := live(t, f, doorDay)
		if w.Spots != c.spots || w.State != c.state || w.Level != c.level || w.Hidden != "" {
			t.Errorf("%d taken: %+v", c.taken, w)
		}
		if w.Until == nil || !w.Until.Equal(ny("2026-06-10 21:00")) {
			t.Errorf("%d taken: until %v, want closing", c.taken, w.Until)
		}
		if len(w.Rooms) != 1 || w.Rooms[0].Inside != c.taken || w.Rooms[0].Capacity != 10 || w.Rooms[0].Spots != c.spots {
			t.Errorf("%d taken: rooms %+v", c.taken, w.Rooms)
		}
	}
	if w := live(t, pool(room("Pool", 10)), ny("2026-06-10 08:59")); w.State != walkin.Closed || w.Level != "" || w.Spots != 0 {
		t.Errorf("closed: %+v", w)
	}
}

// E64. The seats of all rooms, less the present people. A stay occupies a seat for all of its time: a party that is
// due while it lasts counts, one that is due after it does not, and two that follow each other count once.
func TestE64_OpenSeats(t *testing.T) {
	whole := inside(0)
	for name, c := range map[string]struct {
		rooms []walkin.Room
		spots int
	}{
		"two rooms":                   {[]walkin.Room{room("Pool", 10, inside(3)), room("Sauna", 6, inside(1))}, 12},
		"a room that somebody has":    {[]walkin.Room{room("Pool", 10, whole), room("Sauna", 6)}, 6},
		"parties side by side":        {[]walkin.Room{room("Pool", 10, inside(3), inside(2))}, 5},
		"one follows the other":       {[]walkin.Room{room("Pool", 10, around(-30, 20, 4), around(20, 80, 5))}, 5},
		"one comes during the stay":   {[]walkin.Room{room("Pool", 10, around(59, 120, 7))}, 3},
		"one comes after the stay":    {[]walkin.Room{room("Pool", 10, around(60, 120, 7))}, 10},
		"one has left this minute":    {[]walkin.Room{room("Pool", 10, around(-60, 0, 7))}, 10},
		"it is taken whole later on":  {[]walkin.Room{room("Pool", 10, around(30, 90, 0))}, 0},
		"it is taken whole after all": {[]walkin.Room{room("Pool", 10, around(60, 90, 0))}, 10},
	} {
		if w := live(t, pool(c.rooms...), doorDay); w.Spots != c.spots {
			t.Errorf("%s: %d spots, want %d", name, w.Spots, c.spots)
		}
	}
	few := pool(room("Pool", 10, inside(2)))
	few.Offers[0].Capacity = 4
	if w := live(t, few, doorDay); w.Spots != 2 || w.Rooms[0].Capacity != 4 {
		t.Errorf("an offering of fewer than the room takes: %+v", w)
	}
	few.Offers[0].After = 15
	few.Rooms[0].Busy = []walkin.Claim{around(70, 90, 4)}
	if w := live(t, few, doorDay); w.Spots != 0 {
		t.Errorf("the minutes after a stay: %+v", w)
	}
}

// E65. No walk-in is checked in for a stay that would end after closing; the location itself is open until then.
func TestE65_LastEntry(t *testing.T) {
	two := pool(room("Pool", 10), room("Sauna", 6))
	two.Offers = []walkin.Listing{offer("swim", 0), offer("sweat", 1)}
	two.Offers[1].Lengths.Minutes = 30
	for _, c := range []struct {
		at    string
		spots int
		state walkin.State
	}{
		{"20:00", 16, walkin.Open},
		{"20:01", 6, walkin.Open}, // 6 of 16
		{"20:30", 6, walkin.Open},
		{"20:31", 0, walkin.Full},
		{"20:59", 0, walkin.Full},
		{"21:00", 0, walkin.Closed},
	} {
		if w := live(t, two, ny("2026-06-10 "+c.at)); w.Spots != c.spots || w.State != c.state {
			t.Errorf("%s: %d spots, %s", c.at, w.Spots, w.State)
		}
	}
	// The current minute counts: 20:00:59 is in time for 20:00.
	if w := live(t, two, ny("2026-06-10 20:00").Add(59*time.Second)); w.Spots != 16 {
		t.Errorf("59 seconds later: %d", w.Spots)
	}
	last := civil.Clock(14 * 60)
	two.Offers[0].LastStart = &last
	if w := live(t, two, ny("2026-06-10 14:00")); w.Spots != 16 {
		t.Errorf("at the last start: %d", w.Spots)
	}
	if w := live(t, two, ny("2026-06-10 14:01")); w.Spots != 6 {
		t.Errorf("after the last start: %d", w.Spots)
	}
	two.Offers[0].Lengths.Durations = []catalog.Duration{{Minutes: 120}, {Minutes: 30}}
	two.Offers[0].LastStart = nil
	if w := live(t, two, ny("2026-06-10 19:01")); w.Spots != 6 {
		t.Errorf("the first of several lengths is the default: %d", w.Spots)
	}
}

// E65 in the nights in which the clocks change: the time until closing is elapsed time.
func TestE65_ClocksChange(t *testing.T) {
	f := pool(room("Pool", 10))
	f.Week = apptest.Daily(0, 3*60)
	f.Offers[0].Lengths.Minutes = 120
	back := ny("2026-11-01 00:59").Add(31 * time.Minute) // 01:30 for the first time; 03:00 is in two and a half hours
	if w := live(t, f, back); w.Spots != 10 || !w.Until.Equal(ny("2026-11-01 03:00")) {
		t.Errorf("an hour comes twice: %+v", w)
	}
	f.Offers[0].Lengths.Minutes = 60
	if w := live(t, f, ny("2026-03-08 01:30")); w.Spots != 0 || w.State != walkin.Full { // 03:00 is in half an hour
		t.Errorf("an hour is missing: %+v", w)
	}
	f.Week = append(apptest.Daily(22*60, 24*60), apptest.Daily(0, 60)...) // on past midnight
	if w := live(t, f, ny("2026-06-10 23:45")); w.Spots != 10 || !w.Until.Equal(ny("2026-06-11 01:00")) {
		t.Errorf("midnight: %+v", w)
	}
}

// E67, E68, E69. A list of listings counts the rooms that host them, each once.
func TestE67_Listings(t *testing.T) {
	f := pool(room("Pool", 10, inside(3)), room("Sauna", 6), room("Steam", 4))
	f.Offers = []walkin.Listing{offer("swim", 0, 1), offer("sweat", 1, 2), offer("lanes", 0)}
	f.Offers[2].Capacity = 4
	for _, c := range []struct {
		slugs, found []string
		rooms, spots int
	}{
		{nil, []string{}, 3, 17},
		{[]string{"swim"}, []string{"swim"}, 2, 13},
		{[]string{"sweat", "swim"}, []string{"sweat", "swim"}, 3, 17}, // E69: the sauna once
		{[]string{"swim", "swim"}, []string{"swim"}, 2, 13},
		{[]string{"nothing", "sweat"}, []string{"sweat"}, 2, 10}, // E68: the matching ones count
		{[]string{"lanes"}, []string{"lanes"}, 1, 1},
		{[]string{"lanes", "swim"}, []string{"lanes", "swim"}, 2, 13}, // the larger of the two
	} {
		w := live(t, f, doorDay, c.slugs...)
		if w.Spots != c.spots || len(w.Rooms) != c.rooms || !slices.Equal(w.Slugs, c.found) {
			t.Errorf("%v: %+v", c.slugs, w)
		}
	}
	for _, none := range [][]string{{"nothing"}, {"SWIM"}, {"nothing", "nothing else"}} { // E68, E110
		if _, err := walkin.LiveOf(f, none, doorDay); !errors.Is(err, walkin.ErrUnknownListing) {
			t.Errorf("%v: %v", none, err)
		}
	}
	f.Off = true
	if _, err := walkin.LiveOf(f, []string{"nothing"}, doorDay); !errors.Is(err, walkin.ErrUnknownListing) {
		t.Errorf("a wrong listing is wrong at any hour: %v", err)
	}
	if got := walkin.Slugs(" swim,, sweat ,"); !slices.Equal(got, []string{"swim", "sweat"}) || walkin.Slugs(" , ") != nil {
		t.Errorf("slugs %v", got)
	}
}

// E72, E109. Switched off, paused and without a room nothing is shown; closed and full are.
func TestE109_Hidden(t *testing.T) {
	soon, before := doorDay.Add(40*time.Minute), doorDay.Add(-time.Minute)
	for name, c := range map[string]struct {
		change func(*walkin.Facts)
		hidden walkin.Hidden
		until  *time.Time
	}{
		"off":                      {func(f *walkin.Facts) { f.Off = true }, walkin.Off, nil},
		"the business is paused":   {func(f *walkin.Facts) { f.Paused = true }, walkin.Paused, nil},
		"paused":                   {func(f *walkin.Facts) { f.PausedUntil = &soon }, walkin.Paused, &soon},
		"off and paused":           {func(f *walkin.Facts) { f.Off, f.PausedUntil = true, &soon }, walkin.Off, nil},
		"no offering":              {func(f *walkin.Facts) { f.Offers = nil }, walkin.NoCapacity, nil},
		"an offering without room": {func(f *walkin.Facts) { f.Offers[0].Rooms = nil }, walkin.NoCapacity, nil},
	} {
		f := pool(room("Pool", 10))
		c.change(&f)
		w := live(t, f, doorDay)
		if w.Hidden != c.hidden || w.State != walkin.Closed || w.Level != "" || w.Spots != 0 || !same(w.Until, c.until) {
			t.Errorf("%s: %+v", name, w)
		}
		for _, r := range w.Rooms {
			if r.Spots != 0 {
				t.Errorf("%s: %d spots in %s", name, r.Spots, r.Name)
			}
		}
	}
	f := pool(room("Pool", 10))
	f.PausedUntil = &before
	if w := live(t, f, doorDay); w.Hidden != "" || w.Spots != 10 {
		t.Errorf("the pause is over: %+v", w)
	}
}

func same(a, b *time.Time) bool { return a == nil && b == nil || a != nil && b != nil && a.Equal(*b) }

// When it is closed, until is the next opening. Closures and the hours of the rooms count.
func TestWalkinHours(t *testing.T) {
	closed := func(from, to civil.Date, hours ...availability.DayHours) availability.SpecialDays {
		return availability.SpecialDays{Name: "Closure", From: from, To: to, Hours: hours}
	}
	day := func(d int) civil.Date { return civil.Date{Year: 2026, Month: 6, Day: d} }
	evening := availability.DayHours{Opens: 18 * 60, Closes: 20 * 60}
	for name, c := range map[string]struct {
		change func(*walkin.Facts)
		now    string
		state  walkin.State
		spots  int
		until  string // empty: unknown
	}{
		"before opening":       {nil, "2026-06-10 07:00", walkin.Closed, 0, "2026-06-10 09:00"},
		"after closing":        {nil, "2026-06-10 22:00", walkin.Closed, 0, "2026-06-11 09:00"},
		"never open":           {func(f *walkin.Facts) { f.Week = nil }, "2026-06-10 12:00", walkin.Closed, 0, ""},
		"closed for two days":  {func(f *walkin.Facts) { f.Special = []availability.SpecialDays{closed(day(10), day(11))} }, "2026-06-10 12:00", walkin.Closed, 0, "2026-06-12 09:00"},
		"closed for the month": {func(f *walkin.Facts) { f.Special = []availability.SpecialDays{closed(day(10), day(30))} }, "2026-06-10 12:00", walkin.Closed, 0, ""},
		"special hours":        {func(f *walkin.Facts) { f.Special = []availability.SpecialDays{closed(day(10), day(10), evening)} }, "2026-06-10 12:00", walkin.Closed, 0, "2026-06-10 18:00"},
		"in special hours":     {func(f *walkin.Facts) { f.Special = []availability.SpecialDays{closed(day(10), day(10), evening)} }, "2026-06-10 19:00", walkin.Open, 16, "2026-06-10 20:00"},
		"a room has its hours": {func(f *walkin.Facts) { f.Rooms[1].Week = apptest.Daily(17*60, 23*60) }, "2026-06-10 12:00", walkin.Open, 10, "2026-06-10 21:00"},
		"both rooms have": {func(f *walkin.Facts) {
			f.Rooms[0].Week, f.Rooms[1].Week = apptest.Daily(10*60, 13*60), apptest.Daily(11*60, 14*60)
		}, "2026-06-10 12:00", walkin.Open, 16, "2026-06-10 14:00"},
		"neither is open": {func(f *walkin.Facts) {
			f.Rooms[0].Week, f.Rooms[1].Week = apptest.Daily(10*60, 11*60), apptest.Daily(16*60, 18*60)
		}, "2026-06-10 12:00", walkin.Closed, 0, "2026-06-10 16:00"},
	} {
		f := pool(room("Pool", 10), room("Sauna", 6))
		if c.change != nil {
			c.change(&f)
		}
		w := live(t, f, ny(c.now))
		var until *time.Time
		if c.until != "" {
			at := ny(c.until)
			until = &at
		}
		if w.State != c.state || w.Spots != c.spots || !same(w.Until, until) || w.Hidden != "" {
			t.Errorf("%s: %+v", name, w)
		}
	}
	// E63: a closed room is no part of the whole for the share of available seats.
	f := pool(room("Pool", 10, inside(4)), room("Sauna", 10))
	f.Rooms[1].Week = apptest.Daily(17*60, 23*60)
	if w := live(t, f, doorDay); w.Level != walkin.Plenty {
		t.Errorf("6 of 10: %s", w.Level)
	}
}

// E64, as a property: the seats of a room for a stay are those available at its fullest minute, counted minute by
// minute.
func TestE64_EveryMinute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 20).Draw(t, "capacity")
		minutes := rapid.IntRange(5, 90).Draw(t, "minutes")
		var busy []walkin.Claim
		for range rapid.IntRange(0, 8).Draw(t, "claims") {
			from := rapid.IntRange(-60, 100).Draw(t, "from")
			busy = append(busy, around(from, from+rapid.IntRange(1, 90).Draw(t, "length"), rapid.SampledFrom([]int{0, 1, 2, 3, 5, 9}).Draw(t, "seats")))
		}
		f := pool(room("Pool", capacity, busy...))
		f.Offers[0].Lengths.Minutes = minutes
		w, err := walkin.LiveOf(f, nil, doorDay)
		if err != nil {
			t.Fatal(err)
		}
		free := capacity
		for m := range minutes {
			at, taken := doorDay.Add(time.Duration(m)*time.Minute), 0
			for _, b := range busy {
				if !at.Before(b.From) && at.Before(b.To) {
					taken += b.Seats
					if b.Seats == 0 {
						taken += 1000
					}
				}
			}
			free = min(free, max(0, capacity-taken))
		}
		if w.Spots != free {
			t.Fatalf("%d spots, counted %d", w.Spots, free)
		}
	})
}
