package embed_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
)

// status is the text of a bar: state, level, spots, label and detail.
func status(t testing.TB, a answer) string {
	t.Helper()
	root := hooked(parse(t, a.want(200).body), "walkins")[0]
	s := hooked(root, "status")[0]
	if s.Data != "span" || attr(s, "aria-live") != "polite" {
		t.Errorf("the status is %s with %v", s.Data, s.Attr)
	}
	spots, err := strconv.Atoi(attr(s, "data-pf-spots"))
	if err != nil {
		t.Error(err)
	}
	says := []string{attr(s, "data-pf-state"), attr(s, "data-pf-level"), strconv.Itoa(spots)}
	for _, hook := range []string{"label", "detail"} {
		says = append(says, strings.ReplaceAll(text(hooked(s, hook)[0]), "\u00a0", " "))
	}
	return strings.Join(says, " | ")
}

// book is where the link of a bar leads, and with which attributes.
func book(t testing.TB, a answer) string {
	t.Helper()
	link := hooked(parse(t, a.want(200).body), "book")[0]
	if text(hooked(link, "label")[0]) != "Book" {
		t.Errorf("the link reads %s", text(link))
	}
	return strings.TrimSpace(attr(link, "href") + " " + attr(link, "target") + " " + attr(link, "rel"))
}

// E61, E62, E63, E64, E65, E85, E97: the walk-in status, by free spots.
func TestE63_States(t *testing.T) {
	t.Parallel()
	for inside, want := range map[int]string{
		0:  "open | plenty | 10 | Walk in now | 10 spots free, open until 5:00 pm",
		4:  "open | plenty | 6 | Walk in now | 6 spots free, open until 5:00 pm",
		5:  "open | filling_up | 5 | Walk in now | 5 spots free, open until 5:00 pm",
		7:  "open | filling_up | 3 | Walk in now | 3 spots free, open until 5:00 pm",
		8:  "busy | nearly_full | 2 | Nearly full | 2 spots free, open until 5:00 pm",
		9:  "busy | nearly_full | 1 | Nearly full | 1 spot free, open until 5:00 pm",
		10: "full | full | 0 | Full | No spots for walk-ins right now, open until 5:00 pm",
	} {
		w := open(t)
		door(inside)(w)
		a := w.get("walkins").headers("X-Svc-Until", "2026-06-10T21:00:00Z", "Cache-Control", "public, max-age=15")
		if got := status(t, a); got != want {
			t.Errorf("%d inside: %s", inside, got)
		}
	}
	w := open(t)
	bath(w)
	if got := status(t, w.get("walkins").headers("X-Svc-Until", "2026-06-10T13:00:00Z")); got != "closed |  | 0 | Closed | Opens 9:00 am" {
		t.Errorf("before nine: %s", got)
	}
	if a := w.get("walkins").lacks("data-pf-level"); strings.Contains(a.body, "2026") {
		t.Error("there is an instant in the bar")
	}
	w.Clock.Set(instant(t, "2026-06-10T20:01:00Z")) // 16:01: an hour would end after five
	if got := status(t, w.get("walkins")); !strings.HasPrefix(got, "full | full | 0 |") {
		t.Errorf("after the last entry: %s", got)
	}
	w.Clock.Set(instant(t, "2026-06-10T22:00:00Z"))
	if got := status(t, w.get("walkins").headers("X-Svc-Until", "2026-06-11T13:00:00Z")); got != "closed |  | 0 | Closed | Opens Thu, Jun 11, 9:00 am" {
		t.Errorf("in the evening: %s", got)
	}
	w.SQL(t, "delete from location_hours")
	if got := status(t, w.get("walkins").headers("X-Svc-Until", "")); got != "closed |  | 0 | Closed | " {
		t.Errorf("for good: %s", got)
	}
}

