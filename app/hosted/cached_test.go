package hosted_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/catalog"
)

// has reports whether a page has these words, or, if they look like markup, this markup. No words are on no page.
func (p *page) has(words string) bool {
	return words != "" && (strings.Contains(p.text(), words) || strings.Contains(p.Body, words))
}

// change is a write on a server, and what it changes on a page.
type change struct {
	name, path  string
	write       func(s *shop)
	before, now string // on the page only before, and only afterwards
}

// reprices changes the price of a class.
func reprices(t *testing.T, c class, minor, version int64) func(*shop) {
	return func(s *shop) {
		in := catalog.UpdateInput{ID: c.ID, Version: version, PriceAmount: &minor}
		if _, err := s.Services.Catalog.Update(t.Context(), s.Owner, in); err != nil {
			t.Fatal(err)
		}
	}
}

// version is that of the location.
func (s *shop) version(t *testing.T) int64 {
	return apptest.Value[int64](t, s.World, "select version from locations where id = $1", s.Location.ID)
}

// relocates changes the location.
func relocates(t *testing.T, in business.UpdateLocationInput) func(*shop) {
	return func(s *shop) {
		in.LocationID, in.Version = s.Location.ID, s.version(t)
		if _, err := s.Services.Business.UpdateLocation(t.Context(), s.Owner, in); err != nil {
			t.Fatal(err)
		}
	}
}

// changes are writes of everything that public pages show, one after the other.
func changes(t *testing.T, token string, yoga, flow, last class) []change {
	front, name, german := "/harbour", "Harbour House", "de"
	return []change{
		{"the price, on the schedule", front, reprices(t, yoga, 2700, 1), "$22", "$27"},
		{"the price, on the page of a class", front + "/" + flow.Slug, reprices(t, flow, 2900, 1), "$23", "$29"},
		{"a date fills", front, func(s *shop) {
			ana := s.visit(t)
			ana.setCookie("foyer_session", token)
			ana.choose(last, 0).wantTo("/cart/").follow().want(200)
		}, "1 spot left", "Waitlist"},
		{"the name", front, relocates(t, business.UpdateLocationInput{Name: &name}), "", name},
		{"the look", front, func(s *shop) {
			in := business.Theme{LocationID: s.Location.ID, Version: s.version(t)}
			in.Branding = business.Branding{Accent: "#7a1f5c", Background: "dark", Type: "figtree", Corners: "round"}
			if _, err := s.Services.Business.PutTheme(t.Context(), s.Owner, in); err != nil {
				t.Fatal(err)
			}
		}, `content="light dark"`, `content="dark"`},
		{"a pause", front, func(s *shop) {
			if _, err := s.Services.Business.Pause(t.Context(), s.Owner); err != nil {
				t.Fatal(err)
			}
		}, "Choose a class to book it.", "is not taking online bookings"},
		{"the language", front, relocates(t, business.UpdateLocationInput{Language: &german}),
			`<html lang="en`, `<html lang="de`},
	}
}

// TestCachedPagesEndWithAWrite: after a write on one server its pages show the result at once, and those of another as
// soon as it hears of it. A server that never hears of it shows the result at the latest after a minute, and at once to
// the browser that made the change.
func TestCachedPagesEndWithAWrite(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	flow := s.class(t, "Evening Flow", 3, priced(2300))
	last := s.class(t, "Slow Burn", 1, seats(1), priced(0))
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	here, there, deaf := s.branch(t, false), s.branch(t, false), s.branch(t, true)
	for _, x := range changes(t, token, yoga, flow, last) {
		var before string
		for range 2 { // the second time from the cache
			for _, b := range []*shop{here, there, deaf} {
				p := b.visit(t).get(x.path).want(200)
				if x.before != "" && !p.has(x.before) || p.has(x.now) {
					t.Fatalf("%s: before, the page has %t and %t", x.name, p.has(x.before), p.has(x.now))
				}
				before = p.Body
			}
		}
		x.write(here)
		if p := here.visit(t).get(x.path).want(200); !p.has(x.now) || p.has(x.before) {
			t.Errorf("%s: the server that wrote it still shows the old page", x.name)
		}
		there.visit(t).eventually(x.path, x.now, x.before)
		writer := deaf.visit(t)
		writer.setCookie("foyer_fresh", "1")
		if p := writer.get(x.path).want(200); !p.has(x.now) || p.has(x.before) {
			t.Errorf("%s: the browser that wrote it is shown the old page", x.name)
		}
		if p := deaf.visit(t).get(x.path); p.Body != before {
			t.Errorf("%s: the page is not cached: a server shows a change that it did not hear of", x.name)
		}
		s.Clock.Advance(time.Minute)
		if p := deaf.visit(t).get(x.path).want(200); !p.has(x.now) || p.has(x.before) {
			t.Errorf("%s: the old page is more than a minute old", x.name)
		}
	}
}

