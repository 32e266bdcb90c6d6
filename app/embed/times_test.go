package embed_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
)

// starts are the instants in a page of times, in their order.
func starts(t testing.TB, a answer) []string {
	t.Helper()
	var out []string
	for _, n := range hooked(parse(t, a.want(200).body), "time") {
		out = append(out, attr(n, "datetime"))
	}
	return out
}

// later is the address of the next page of a fragment, as the script requests it; empty on the last one.
func later(t testing.TB, a answer) string {
	t.Helper()
	pages := hooked(parse(t, a.want(200).body), "pages")
	if len(pages) == 0 {
		return ""
	}
	link := hooked(pages[0], "page")[0]
	if pages[0].Data != "p" || attr(link, "rel") != "next" { // E54
		t.Errorf("pages is %s with %v", pages[0].Data, link.Attr)
	}
	u, err := url.Parse(attr(link, "href"))
	if err != nil || u.Query().Get("after") == "" {
		t.Fatalf("the next page is at %s", attr(link, "href"))
	}
	return strings.TrimPrefix(u.Path, "/harbour/") + "?" + u.RawQuery
}

// E21, E51, E52, E53, E58, E60: the head, the form, and days with links as times.
func TestE51_Times(t *testing.T) {
	t.Parallel()
	w := open(t)
	month(w)
	root := hooked(parse(t, w.get("times/sunrise-vinyasa").want(200).body), "times")[0]
	if got := children(root); !slices.Equal(got[:3], []string{"div/head", "form/jump", "div/day"}) || got[len(got)-1] != "p/pages" {
		t.Errorf("%q", got)
	}
	head := hooked(root, "head")[0]
	if got := children(head); !slices.Equal(got, []string{"h3/name", "p/meta"}) || !slices.Equal(children(hooked(head, "meta")[0]), []string{"span/price", "span/duration"}) {
		t.Errorf("%q", got)
	}
	if text(head) != "Sunrise Vinyasa$22 60 min" {
		t.Errorf("the head reads %q", text(head))
	}
	form := hooked(root, "jump")[0]
	field := form.FirstChild
	if attr(form, "method") != "get" || attr(form, "action") != base+"/harbour/sunrise-vinyasa" || attr(field, "name") != "from" ||
		attr(field, "type") != "date" || attr(field, "min") != "2026-06-10" || attr(field, "aria-label") == "" || text(hooked(form, "label")[0]) != "Show" {
		t.Errorf("the form is %v with %v", form.Attr, field.Attr)
	}
	if n := strings.Count(w.again("times/sunrise-vinyasa").body, "name="); n != 1 {
		t.Errorf("%d fields", n)
	}
	for _, item := range hooked(root, "item") {
		book := hooked(item, "book")
		if len(book) != 1 || !slices.Equal(children(book[0]), []string{"time/time", "span/spots"}) {
			t.Fatalf("a time has %q", children(item))
		}
		id, err := uuid.Parse(strings.TrimPrefix(attr(book[0], "href"), base+"/harbour/sunrise-vinyasa?time="))
		if err != nil || id == uuid.Nil {
			t.Errorf("a time leads to %s", attr(book[0], "href"))
		}
		if spots := text(hooked(item, "spots")[0]); has(item, "data-pf-full") != (spots == "Waitlist") {
			t.Errorf("full and %q", spots)
		}
	}
	day := hooked(root, "day")[1]
	if name := hooked(day, "day-name")[0]; text(name) != "Tomorrow" || attr(name.FirstChild, "datetime") != "2026-06-11" {
		t.Errorf("the second day is %s", text(name))
	}
	if from := hooked(parse(t, w.get("times/sunrise-vinyasa?from=2026-07-01").body), "jump")[0].FirstChild; attr(from, "value") != "2026-07-01" {
		t.Errorf("the day that was asked for is not in the form: %v", from.Attr)
	}
	w.Clock.Set(instant(t, "2026-06-11T02:00:00Z")) // it is still the 10th where the studio is
	w.cache.Forget(uuid.Nil)
	if from := hooked(parse(t, w.get("times/sunrise-vinyasa").body), "jump")[0].FirstChild; attr(from, "min") != "2026-06-10" {
		t.Errorf("the form begins %s", attr(from, "min"))
	}
}

