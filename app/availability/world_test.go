package availability_test

import (
	"testing"
	_ "time/tzdata"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// studio is a studio with its availability, with bookings, and with the dates of its classes.
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

// setCaps limits the appointments of a member; 0 is no limit.
func (s *studio) setCaps(t *testing.T, member uuid.UUID, daily, weekly int) {
	t.Helper()
	s.w.SQL(t, `update members set daily_cap = nullif($2, 0), weekly_cap = nullif($3, 0) where id = $1`, member, daily, weekly)
}

// setLocationCap limits how many appointments and rentals the studio's location takes a day; 0 is no limit.
func (s *studio) setLocationCap(t *testing.T, daily int) {
	t.Helper()
	s.w.SQL(t, `update locations set daily_cap = nullif($2, 0) where id = $1`, s.Location.ID, daily)
}

// addClosure closes the studio's location on a day written 2026-12-24; with hours, a JSON list, these are special
// hours.
func (s *studio) addClosure(t *testing.T, day, hours string) {
	t.Helper()
	s.w.SQL(t, `insert into closures (id, business_id, location_id, name, starts_on, ends_on, hours, created_at)
		values ($1, $2, $3, 'Closure', $4::text::date, $4::text::date, $5, $6)`,
		pg.NewID(), s.Business.ID, s.Location.ID, day, hours, s.w.Clock.Now())
}
