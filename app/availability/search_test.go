package availability_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

// search searches one offering from 11 June 2026, a Thursday, on.
func (s *studio) search(t *testing.T, days int, of uuid.UUID, changes ...func(*availability.SearchInput)) availability.SearchPage {
	t.Helper()
	page, err := s.Search(t.Context(), s.System(), searchFor(s, days, of, changes...))
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func searchFor(s *studio, days int, of uuid.UUID, changes ...func(*availability.SearchInput)) availability.SearchInput {
	from := apptest.Instant("2026-06-11T04:00:00Z")
	in := availability.SearchInput{LocationID: s.Location.ID, From: from, To: from.AddDate(0, 0, days), Segments: []availability.Segment{{OfferingID: of}}}
	for _, change := range changes {
		change(&in)
	}
	return in
}

// startsOf renders the starts of a page as "11 10:00", with their codes and the names of the free people and spaces.
func startsOf(page availability.SearchPage) (out []string) {
	loc, _ := civil.LoadZone(page.Zone)
	for _, d := range page.Days {
		for _, s := range d.Starts {
			text := fmt.Sprint(d.Date.Day, " ", civil.LocalClock(s.StartsAt, loc))
			for _, c := range s.Codes.List() {
				text += " " + string(c)
			}
			for _, p := range s.Parts {
				for _, i := range p.People {
					text += " " + page.People[i].Name
				}
				for _, i := range p.Spaces {
					text += " " + page.Spaces[i].Name
				}
			}
			out = append(out, text)
		}
	}
	return out
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func TestSearch(t *testing.T) {
	s := open(t)
	mia, ben := s.AddMember(t, "Mia", apptest.Daily(540, 720)...), s.AddMember(t, "Ben", apptest.Daily(600, 720)...)
	o := s.AddAppointment(t, ids(mia.ID, ben.ID), func(o *apptest.ServiceRow) { o.Grid = 30 })
	busy := s.AddBusy(t, o, apptest.Instant("2026-06-11T14:00:00Z"))
	var page availability.SearchPage
	if n := s.w.Statements(func() { page = s.search(t, 1, o.ID) }); n != 1 {
		t.Errorf("%d round trips", n)
	}
	same(t, "anyone", startsOf(page), "11 09:00 Mia", "11 09:30 staff_busy", "11 10:00 Ben", "11 10:30 Ben", "11 11:00 Mia Ben")
	of := func(match availability.MemberMatch, who ...uuid.UUID) func(*availability.SearchInput) {
		return func(in *availability.SearchInput) { in.Segments[0].MemberIDs, in.Segments[0].Match = who, match }
	}
	same(t, "Ben", startsOf(s.search(t, 1, o.ID, of("", ben.ID))), "11 10:00 Ben", "11 10:30 Ben", "11 11:00 Ben")
	same(t, "not Ben", startsOf(s.search(t, 1, o.ID, of(availability.MatchNone, ben.ID))), "11 09:00 Mia", "11 09:30 staff_busy", "11 10:00 staff_busy", "11 10:30 staff_busy", "11 11:00 Mia")
	same(t, "both", startsOf(s.search(t, 1, o.ID, of(availability.MatchAll, ben.ID, mia.ID))), "11 10:00 staff_busy", "11 10:30 staff_busy", "11 11:00 Mia Ben")
	same(t, "nobody of ours", startsOf(s.search(t, 1, o.ID, of(availability.MatchAny, pg.NewID()))))
	booking := s.booked(t, busy.ID, "Rosa", "confirmed")
	same(t, "moving it", startsOf(s.search(t, 1, o.ID, func(in *availability.SearchInput) { in.ExcludeBookingID = &booking })),
		"11 09:00 Mia", "11 09:30 Mia", "11 10:00 Mia Ben", "11 10:30 Mia Ben", "11 11:00 Mia Ben")
	late := s.AddPolicy(t, func(r *catalog.Rules) { r.NoticeMinutes, r.WindowDays = 25*60+31, 1 })
	s.SetPolicy(t, late)
	same(t, "policy of the location", startsOf(s.search(t, 1, o.ID)), "11 09:00 too_early too_late Mia", "11 09:30 too_early too_late staff_busy",
		"11 10:00 too_early Ben", "11 10:30 too_early Ben", "11 11:00 too_early Mia Ben")
	s.Pause(t)
	if x := s.search(t, 1, o.ID).Days[0].Starts[0]; !x.Available() || x.Bookable() || x.Codes.First() != availability.CodePaused {
		t.Errorf("%+v", x)
	}
}

// Days are those of the requested zone; pages of a long range follow each other without a gap.
func TestSearchPages(t *testing.T) {
	s := open(t)
	mia := s.AddMember(t, "Mia", apptest.Daily(20*60, 24*60)...)
	o := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) { o.Grid = 60 })
	tokyo := s.search(t, 1, o.ID, func(in *availability.SearchInput) { in.TimeZone = "Asia/Tokyo" })
	same(t, "in Tokyo", startsOf(tokyo), "12 09:00 Mia", "12 10:00 Mia", "12 11:00 Mia", "12 12:00 Mia")
	seen, pages := map[time.Time]bool{}, 0
	in := searchFor(s, 200, o.ID)
	for {
		page, err := s.Search(t.Context(), s.System(), in)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		for _, d := range page.Days {
			for _, x := range d.Starts {
				if seen[x.StartsAt] {
					t.Fatalf("%s comes twice", x.StartsAt)
				}
				seen[x.StartsAt] = true
			}
		}
		if page.Next == nil {
			break
		}
		in.After = page.Next
	}
	if len(seen) != 4*200-1 || pages != 4 { // the range ends an hour earlier on the wall, in winter
		t.Errorf("%d starts on %d pages", len(seen), pages)
	}
	dense := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) { o.Grid, o.Minutes = 5, 5 })
	page := s.search(t, 62, dense.ID)
	if n := len(startsOf(page)); page.Next == nil || n > 2000 || n%48 != 0 {
		t.Errorf("%d starts, next %v", n, page.Next)
	}
}

