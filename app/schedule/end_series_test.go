package schedule_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
)

func (s *studio) end(t *testing.T, series schedule.Series, on string) (schedule.Series, error) {
	t.Helper()
	ended, err := s.EndSeries(t.Context(), s.System(), schedule.EndSeriesInput{
		OfferingID: series.OfferingID, SeriesID: series.ID, EndsOn: apptest.Day(on), Version: series.Version,
	})
	return ended.Series, err
}

// count is how many dates a series has in that state.
func (s *studio) count(t *testing.T, series schedule.Series, state string) int {
	t.Helper()
	return apptest.Value[int](t, s.w, "select count(*) from occurrences where series_id = $1 and state = $2", series.ID, state)
}

func TestEndSeries(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	ended, err := s.end(t, made, "2026-07-08")
	if err != nil || *ended.Rule.Until != apptest.Day("2026-07-08") || ended.DueAt != nil || ended.Version != 2 {
		t.Fatalf("%+v, %v", ended, err)
	}
	if stay, gone := s.count(t, made, "scheduled"), s.count(t, made, "cancelled"); stay != 5 || gone != 22 {
		t.Errorf("%d stay, %d are cancelled", stay, gone)
	}
	s.w.Clock.Advance(20 * week)
	s.sweep(t)
	if n := s.count(t, made, "scheduled"); n != 5 {
		t.Errorf("%d dates after a sweep", n)
	}
	again, err := s.end(t, ended, "2026-09-01") // it ends before anyway
	if err != nil || again.Version != 2 || *again.Rule.Until != apptest.Day("2026-07-08") {
		t.Errorf("ended twice: %+v, %v", again, err)
	}
}

func TestEndSeriesAtOnce(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	early := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.At = apptest.WallClock("08:30") })})
	s.w.Clock.Advance(time.Hour) // 09:00 in New York: today's has begun
	if _, err := s.end(t, early, "2026-06-08"); apptest.Wrong(err) != "endsOn" {
		t.Errorf("the day before yesterday: %v", err)
	}
	if _, err := s.end(t, early, "2026-06-09"); err != nil {
		t.Fatal(err)
	}
	if stay := s.count(t, early, "scheduled"); stay != 1 {
		t.Errorf("%d stay; what has begun is not cancelled", stay)
	}
	mistake := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Start = apptest.Day("2026-08-05") })})
	ended, err := s.end(t, mistake, "2026-06-10")
	if err != nil || *ended.Rule.Until != ended.Rule.Start || s.count(t, mistake, "scheduled") != 0 {
		t.Errorf("a series that has not begun: %+v, %v", ended, err)
	}
}

func TestEndSeriesFarAhead(t *testing.T) {
	s := open(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(100) })})
	ended, err := s.end(t, made, "2026-12-16") // one date after the written ones
	if err != nil || ended.Rule.Count != nil || ended.DueAt == nil {
		t.Fatalf("%+v, %v", ended, err)
	}
	s.w.Clock.Advance(10 * week)
	s.sweep(t)
	if got := s.last(t, made.ID); got != "2026-12-16" {
		t.Errorf("up to %s", got)
	}
}

func TestEndSeriesWhileBooked(t *testing.T) {
	s := open(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays()})
	s.w.SQL(t, "update occurrences set taken = 1 where rule_date in ('2026-07-15', '2026-07-01')")
	_, err := s.end(t, made, "2026-06-30")
	apptest.Is(t, err, schedule.ErrDatesBooked)
	if got := fmt.Sprint(fault.From(err).Details["dates"]); got != "[2026-07-01 2026-07-15]" {
		t.Errorf("dates %s", got)
	}
	if n := s.count(t, made, "cancelled"); n != 0 {
		t.Errorf("a refusal cancelled %d dates", n)
	}
	if _, err := s.end(t, made, "2026-07-15"); err != nil {
		t.Errorf("after the last booking: %v", err)
	}
	_, err = s.end(t, made, "2026-07-15")
	apptest.Is(t, err, fault.ErrStale)
}

