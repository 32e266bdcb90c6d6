package embedtest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
)

// TestProductInAStrangersPage shows every tag of the real service on another website, under a policy that lets
// nothing else in, and dresses it. E1, E7, E10, E13, E14, E15, E16, E17, E21, E22, E87, E88, E106, E140.
func TestProductInAStrangersPage(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	p.catalogue(t)
	p.wear(t, "svc-schedule, svc-listings, svc-times, svc-walkins { color: rgb(1, 2, 3) }")
	tags := []string{
		tag("svc-schedule", `location="harbour"`), tag("svc-classes", `location="harbour" theme="card"`),
		tag("svc-appointments", `location="harbour" theme="studio"`), tag("svc-rentals", `location="HARBOUR"`),
		tag("svc-listings", `location="harbour" group="WORKSHOPS"`), tag("svc-times", `location="harbour" listing="sunrise-vinyasa"`),
		tag("svc-walkins", `location="harbour"`),
	}
	v := p.visit(t, "")
	v.print("/classes", `{v1}`+strings.Join(tags, ""))
	v.allow("default-src 'none'; script-src {base}; style-src {base}; connect-src {base}; font-src {base}")
	v.Goto(v.site + "/classes?week=2#top")
	v.becomes(`document.querySelectorAll("[data-pf-v='1']").length === 7`)
	v.rests()
	for sel, want := range map[string]string{
		"svc-schedule": "Sunrise Vinyasa", "svc-classes": "Handstands", "svc-appointments": "Massage", "svc-rentals": "The Loft",
		"svc-listings": "Handstands", "svc-times": "Later times", "svc-walkins": "Book",
	} {
		if got := v.Text(sel); !strings.Contains(got, want) || strings.Contains(got, "Book at Harbour") || strings.Contains(got, "Not yet") {
			t.Errorf("%s shows %q", sel, got)
		}
	}
	if got := eval[[]string](v, `[...document.querySelectorAll("svc-schedule [data-pf=day-name] time")].map(t => t.dateTime)`); len(got) != 14 || got[0] != "2026-06-10" || got[13] != "2026-06-23" {
		t.Errorf("the days are %q", got)
	}
	if got := eval[[]string](v, `[...document.querySelectorAll("svc-schedule [data-pf=book]")].map(a => new URL(a.href).searchParams.get("time"))`); len(got) != 56 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 56 {
		t.Errorf("%d rows do not each book a date of their own: %q", len(got), got)
	}
	if got := eval[[]string](v, `[...document.querySelectorAll("svc-listings [data-pf=name]")].map(n => n.innerText)`); !slices.Equal(got, []string{"Handstands", "The Loft"}) {
		t.Errorf("the workshops are %q", got)
	}
	for _, sel := range []string{"svc-schedule", "svc-listings", "svc-times", "svc-walkins"} {
		if got := eval[string](v, `getComputedStyle(document.querySelector("`+sel+`")).color`); got != "rgb(1, 2, 3)" {
			t.Errorf("%s does not wear the location's sheet: %s", sel, got)
		}
	}
	if !eval[bool](v, `[...document.querySelectorAll("[data-pf-v] a")].every(a => a.href.startsWith("`+p.origin.URL+`/harbour") && new URL(a.href).searchParams.get("ref") === location.origin + "/classes?week=2")`) {
		t.Error("a link leads elsewhere, or does not say where the customer comes from")
	}
	if said := v.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
	when := eval[string](v, `document.querySelectorAll("svc-schedule [data-pf=time]")[3].innerText`)
	v.Goto(eval[string](v, `document.querySelectorAll("svc-schedule [data-pf=book]")[3].href`))
	if got := v.Text(".pick .when"); !strings.Contains(got, when) {
		t.Errorf("the row at %s books %q", when, got)
	}
}

// TestGroupsOfTheProduct: singular or plural, in any letter case, with spaces around it; no group is everything, and
// an unknown group has a message. E17, E18, E19, E20, E153.
func TestGroupsOfTheProduct(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	p.catalogue(t)
	v := p.visit(t, `{v1}<svc-listings location="harbour"></svc-listings>`)
	all := []string{"Sunrise Vinyasa", "Handstands", "Massage", "Sauna", "The Loft"}
	workshops := []string{"Handstands", "The Loft"}
	for group, want := range map[string][]string{
		"": all, " ": all, "Workshop": workshops, "workshops": workshops, " WORKSHOPS ": workshops, "Classes": all[:1], "class": all[:1],
		"appointments": all[2:3], "Rental": all[3:4], "retreats": {},
	} {
		v.run(`document.querySelector("svc-listings").remove(); const t = document.createElement("svc-listings"); t.setAttribute("group", "` + group + `"); t.setAttribute("location", "harbour"); document.body.append(t)`)
		v.becomes(`!!document.querySelector("svc-listings [data-pf=list]")`)
		if got := eval[[]string](v, `[...document.querySelectorAll("svc-listings [data-pf=name]")].map(n => n.innerText)`); !slices.Equal(got, want) {
			t.Errorf("group %q has %q, not %q", group, got, want)
		}
		if got := eval[string](v, `document.querySelector("[data-pf=list]").dataset.pfKind`); got != "group" {
			t.Errorf("group %q is of kind %s", group, got)
		}
	}
}

