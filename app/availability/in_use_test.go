package availability_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// The functions that other packages call before they publish or archive, for written dates.
func TestAsking(t *testing.T) {
	s := open(t)
	ask := func(fn func(context.Context, *pg.Tx, uuid.UUID) (bool, error), id uuid.UUID) bool {
		t.Helper()
		yes, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (bool, error) { return fn(t.Context(), tx, id) })
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	wednesdays := func(offering uuid.UUID, start string, space *uuid.UUID) {
		t.Helper()
		_, err := s.schedule.CreateSeries(t.Context(), s.System(), schedule.CreateSeriesInput{OfferingID: offering, SpaceID: space, Rule: schedule.Rule{
			Weekdays: []time.Weekday{time.Wednesday}, Start: apptest.Day(start), At: apptest.WallClock("18:00"),
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	hall := s.AddSpace(t, "Hall").ID
	never, past, dropped, ahead, later := s.AddOffering(t), s.AddOffering(t), s.AddOffering(t), s.AddOffering(t), s.AddOffering(t)
	s.AddOccurrence(t, past, apptest.Instant("2026-06-10T12:00:00Z"))
	s.AddOccurrence(t, dropped, apptest.Instant("2026-06-11T12:00:00Z"), func(o *apptest.OccurrenceRow) { o.State = "cancelled" })
	s.AddOccurrence(t, ahead, apptest.Instant("2026-06-11T12:00:00Z"))
	wednesdays(later.ID, "2027-06-10", nil)
	for o, want := range map[uuid.UUID]bool{never.ID: false, past.ID: false, dropped.ID: false, ahead.ID: true, later.ID: true} {
		if ask(availability.HasTimesTx, o) != want {
			t.Errorf("has times: %v, want %v", !want, want)
		}
	}
	if ask(availability.SpaceInUseTx, hall) {
		t.Error("an empty space is in use")
	}
	wednesdays(never.ID, "2026-06-10", &hall)
	if !ask(availability.SpaceInUseTx, hall) {
		t.Error("a space with dates is not in use")
	}
}

// HasTimesTx: whether a customer could ever choose a time.
func TestHasTimes(t *testing.T) {
	s := open(t)
	kim, room := s.AddInstructor(t, "Kim").ID, s.AddSpace(t, "Room")
	massage := s.AddAppointment(t, []uuid.UUID{kim})
	sauna := s.AddRental(t, []uuid.UUID{room.ID})
	guided := s.AddRental(t, []uuid.UUID{room.ID}, func(r *apptest.ServiceRow) { r.NeedsMember, r.Members = true, []uuid.UUID{kim} })
	empty := s.AddRental(t, nil)
	want := func(why string, m, sa, g bool) {
		t.Helper()
		got, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) ([]bool, error) {
			var out []bool
			for _, id := range []uuid.UUID{massage.ID, sauna.ID, guided.ID, empty.ID} {
				ok, err := availability.HasTimesTx(t.Context(), tx, id)
				if err != nil {
					return nil, err
				}
				out = append(out, ok)
			}
			return out, nil
		})
		if err != nil || !slices.Equal(got, []bool{m, sa, g, false}) {
			t.Errorf("%s: %v, %v", why, got, err)
		}
	}
	want("nothing is open", false, false, false)
	s.AddHours(t)
	want("the location is open", false, true, false)
	s.AddMemberHours(t, kim, s.AddLocation(t, "Uptown").ID)
	want("somebody has hours elsewhere", false, true, false)
	s.AddMemberHours(t, kim, s.Location.ID)
	want("somebody has hours", true, true, true)
	s.w.SQL(t, "update members set bookable = false")
	want("nobody can be booked", false, true, false)
	s.w.SQL(t, "update members set bookable = true")
	s.w.SQL(t, "update spaces set archived_at = now()")
	want("the room is gone", true, false, false)
}

func TestSpaceInUse(t *testing.T) {
	s := open(t)
	room := s.AddSpace(t, "Room")
	r := s.AddRental(t, []uuid.UUID{room.ID})
	used := func() bool {
		t.Helper()
		used, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (bool, error) {
			return availability.SpaceInUseTx(t.Context(), tx, room.ID)
		})
		if err != nil {
			t.Fatal(err)
		}
		return used
	}
	if !used() {
		t.Error("a published rental can be booked there")
	}
	s.w.SQL(t, "update offerings set state = $2 where id = $1", r.ID, string(catalog.Draft))
	if used() {
		t.Error("nothing that is published is there")
	}
}
