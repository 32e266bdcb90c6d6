package bookings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// weekly returns a class with a date in each of five weeks, the third of which is full.
func weekly(t *testing.T, s *consoletest.Studio) (apptest.OfferingRow, []apptest.OccurrenceRow) {
	t.Helper()
	of := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug, o.Capacity, o.Online = "Slow Burn", "slow-burn", 1, 1 })
	first := s.Clock.Now().Truncate(time.Hour).Add(26 * time.Hour)
	var dates []apptest.OccurrenceRow
	for i := range 5 {
		dates = append(dates, s.AddOccurrence(t, of, first.AddDate(0, 0, 7*i)))
	}
	s.Seat(t, dates[2].ID, "Another person", "")
	return of, dates
}

func local(at time.Time) time.Time {
	zone, _ := time.LoadLocation("America/New_York")
	return at.In(zone)
}

// TestRecurringClass: from the offering to the days to each date with its result; one is excluded by hand, and the
// button does exactly that. Then the bookings after one are cancelled.
func TestRecurringClass(t *testing.T) {
	s := consoletest.Open(t)
	of, dates := weekly(t, s)
	c := s.As(t, consoletest.Owner)
	c.Get("/bookings/recurring").Is(t, 200).Shows(t, "Choose an offering to book repeatedly.", "Slow Burn")
	page := c.Get("/bookings/recurring?offering="+of.ID.String()).Is(t, 200).Shows(t, "Customer")
	page = c.Send(page.Form("/bookings/new/customer"), "name", "Nora Field", "email", "no address").Is(t, 400).Shows(t, "Enter an e-mail address, like name@example.com")
	page = c.Send(page.Form("/bookings/new/customer"), "email", "").Is(t, 200).Shows(t, "Slow Burn · Nora Field", "Show dates").Silent(t, "Booked")
	page = c.Send(page.Form("/bookings/recurring"), "from", local(dates[0].StartsAt).Format(time.DateOnly), "until", "").Is(t, 200).
		Shows(t, "Booked", "Not booked: It is full.", "Nora Field is booked on 4 dates", "1 date cannot be booked and is skipped", "Skip")
	if n := apptest.Value[int](t, s.World, "select count(*) from bookings b join customers c on c.id = b.customer_id where c.name = 'Nora Field'"); n != 0 {
		t.Fatalf("%d are booked before anybody said so", n)
	}
	out := ""
	for _, href := range page.Links() {
		if strings.Contains(href, "without="+dates[4].ID.String()) {
			out = href
		}
	}
	page = c.Get(out).Is(t, 200).Shows(t, "Skipped", "Include", "Nora Field is booked on 3 dates")
	// A text that is too long is refused at its field and stays.
	long := strings.Repeat("n", 100_000)
	page = c.Send(page.Posts("/bookings/recurring"), "note", long).Is(t, 400).Shows(t, "Use at most 2000 characters.", "Nora Field is booked on 3 dates")
	again := page.Posts("/bookings/recurring")
	if again.Values.Get("note") != long {
		t.Error("what was typed is lost")
	}
	page = c.Send(again, "note", "by phone").Is(t, 200).Shows(t, "Nora Field is booked on 3 dates.", "Not booked on", "It is full.", "Recurring booking of Nora Field")
	c.Send(again, "note", "by phone").Is(t, 200).Shows(t, "Nora Field is booked on 3 dates.") // repeated
	ids := apptest.Values[string](t, s.World, `select b.id::text from bookings b join customers c on c.id = b.customer_id
		where c.name = 'Nora Field' order by b.starts_at`)
	if len(ids) != 3 {
		t.Fatalf("%d bookings", len(ids))
	}
	if n := strings.Count(page.Text(), "Nora Field Wed") + strings.Count(page.Text(), "Slow Burn"); n < 3 {
		t.Errorf("not each is a row: %s", page.Text())
	}

	c.Get("/bookings/"+ids[1]).Is(t, 200).Shows(t, "Part of a recurring booking", "The customer can reschedule until")
	page = c.Get("/bookings/"+ids[1]+"/cancel?by=studio&scope=following").Is(t, 200).Shows(t, "This and following bookings", "Cancel 2 bookings")
	c.Send(page.Posts("/cancel"), "reason", "We moved house").Is(t, 200).Shows(t, "Cancelled 2 bookings.")
	if got := apptest.Values[string](t, s.World, "select state from bookings where group_id is not null order by starts_at"); fmt.Sprint(got) !=
		fmt.Sprint([]booking.State{booking.Confirmed, booking.StudioCancelled, booking.StudioCancelled}) {
		t.Errorf("they are %v", got)
	}
}

// TestRecurringTimes: an appointment at one time of the day, six times; nothing is booked where the instructor is
// away, as the quote shows. An invalid rule is an error at its field.
func TestRecurringTimes(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	day := local(s.Clock.Now()).AddDate(0, 0, 7)
	s.AddTimeOff(t, f.Member.ID, day.AddDate(0, 0, 13), day.AddDate(0, 0, 15))
	who := apptest.Value[string](t, s.World, "select customer_id::text from bookings where id = $1", f.Bookings[2])
	at := "/bookings/recurring?offering=" + f.Massage.ID.String() + "&customer=" + who
	page := c.Get(at).Is(t, 200).Shows(t, "Li Wei", "Number of dates")
	form := page.Form("/bookings/recurring")
	wrong := c.Send(form, "from", day.Format(time.DateOnly), "time", "15:00", "count", "0").Is(t, 400).Shows(t, "Enter a whole number, 1 or more.")
	if got := wrong.Form("/bookings/recurring").Values.Get("time"); got != "15:00" {
		t.Errorf("the time is %q", got)
	}
	c.Send(form, "from", day.Format(time.DateOnly), "time", "15:00").Is(t, 400).Shows(t, "Set a last date or a number of times.")
	page = c.Send(form, "from", day.Format(time.DateOnly), "time", "15:00", "count", "3").Is(t, 200).
		Shows(t, "Li Wei is booked on 2 dates", "Not booked:", "1 date cannot be booked and is skipped")
	page = c.Send(page.Posts("/bookings/recurring")).Is(t, 200).Shows(t, "Li Wei is booked on 2 dates.")
	if n := apptest.Value[int](t, s.World, "select count(*) from bookings where group_id is not null and offering_id = $1", f.Massage.ID); n != 2 {
		t.Errorf("%d bookings: %s", n, page.Text())
	}
	s.As(t, policy.Viewer).Get(at).Is(t, 403)
}

// TestWeeklyFromOne: the page of one booking links to the page of recurring ones, with the choices made.
func TestWeeklyFromOne(t *testing.T) {
	s := consoletest.Open(t)
	of, dates := weekly(t, s)
	c := s.As(t, consoletest.Owner)
	page := c.Get("/bookings/new?date=" + dates[0].ID.String())
	page = c.Send(page.Form("/bookings/new/customer"), "name", "Nora Field").Is(t, 200)
	href := page.Link("/bookings/recurring")
	if !strings.Contains(href, of.ID.String()) {
		t.Fatalf("it leads to %q", href)
	}
	c.Get(href).Is(t, 200).Shows(t, "Nora Field is booked on 4 dates", "Not booked: It is full.")
}