// TestTimesOfTheProduct pages through a month, jumps to a date, and without the script goes the same way on the booking
// page. E21, E56, E57, E58, E59.
func TestTimesOfTheProduct(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	p.catalogue(t)
	v := p.visit(t, `{v1}`+tag("svc-times", `location="harbour" listing="sunrise-vinyasa"`))
	v.shows("svc-times", "pages")
	seen := []string{}
	for {
		seen = append(seen, eval[[]string](v, `[...document.querySelectorAll("[data-pf=item] time")].map(t => t.dateTime)`)...)
		if !v.Exists("[data-pf=page]") {
			break
		}
		first := eval[string](v, firstDay)
		v.Click("[data-pf=page]")
		v.becomes(firstDay + ` !== "` + first + `"`)
	}
	if sorted := slices.Compact(slices.Sorted(slices.Values(seen))); len(seen) != 40 || !slices.Equal(seen, sorted) {
		t.Errorf("the pages have %d times: %q", len(seen), seen)
	}
	v.Choose("[name=from]", "2026-06-25")
	v.Click("[data-pf=jump] button")
	v.becomes(`document.querySelector("[data-pf=day-name] time").dateTime === "2026-06-25"`)
	if got := eval[string](v, `document.querySelector("[name=from]").value`); got != "2026-06-25" {
		t.Errorf("the field says %s", got)
	}
	v.Choose("[name=from]", "2026-12-24")
	v.Click("[data-pf=jump] button")
	v.becomes(`!!document.querySelector("[data-pf=times] [data-pf=empty]")`)

	v.Goto(v.site + "/")
	v.shows("svc-times", "pages")
	later := eval[string](v, `document.querySelector("[data-pf=page]").href`)
	v.Goto(later)
	if got := v.Text("h1"); got != "Sunrise Vinyasa" || v.Exists("main .row time[datetime^='2026-06-10']") {
		t.Errorf("%s is %q", later, got)
	}
}

// TestSameTimesWithoutTheScript: the page that a link or the form of the fragment leads to without the script shows
// the same times as the fragment, for the same from or after. E58.
func TestSameTimesWithoutTheScript(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	p.catalogue(t)
	times := func(address string) []string {
		t.Helper()
		res, err := http.Get(p.origin.URL + address)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 {
			t.Fatalf("%s: %d %v", address, res.StatusCode, err)
		}
		var out []string
		for _, m := range regexp.MustCompile(`<time[^>]*datetime="([0-9-]+T[0-9:]+Z)"`).FindAllStringSubmatch(string(body), -1) {
			out = append(out, m[1])
		}
		return slices.Compact(slices.Sorted(slices.Values(out)))
	}
	shown := 0
	for _, listing := range []string{"sunrise-vinyasa", "massage", "the-loft", "sauna"} {
		for _, query := range []string{"", "?from=2026-06-18", "?from=2026-06-19&after=2026-06-18T15:00:00Z", "?after=2026-06-12T03:59:59Z", "?from=soon", "?from=2020-01-01"} {
			fragment, page := times(v1("harbour/times/"+listing+query)), times("/harbour/"+listing+query)
			if !slices.Equal(fragment, page) {
				t.Errorf("%s%s: the fragment has %d times, the page %d:\n%q\n%q", listing, query, len(fragment), len(page), fragment, page)
			}
			shown += len(fragment)
		}
	}
	if shown < 100 {
		t.Errorf("only %d times", shown)
	}
}

