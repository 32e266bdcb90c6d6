package hosted_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
)

// TestMyBookings lists upcoming and past bookings, in all studios, each on its own wall clock and with its receipt.
func TestMyBookings(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	receipt := v.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	v.choose(yoga, 1).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")

	other := s.World.Studio(t, func(p *apptest.StudioPlan) {
		p.Name, p.Zone, p.Currency = "Ribeira Pilates", "Europe/Lisbon", "EUR"
		p.Location.Name = "Ribeira Pilates"
	})
	free := other.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Slug = "Mat Work", "mat-work"; *o.Price = 0 })
	at := other.AddOccurrence(t, free, time.Date(2026, 6, 12, 17, 0, 0, 0, time.UTC))
	v.get("/"+other.Location.Slug+"/mat-work?time="+at.ID.String()).form("/mat-work").post().follow().form("/pay").post().follow().want(200, "You’re booked")

	my := v.get("/my").want(200, "Upcoming", "Thu 11 Jun 9:00", "Harbour Yoga", "Fri 12 Jun 18:00", "Ribeira Pilates", "Mat Work").lacks("Past")
	if got := my.link("Receipt"); got != receipt.url.Path {
		t.Errorf("the receipt of the first is %s, want %s", got, receipt.url.Path)
	}
	s.Clock.Set(time.Date(2026, 6, 12, 12, 0, 0, 0, time.UTC))
	past := v.get("/my").want(200, "Past", "Sunrise Vinyasa")
	upcoming, over, _ := strings.Cut(past.text(), "Past")
	if !strings.Contains(over, "Thu 11 Jun") || strings.Contains(upcoming, "Thu 11 Jun") || !strings.Contains(upcoming, "Fri 12 Jun 9:00") {
		t.Errorf("upcoming %q, past %q", upcoming, over)
	}
	s.signedIn(t, "ben@example.com", "Ben Other").get("/my").want(200, "No upcoming bookings").lacks("Sunrise Vinyasa")
}

// TestMyBookingsFromAStudio keeps that studio around the page, and the way back to it.
func TestMyBookingsFromAStudio(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	link := v.get("/" + s.Location.Slug).want(200).link("My bookings")
	door := v.open(link).want(200, "Your e-mail", "Harbour Yoga")
	code := door.form("/my/sign-in").post("email", "ana@example.com").follow().want(200, "Harbour Yoga")
	my := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).follow().want(200, "My bookings", "No upcoming bookings", "See what’s on")
	if got := my.link("See what’s on"); got != "/harbour" {
		t.Errorf("it leads to %s", got)
	}
	v.get("/my?at=no-such-studio").want(200, "My bookings").lacks("Harbour Yoga")
	v.get("/my?at=<script>").want(200, "My bookings")
}

// TestMyPastPages pages back through past bookings.
func TestMyPastPages(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1, priced(0))
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().form("/pay").post().follow().want(200, "You’re booked")
	for i := range 70 {
		s.SQL(t, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, attendee,
				starts_at, ends_at, price_amount, currency, version, created_at, updated_at)
			select gen_random_uuid(), business_id, location_id, offering_id, occurrence_id, customer_id, state, online, $1,
				starts_at - $2 * interval '1 day', ends_at - $2 * interval '1 day', price_amount, currency, version, created_at, updated_at
			from bookings where attendee = ''`, fmt.Sprint("guest ", i), i+2)
	}
	rows := func(p *page) int { return strings.Count(p.Body, `class="booked"`) }
	first := v.get("/my").want(200, "Past", "Older bookings")
	older := v.get(first.link("Older bookings")).want(200, "Past").lacks("Older bookings")
	if a, b := rows(first), rows(older); a != 51 || b != 20 {
		t.Errorf("%d and %d rows", a, b)
	}
	v.get("/my?before=nonsense").want(200, "Upcoming", "Thu 11 Jun")
}

// TestMyBookingsTakeFewTrips, however many there are: one for the person, three for their lists, two for each studio:
// the bookings there, and the cost of cancelling upcoming ones.
func TestMyBookingsTakeFewTrips(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1, priced(0))
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().form("/pay").post().follow().want(200, "You’re booked")
	few := v.trips("/my")
	for i := range 20 {
		s.SQL(t, `insert into bookings (id, business_id, location_id, offering_id, occurrence_id, customer_id, state, online, attendee,
				starts_at, ends_at, price_amount, currency, version, created_at, updated_at)
			select gen_random_uuid(), business_id, location_id, offering_id, occurrence_id, customer_id, state, online, $1,
				starts_at, ends_at, price_amount, currency, version, created_at, updated_at from bookings where attendee = ''`, fmt.Sprint("guest ", i))
	}
	if many := v.trips("/my"); many != few || many > 6 {
		t.Errorf("%d trips for one booking, %d for many", few, many)
	}
}

// TestCalendarFile has one event for each seat, in UTC, with an id that stays.
func TestCalendarFile(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Vinyasa, slow; easy", 2, func(o *apptest.OfferingRow) { o.Slug = "vinyasa" })
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 1).wantTo("/cart/")
	receipt := v.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, "Add to calendar")
	file := v.get(receipt.link("Add to calendar")).want(200)
	if got := file.Header.Get("Content-Type"); got != "text/calendar; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	for _, want := range []string{"BEGIN:VCALENDAR\r\n", "METHOD:PUBLISH\r\n", "DTSTART;TZID=America/New_York:20260611T090000\r\n", "DTEND;TZID=America/New_York:20260611T100000\r\n",
		"DTSTART;TZID=America/New_York:20260612T090000\r\n", `SUMMARY:Vinyasa\, slow\; easy` + "\r\n", `LOCATION:Harbour Yoga\, 12 Quay Street\, Portland` + "\r\n", "END:VCALENDAR\r\n"} {
		if !strings.Contains(file.Body, want) {
			t.Errorf("the file lacks %q:\n%s", want, file.Body)
		}
	}
	if n := strings.Count(file.Body, "BEGIN:VEVENT"); n != 2 {
		t.Errorf("%d events", n)
	}
	for line := range strings.SplitSeq(file.Body, "\r\n") {
		if len(line) > 75 {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	if again := v.get(receipt.link("Add to calendar")); again.Body != file.Body {
		t.Error("the second file differs from the first")
	}
}
