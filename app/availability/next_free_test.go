package availability_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/schedule"
)

// TestNextFree is the first time at which each appointment and rental can be booked, in one trip for all of them;
// those without one in two weeks are left out, and so is a class.
func TestNextFree(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	ana, jo := s.AddMember(t, "Ana"), s.AddMember(t, "Jo")
	early := s.AddAppointment(t, []uuid.UUID{ana.ID})
	late := s.AddAppointment(t, []uuid.UUID{jo.ID})
	never := s.AddAppointment(t, []uuid.UUID{s.AddInstructor(t, "Nobody").ID})
	yoga := s.AddOffering(t)
	s.AddTimeOff(t, jo.ID, apptest.Start, apptest.Start.AddDate(0, 0, 2))
	service := apptest.Times(w.DB)
	var got map[uuid.UUID]time.Time
	n := w.Statements(func() {
		var err error
		if got, err = service.NextFree(t.Context(), s.Business.ID, []uuid.UUID{early.ID, late.ID, never.ID, yoga.ID}); err != nil {
			t.Fatal(err)
		}
	})
	if n != 1 || len(got) != 2 {
		t.Errorf("%d trips, %v", n, got)
	}
	for id, in := range map[uuid.UUID]schedule.TimesInput{early.ID: {OfferingID: early.ID}, late.ID: {OfferingID: late.ID}} {
		times, err := service.Times(t.Context(), s.Business.ID, in)
		if err != nil || len(times.Days) == 0 || !times.Days[0].Occurrences[0].StartsAt.Equal(got[id]) {
			t.Errorf("the page of times begins with something else than %v (%v)", got[id], err)
		}
	}
	if none, err := service.NextFree(t.Context(), s.Business.ID, nil); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}