// TestE60_FullTimes: the text of a full time, and its mark.
func TestE60_FullTimes(t *testing.T) {
	t.Parallel()
	w := open(t)
	flow := w.class("Flow")
	w.date(flow, "2026-06-11T13:00:00Z", taken(12))
	for _, c := range []struct {
		name, want string
		do         func()
	}{
		{"there is a list", "Waitlist", func() {}},
		{"none of its seats are sold online", "Full", func() { w.SQL(t, "update occurrences set online_capacity = 0, taken = 0, taken_online = 0") }},
		{"the studio takes no bookings now", "Details", func() { w.Pause(t) }},
	} {
		c.do()
		w.cache.Forget(uuid.Nil)
		item := hooked(parse(t, w.get("times/flow").want(200).body), "item")[0]
		if got := text(hooked(item, "spots")[0]); got != c.want || c.want != "Details" && !has(item, "data-pf-full") {
			t.Errorf("%s: %q, marked %t", c.name, got, has(item, "data-pf-full"))
		}
	}
}

// E55, E56, E54: pages are whole days of about two dozen times, and walking them visits every time once.
func TestE56_Pages(t *testing.T) {
	t.Parallel()
	w := open(t)
	month(w)
	w.AddHours(t, apptest.Daily(9*60, 21*60)...)
	ana := w.AddMember(t, "Ana", apptest.Daily(9*60, 20*60)...)
	w.AddAppointment(t, []uuid.UUID{ana.ID}, slugged("Massage"), func(r *apptest.ServiceRow) {
		id := w.AddPolicy(t, func(r *catalog.Rules) { r.WindowDays = 30 })
		r.Policy = &id
	})
	w.AddRental(t, []uuid.UUID{w.AddSpace(t, "Room").ID}, slugged("Room"), func(r *apptest.ServiceRow) {
		id := w.AddPolicy(t, func(r *catalog.Rules) { r.WindowDays = 20 })
		r.Policy, r.Minutes = &id, 180
	})
	for listing, least := range map[string]int{"sunrise-vinyasa": 71, "massage": 30 * 40, "room": 20 * 12} {
		seen, pages := map[string]bool{}, 0
		for path := "times/" + listing; path != ""; pages++ {
			a := w.get(path)
			list := starts(t, a)
			days := told(t, a.body, "time")
			if len(days) > 1 && len(list) > 24 || len(list) == 0 || pages > 60 {
				t.Fatalf("page %d of %s: %d times on %d days", pages, listing, len(list), len(days))
			}
			for _, at := range list {
				if seen[at] {
					t.Errorf("%s has %s twice", listing, at)
				}
				seen[at] = true
			}
			if path = later(t, a); path != "" {
				path = "times/" + path
			}
		}
		if len(seen) < least || pages < 3 {
			t.Errorf("%s: %d times on %d pages", listing, len(seen), pages)
		}
	}
	if n := len(starts(t, w.get("times/massage?from=2026-06-20"))); n != 41 { // one day, whole: every quarter from nine to seven
		t.Errorf("a day of %d times", n)
	}
}

// E96, E59, E153: valid and invalid parameters of an address.
func TestE96_FromAndAfter(t *testing.T) {
	t.Parallel()
	w := open(t)
	month(w)
	first := w.get("times/sunrise-vinyasa").want(200).body
	for _, odd := range []string{
		"from=", "from=tomorrow", "from=2026-6-1", "from=2026-02-30", "from=2026-06-31", "from=0000-00-00", "from=9999-12-31", "from=10000-01-01",
		"from=2020-01-01", "from=2026-06-10", "from=%00", "from=%3Cscript%3E", "from=2026-07-01T00:00:00Z", "after=", "after=soon",
		"after=2026-07-01", "after=2020-01-01T00:00:00Z", "after=9999-12-31T23:59:59Z", "after=2026-07-01T00:00:00", "page=3", "after=2020-01-01T00:00:00Z&from=2026-07-01",
	} {
		if a := w.get("times/sunrise-vinyasa?" + odd).want(200); a.body != first {
			t.Errorf("%s is not the first page", odd)
		}
	}
	for ask, want := range map[string]string{
		"from=2026-07-01": "2026-07-01T13:30:00Z",
		"from=2026-07-03": "2026-07-03T13:30:00Z",
		"after=2026-07-01T13:30:00Z&from=2026-07-03":  "2026-07-01T17:30:00Z", // after wins
		"from=2026-07-03&after=never":                 "2026-07-03T13:30:00Z",
		"after=2026-07-01T13:29:59.5Z":                "2026-07-01T13:30:00Z",
		"after=2026-07-01T15:30:00%2B02:00":           "2026-07-01T17:30:00Z",
		"after=2026-07-01T15:30:00+02:00":             "2026-07-01T17:30:00Z", // a plus that became a space
		"after=2026-07-01T13:30:00Z&utm_source=paper": "2026-07-01T17:30:00Z",
	} {
		if got := starts(t, w.get("times/sunrise-vinyasa?"+ask)); got[0] != want {
			t.Errorf("%s begins at %s, want %s", ask, got[0], want)
		}
	}
	for _, none := range []string{"from=2027-01-01", "after=2026-07-03T22:30:00Z", "from=8999-01-01"} {
		root := parse(t, w.get("times/sunrise-vinyasa?"+none).want(200).body)
		if got := children(hooked(root, "times")[0]); !slices.Equal(got, []string{"div/head", "form/jump", "p/empty"}) {
			t.Errorf("%s: %q", none, got)
		}
	}
	// The same page is not cached again.
	w.cache.Forget(w.Business.ID)
	for _, same := range []string{"", "?from=", "?from=2020-01-01", "?after=x", "?after=2020-01-01T00:00:00Z", "?x=1"} {
		w.again("times/sunrise-vinyasa" + same).want(200)
	}
	if n := w.cache.Len(); n != 1 {
		t.Errorf("%d copies of the first page", n)
	}
}

