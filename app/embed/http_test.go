package embed_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/checkout"
)

// everything is every answer about a location, with its maximum cache lifetime.
func everything() map[string]string {
	out := map[string]string{"walkins": "public, max-age=15"}
	for _, path := range []string{"schedule", "classes", "appointments", "rentals", "listings", "listings?group=workshops", "times/sunrise-vinyasa",
		"times/sunrise-vinyasa?from=2026-06-12", "times/deep-tissue-massage", "schedule.jsonld", "custom.css"} {
		out[path] = "public, max-age=60"
	}
	return out
}

func typeOf(path string) string {
	switch path {
	case "schedule.jsonld":
		return "application/ld+json; charset=utf-8"
	case "custom.css":
		return "text/css; charset=utf-8"
	}
	return "text/html; charset=utf-8"
}

// full is a world in which everything answers 200.
func full(t testing.TB) *world {
	w := open(t)
	catalogue(w)
	pool := w.AddSpace(t, "Pool")
	w.AddRental(t, []uuid.UUID{pool.ID}, slugged("Swim", func(r *apptest.ServiceRow) { r.SoldAs, r.Walkins = "person", true }))
	return w
}

// E86, E103, E104, E105, E106, E107, E112: types, ages, and that every website may read it; a caller's name changes
// nothing. E113.
func TestE104_Headers(t *testing.T) {
	t.Parallel()
	w := full(t)
	for path, age := range everything() {
		a := w.get(path).want(200).headers(
			"Content-Type", typeOf(path), "Cache-Control", age, "Access-Control-Allow-Origin", "*", "Access-Control-Allow-Credentials", "",
			"Access-Control-Expose-Headers", "X-Svc-Css, X-Svc-Walkins, X-Svc-Until", "X-Content-Type-Options", "nosniff", "Vary", "Accept-Encoding",
			"Set-Cookie", "", "X-Svc-Css", "", "Cross-Origin-Resource-Policy", "cross-origin", "Content-Encoding", "",
		)
		for _, who := range [][]string{{"Cookie", "foyer_session=abc; visitor=1"}, {"Authorization", "Bearer bk_nothing"}, {"Origin", "https://harbouryoga.com"},
			{"Host", "evil.example"}, {"X-Forwarded-Host", "evil.example"}, {"Referer", "https://harbouryoga.com/classes"}, {"Sec-Fetch-Site", "cross-site"}} {
			b := w.get(path, who...)
			if b.status != 200 || b.body != a.body || b.header.Get("ETag") != a.header.Get("ETag") || b.header.Get("Set-Cookie") != "" ||
				b.header.Get("Access-Control-Allow-Origin") != "*" || b.header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s with %s: %d %v", path, who, b.status, b.header)
			}
		}
	}
}

// E104, E114: HEAD is GET without a body; a body that a client has is not sent again.
func TestE114_HeadAndTags(t *testing.T) {
	t.Parallel()
	w := full(t)
	for path, age := range everything() {
		a := w.get(path)
		tag := a.header.Get("ETag")
		head := w.ask(http.MethodHead, w.at(path))
		if head.status != 200 || head.body != "" || head.header.Get("ETag") != tag || tag == "" || head.header.Get("Content-Type") != typeOf(path) ||
			head.header.Get("Content-Length") != a.header.Get("Content-Length") || head.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("HEAD %s: %d %v", path, head.status, head.header)
		}
		for _, known := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			b := w.again(path, "If-None-Match", known)
			if b.status != 304 || b.body != "" || b.header.Get("Cache-Control") != age || b.header.Get("ETag") != tag || b.header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s, known %s: %d %v", path, known, b.status, b.header)
			}
		}
		w.again(path, "If-None-Match", `"other"`).want(200)
	}
	if a, b := w.get("classes").header.Get("ETag"), w.get("rentals").header.Get("ETag"); a == b {
		t.Error("two bodies have one tag")
	}
}

