package hosted_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/business"
)

// TestScheduleByDay is one location's fourteen days: available dates, full dates, hidden dates.
func TestScheduleByDay(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 6, 4 })
	s.class(t, "Hidden", 3, func(o *apptest.OfferingRow) { o.State = "draft" })
	instructor, room := s.AddInstructor(t, "Ana Ruiz"), s.AddSpace(t, "Studio A")
	s.SQL(t, "update occurrences set member_id = $2, space_id = $3 where id = $1", yoga.Dates[0].ID, instructor.ID, room.ID)
	s.fillUp(t, yoga.Dates[1])
	s.SQL(t, "update occurrences set state = 'cancelled' where id = $1", yoga.Dates[2].ID)
	later := s.AddOccurrence(t, yoga.OfferingRow, apptest.Start.AddDate(0, 0, 20))
	v := s.visit(t)

	p := v.get("/"+s.Location.Slug).want(200, "Schedule: next 14 days", "Tomorrow Jun 11", "Ana Ruiz", "Studio A", "4 spots left",
		"Friday Jun 12", "Waitlist Sunrise Vinyasa", "12 Quay Street, Portland", "Times are in New York time", "My bookings", "Later classes")
	p.lacks("Hidden", "Saturday Jun 13", "Jun 30", "spots left Full")
	for _, want := range []string{`href="#d2026-06-11"`, `href="/harbour?day=2026-06-14"`, `aria-current="date"`} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("the strip lacks %s", want)
		}
	}
	next := v.get(p.link("Later classes")).want(200, "Tuesday Jun 30", "Sunrise Vinyasa").lacks("Jun 11 9:00 am")
	if !strings.Contains(next.Body, later.ID.String()) {
		t.Error("the later date is not there")
	}
	v.get("/"+s.Location.Slug+"?day=2026-06-13").want(200, "No classes in these two weeks. The next classes are on Tuesday, June 30").lacks("Jun 12 9:00")
	v.get("/"+s.Location.Slug+"?day=nonsense").want(200, "Tomorrow")
	v.get("/"+s.Location.Slug+"?day=2020-01-01").want(200, "Tomorrow")
	v.get("/"+s.Location.Slug+"?day=2027-01-01").want(200, "Nothing can be booked in the next two weeks")
}

// TestScheduleTakesFewTrips: the number of rows makes no difference, and a visitor waits for two trips, one after the
// other: the address, and then everything at once.
func TestScheduleTakesFewTrips(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	s.class(t, "Sunrise Vinyasa", 1)
	few := v.trips("/" + s.Location.Slug)
	for _, name := range []string{"Reformer Basics", "Lunch Flow", "Slow Burn"} {
		s.class(t, name, 10)
	}
	if many := v.trips("/" + s.Location.Slug); many != few || many > 6 {
		t.Errorf("%d trips for one date, %d for thirty", few, many)
	}
}

// TestPagesAreSmall over the wire: 14 KB, the size of a first trip, for a full fortnight.
func TestPagesAreSmall(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, name := range []string{"Sunrise Vinyasa", "Reformer Basics", "Lunch Flow", "Slow Burn", "Evening Stretch"} {
		s.class(t, name, 13)
	}
	v := s.visit(t)
	for _, coding := range []string{"gzip", "br"} {
		v.headers.Set("Accept-Encoding", coding)
		for _, path := range []string{"/" + s.Location.Slug, "/" + s.Location.Slug + "/slow-burn"} {
			p := v.get(path)
			if got := p.Header.Get("Content-Encoding"); p.Status != 200 || got != coding || len(p.Body) > 14<<10 {
				t.Errorf("%s as %s: %d, %q, %d bytes", path, coding, p.Status, got, len(p.Body))
			}
		}
	}
}

// TestPausedStudio shows the dates, with Details in place of Book.
func TestPausedStudio(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	date := s.visit(t).get(s.path(yoga, &yoga.Dates[0]))
	s.Pause(t)
	v := s.visit(t)
	v.get("/"+s.Location.Slug).want(200, "is not taking online bookings at the moment", "Details").lacks("Book Sunrise")
	v.get(s.path(yoga, &yoga.Dates[0])).want(200, "The studio is not taking bookings right now").lacks("Book this time")
	date.form("/sunrise-vinyasa").post().want(400, "This cannot be booked", "The studio is not taking bookings right now")
}