// E23, E111: one listing, by its slug, that the public sees.
func TestE111_UnknownListings(t *testing.T) {
	t.Parallel()
	w := open(t)
	month(w)
	w.class("Draft", func(o *apptest.OfferingRow) { o.State = "draft" })
	next := w.AddLocation(t, "Next Door")
	w.class("Elsewhere", func(o *apptest.OfferingRow) { o.Location = next.ID })
	for _, slug := range []string{"nothing", "draft", "elsewhere", "Sunrise-Vinyasa", "sunrise--vinyasa", "%00", "sunrise-vinyasa%2Fx", strings.Repeat("x", 200), "sunrise-vinyasa,draft"} {
		w.get("times/"+slug).want(404, "Not found.").headers("Cache-Control", "public, max-age=15", "Content-Type", "text/html; charset=utf-8")
	}
	w.get("times").want(404)
	w.get("times/").want(404)
}

// E30, E53: computed times lead to the page with that very time, and show seats only in shared spaces.
func TestE53_ComputedTimes(t *testing.T) {
	t.Parallel()
	w := open(t)
	catalogue(w)
	root := parse(t, w.get("times/sauna").want(200).body)
	item := hooked(root, "item")[1]
	if to := attr(hooked(item, "book")[0], "href"); to != base+"/harbour/sauna?time=2026-06-12T21:30:00Z" || text(hooked(item, "spots")[0]) != "3 spots left" {
		t.Errorf("%s: %s", to, text(item))
	}
	for _, path := range []string{"times/the-loft", "times/deep-tissue-massage"} {
		for _, spots := range hooked(parse(t, w.get(path).want(200).body), "spots") {
			if text(spots) != "" {
				t.Errorf("%s says %s", path, text(spots))
			}
		}
	}
	w.Pause(t)
	for _, path := range []string{"times/the-loft", "times/sauna"} { // E48, E153
		for _, book := range hooked(parse(t, w.get(path).want(200).body), "book") {
			if strings.Contains(attr(book, "href"), "?") || !strings.HasSuffix(text(book), "Details") {
				t.Errorf("paused: %s leads to %s", text(book), attr(book, "href"))
			}
		}
	}
	for path, most := range map[string]int{"times/the-loft": 2, "times/deep-tissue-massage": 2, "times/sunrise-vinyasa": 1} {
		w.cache.Forget(w.Business.ID)
		if n := w.Statements(func() { w.again(path).want(200) }); n > most {
			t.Errorf("%s: %d trips", path, n)
		}
	}
}

// E56: an appointment that is booked out for months has its first page where there is a time again.
func TestE56_BookedOut(t *testing.T) {
	t.Parallel()
	w := open(t)
	ana := w.AddMember(t, "Ana", apptest.On(9*60, 11*60, time.Monday)...)
	w.AddAppointment(t, []uuid.UUID{ana.ID}, slugged("Massage"))
	w.AddTimeOff(t, ana.ID, apptest.Start, apptest.Start.AddDate(0, 5, 0))
	got := told(t, w.get("times/massage").want(200).body, "time")
	if len(got) == 0 || !strings.HasPrefix(got[0], "Monday, November 16:") {
		t.Errorf("%q", got)
	}
	w.AddTimeOff(t, ana.ID, apptest.Start, apptest.Start.AddDate(3, 0, 0))
	a := w.get("times/massage").want(200, `data-pf="empty"`)
	if later(t, a) != "" {
		t.Error("there is a page behind the last")
	}
	if fmt.Sprint(starts(t, a)) != "[]" {
		t.Error("0 = unlimited")
	}
}
