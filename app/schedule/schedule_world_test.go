package schedule_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/schedule"
)

// Studio is a studio with its schedule.
type Studio struct {
	apptest.Studio
	W *apptest.World
	*schedule.Service
}

func Open(t *testing.T, plans ...func(*apptest.StudioPlan)) *Studio {
	t.Helper()
	return OpenIn(t, apptest.Open(t), plans...)
}

func OpenIn(t *testing.T, w *apptest.World, plans ...func(*apptest.StudioPlan)) *Studio {
	t.Helper()
	return &Studio{Studio: w.Studio(t, plans...), W: w, Service: schedule.New(schedule.Options{DB: w.DB})}
}

func in(zone string) func(*apptest.StudioPlan) { return func(p *apptest.StudioPlan) { p.Zone = zone } }

func Holds(n int) func(*business.SpaceInput) {
	return func(in *business.SpaceInput) { in.Capacity = n }
}

// wednesdays is a rule of the tests' first day: Wednesdays at 18:00, from Wednesday 10 June 2026, the offering's length.
func wednesdays(but ...func(*schedule.Rule)) schedule.Rule {
	r := schedule.Rule{Weekdays: []time.Weekday{time.Wednesday}, Start: Date("2026-06-10"), At: Loc("18:00")}
	for _, f := range but {
		f(&r)
	}
	return r
}

func (s *Studio) series(t *testing.T, in schedule.CreateSeriesInput) schedule.Series {
	t.Helper()
	made, err := s.CreateSeries(t.Context(), s.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	return made.Series
}

// starts lists when a series takes place, by the database.
func (s *Studio) starts(t *testing.T, series uuid.UUID) []time.Time {
	t.Helper()
	return apptest.Values[time.Time](t, s.W, "select starts_at from occurrences where series_id = $1 and state = 'scheduled' order by starts_at", series)
}