// Compressed copies unpack to the same bytes, and are smaller.
func TestCopies(t *testing.T) {
	t.Parallel()
	w := full(t)
	plain := w.get("listings").want(200)
	for accept, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip":     func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"gzip, br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	} {
		a := w.again("listings", "Accept-Encoding", accept).want(200).headers("ETag", plain.header.Get("ETag"), "Vary", "Accept-Encoding")
		r, err := unpack(strings.NewReader(a.body))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil || string(body) != plain.body || len(a.body) >= len(plain.body) || a.header.Get("Content-Encoding") != strings.TrimPrefix(accept, "gzip, ") {
			t.Errorf("%s: %d bytes of %d, %v", accept, len(a.body), len(plain.body), err)
		}
	}
}

// E111, E103, E153: an unknown location is 404 for every fragment, in a few words, and cached briefly. E108.
func TestE111_UnknownLocations(t *testing.T) {
	t.Parallel()
	w := full(t)
	closed := w.AddLocation(t, "Closed")
	w.SQL(t, "update locations set archived_at = now() where id = $1", closed.ID)
	for path := range everything() {
		for _, location := range []string{"nowhere", w.Business.Slug, "themes", "api", "storefront", "xx", "a--b", "%3Cscript%3E", "%00", "..%2f", closed.Slug,
			w.Location.ID.String(), strings.Repeat("x", 300)} {
			a := w.ask(http.MethodGet, "/embed/v1/"+location+"/"+path)
			if location == "themes" && path == "custom.css" {
				continue // an address of the themes
			}
			kind := typeOf(path)
			if kind != "text/html; charset=utf-8" {
				kind = "text/plain; charset=utf-8"
			}
			a.want(404).headers("Content-Type", kind, "Cache-Control", "public, max-age=15", "Access-Control-Allow-Origin", "*", "Set-Cookie", "", "X-Svc-Walkins", "")
			if a.body != "Not found.\n" {
				t.Errorf("%s %s: %q", location, path, a.body)
			}
		}
	}
	for _, path := range []string{"/", "/nothing", "/harbour", "/harbour/", "/harbour/nothing", "/harbour/schedule/more", "/harbour/schedule.css"} {
		w.ask(http.MethodGet, "/embed/v1"+path).want(404).lacks(`"error"`, "<!doctype html>", "<html")
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
		w.ask(method, w.at("schedule")).want(404).headers("Access-Control-Allow-Origin", "*", "Set-Cookie", "").lacks(`"error"`)
	}
	w.Close(t)
	for path := range everything() {
		w.get(path).want(404)
	}
}

// An error of ours is a few words, and is never cached.
func TestFailure(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.get("schedule").want(200)
	w.SQL(t, "alter table occurrences rename to occurrences_away")
	a := w.get("schedule").want(500).headers("Cache-Control", "no-store", "Access-Control-Allow-Origin", "*", "Content-Type", "text/html; charset=utf-8")
	if a.body != "This did not work. Try again in a minute.\n" {
		t.Errorf("%q", a.body)
	}
	w.SQL(t, "alter table occurrences_away rename to occurrences")
	w.again("schedule").want(200)
}

// E104: a request needs no preflight, and a preflight succeeds.
func TestE104_Preflight(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, path := range []string{"schedule", "walkins", "custom.css", "nothing"} {
		a := w.ask(http.MethodOptions, w.at(path), "Origin", "https://harbouryoga.com", "Access-Control-Request-Method", "GET")
		a.want(204).headers("Access-Control-Allow-Origin", "*", "Access-Control-Allow-Methods", "GET, HEAD", "Access-Control-Allow-Credentials", "", "Set-Cookie", "")
	}
}

// A79: the limit of the storefront is not one of fragments. The world's is three a minute.
func TestNoRateLimit(t *testing.T) {
	t.Parallel()
	w := open(t)
	for range 20 {
		w.again("schedule").want(200)
	}
}

// E11: pages that were written under a former slug, or in other letters, go on working, without a detour; their links
// lead to the address of today.
func TestE11_FormerSlugs(t *testing.T) {
	t.Parallel()
	w := live(t)
	w.AddOffering(t, func(o *apptest.OfferingRow) { o.Slug = "yoga" })
	before := w.again("classes").want(200, base+"/harbour/yoga").body
	l, slug := w.Location, "quayside"
	if _, err := w.owners.UpdateLocation(t.Context(), w.Owner, business.UpdateLocationInput{LocationID: l.ID, Version: l.Version, Slug: &slug}); err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{"harbour", "quayside", "HARBOUR", "QuaySide"} {
		a := w.ask(http.MethodGet, "/embed/v1/"+location+"/classes").want(200, base+"/quayside/yoga").headers("Location", "")
		if a.body == before {
			t.Errorf("%s shows the former address", location)
		}
	}
	if n := w.cache.Len(); n != 1 {
		t.Errorf("%d copies of one list", n)
	}
}