// TestAddresses is the target of root paths: current ones, former ones, other spellings, a business's own, and
// unknown ones.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	v.get("/"+s.Business.Slug).want(200, "Sunrise Vinyasa")
	v.get("/"+s.Business.Slug+"/sunrise-vinyasa").want(200, "Next times")

	slug := "quayside"
	_, err := s.Businesses(t).UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: s.Location.ID, Version: s.Location.Version, Slug: &slug})
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"/harbour":                              "/quayside",
		"/harbour?day=2026-06-11&ref=x":         "/quayside?day=2026-06-11&ref=x",
		"/Harbour/sunrise-vinyasa?after=2026":   "/quayside/sunrise-vinyasa?after=2026",
		"/QUAYSIDE":                             "/quayside",
		"/harbour/sunrise-vinyasa?time=nowhere": "/quayside/sunrise-vinyasa?time=nowhere",
	} {
		if p := v.get(from); p.Status != http.StatusMovedPermanently || p.Header.Get("Location") != to {
			t.Errorf("%s: %d to %s", from, p.Status, p.Header.Get("Location"))
		}
	}
	v.get("/quayside/look.css").want(200)
	v.get("/harbour/look.css").want(200)

	s.AddLocation(t, "Hill")
	places := v.get("/"+s.Business.Slug).want(200, "Choose a location", "Harbour", "12 Quay Street, Portland", "Hill")
	v.get(places.link("See times")).want(200, "Sunrise Vinyasa")
	v.get("/"+s.Business.Slug+"/sunrise-vinyasa").want(404, "Page not found")

	v.get("/").want(200, "Booking pages", "My bookings")
	for _, path := range []string{"/nowhere", "/nowhere/at-all", "/quayside/no-such-class", "/quayside/a/b", "/ab", "/checkout", "/quayside/look.js", "/" + yoga.ID.String()} {
		v.get(path).want(404, "Page not found")
	}
	if got := v.get("/quayside/no-such-class").link("See what’s on"); got != "/quayside" {
		t.Errorf("an unknown class leads to %s", got)
	}
	s.SQL(t, "update locations set archived_at = now() where id = $1", s.Location.ID)
	for _, path := range []string{"/quayside", "/quayside/sunrise-vinyasa"} {
		v.get(path).want(404)
	}
	if got := v.get("/quayside").want(404, s.Location.Name+" has closed", "My bookings").link("More from " + s.Business.Name); got != "/"+s.Business.Slug {
		t.Errorf("a closed place leads to %q", got)
	}
	s.SQL(t, "update locations set archived_at = null")
	s.Close(t)
	for _, path := range []string{"/quayside", "/" + s.Business.Slug} {
		v.get(path).want(404, s.Business.Name+" has closed", "My bookings")
	}
	v.get("/quayside/sunrise-vinyasa").want(404)
}

// TestTimesOfAClass pages through them as an embed's links do: from, after, and time as an id or an instant. E53 to
// E58.
func TestTimesOfAClass(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 30)
	v := s.visit(t)
	path := s.path(yoga, nil)
	p := v.get(path).want(200, "Next times", "Later times", "Price $22", "Length 60 min")
	seen := strings.Count(p.Body, `class="slots"`)
	if seen != 1 || strings.Contains(p.text(), "Jul 10") {
		t.Error("the first page shows everything")
	}
	v.get(p.link("Later times")).want(200, "Jul 10").lacks("Jun 11 9:00", "Next times", "Later times")
	jump := v.get(path+"?from=2026-07-01").want(200, "Wednesday Jul 1").lacks("Jun 30")
	if !strings.Contains(jump.Body, `name="from" value="2026-07-01" min="2026-06-10"`) {
		t.Error("the date field does not keep the date")
	}
	for _, wrong := range []string{"?from=nonsense", "?after=nonsense", "?from=2026-02-30", "?after=2020-01-01T00:00:00Z"} {
		v.get(path+wrong).want(200, "Tomorrow")
	}
	at := yoga.Dates[25].StartsAt.Format(time.RFC3339)
	for _, chosen := range []string{at, yoga.Dates[25].ID.String()} {
		v.get(path+"?time="+chosen).want(200, "Your time", "Monday, July 6", "Book this time")
	}
	v.get(path+"?time="+yoga.Dates[25].StartsAt.Add(time.Minute).Format(time.RFC3339)).want(200, "Next times")
}

// TestStylesheetOfALocation is a stylesheet with an address that changes with its content.
func TestStylesheetOfALocation(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	href := func() string {
		body := v.get("/" + s.Location.Slug).want(200).Body
		_, rest, _ := strings.Cut(body, `href="/harbour/look.css`)
		query, _, _ := strings.Cut(rest, `"`)
		return "/harbour/look.css" + query
	}
	first := href()
	sheet := v.get(first).want(200)
	if got := sheet.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("Cache-Control %q", got)
	}
	if got := sheet.Header.Get("Content-Type"); got != "text/css; charset=utf-8" || !strings.Contains(sheet.Body, "--accent:") {
		t.Errorf("%s: %s", got, sheet.Body)
	}
	theme, err := s.Businesses(t).Theme(t.Context(), s.Owner, s.Location.ID)
	if err != nil {
		t.Fatal(err)
	}
	theme.Branding.Accent = "#006677"
	if _, err := s.Businesses(t).PutTheme(t.Context(), s.Owner, theme); err != nil {
		t.Fatal(err)
	}
	if second := href(); second == first {
		t.Error("another look has the same address")
	}
	old := v.get(first).want(200)
	if got := old.Header.Get("Cache-Control"); got != "public, max-age=60" || old.Body == sheet.Body {
		t.Errorf("the old address is kept: %q", got)
	}
	v.get("/" + s.Business.Slug + "/look.css").want(404)
}

// TestApplePayDomain: Apple reads the processor's file at its address, byte for byte.
func TestApplePayDomain(t *testing.T) {
	t.Parallel()
	s := open(t)
	const at = "/.well-known/apple-developer-merchantid-domain-association"
	if p := s.visit(t).get(at).want(200); p.Body != applePay {
		t.Errorf("%q", p.Body)
	}
	s.visit(t).get(at + "/more").want(404)
}
