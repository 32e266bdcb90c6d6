package schedule

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"foyer/app/civil"
)

// E55, E56: following the cursor to the end visits every time once, in order; a page is whole days, stops before the
// day that would exceed 24 times, and has as many days as fit.
func TestPagesVisitEveryTimeOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loc, err := civil.LoadZone(rapid.SampledFrom([]string{"America/New_York", "Pacific/Kiritimati", "America/Santiago"}).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		place := Location{Loc: loc, Today: civil.NewDate(2026, 9, 1)}
		var all []PublicOccurrence
		for day := range civil.Days(civil.NewDate(2026, 9, 1), civil.NewDate(2026, 9, 12)) {
			start := place.StartOf(day)
			for i := range rapid.SampledFrom([]int{0, 0, 1, 2, 5, 12, 25, 90, 230}).Draw(t, "times") {
				all = append(all, PublicOccurrence{StartsAt: start.Add(time.Duration(i/2) * 10 * time.Minute)}) // two at once
			}
		}
		seen := 0
		for seen < len(all) {
			read := all[seen:min(seen+timesRows+1, len(all))] // the store's rows after the cursor
			if day, more := place.goesOn(read); more {
				end := startingFrom(all, place.StartOf(day.AddDays(1)))
				read = all[seen:min(end+1, len(all))]
			}
			n := place.page(read)
			if n == 0 {
				t.Fatal("an empty page although there are times")
			}
			days := place.days(read[:n])
			if n > TimesPage && len(days) > 1 {
				t.Fatalf("%d times on %d days", n, len(days))
			}
			if seen += n; seen == len(all) {
				break
			}
			next := place.days(all[seen:])[0]
			if next.Date == days[len(days)-1].Date {
				t.Fatalf("%s is on two pages", next.Date)
			}
			if n+len(next.Occurrences) <= TimesPage {
				t.Fatalf("a page of %d ends before a day of %d", n, len(next.Occurrences))
			}
			if !all[seen].StartsAt.After(all[seen-1].StartsAt) {
				t.Fatal("the cursor would pass over a time")
			}
		}
	})
}

// A window with more rows than a read brings ends sooner, after a whole day, and goes on there.
func TestCutAfterAWholeDay(t *testing.T) {
	loc, err := civil.LoadZone("UTC")
	if err != nil {
		t.Fatal(err)
	}
	place := Location{Loc: loc, Today: civil.NewDate(2026, 9, 1)}
	var rows []PublicOccurrence
	at := func(i int) time.Time { return place.StartOf(place.Today).Add(time.Duration(i) * 2 * time.Minute) } // 720 a day
	for i := range scheduleRows {
		rows = append(rows, PublicOccurrence{StartsAt: at(i)})
	}
	end := at(scheduleRows)
	got := found{place: place, rows: rows, end: end, later: &end}.cut(civil.Date{}, 30)
	if got.To != civil.NewDate(2026, 9, 2) || len(got.Days) != 2 || *got.Next != civil.NewDate(2026, 9, 3) {
		t.Errorf("to %s, %d days, then %s", got.To, len(got.Days), got.Next)
	}
	end = at(600) // the first day alone is too much
	got = found{place: place, rows: rows[:600], end: end, later: &end}.cut(civil.Date{}, 30)
	if got.To != place.Today || len(got.Days) != 1 || *got.Next != civil.NewDate(2026, 9, 2) {
		t.Errorf("to %s, %d days, then %s", got.To, len(got.Days), got.Next)
	}
}