// Compact: starts that touch another booking come first in a day.
func TestSearchCompact(t *testing.T) {
	s := open(t)
	mia := s.AddMember(t, "Mia", apptest.Daily(540, 840)...)
	o := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) { o.Grid, o.Compact = 60, true })
	s.AddBusy(t, o, apptest.Instant("2026-06-11T15:00:00Z"))
	same(t, "around eleven", startsOf(s.search(t, 1, o.ID)), "11 10:00 Mia", "11 12:00 Mia", "11 09:00 Mia", "11 11:00 staff_busy", "11 13:00 Mia")
}

func TestSearchVisit(t *testing.T) {
	s := open(t)
	mia, ben := s.AddMember(t, "Mia", apptest.Daily(540, 720)...), s.AddMember(t, "Ben", apptest.Daily(540, 720)...)
	cut := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) { o.Minutes, o.Grid = 45, 30 })
	colour := s.AddAppointment(t, ids(ben.ID, mia.ID), func(o *apptest.ServiceRow) { o.Minutes = 30 })
	s.AddBusy(t, colour, apptest.Instant("2026-06-11T14:15:00Z"), func(b *apptest.BusyRow) { b.EndsAt = b.StartsAt.Add(30 * time.Minute) })
	visit := func(in *availability.SearchInput) {
		in.Segments = append(in.Segments, availability.Segment{OfferingID: colour.ID})
	}
	page := s.search(t, 1, cut.ID, visit)
	same(t, "cut and colour", startsOf(page), "11 09:00 Mia Ben Mia", "11 09:30 Mia Mia", "11 10:00 Mia Ben Mia", "11 10:30 Mia Ben Mia")
	x := page.Days[0].Starts[0]
	if len(x.Parts) != 2 || !x.Parts[1].StartsAt.Equal(x.Parts[0].EndsAt) || !x.EndsAt.Equal(x.StartsAt.Add(75*time.Minute)) {
		t.Errorf("%+v", x)
	}
}

