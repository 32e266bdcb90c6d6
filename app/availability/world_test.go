package availability_test

import (
	"testing"
	_ "time/tzdata"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/schedule"
)

// studio is a studio with its availability, which knows who is booked, and with the dates of its classes.
type studio struct {
	apptest.Studio
	w *apptest.World
	*availability.Service
	schedule *schedule.Service
}

func open(t *testing.T, plans ...func(*apptest.StudioPlan)) *studio {
	t.Helper()
	return openIn(t, apptest.Open(t), plans...)
}

func openIn(t *testing.T, w *apptest.World, plans ...func(*apptest.StudioPlan)) *studio {
	t.Helper()
	return &studio{
		Studio: w.Studio(t, plans...), w: w, Service: apptest.Times(w.DB), schedule: apptest.Dates(w.DB),
	}
}

// times are the times of an offering as the public sees them.
func (s *studio) times(t *testing.T, in schedule.TimesInput) schedule.Times {
	t.Helper()
	got, err := s.Times(t.Context(), s.Business.ID, in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func holds(n int) func(*business.SpaceInput) {
	return func(in *business.SpaceInput) { in.Capacity = n }
}
