package bookings_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestLongText: a pasted text of 100 KB is refused at its field, with its text, on every page of a booking with text
// fields.
func TestLongText(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	long := strings.Repeat("x", 100_000)
	one := "/bookings/" + f.Alone.String()
	who := apptest.Value[string](t, s.World, "select customer_id::text from bookings where id = $1", f.Alone)
	book := "/bookings/new?customer=" + who + "&date=" + f.Dates[4].ID.String()
	for _, x := range []struct{ at, to, field string }{
		{book, "/bookings/new", "note"}, {book, "/bookings/new", "attendee"}, {book + "&override=1", "/bookings/new", "reason"},
		{one + "/cancel?by=studio", "/cancel", "reason"}, {one + "/cancel?feeMode=waive", "/cancel", "reason"}, {one + "/edit", "/edit", "note"},
		{"/bookings/cancel?booking=" + f.Alone.String() + "&by=studio", "/bookings/cancel", "reason"},
	} {
		page := c.Send(c.Get(x.at).Is(t, 200).Posts(x.to), x.field, long)
		if page.Status != 400 || page.Posts(x.to).Values.Get(x.field) != long {
			t.Errorf("%s, %s: %d, and what was typed is gone: %.600s", x.at, x.field, page.Status, page.Text())
		}
	}
	if n := apptest.Value[int](t, s.World, "select count(*) from bookings where state = 'studio_cancelled'"); n != 0 {
		t.Errorf("%d are cancelled", n)
	}
}

// TestBadInput: an invalid number, an unknown id, a repeated form, a role revoked meanwhile.
func TestBadInput(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	book := "/bookings/new?customer=" + apptest.Value[string](t, s.World, "select customer_id::text from bookings where id = $1", f.Alone) +
		"&date=" + f.Dates[4].ID.String()
	c.Get(book+"&party=many").Is(t, 200).Shows(t, "Enter a whole number, 1 or more.")
	c.Get("/bookings/"+uuid.NewString()).Is(t, 404).Shows(t, "Page not found")
	c.Get("/bookings/new?date="+uuid.NewString()).Is(t, 404)
	form := c.Get(book).Posts("/bookings/new")
	c.Send(form).Is(t, 200).Shows(t, "is booked for")
	c.Send(form).Is(t, 200).Shows(t, "is booked for")
	if n := apptest.Value[int](t, s.World, "select count(*) from bookings where occurrence_id = $1", f.Dates[4].ID); n != 1 {
		t.Errorf("%d bookings", n)
	}
	desk := s.As(t, policy.FrontDesk)
	form = desk.Get("/bookings/"+f.Alone.String()+"/cancel").Is(t, 200).Posts("/cancel")
	s.World.SQL(t, "update member_roles r set role = 'viewer' from members m where m.id = r.member_id and m.email = 'front_desk@team.example.com'")
	desk.Send(form).Is(t, 403).Shows(t, "Your role does not allow this")
	if got := apptest.Value[booking.State](t, s.World, "select state from bookings where id = $1", f.Alone); got != booking.Confirmed {
		t.Errorf("it is %s", got)
	}
}

// TestFiveClicks: from Today to a booking for a known customer, and for a new one: New, Booking, the date, the
// customer, the button.
func TestFiveClicks(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	for _, name := range []string{"Li Wei", "Nora Field"} {
		page := c.Get("")
		page = c.Get(page.Link("/bookings/new")).Is(t, 200) // New, Booking
		date := ""
		for _, href := range page.Links() {
			if strings.Contains(href, "date="+f.Dates[4].ID.String()) {
				date = href
			}
		}
		page = c.Get(date).Is(t, 200).Shows(t, "Customer")
		if name == "Li Wei" {
			page = c.Send(page.Form("/bookings/new"), "q", "Li W").Is(t, 200)
			to := ""
			for _, href := range page.Links() {
				if u, _ := url.Parse(href); u.Query().Has("customer") {
					to = href
				}
			}
			page = c.Get(to)
		} else {
			page = c.Send(page.Form("/bookings/new/customer"), "name", name)
		}
		page.Is(t, 200).Shows(t, name+" is booked", "Book "+name)
		c.Send(page.Posts("/bookings/new")).Is(t, 200).Shows(t, name+" is booked for")
	}
}

// TestBulkCancel: each of the selected ones shows its effects, before and after; one that cannot be cancelled stays.
func TestBulkCancel(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	gone := s.Seat(t, f.Dates[5].ID, "Gone Already", "")
	if _, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: gone, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}
	form := c.Get("/bookings").Form("/bookings/chosen")
	page := c.Send(form, "booking", f.Alone.String(), "booking", gone.String()).Is(t, 200).
		Shows(t, "2 bookings selected", "Cleo Marin", "Gone Already", "Not cancelled:", "Cancel 1 booking")
	c.Send(page.Posts("/bookings/cancel")).Is(t, 200).Shows(t, "Cancelled 1 booking.", "Gone Already:")
	c.Send(form).Is(t, 200).Shows(t, "No bookings selected.")
}