// A class is searched by its dates: seats on offer to the waitlist are not free.
func TestSearchClass(t *testing.T) {
	s := open(t)
	mia := s.AddInstructor(t, "Mia")
	o := s.AddOffering(t)
	s.AddOccurrence(t, o, apptest.Instant("2026-06-11T14:00:00Z"), func(o *apptest.OccurrenceRow) { o.Taken, o.Member = 12, &mia.ID })
	s.AddOccurrence(t, o, apptest.Instant("2026-06-11T15:00:00Z"), func(o *apptest.OccurrenceRow) { o.Taken = 11 })
	offered := s.AddOccurrence(t, o, apptest.Instant("2026-06-11T16:00:00Z"), func(o *apptest.OccurrenceRow) { o.Taken = 11 })
	s.w.SQL(t, "update occurrences set offered = 1 where id = $1", offered.ID)
	round := s.AddOccurrence(t, o, apptest.Instant("2026-06-11T17:00:00Z"), func(o *apptest.OccurrenceRow) { o.Taken = 11 })
	s.w.SQL(t, "insert into waitlist_rounds (occurrence_id, business_id, due_at) values ($1, $2, $3)", round.ID, s.Business.ID, s.w.Clock.Now())
	page := s.search(t, 1, o.ID)
	same(t, "dates", startsOf(page), "11 10:00 full Mia", "11 11:00", "11 12:00 waitlist_reserved", "11 13:00 waitlist_reserved")
	if x := page.Days[0].Starts[2]; x.OccurrenceID != offered.ID || x.Seats != 0 {
		t.Errorf("%+v", x)
	}
	same(t, "two people", startsOf(s.search(t, 1, o.ID, func(in *availability.SearchInput) { in.Party = 2; in.Segments[0].MemberIDs = ids(mia.ID) })), "11 10:00 full Mia")
	in := searchFor(s, 1, o.ID, func(in *availability.SearchInput) { in.Segments = append(in.Segments, in.Segments[0]) })
	if _, err := s.Search(t.Context(), s.System(), in); apptest.Wrong(err) != "segments[0].offeringId" {
		t.Error(err)
	}
}

