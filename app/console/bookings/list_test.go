package bookings_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
)

// TestList: bookings filtered by day and state; selected ones are checked in at once.
func TestList(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	c.Get("/bookings").Is(t, 200).Shows(t, "Cleo Marin", "Li Wei", "Massage")
	c.Get("/bookings?state=checked_in").Is(t, 200).Silent(t, "Li Wei")
	c.Get("/bookings?from=2031-01-01").Is(t, 200).Silent(t, "Li Wei")
	for _, path := range []string{"", "/cancel", "/move", "/edit"} {
		c.Get("/bookings/"+f.Bookings[2].String()+path).Is(t, 200).Shows(t, "Li Wei")
		c.Sheet("/bookings/" + f.Bookings[2].String() + path)
	}
	c.Get("/bookings/fees").Is(t, 200)
}

// TestAttendance: one tap checks a customer in, and another undoes it.
func TestAttendance(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	id := f.Bookings[0].String()
	state := func() booking.State {
		return apptest.Value[booking.State](t, s.World, "select state from bookings where id = $1", id)
	}
	page := c.Send(c.Get("/bookings/"+id).Form("/"+id+"/check-in")).Is(t, 200)
	if state() != booking.CheckedIn {
		t.Fatalf("it is %s", state())
	}
	c.Send(page.Form("/"+id+"/undo-check-in")).Is(t, 200)
	if state() != booking.Confirmed {
		t.Errorf("it is %s", state())
	}
}

// TestCancel: the page shows the effects of cancelling, and the button has them.
func TestCancel(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	id := f.Alone.String()
	page := c.Get("/bookings/"+id+"/cancel").Is(t, 200)
	page = c.Send(page.Posts("/"+id+"/cancel")).Is(t, 200)
	if got := apptest.Value[booking.State](t, s.World, "select state from bookings where id = $1", id); got.Live() {
		t.Errorf("it is %s: %s", got, page.Text())
	}
}

// TestBookSomebody: a date, a customer, and the button with the effects.
func TestBookSomebody(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	page := c.Get("/bookings/new?date="+f.Dates[4].ID.String()).Is(t, 200).Shows(t, "Customer", "Li Wei")
	page = c.Send(page.Form("/bookings/new/customer"), "name", "Nora Field").Is(t, 200).Shows(t, "Nora Field", "is booked")
	c.Send(page.Posts("/bookings/new")).Is(t, 200).Shows(t, "Nora Field is booked")
	if n := apptest.Value[int](t, s.World, "select count(*) from bookings where occurrence_id = $1 and state = 'confirmed'", f.Dates[4].ID); n != 1 {
		t.Errorf("%d bookings", n)
	}
}
