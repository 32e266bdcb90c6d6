package schedule_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/jobs"
	"foyer/app/schedule"
)

const week = 7 * 24 * time.Hour

func (s *studio) sweep(t *testing.T) {
	t.Helper()
	if err := s.Materialise(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// last is the furthest date of a series.
func (s *studio) last(t *testing.T, series uuid.UUID) string {
	t.Helper()
	return apptest.Value[time.Time](t, s.w, "select max(rule_date) from occurrences where series_id = $1", series).Format(time.DateOnly)
}

func TestMaterialise(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	first := apptest.Values[uuid.UUID](t, s.w, "select id from occurrences order by starts_at")
	if len(first) != 27 || s.last(t, made.ID) != "2026-12-09" {
		t.Fatalf("%d dates up to %s", len(first), s.last(t, made.ID))
	}

	s.w.Clock.Advance(6 * 24 * time.Hour)
	s.sweep(t)
	if got := s.last(t, made.ID); got != "2026-12-09" {
		t.Errorf("a day too soon: up to %s", got)
	}
	s.w.Clock.Set(apptest.Instant("2026-06-17T04:00:00Z")) // midnight in New York
	s.sweep(t)
	s.sweep(t)
	if got := s.last(t, made.ID); got != "2026-12-16" {
		t.Errorf("on the day: up to %s", got)
	}
	s.w.Clock.Advance(10 * week)
	s.sweep(t)
	after := apptest.Values[uuid.UUID](t, s.w, "select id from occurrences order by starts_at")
	if len(after) != 38 || s.last(t, made.ID) != "2027-02-24" {
		t.Errorf("after ten weeks without a sweep: %d dates up to %s", len(after), s.last(t, made.ID))
	}
	for i, id := range first {
		if after[i] != id {
			t.Fatalf("date %d has a new id", i)
		}
	}
	series, err := s.SeriesOf(t.Context(), s.System(), schedule.SeriesOfInput{OfferingID: o.ID})
	if err != nil || series.Items[0].Version != 1 {
		t.Errorf("a sweep is no edit: version %d, %v", series.Items[0].Version, err)
	}
}

func TestMaterialiseEnds(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	rule := wednesdays(func(r *schedule.Rule) { r.Count, r.Except = ptr(29), dates("2026-12-16") })
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: rule})
	if made.DueAt == nil {
		t.Fatal("one more date is to come")
	}
	s.w.Clock.Advance(8 * week)
	s.sweep(t)
	if n := len(s.starts(t, made.ID)); n != 28 || s.last(t, made.ID) != "2026-12-23" {
		t.Errorf("%d dates up to %s", n, s.last(t, made.ID))
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from series where due_at is not null"); n != 0 {
		t.Error("an ended series is still due")
	}
}

// Eight workers sweep the same sixty due series of two businesses: every date is written once.
func TestMaterialiseRace(t *testing.T) {
	s := open(t)
	other := openIn(t, s.w)
	for _, x := range []*studio{s, other} {
		o := x.AddOffering(t)
		for range 30 {
			x.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) {
				r.Weekdays = []time.Weekday{time.Monday, time.Wednesday, time.Friday}
			})})
		}
	}
	s.w.Clock.Advance(5 * week)
	job := apptest.Dates(s.w.As(t, "foyer_job"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := job.Materialise(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s.sweep(t) // series skipped by a worker because another one had them
	if got := apptest.Values[int](t, s.w, "select distinct count(*)::int from occurrences group by series_id"); len(got) != 1 || got[0] != 79+15 {
		t.Errorf("dates per series: %v", got)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from series where due_at <= $1", s.w.Clock.Now()); n != 0 {
		t.Errorf("%d series are still due", n)
	}
}

// A series with an error is reported and skipped; the others continue.
func TestMaterialiseGoesOn(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	broken := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	sound := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	s.w.SQL(t, "update series set zone = 'Mars/Base', due_at = due_at - interval '1 day' where id = $1", broken.ID)
	s.w.Clock.Advance(week)
	if err := s.Materialise(t.Context()); err == nil {
		t.Error("the broken series was not told")
	}
	if s.last(t, sound.ID) != "2026-12-16" || s.last(t, broken.ID) != "2026-12-09" {
		t.Errorf("sound up to %s, broken up to %s", s.last(t, sound.ID), s.last(t, broken.ID))
	}
}

func TestMaterialiseRestsWhileArchived(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	s.w.SQL(t, "update offerings set state = 'archived'")
	s.w.Clock.Advance(3 * week)
	s.sweep(t)
	if got := s.last(t, made.ID); got != "2026-12-09" {
		t.Errorf("an archived offering got dates up to %s", got)
	}
	s.w.SQL(t, "update offerings set state = 'draft'")
	s.w.Clock.Advance(week)
	s.sweep(t)
	if got := s.last(t, made.ID); got != "2027-01-06" {
		t.Errorf("restored: up to %s", got)
	}
}

// A former member is not put on new dates.
func TestMaterialiseWithoutWhoLeft(t *testing.T) {
	s := open(t)
	o, mia := s.AddOffering(t), s.AddInstructor(t, "Mia").ID
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(), MemberID: &mia})
	s.w.SQL(t, "update members set deactivated_at = now() where id = $1", mia)
	s.w.Clock.Advance(2 * week)
	s.sweep(t)
	if n := apptest.Value[int](t, s.w, "select count(*) from occurrences where member_id is null"); n != 2 {
		t.Errorf("%d dates without an instructor, want the 2 new ones", n)
	}
}

// However many dates a series has, writing them takes the same number of round trips.
func TestWritingRoundTrips(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	for name, days := range map[string][]time.Weekday{"weekly": {time.Monday}, "daily": {0, 1, 2, 3, 4, 5, 6}} {
		got := s.w.Statements(func() {
			s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Weekdays = days })})
		})
		if got != 4 {
			t.Errorf("%s: %d round trips to create", name, got)
		}
	}
	s.w.Clock.Advance(4 * week)
	if got := s.w.Statements(func() { s.sweep(t) }); got != 1+2*4 {
		t.Errorf("%d round trips to sweep two series", got)
	}
	if got := s.w.Statements(func() { s.sweep(t) }); got != 1 {
		t.Errorf("%d round trips to find nothing", got)
	}
}

func TestRegister(t *testing.T) {
	s := open(t)
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: s.AddOffering(t).ID, Rule: wednesdays()})
	s.w.Clock.Advance(week)
	r := jobs.NewRegistry()
	s.Register(r)
	if err := r.Sweeps(t.Context()); err != nil || s.last(t, made.ID) != "2026-12-16" {
		t.Errorf("up to %s, %v", s.last(t, made.ID), err)
	}
}