func TestSearchRefuses(t *testing.T) {
	s := open(t)
	mia := s.AddMember(t, "Mia")
	o := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) { o.Capacity = 2 })
	for field, change := range map[string]func(*availability.SearchInput){
		"to": func(in *availability.SearchInput) { in.To = in.From },
		"from to": func(in *availability.SearchInput) {
			in.From, in.To = apptest.Instant("3026-01-01T00:00:00Z"), apptest.Instant("3026-02-01T00:00:00Z")
		},
		"from":                func(in *availability.SearchInput) { in.From = apptest.Instant("1926-01-01T00:00:00Z") },
		"cursor":              func(in *availability.SearchInput) { in.After = &in.To },
		"party":               func(in *availability.SearchInput) { in.Party = 3 },
		"timeZone":            func(in *availability.SearchInput) { in.TimeZone = "Mars/Olympus" },
		"segments":            func(in *availability.SearchInput) { in.Segments = nil },
		"segments[0].minutes": func(in *availability.SearchInput) { in.Segments[0].Minutes = 4 },
		"segments[0].match":   func(in *availability.SearchInput) { in.Segments[0].Match = "some" },
	} {
		if _, err := s.Search(t.Context(), s.System(), searchFor(s, 1, o.ID, change)); apptest.Wrong(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := s.Search(t.Context(), s.System(), searchFor(s, 1, o.ID, func(in *availability.SearchInput) { in.Party = 100_000 })); apptest.Wrong(err) != "party" {
		t.Error(err)
	}
	elsewhere := s.AddLocation(t, "Elsewhere")
	theirs := openIn(t, s.w)
	foreign := theirs.AddAppointment(t, ids(theirs.AddMember(t, "Zoe").ID))
	unknown := pg.NewID()
	for name, change := range map[string]func(*availability.SearchInput){
		"other location": func(in *availability.SearchInput) { in.LocationID = elsewhere.ID },
		"foreign":        func(in *availability.SearchInput) { in.Segments[0].OfferingID = foreign.ID },
		"one foreign": func(in *availability.SearchInput) {
			in.Segments = append(in.Segments, availability.Segment{OfferingID: foreign.ID})
		},
		"unknown booking": func(in *availability.SearchInput) { in.ExcludeBookingID = &unknown },
	} {
		if _, err := s.Search(t.Context(), s.System(), searchFor(s, 1, o.ID, change)); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := s.Search(t.Context(), s.Holding(elsewhere.ID, policy.LocationView), searchFor(s, 1, o.ID))
	apptest.Refused(t, err, fault.Forbidden)
}

// The reading does not grow with other locations, and a search stays one trip.
func TestSearchTrips(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	hall := s.AddSpace(t, "Hall")
	for range 4 {
		s.AddSpace(t, "Part "+pg.NewID().String(), func(in *business.SpaceInput) { in.ParentID = &hall.ID })
	}
	o := s.AddRental(t, ids(hall.ID))
	for day := range 10 {
		s.AddBusy(t, o, apptest.Instant("2026-06-11T14:00:00Z").AddDate(0, 0, day))
	}
	if n := s.w.Statements(func() { s.search(t, 62, o.ID) }); n != 1 {
		t.Errorf("search: %d round trips", n)
	}
	if n := s.w.Statements(func() { s.times(t, schedule.TimesInput{OfferingID: o.ID}) }); n != 2 {
		t.Errorf("times: %d round trips", n)
	}
	if n := s.w.Statements(func() {
		if _, err := s.place(t, availability.Storefront, ask(o, apptest.Instant("2026-06-11T15:00:00Z"))); err != nil {
			t.Error(err)
		}
	}); n > 13 {
		t.Errorf("placing: %d round trips", n)
	}
}

func TestExplain(t *testing.T) {
	s := open(t)
	mia, ben := s.AddMember(t, "Mia"), s.AddMember(t, "Ben", apptest.Daily(720, 900)...)
	o := s.AddAppointment(t, ids(mia.ID, ben.ID), func(o *apptest.ServiceRow) { o.After = 15 })
	s.AddBusy(t, o, apptest.Instant("2026-06-11T14:00:00Z"))
	in := availability.ExplainInput{LocationID: s.Location.ID, StartsAt: apptest.Instant("2026-06-11T14:30:00Z"), Segment: availability.Segment{OfferingID: o.ID}}
	got, err := s.Explain(t.Context(), s.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got.Available || got.Bookable || !slices.Equal(got.Codes, []availability.Code{availability.CodeStaffBusy}) || !got.EndsAt.Equal(apptest.Instant("2026-06-11T15:30:00Z")) {
		t.Errorf("%+v", got)
	}
	fails := map[string]string{}
	for _, r := range got.Rules {
		if !r.Holds {
			fails[r.Rule+" "+fmt.Sprint(r.MemberID != nil && *r.MemberID == ben.ID)] = r.Text
		}
	}
	if len(fails) != 3 || !strings.Contains(fails["member_booked false"], "Mia is booked from Thursday 11 June 10:00 to Thursday 11 June 11:15") ||
		fails["member_hours true"] != "Ben does not work from start to end." || fails["grid true"] == "" {
		t.Errorf("%q", fails)
	}
	if n := s.w.Statements(func() {
		in.StartsAt = apptest.Instant("2026-06-11T15:15:00Z")
		got, err = s.Explain(t.Context(), s.System(), in)
	}); n != 1 || err != nil || !got.Bookable {
		t.Errorf("%d trips, %v: %+v", n, err, got)
	}
	class := s.AddOffering(t)
	s.AddOccurrence(t, class, apptest.Instant("2026-06-11T14:00:00Z"), func(o *apptest.OccurrenceRow) { o.Taken = 12 })
	in.OfferingID, in.StartsAt = class.ID, apptest.Instant("2026-06-11T14:00:00Z")
	if got, err = s.Explain(t.Context(), s.System(), in); err != nil || !slices.Equal(got.Codes, []availability.Code{availability.CodeFull}) {
		t.Errorf("class: %+v %v", got, err)
	}
	in.StartsAt = in.StartsAt.Add(time.Hour)
	if got, err = s.Explain(t.Context(), s.System(), in); err != nil || !slices.Equal(got.Codes, []availability.Code{availability.CodeClosed}) {
		t.Errorf("no date: %+v %v", got, err)
	}
	in.StartsAt = apptest.Instant("2026-06-11T14:00:30Z")
	if _, err = s.Explain(t.Context(), s.System(), in); apptest.Wrong(err) != "startsAt" {
		t.Error(err)
	}
}

// The storefront's times of an appointment and of a rental: lengths with their prices, people and spaces, page by
// page.
func TestSlotTimes(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	mia, ben := s.AddMember(t, "Mia", apptest.Daily(540, 660)...), s.AddMember(t, "Ben", apptest.Daily(600, 720)...)
	o := s.AddAppointment(t, ids(ben.ID, mia.ID), func(o *apptest.ServiceRow) {
		policy := s.AddPolicy(t, func(r *catalog.Rules) { r.NoticeMinutes, r.WindowDays = 60, 20 })
		o.Grid, o.Policy, o.Durations = 60, &policy, []apptest.Duration{{Minutes: 60, PriceAmount: 6000}, {Minutes: 90, PriceAmount: 8000}}
	})
	s.AddBusy(t, o, apptest.Instant("2026-06-11T14:00:00Z"))
	page := s.times(t, schedule.TimesInput{OfferingID: o.ID, From: apptest.Day("2026-06-11")})
	if got := apptest.Told(page.Location, page.Days[:1]); got[0] != "Thu 11 +1: 09:00 Massage, 10:00 Massage, 11:00 Massage" || len(page.Days) != 14 || page.Next == nil {
		t.Errorf("%q, %d days, next %v", got, len(page.Days), page.Next)
	}
	x := page.Days[0].Occurrences[1]
	if page.Minutes != 60 || page.Party != 1 || len(page.Lengths) != 2 || page.Lengths[1].PriceAmount != 8000 || x.PriceAmount != 6000 || x.ID != uuid.Nil ||
		!slices.Equal(x.Members, []int{1}) || page.Members[1].Name != "Mia" || x.Instructor != "" || x.Spots != 1 {
		t.Errorf("%+v, %+v", page.Members, x)
	}
	seen := 0
	in := schedule.TimesInput{OfferingID: o.ID}
	for {
		page := s.times(t, in)
		for _, d := range page.Days {
			seen += len(d.Occurrences)
		}
		if page.Next == nil {
			break
		}
		in.After = *page.Next
	}
	if seen != 3*20 { // from Wednesday at 9:00 until 8:00 twenty days later
		t.Errorf("%d times in the window", seen)
	}
	long := s.times(t, schedule.TimesInput{OfferingID: o.ID, From: apptest.Day("2026-06-11"), Minutes: 90, MemberID: &ben.ID})
	if got := apptest.Told(long.Location, long.Days[:1]); got[0] != "Fri 12 +2: 10:00 Massage" || long.Days[0].Occurrences[0].Instructor != "Ben" || long.Days[0].Occurrences[0].PriceAmount != 8000 {
		t.Errorf("%q %+v", got, long.Days[0].Occurrences)
	}
	hall := s.AddSpace(t, "Hall")
	sauna := s.AddRental(t, ids(hall.ID), func(o *apptest.ServiceRow) { o.SoldAs = "person" })
	party := s.times(t, schedule.TimesInput{OfferingID: sauna.ID, From: apptest.Day("2026-06-11"), Party: 4, SpaceID: &hall.ID})
	if y := party.Days[0].Occurrences[0]; y.PriceAmount != 12000 || y.Spots != 12 || y.Space != "Hall" || !slices.Equal(y.Spaces, []int{0}) {
		t.Errorf("%+v", y)
	}
	unknown := pg.NewID()
	for field, in := range map[string]schedule.TimesInput{
		"minutes": {OfferingID: o.ID, Minutes: 45}, "party": {OfferingID: sauna.ID, Party: 13}, "memberId": {OfferingID: o.ID, MemberID: &unknown},
		"spaceId": {OfferingID: sauna.ID, SpaceID: &unknown},
	} {
		if _, err := s.Times(t.Context(), s.Business.ID, in); apptest.Wrong(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// When the next two weeks have no times, the page continues with later ones.
func TestSlotTimesLater(t *testing.T) {
	s := open(t)
	mia := s.AddMember(t, "Mia")
	s.AddTimeOff(t, mia.ID, apptest.Instant("2026-06-01T00:00:00Z"), apptest.Instant("2026-07-20T13:00:00Z"))
	o := s.AddAppointment(t, ids(mia.ID), func(o *apptest.ServiceRow) { o.Grid = 60 })
	page := s.times(t, schedule.TimesInput{OfferingID: o.ID})
	if len(page.Days) == 0 || page.Days[0].Date != apptest.Day("2026-07-20") {
		t.Errorf("%+v", page.Days)
	}
	s.Pause(t)
	if page = s.times(t, schedule.TimesInput{OfferingID: o.ID}); !page.Location.Paused || len(page.Days) == 0 {
		t.Errorf("paused: %+v", page.Location)
	}
}
