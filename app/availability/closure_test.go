package availability_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

func (s *studio) closing(name, from, to string, hours ...availability.DayHours) availability.ClosureInput {
	return availability.ClosureInput{LocationID: s.Location.ID, Name: name, StartsOn: apptest.Day(from), EndsOn: apptest.Day(to), Hours: hours}
}

func (s *studio) closed(t *testing.T, in availability.ClosureInput) availability.AddedClosure {
	t.Helper()
	added, err := s.CloseDays(t.Context(), s.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func TestClosures(t *testing.T) {
	s := open(t)
	short := []availability.DayHours{{Opens: 15 * 60, Closes: 24 * 60}, {Opens: 600, Closes: 14 * 60}}
	eve := s.closed(t, s.closing(" Eve ", "2026-12-24", "2026-12-24", short...)).Closure
	if eve.Name != "Eve" || len(eve.Hours) != 2 || eve.Hours[0].Opens != 600 {
		t.Errorf("%+v", eve)
	}
	feast := s.closed(t, s.closing("Christmas", "2026-12-25", "2027-01-06")).Closure
	today := s.closed(t, s.closing("Repairs", "2026-06-01", "2026-06-10")).Closure
	walk := func(in availability.ClosuresInput) string {
		t.Helper()
		in.LocationID = s.Location.ID
		var names []string
		for {
			page, err := s.Closures(t.Context(), s.Holding(s.Location.ID, policy.LocationView), in)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range page.Items {
				names = append(names, c.Name)
			}
			if in.Page.After = page.Next; in.Page.After == nil {
				return strings.Join(names, " ")
			}
		}
	}
	for limit := range 4 {
		if got := walk(availability.ClosuresInput{Page: paging.In[availability.ClosureKey]{Limit: limit}}); got != "Repairs Eve Christmas" {
			t.Errorf("by %d: %s", limit, got)
		}
	}
	if got := walk(availability.ClosuresInput{From: apptest.Day("2026-12-25")}); got != "Christmas" {
		t.Error(got)
	}
	// In New York it is still the tenth, and the closure is public.
	s.w.Clock.Set(apptest.Instant("2026-06-11T03:00:00Z"))
	if got := walk(availability.ClosuresInput{}); got != "Repairs Eve Christmas" {
		t.Error(got)
	}
	s.w.Clock.Set(apptest.Instant("2026-06-11T04:00:00Z"))
	if got := walk(availability.ClosuresInput{}); got != "Eve Christmas" {
		t.Error(got)
	}
	public, err := availability.ClosuresOf(t.Context(), s.w.DB.View(s.Business.ID), s.Location.ID, apptest.Day("2026-06-11"), 1)
	if err != nil || len(public) != 1 || public[0].ID != eve.ID || len(public[0].Hours) != 2 {
		t.Errorf("%+v, %v", public, err)
	}
	for _, id := range []uuid.UUID{feast.ID, today.ID} {
		if err := s.RemoveClosure(t.Context(), s.System(), s.Location.ID, id); err != nil {
			t.Error(err)
		}
		apptest.Refused(t, s.RemoveClosure(t.Context(), s.System(), s.Location.ID, id), fault.NotFound)
	}
	if got := walk(availability.ClosuresInput{}); got != "Eve" {
		t.Error(got)
	}
}

// A74: a day has one closure; another location has its own.
func TestClosuresOverlap(t *testing.T) {
	s := open(t)
	feast := s.closed(t, s.closing("Christmas", "2026-12-24", "2026-12-26")).Closure
	for _, days := range [][2]string{{"2026-12-24", "2026-12-24"}, {"2026-12-20", "2026-12-24"}, {"2026-12-26", "2027-01-01"}, {"2026-12-01", "2027-01-01"}} {
		_, err := s.CloseDays(t.Context(), s.System(), s.closing("More", days[0], days[1]))
		apptest.Is(t, err, availability.ErrClosureOverlaps)
		if d := fault.From(err).Details; d["closureId"] != feast.ID || d["name"] != "Christmas" || d["startsOn"] != feast.StartsOn {
			t.Errorf("%v", d)
		}
	}
	s.closed(t, s.closing("Before", "2026-12-23", "2026-12-23"))
	s.closed(t, s.closing("After", "2026-12-27", "2026-12-27"))
	in := s.closing("Elsewhere", "2026-12-24", "2026-12-24")
	in.LocationID = s.AddLocation(t, "Uptown").ID
	s.closed(t, in)
	// Twenty people close the same week: one of them does.
	var made, refusals int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			_, err := s.CloseDays(t.Context(), s.System(), s.closing(fmt.Sprint("Holiday ", i), "2026-08-03", fmt.Sprintf("2026-08-%02d", 3+i)))
			mu.Lock()
			defer mu.Unlock()
			switch f := fault.From(err); {
			case err == nil:
				made++
			case f != nil && f.Reason == "closure_overlaps":
				refusals++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made != 1 || refusals != 19 {
		t.Errorf("%d made, %d refused", made, refusals)
	}
}

func TestClosureRefused(t *testing.T) {
	s := open(t)
	theirs := openIn(t, s.w)
	uptown := s.AddLocation(t, "Uptown").ID
	span := func(opens, closes int) availability.DayHours {
		return availability.DayHours{Opens: opens, Closes: closes}
	}
	for want, in := range map[string]availability.ClosureInput{
		"name":            s.closing(" ", "2026-12-24", "2026-12-24"),
		"endsOn":          s.closing("X", "2026-12-24", "2026-12-23"),
		"hours[0].opens":  s.closing("X", "2026-12-24", "2026-12-24", span(-1, 60)),
		"hours[0].closes": s.closing("X", "2026-12-24", "2026-12-24", span(60, 60)),
		"hours[1].opens":  s.closing("X", "2026-12-24", "2026-12-24", span(60, 120), span(119, 180)),
		"startsOn":        s.closing("X", "2028-06-10", "2028-06-10"),
		"endsOn startsOn": {LocationID: s.Location.ID, Name: "X", StartsOn: civil.Date{Year: 2026, Month: 2, Day: 30}, EndsOn: civil.Date{}},
	} {
		if _, err := s.CloseDays(t.Context(), s.System(), in); !strings.HasPrefix(apptest.Wrong(err), strings.Fields(want)[0]) {
			t.Errorf("named %q, want %q", apptest.Wrong(err), want)
		}
	}
	for _, in := range []availability.ClosureInput{
		s.closing("X", "2026-06-01", "2026-06-09"), s.closing("X", "2026-06-10", "2027-06-11"),
		s.closing("X", "2026-12-24", "2026-12-24", make([]availability.DayHours, 11)...),
	} {
		_, err := s.CloseDays(t.Context(), s.System(), in)
		apptest.Refused(t, err, fault.Validation)
	}
	mine := s.closed(t, s.closing("Christmas", "2026-12-25", "2026-12-25")).Closure
	every := func(sc tenancy.Scope, location uuid.UUID, kind fault.Kind) {
		t.Helper()
		in := s.closing("X", "2026-12-24", "2026-12-24")
		in.LocationID = location
		_, err := s.CloseDays(t.Context(), sc, in)
		apptest.Refused(t, err, kind)
		apptest.Refused(t, s.RemoveClosure(t.Context(), sc, location, mine.ID), kind)
	}
	every(s.System(), theirs.Location.ID, fault.NotFound)
	every(s.System(), pg.NewID(), fault.NotFound)
	every(s.Holding(uptown, policy.LocationManage), s.Location.ID, fault.Forbidden)
	every(s.Holding(s.Location.ID, policy.LocationView), s.Location.ID, fault.Forbidden)
	apptest.Refused(t, s.RemoveClosure(t.Context(), s.System(), uptown, mine.ID), fault.NotFound)
	_, err := s.Closures(t.Context(), s.Holding(uptown, policy.LocationView), availability.ClosuresInput{LocationID: s.Location.ID})
	apptest.Refused(t, err, fault.Forbidden)
	_, err = s.Closures(t.Context(), s.System(), availability.ClosuresInput{LocationID: theirs.Location.ID})
	apptest.Refused(t, err, fault.NotFound)
}

// Bookings inside the special hours are not affected. The clocks of New York go back in the night to 1 November 2026.
func TestClosureHits(t *testing.T) {
	s := open(t)
	room := s.AddSpace(t, "Room")
	sauna := s.AddRental(t, []uuid.UUID{room.ID})
	for name, start := range map[string]string{
		"eve": "2026-10-31T23:30:00-04:00", "night": "2026-11-01T01:30:00-04:00", "again": "2026-11-01T01:30:00-05:00",
		"opening": "2026-11-01T10:00:00-05:00", "early": "2026-11-01T09:59:00-05:00", "closing": "2026-11-01T15:00:00-05:00",
		"late": "2026-11-01T15:01:00-05:00", "evening": "2026-11-02T20:00:00-05:00", "midnight": "2026-11-01T23:30:00-05:00",
		"next": "2026-11-03T00:30:00-05:00",
	} {
		b := s.AddBusy(t, sauna, apptest.Instant(start), func(b *apptest.BusyRow) { b.Forced = true })
		s.booked(t, b.ID, name, "confirmed")
	}
	s.AddOccurrence(t, s.AddOffering(t), apptest.Instant("2026-11-02T12:00:00-05:00"))
	hits := func(hours ...availability.DayHours) string {
		t.Helper()
		added := s.closed(t, s.closing("Closed", "2026-11-01", "2026-11-02", hours...))
		if err := s.RemoveClosure(t.Context(), s.System(), s.Location.ID, added.Closure.ID); err != nil {
			t.Fatal(err)
		}
		return hitNames(added.Hits)
	}
	if got := hits(); got != "1 of 9: eve night again early opening closing late midnight evening" {
		t.Error(got)
	}
	if got := hits(availability.DayHours{Opens: 600, Closes: 960}); got != "0 of 7: eve night again early late midnight evening" {
		t.Error(got)
	}
	if got := hits(availability.DayHours{Opens: 0, Closes: 600}, availability.DayHours{Opens: 600, Closes: 24 * 60}); got != "0 of 0: " {
		t.Error(got)
	}
	if got := hits(availability.DayHours{Opens: 0, Closes: 60}, availability.DayHours{Opens: 23 * 60, Closes: 24 * 60}); !strings.HasPrefix(got, "1 of 7: night again") {
		t.Error(got) // over midnight the hours are one
	}
	s.w.Clock.Set(time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC))
	if got := hits(); got != "1 of 1: evening" {
		t.Error(got)
	}
}
