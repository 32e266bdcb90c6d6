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

// weekly is a class on five days in a row of weeks, the third of which is full.
func weekly(t *testing.T, s *consoletest.Studio) (apptest.OfferingRow, []apptest.OccurrenceRow) {
	t.Helper()
	of := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug, o.Capacity, o.Online = "Slow Burn", "slow-burn", 1, 1 })
	first := s.Clock.Now().Truncate(time.Hour).Add(26 * time.Hour)
	var dates []apptest.OccurrenceRow
	for i := range 5 {
		dates = append(dates, s.AddOccurrence(t, of, first.AddDate(0, 0, 7*i)))
	}
	s.Seat(t, dates[2].ID, "Somebody else", "")
	return of, dates
}

func local(at time.Time) time.Time {
	zone, _ := time.LoadLocation("America/New_York")
	return at.In(zone)
}

// TestRecurringClass: from what to the days to each date with what becomes of it; one is left out by hand, and the button does what the
// page says. Then those that follow one are cancelled.
func TestRecurringClass(t *testing.T) {
	s := consoletest.Open(t)
	of, dates := weekly(t, s)
	c := s.As(t, consoletest.Owner)
	c.Get("/bookings/recurring").Is(t, 200).Shows(t, "What is booked again and again?", "Slow Burn")
	page := c.Get("/bookings/recurring?offering="+of.ID.String()).Is(t, 200).Shows(t, "Who comes?")
	page = c.Send(page.Form("/bookings/new/customer"), "name", "Nora Field", "email", "no address").Is(t, 400).Shows(t, "Write an e-mail address")
	page = c.Send(page.Form("/bookings/new/customer"), "email", "").Is(t, 200).Shows(t, "Slow Burn · Nora Field", "Show the dates").Silent(t, "Is booked")
	page = c.Send(page.Form("/bookings/recurring"), "from", local(dates[0].StartsAt).Format(time.DateOnly), "until", "").Is(t, 200).
		Shows(t, "Is booked", "Not booked: It is full.", "Nora Field gets a seat on 4 dates", "1 date cannot be booked and is left out", "Leave out")
	if n := apptest.Value[int](t, s.World, "select count(*) from bookings b join customers c on c.id = b.customer_id where c.name = 'Nora Field'"); n != 0 {
		t.Fatalf("%d are booked before anybody said so", n)
	}
	out := ""
	for _, href := range page.Links() {
		if strings.Contains(href, "without="+dates[4].ID.String()) {
			out = href
		}
	}
	page = c.Get(out).Is(t, 200).Shows(t, "Left out", "Put back", "Nora Field gets a seat on 3 dates")
	// What is too long is refused at its field and stays.
	long := strings.Repeat("n", 100_000)
	page = c.Send(page.Posts("/bookings/recurring"), "note", long).Is(t, 400).Shows(t, "Use at most 2000 characters.", "Nora Field gets a seat on 3 dates")
	again := page.Posts("/bookings/recurring")
	if again.Values.Get("note") != long {
		t.Error("what was typed is lost")
	}
	page = c.Send(again, "note", "by phone").Is(t, 200).Shows(t, "Nora Field is booked on 3 dates.", "Not on", "It is full.", "A recurring booking of Nora Field")
	c.Send(again, "note", "by phone").Is(t, 200).Shows(t, "Nora Field is booked on 3 dates.") // twice is once
	ids := apptest.Values[string](t, s.World, `select b.id::text from bookings b join customers c on c.id = b.customer_id
		where c.name = 'Nora Field' order by b.starts_at`)
	if len(ids) != 3 {
		t.Fatalf("%d bookings", len(ids))
	}
	if n := strings.Count(page.Text(), "Nora Field Wed") + strings.Count(page.Text(), "Slow Burn"); n < 3 {
		t.Errorf("not each is a row: %s", page.Text())
	}

	c.Get("/bookings/"+ids[1]).Is(t, 200).Shows(t, "One of a recurring booking", "It can be moved until")
	page = c.Get("/bookings/"+ids[1]+"/cancel?by=studio&scope=following").Is(t, 200).Shows(t, "This and those after it", "Cancel 2 bookings")
	c.Send(page.Posts("/cancel"), "reason", "We moved house").Is(t, 200).Shows(t, "Cancelled 2 bookings.")
	if got := apptest.Values[string](t, s.World, "select state from bookings where group_id is not null order by starts_at"); fmt.Sprint(got) !=
		fmt.Sprint([]booking.State{booking.Confirmed, booking.StudioCancelled, booking.StudioCancelled}) {
		t.Errorf("they are %v", got)
	}
}

// TestRecurringTimes: an appointment at one time of the day, six times; where the person is away nothing is booked, and the page says so
// before. A rule that cannot be is wrong at its field.
func TestRecurringTimes(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	day := local(s.Clock.Now()).AddDate(0, 0, 7)
	s.AddTimeOff(t, f.Member.ID, day.AddDate(0, 0, 13), day.AddDate(0, 0, 15))
	who := apptest.Value[string](t, s.World, "select customer_id::text from bookings where id = $1", f.Bookings[2])
	at := "/bookings/recurring?offering=" + f.Massage.ID.String() + "&customer=" + who
	page := c.Get(at).Is(t, 200).Shows(t, "Li Wei", "How many times")
	form := page.Form("/bookings/recurring")
	wrong := c.Send(form, "from", day.Format(time.DateOnly), "time", "15:00", "count", "0").Is(t, 400).Shows(t, "Write a whole number, 1 or more.")
	if got := wrong.Form("/bookings/recurring").Values.Get("time"); got != "15:00" {
		t.Errorf("the time is %q", got)
	}
	c.Send(form, "from", day.Format(time.DateOnly), "time", "15:00").Is(t, 400).Shows(t, "Give a last date or a number of times.")
	page = c.Send(form, "from", day.Format(time.DateOnly), "time", "15:00", "count", "3").Is(t, 200).
		Shows(t, "Li Wei gets a seat on 2 dates", "Not booked:", "1 date cannot be booked and is left out")
	page = c.Send(page.Posts("/bookings/recurring")).Is(t, 200).Shows(t, "Li Wei is booked on 2 dates.")
	if n := apptest.Value[int](t, s.World, "select count(*) from bookings where group_id is not null and offering_id = $1", f.Massage.ID); n != 2 {
		t.Errorf("%d bookings: %s", n, page.Text())
	}
	s.As(t, policy.Viewer).Get(at).Is(t, 403)
}

// TestWeeklyFromOne: whoever is about to book one date can book it every week, with what is chosen already.
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
	c.Get(href).Is(t, 200).Shows(t, "Nora Field gets a seat on 4 dates", "Not booked: It is full.")
}
