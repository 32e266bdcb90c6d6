package bookings_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
)

// TestMovedBookingGoesBack: for a day, the page of a rescheduled booking links to its former time, with a quote of
// the effects; a class returns to its date, an appointment to its time.
func TestMovedBookingGoesBack(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	start := func(id uuid.UUID) time.Time {
		return apptest.Value[time.Time](t, s.World, "select starts_at from bookings where id = $1", id)
	}
	onClass := s.Seat(t, f.Dates[3].ID, "Noor", "")
	hour := start(f.Alone).Add(2 * time.Hour).UTC().Format(time.RFC3339)
	for id, to := range map[uuid.UUID]string{onClass: "?occurrence=" + f.Dates[4].ID.String(), f.Alone: "?start=" + hour} {
		at, was := "/bookings/"+id.String(), start(id)
		c.Get(at).Silent(t, "Reschedule back")
		page := c.Get(at+"/move"+to).Is(t, 200)
		page = c.Send(page.Posts("/move")).Is(t, 200).Shows(t, "Reschedule back to")
		if start(id).Equal(was) {
			t.Fatalf("%s has not moved: %s", to, page.Text())
		}
		plan := c.Get(page.Link("/move")).Shows(t, "No charge or refund")
		c.Send(plan.Posts("/move")).Is(t, 200)
		if got := start(id); !got.Equal(was) {
			t.Errorf("%s is at %v, want %v", to, got, was)
		}
	}
	// Two dates of the class begin at the same time: the former one is ambiguous.
	there := c.Get("/bookings/" + onClass.String() + "/move?occurrence=" + f.Dates[4].ID.String())
	c.Send(there.Posts("/move")).Shows(t, "Reschedule back to")
	s.AddOccurrence(t, f.Class, f.Dates[3].StartsAt)
	c.Get("/bookings/"+onClass.String()).Is(t, 200).Silent(t, "Reschedule back")

	s.StopWorker(t)
	s.Clock.Advance(24*time.Hour + time.Minute)
	s.As(t, consoletest.Owner).Get("/bookings/"+f.Alone.String()).Silent(t, "Reschedule back")
}