// TestFormsMakeABrowserFresh: after a form, a browser sees what it did on a server that has not heard of it, for as
// long as that can be.
func TestFormsMakeABrowserFresh(t *testing.T) {
	t.Parallel()
	s := open(t)
	last := s.class(t, "Slow Burn", 1, seats(1), priced(0))
	here, deaf := s.branch(t, false), s.branch(t, true)
	deaf.visit(t).get("/harbour").want(200, "1 spot left")
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	ana := here.visit(t)
	ana.setCookie("foyer_session", token)
	ana.get("/harbour").want(200, "1 spot left")
	answer := ana.choose(last, 0).wantTo("/cart/")
	for _, cookie := range answer.Header["Set-Cookie"] {
		if strings.HasPrefix(cookie, "foyer_fresh=") && !strings.Contains(cookie, "max-age=65;") {
			t.Errorf("the mark is %q", cookie)
		}
	}
	answer.follow().want(200)
	ana.at(deaf).get("/harbour").want(200, "Waitlist")
	deaf.visit(t).get("/harbour").want(200, "1 spot left").lacks("Waitlist")
}

// TestCachedPagesAreApart: whoever asks, from the cache or not, gets the page that is made for them without one: of two
// businesses and two locations with the same names, in every language, inside the frame and outside, from the studio's
// websites and from others, signed in or not.
func TestCachedPagesAreApart(t *testing.T) {
	t.Parallel()
	for _, languages := range []bool{true, false} {
		s := open(t)
		s.class(t, "Sunrise Vinyasa", 3, seats(4))
		s.class(t, "Evening Flow", 20)
		relocates(t, business.UpdateLocationInput{OtherLanguages: &languages})(s)
		s.AddLocation(t, "Hill", func(in *business.LocationInput) { in.Website = "https://hill.example" })
		other := s.World.Studio(t, func(p *apptest.StudioPlan) { p.Location.Name = "Harbour" })
		other.AddOccurrence(t, other.AddOffering(t, func(o *apptest.OfferingRow) {
			o.Name, o.Slug = "Sunrise Vinyasa", "sunrise-vinyasa"
		}), time.Date(2026, 6, 11, 13, 0, 0, 0, time.UTC))
		s.apart(t, "/harbour", "/"+other.Location.Slug, "/hill")
	}
}

// apart compares the pages of locations with and without a cache.
func (s *shop) apart(t *testing.T, fronts ...string) {
	t.Helper()
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	var asked []*visitor
	for _, headers := range [][]string{
		{}, {"Accept-Language", "de"}, {"Accept-Language", "fr-CA,en;q=0.5"}, {"Cookie", "foyer_language=es"},
		{"Referer", "https://www.harbouryoga.com/classes?x=1&y=<2>"}, {"Referer", "https://harbouryoga.com/"},
		{"Referer", "https://hill.example/"}, {"Referer", "https://stranger.example/"}, {"Cookie", "foyer_session=" + token},
		{"Cookie", "foyer_cart_" + strings.Repeat("0", 32) + "=nothing"},
	} {
		asked = append(asked, s.stranger(t, headers...))
	}
	paths := []string{"/no-such-studio"}
	for _, front := range fronts {
		for _, rest := range []string{
			"", "?embed=1", "?day=2026-06-12", "?day=never", "?class=evening-flow", "/", "?utm_source=x", "?utm_source=y",
			"?ref=https%3A%2F%2Fharbouryoga.com%2Fa", "?ref=https%3A%2F%2Fstranger.example",
			"?embed=1&ref=https%3A%2F%2Fharbouryoga.com%2Fa",
			"?day=2026-06-12&lang=it", "/sunrise-vinyasa", "/sunrise-vinyasa?from=2026-06-13", "/sunrise-vinyasa?embed=1",
			"/evening-flow?after=2026-06-12T13%3A00%3A00Z", "/evening-flow?from=2026-06-13", "/evening-flow", "/nothing",
		} {
			paths = append(paths, front+rest)
		}
		paths = append(paths, strings.ToUpper(front))
	}
	cached := s.branch(t, true)
	for round := range 3 { // made, from the cache, and from the cache beside those of all others
		for _, v := range asked {
			for _, path := range paths {
				v.Jar = nil
				v.get(path).is(v.at(cached).get(path), round)
			}
		}
	}
}

// is fails unless another answer is the same.
func (p *page) is(got *page, round int) {
	t := p.v.t
	t.Helper()
	if got.Status != p.Status || got.Body != p.Body {
		t.Errorf("round %d, %v, %s: %d, want %d:\n%s\nwant\n%s",
			round, p.v.headers, p.path(), got.Status, p.Status, got.Body, p.Body)
	}
	for _, name := range []string{
		"Content-Security-Policy", "Cache-Control", "Referrer-Policy", "Content-Type", "Location", "Set-Cookie",
	} {
		if got.Header.Get(name) != p.Header.Get(name) {
			t.Errorf("round %d, %v, %s: %s is %q, want %q",
				round, p.v.headers, p.path(), name, got.Header.Get(name), p.Header.Get(name))
		}
	}
}