// E105, E114: a cached answer ends with the write that changes it, to the byte, and with the minute; other
// parameters, cookies and methods make no second copy.
func TestKeptAndEnded(t *testing.T) {
	t.Parallel()
	w := live(t)
	flow := w.class("Flow")
	o := w.date(flow, "2026-06-11T13:00:00Z", taken(9))
	first := w.again("schedule").want(200, "3 spots left")
	w.SQL(t, "update offerings set name = 'Past the verbs'")
	if a := w.again("schedule?x=1", "Cookie", "a=b"); a.body != first.body {
		t.Error("what is kept is not used")
	}
	cart := w.Fill(t, o)
	person := w.Customer(t, "Rosa")
	if _, err := w.Checkout.Hold(t.Context(), person, cart, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	held := w.again("schedule", "If-None-Match", first.header.Get("ETag")).want(200, "2 spots left", "Past the verbs")
	if held.header.Get("ETag") == first.header.Get("ETag") {
		t.Error("the same tag")
	}
	w.SQL(t, "update offerings set name = 'Later'")
	w.Clock.Set(w.Clock.Now().Truncate(time.Minute).Add(time.Minute - time.Microsecond))
	w.again("schedule").want(200, "Past the verbs")
	w.Clock.Advance(time.Microsecond)
	w.again("schedule").want(200, "Later")
}

// E86, E87, E88, E92l, E92m, E100, E106, E108: the location's own stylesheet, and the header that announces it.
func TestE86_CustomCSS(t *testing.T) {
	t.Parallel()
	w := live(t)
	w.again("custom.css").want(200).headers("Content-Type", "text/css; charset=utf-8", "Cache-Control", "public, max-age=60")
	if got := w.again("custom.css").body; got != "/**/" {
		t.Errorf("without a sheet: %q", got)
	}
	css := "\ufeffsvc-schedule[location=harbour] p::before { content: \"\\201C é\" }\r\n\r\n/* </style><script> */\tsvc-times{color:red}\n"
	save := func(css string, version int64) error {
		_, err := w.owners.SaveStylesheet(t.Context(), w.Owner, business.SaveStylesheetInput{LocationID: w.Location.ID, CSS: css, Version: version})
		return err
	}
	if err := save(css, 0); err != nil {
		t.Fatal(err)
	}
	if got := w.again("custom.css").want(200).body; got != css {
		t.Errorf("served as %q", got)
	}
	if err := save("p{color:red}", 1); err == nil {
		t.Error("a bare element was saved")
	}
	if got := w.again("custom.css").want(200).body; got != css {
		t.Errorf("after a refused save: %q", got)
	}
	for _, path := range []string{"schedule", "classes", "appointments", "rentals", "listings"} {
		w.again(path).want(200).headers("X-Svc-Css", "1")
		w.again(path, "If-None-Match", w.again(path).header.Get("ETag")).want(304).headers("X-Svc-Css", "1")
	}
	far := w.AddLocation(t, "Far")
	w.ask(http.MethodGet, "/embed/v1/"+far.Slug+"/schedule").want(200).headers("X-Svc-Css", "")
	if err := save("", 1); err != nil {
		t.Fatal(err)
	}
	if got := w.again("custom.css").want(200).body; got != "/**/" {
		t.Errorf("after it was taken away: %q", got)
	}
	w.again("schedule").want(200).headers("X-Svc-Css", "")
}

// E106: the mark is on the other fragments too.
func TestE106_Mark(t *testing.T) {
	t.Parallel()
	w := full(t)
	w.SQL(t, `insert into stylesheets (id, business_id, location_id, css, created_at, updated_at) values (gen_random_uuid(), $1, $2, 'svc-times{}', $3, $3)`,
		w.Business.ID, w.Location.ID, w.Clock.Now())
	for path := range everything() {
		want := "1"
		if typeOf(path) != "text/html; charset=utf-8" {
			want = ""
		}
		w.get(path).want(200).headers("X-Svc-Css", want)
	}
}
