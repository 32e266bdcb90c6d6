package schedule_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/schedule"
)

// studio is a studio with its schedule.
type studio struct {
	apptest.Studio
	w *apptest.World
	*schedule.Service
	availability *availability.Service
}

func open(t *testing.T, plans ...func(*apptest.StudioPlan)) *studio {
	t.Helper()
	return openIn(t, apptest.Open(t), plans...)
}

func openIn(t *testing.T, w *apptest.World, plans ...func(*apptest.StudioPlan)) *studio {
	t.Helper()
	return &studio{Studio: w.Studio(t, plans...), w: w, Service: apptest.Dates(w.DB), availability: apptest.Times(w.DB)}
}

func in(zone string) func(*apptest.StudioPlan) { return func(p *apptest.StudioPlan) { p.Zone = zone } }

func holds(n int) func(*business.SpaceInput) {
	return func(in *business.SpaceInput) { in.Capacity = n }
}

// wednesdays is a rule of the tests' first day: Wednesdays at 18:00, from Wednesday 10 June 2026, the offering's
// length.
func wednesdays(but ...func(*schedule.Rule)) schedule.Rule {
	r := schedule.Rule{Weekdays: []time.Weekday{time.Wednesday}, Start: apptest.Day("2026-06-10"), At: apptest.WallClock("18:00")}
	for _, f := range but {
		f(&r)
	}
	return r
}

func (s *studio) series(t *testing.T, in schedule.CreateSeriesInput) schedule.Series {
	t.Helper()
	made, err := s.CreateSeries(t.Context(), s.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	return made.Series
}

// starts lists when a series takes place, by the database.
func (s *studio) starts(t *testing.T, series uuid.UUID) []time.Time {
	t.Helper()
	return apptest.Values[time.Time](t, s.w, "select starts_at from occurrences where series_id = $1 and state = 'scheduled' order by starts_at", series)
}