// TestCachedPagesHaveNobodysCart: the bar of a cart is on its own browser's pages alone, and otherwise they are those
// of everyone, in the frame too. A page with a form is never another visitor's.
func TestCachedPagesHaveNobodysCart(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	s.massage(t)
	b := s.branch(t, true)
	paths := []string{"/harbour", "/harbour/sunrise-vinyasa"}
	empty := map[string]string{}
	for _, path := range paths {
		empty[path] = b.visit(t).get(path).want(200).lacks("Continue").Body
	}
	ana := b.visit(t)
	ana.choose(yoga, 0).wantTo("/cart/")
	for _, path := range paths {
		anew := ana.get(path).want(200, "1 class", "Continue")
		ana.setCookie("foyer_fresh", "")
		ana.get(path)
		kept := ana.get(path).want(200, "1 class", "Continue")
		ana.setCookie("foyer_fresh", "1")
		if kept.Body != anew.Body || kept.Header.Get("ETag") != "" {
			t.Errorf("%s with a cart is another page from the cache, or has a tag:\n%s\nwant\n%s", path, kept.Body, anew.Body)
		}
		if p := b.visit(t).get(path); p.Body != empty[path] {
			t.Errorf("%s shows a stranger the cart", path)
		}
	}
	framed := b.frame(t)
	framed.enter("/harbour").want(200).lacks("Continue")
	cart := framed.enter(s.path(yoga, &yoga.Dates[1])).form("/sunrise-vinyasa").post().follow().want(200)
	framed.get("/harbour?embed=1&_ticket="+cart.ticket()).want(200, "1 class", "Continue")
	b.frame(t).enter("/harbour").want(200).lacks("Continue")
	german := "/harbour?embed=1&lang=de" // a choice that the frame remembers, in its ticket
	if a, b := b.frame(t).enter(german), b.frame(t).enter(german); a.ticket() == "" || a.ticket() == b.ticket() {
		t.Error("two visits of the frame have the same ticket, or none")
	}
	one, two := b.visit(t).get("/harbour/massage?from=2026-06-11"), b.visit(t).get("/harbour/massage?from=2026-06-11")
	if k := "_key"; one.form("/massage").Fields.Get(k) == two.form("/massage").Fields.Get(k) {
		t.Error("two visitors have the same form")
	}
	one.form("/massage").post("start", start(ten)).wantTo("/cart/")
	two.form("/massage").post("start", start(ten.Add(2*time.Hour))).wantTo("/cart/")
}

// TestStudioThatChangedMeanwhile: a page that is made after the studio has changed is not kept under the name that it
// had before.
func TestStudioThatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 3)
	deaf := s.branch(t, true)
	deaf.visit(t).get("/harbour").want(200)
	site, slug := "https://new.example", "new-harbour"
	here := s.branch(t, true)
	here.visit(t).get("/harbour").want(200)
	relocates(t, business.UpdateLocationInput{Website: &site})(here)
	from := deaf.stranger(t, "Referer", site+"/")
	from.get("/harbour?day=2026-06-12").want(200, "Back to new.example")
	deaf.visit(t).get("/harbour?day=2026-06-12").want(200).lacks("new.example")
	relocates(t, business.UpdateLocationInput{Slug: &slug})(here)
	for range 2 {
		here.visit(t).get("/harbour/sunrise-vinyasa").want(301)
		here.visit(t).get("/harbour").want(301)
		here.visit(t).get("/new-harbour").want(200)
	}
}

// TestCachedPagesAreRevalidated: a browser that comes back has its copy confirmed until something changes, and gets the
// page compressed if it likes.
func TestCachedPagesAreRevalidated(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	b := s.branch(t, true)
	b.visit(t).get("/harbour").want(200)
	tag := b.visit(t).get("/harbour").Header.Get("ETag")
	if again := b.stranger(t, "If-None-Match", tag).get("/harbour"); tag == "" || again.Status != http.StatusNotModified {
		t.Errorf("the copy of %q is answered with %d", tag, again.Status)
	}
	for _, coding := range []string{"br", "gzip"} {
		for range 2 {
			if got := b.stranger(t, "Accept-Encoding", coding).get("/harbour").Header.Get("Content-Encoding"); got != coding {
				t.Errorf("asked for %s, got %q", coding, got)
			}
		}
	}
	pages := b.cache.Len()
	for _, more := range []string{"?fbclid=1", "?fbclid=2", "?class=x", "?in=y", "?with=z"} {
		b.visit(t).get("/harbour" + more).want(200)
	}
	if n := b.cache.Len(); n != pages {
		t.Errorf("there are %d pages of the one location in the cache, besides %d", n-pages, pages)
	}
	reprices(t, yoga, 2700, 1)(b)
	b.stranger(t, "If-None-Match", tag).get("/harbour").want(200, "$27")
}