// TestWalkInBar: a bar counts one room, shows a visitor at the next interval, reports the end to the page,
// collapses when walk-ins are off, and ignores other rooms. E22, E68, E70, E72, E73, E107, E115, E116, E133.
func TestWalkInBar(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	sauna := p.catalogue(t)
	v := p.visit(t, `{v1}`+tag("svc-walkins", `location="harbour" listing="sauna" book="sauna" target="_blank"`)+`<main></main>`)
	v.shows("svc-walkins", "walkins")
	v.run(`live = document.querySelector("svc-walkins [aria-live]"); { const get = fetch; window.fetch = (url, how) => get(url, {...how, cache: "reload"}) }`) // beats come before their time here
	type event struct {
		State, Listing string
		Level, Until   *string
		SpotsOpen      int
	}
	first := eval[[]event](v, "told")
	if len(first) != 1 || first[0].State != "open" || first[0].Listing != "sauna" || first[0].Until == nil || first[0].SpotsOpen == 0 {
		t.Fatalf("the page was told %+v", first)
	}
	if until, err := time.Parse(time.RFC3339, *first[0].Until); err != nil || !until.After(p.Clock.Now()) {
		t.Errorf("it is so until %s", *first[0].Until)
	}
	link := eval[[]string](v, `(a => [a.pathname, a.target, a.rel, new URL(a.href).searchParams.get("ref")])(document.querySelector("[data-pf=book]"))`)
	if !slices.Equal(link, []string{"/harbour/sauna", "_blank", "noopener", v.site + "/"}) {
		t.Errorf("the link is %q", link)
	}
	p.AddBusy(t, sauna, p.Clock.Now(), func(b *apptest.BusyRow) { b.Seats = first[0].SpotsOpen - 1 })
	p.written()
	v.run("beat()")
	v.becomes(`told.length === 2 && told[1].state === "busy" && told[1].spotsOpen === 1`)
	if !eval[bool](v, `live === document.querySelector("svc-walkins [aria-live]")`) {
		t.Error("the live region is another one")
	}
	p.SQL(t, "update offerings set walkins = false")
	p.written()
	v.run(`document.querySelector("svc-walkins").removeAttribute("listing")`)
	v.becomes(`document.querySelector("svc-walkins").offsetHeight === 0 && told.at(-1).state === "off"`)
	v.run(`document.querySelector("main").innerHTML = '<svc-walkins location="harbour" listing="massage">Book at Harbour Yoga</svc-walkins>'`)
	v.becomes("warned.length === 1")
	v.keepsFallback("main svc-walkins")
}

// TestEventsForSearchEngines: on request only, as a data block within the tag, under a policy that lets no inline
// script run. E31, E137.
func TestEventsForSearchEngines(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	p.catalogue(t)
	v := p.visit(t, "")
	v.allow("default-src 'none'; script-src {base}; style-src {base}; connect-src {base}; font-src {base}")
	v.print("/", `{v1}`+tag("svc-schedule", `location="harbour"`)+tag("svc-classes", `location="harbour" data`))
	v.Goto(v.site + "/")
	v.shows("svc-schedule", "schedule")
	v.shows("svc-classes", "list")
	v.rests()
	if v.Exists("body script:not([src])") {
		t.Error("nobody asked for the events")
	}
	v.run(`document.querySelector("svc-schedule").setAttribute("data", "")`)
	v.becomes(`!!document.querySelector("svc-schedule > script")`)
	var events struct {
		Graph []struct {
			Type string `json:"@type"`
			URL  string
		} `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(eval[string](v, `document.querySelector("svc-schedule > script[type='application/ld+json']").textContent`)), &events); err != nil {
		t.Fatal(err)
	}
	if rows := eval[int](v, `document.querySelectorAll("svc-schedule [data-pf=item]").length`); len(events.Graph) != rows || rows == 0 || events.Graph[0].Type != "Event" {
		t.Errorf("%d events for %d rows", len(events.Graph), rows)
	}
	v.run(`document.querySelector("svc-schedule").setAttribute("theme", "none")`)
	v.rests()
	if n := eval[int](v, `document.querySelectorAll("svc-schedule > script").length`); n != 1 {
		t.Errorf("there are %d data blocks", n)
	}
	v.run(`document.querySelector("svc-schedule").removeAttribute("data")`)
	v.becomes(`!document.querySelector("svc-schedule > script")`)
	if said := v.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}

// TestFrameOfTheProduct: the booking pages and the walk-ins bar in frames of another website, sized by the real
// script. E117, E118, E121, E122, E124.
func TestFrameOfTheProduct(t *testing.T) {
	t.Parallel()
	p := newProduct(t)
	p.catalogue(t)
	page := strings.ReplaceAll(frameOnly, "/frame", "/harbour?embed=1") + strings.ReplaceAll(frameOnly, "/frame", "/harbour?embed=live")
	v := p.visit(t, hear+embedScript+page)
	heights := `[...document.querySelectorAll("iframe")].map(f => f.offsetHeight)`
	v.becomes(`(h => h[0] > 400 && h[1] > 0 && h[1] < 200)(` + heights + `)`)
	v.rests()
	was := eval[[]int](v, heights)
	v.Resize(500, 800)
	v.becomes(heights + `[0] !== ` + strconv.Itoa(was[0]))
	v.Resize(1000, 800)
	v.becomes(heights + `[0] === ` + strconv.Itoa(was[0]))
	v.run("scrollTo(0, 300)")
	v.run(`document.querySelector("iframe").src = "` + p.origin.URL + `/harbour/sunrise-vinyasa?embed=1"`)
	v.becomes(`heard.filter(m => m.navigated).length === 3 && Math.round(document.querySelector("iframe").getBoundingClientRect().top) === 0`)
	p.SQL(t, "update offerings set walkins = false")
	p.written()
	v.run(`document.querySelectorAll("iframe")[1].src += "&again"`)
	v.becomes(heights + `[1] === 0`)
}