// A seat is booked while the series is being ended: either the seat is refused or the end is.
func TestEndSeriesRace(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	for range 25 {
		made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
		var booked int
		var ended error
		var wg sync.WaitGroup
		wg.Go(func() {
			booked = len(apptest.Values[time.Time](t, s.w, `update occurrences set taken = taken + 1
				where series_id = $1 and rule_date = '2026-09-02' and state = 'scheduled' and taken < capacity returning starts_at`, made.ID))
		})
		wg.Go(func() { _, ended = s.end(t, made, "2026-08-31") })
		wg.Wait()
		if (booked == 1) == (ended == nil) {
			t.Fatalf("booked %d, ended %v", booked, ended)
		}
	}
}

func TestOccurrencesOfOperators(t *testing.T) {
	s := open(t)
	a, b := s.AddOffering(t, named("A")), s.AddOffering(t, named("B"))
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: a.ID, Rule: wednesdays()})
	s.AddOccurrence(t, b, apptest.Instant("2026-06-11T22:00:00Z"), func(o *apptest.OccurrenceRow) { o.Taken, o.TakenOnline = 4, 3 })
	if _, err := s.end(t, made, "2026-06-24"); err != nil {
		t.Fatal(err)
	}
	list := func(in schedule.OccurrencesInput) (got []string) {
		page, err := s.Occurrences(t.Context(), s.System(), in)
		if err != nil {
			t.Error(err)
		}
		for _, o := range page.Items {
			got = append(got, fmt.Sprintf("%s %s %s %d/%d", o.OfferingName, o.LocalDate, o.State, o.Taken, o.Capacity))
		}
		return got
	}
	want := []string{"A 2026-06-10 scheduled 0/12", "B 2026-06-11 scheduled 4/12", "A 2026-06-17 scheduled 0/12"}
	if got := list(schedule.OccurrencesInput{LocationID: s.Location.ID, Page: paging.In[paging.Moment]{Limit: 3}}); !slices.Equal(got, want) {
		t.Errorf("of the location: %q", got)
	}
	want = []string{"A 2026-06-24 scheduled 0/12", "A 2026-07-01 cancelled 0/12"}
	got := list(schedule.OccurrencesInput{OfferingID: a.ID, From: apptest.Instant("2026-06-24T22:00:00Z"), To: apptest.Instant("2026-07-08T22:00:00Z")})
	if !slices.Equal(got, want) {
		t.Errorf("in a range: %q", got)
	}
	_, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{OfferingID: a.ID, From: apptest.Instant("2026-06-24T22:00:00Z"), To: apptest.Instant("2026-06-24T22:00:00Z")})
	if apptest.Wrong(err) != "to" {
		t.Errorf("an empty range: %v", err)
	}
}

func named(name string) func(*apptest.OfferingRow) {
	return func(o *apptest.OfferingRow) { o.Name = name }
}

// A94, A95: every date once while others are written, three of them at the same instant.
func TestOccurrencesWalk(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	want := map[string]bool{}
	for i := range 20 {
		want[s.AddOccurrence(t, o, apptest.Instant("2026-07-01T12:00:00Z").Add(time.Duration(i/3)*time.Hour)).ID.String()] = true
	}
	if page, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{OfferingID: o.ID, Page: paging.In[paging.Moment]{Limit: 20}}); err != nil || page.Next != nil {
		t.Errorf("a page of exactly all has a next (%v)", err)
	}
	seen := 0
	var after *paging.Moment
	for {
		page, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{LocationID: s.Location.ID, Page: paging.In[paging.Moment]{After: after, Limit: 4}})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range page.Items {
			if want[x.ID.String()] {
				seen++
			}
			delete(want, x.ID.String())
		}
		if after = page.Next; after == nil {
			break
		}
		s.AddOccurrence(t, o, apptest.Instant("2026-07-01T11:00:00Z"))
		s.AddOccurrence(t, o, after.At)
	}
	if len(want) != 0 || seen != 20 {
		t.Errorf("%d dates never came, %d came", len(want), seen)
	}
}