// E66, E67, E68, E69, E110, E153: which rooms count. E97.
func TestE67_Listings(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.AddHours(t)
	w.Clock.Set(instant(t, "2026-06-10T14:00:00Z"))
	add := func(name string, capacity int, change func(*apptest.ServiceRow), rooms ...uuid.UUID) {
		w.AddRental(t, rooms, slugged(name, func(r *apptest.ServiceRow) {
			r.SoldAs, r.Walkins, r.Capacity, r.Online = "person", true, capacity, capacity
			if change != nil {
				change(r)
			}
		}))
	}
	pool, sauna, hall := w.AddSpace(t, "Pool").ID, w.AddSpace(t, "Sauna").ID, w.AddSpace(t, "Hall").ID
	add("Swim", 10, nil, pool)
	add("Spa", 6, nil, pool, sauna)
	add("Whole", 12, func(r *apptest.ServiceRow) { r.SoldAs, r.Walkins = "space", false }, hall)
	add("Booked only", 12, func(r *apptest.ServiceRow) { r.Walkins = false }, hall)
	add("Draft", 12, func(r *apptest.ServiceRow) { r.State = "draft" }, hall)
	w.class("Yoga")
	for ask, want := range map[string]string{
		"":                               "16", // the pool has ten, the sauna six, the hall none
		"?listing=":                      "16",
		"?listing=,%20,":                 "16",
		"?listing=swim":                  "10",
		"?listing=spa":                   "12", // six each
		"?listing=swim,spa":              "16", // the pool once
		"?listing=spa,swim,swim":         "16",
		"?listing=swim,nothing":          "10", // unknown listings are left out
		"?listing=%20swim%20,%20NOTHING": "10",
	} {
		if got := strings.Split(status(t, w.get("walkins"+ask)), " | ")[2]; got != want {
			t.Errorf("%s: %s spots, want %s", ask, got, want)
		}
	}
	for _, none := range []string{"nothing", "yoga", "whole", "booked-only", "draft", "nothing,yoga", "SWIM", "%3Cscript%3E", "%00", "a--b"} {
		a := w.get("walkins?listing="+none).want(404, "Not found.").headers("X-Svc-Walkins", "unknown_listing", "Cache-Control", "public, max-age=15")
		if a.lacks("data-pf"); a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: no website can read why", none)
		}
	}
	w.cache.Forget(w.Business.ID)
	for _, same := range []string{"listing=swim,spa", "listing=spa,swim", "listing=spa,swim,spa,%3F%3F", "listing=swim,spa&ref=x&target=_top"} {
		w.again("walkins?" + same).want(200)
	}
	if n := w.cache.Len(); n != 1 {
		t.Errorf("%d copies of one bar", n)
	}
}

// E70, E73, E153: where the link leads. ref is the script's to add. E97.
func TestE70_Book(t *testing.T) {
	t.Parallel()
	w := open(t)
	door(0)(w)
	w.class("Yoga")
	w.class("Draft", func(o *apptest.OfferingRow) { o.State = "draft" })
	const home = base + "/harbour"
	for ask, want := range map[string]string{
		"":                                home,
		"?book=sauna":                     home + "/sauna",
		"?book=yoga":                      home + "/yoga",
		"?book=sauna&ref=https://x.test/": home + "/sauna",
		"?book=draft":                     home,
		"?book=nothing":                   home,
		"?book=../../evil":                home,
		"?book=%22%3E%3Cscript%3E":        home,
		"?target=_self":                   home + " _self",
		"?target=_blank":                  home + " _blank noopener",
		"?target=_top":                    home,
		"?target=evil%22":                 home,
		"?book=sauna&target=_blank":       home + "/sauna _blank noopener",
	} {
		if got := book(t, w.get("walkins"+ask)); got != want {
			t.Errorf("%s: %s, want %s", ask, got, want)
		}
	}
}

// E109, E72: nothing is shown without a status.
func TestE109_Nothing(t *testing.T) {
	t.Parallel()
	w := open(t)
	empty := func(what, until string) {
		t.Helper()
		a := w.get("walkins")
		if a.want(204); a.body != "" || a.header.Get("X-Svc-Until") != until || a.header.Get("Cache-Control") != "public, max-age=15" || a.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %q %v", what, a.body, a.header)
		}
	}
	empty("no room", "")
	door(0)(w)
	w.get("walkins").want(200)
	w.SQL(t, "update locations set walkins_off = true")
	empty("switched off", "")
	w.SQL(t, "update locations set walkins_off = false, walkins_paused_until = $1", w.Clock.Now().Add(time.Hour))
	empty("paused by the desk", "2026-06-10T15:00:00Z")
	w.SQL(t, "update locations set walkins_paused_until = null")
	w.Pause(t)
	empty("paused", "")
	w.Resume(t)
	w.SQL(t, "update offerings set walkins = false")
	empty("no capacity", "")
}

// E132: while nothing happens, not a byte of a bar changes and its tag stays, minute after minute; it is one trip.
func TestE132_Bytes(t *testing.T) {
	t.Parallel()
	w := open(t)
	door(6)(w)
	first := w.get("walkins").want(200)
	for range 3 {
		w.Clock.Advance(time.Minute)
		if a := w.again("walkins"); a.body != first.body || a.header.Get("ETag") != first.header.Get("ETag") {
			t.Errorf("it reads %s", a.body)
		}
	}
	w.again("walkins", "If-None-Match", first.header.Get("ETag")).want(304).headers("X-Svc-Until", "2026-06-10T21:00:00Z")
	w.cache.Forget(w.Business.ID)
	if n := w.Statements(func() { w.again("walkins?book=sauna&listing=sauna").want(200) }); n != 1 {
		t.Errorf("%d trips", n)
	}
	w.Clock.Set(instant(t, "2026-06-10T15:00:00Z")) // the six have gone
	if a := w.again("walkins"); a.body == first.body {
		t.Error("nothing changes when they go")
	}
}
