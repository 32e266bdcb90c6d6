package embed_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"foyer/app/apptest/browser"
	"foyer/app/cssguard"
)

// A showing is the place of a variable, by theme and in "cards" for card and studio, its default, and a value.
type showing struct {
	at      map[string][]spot
	takes   []spot            // in every theme; without the variable it is something else
	without map[string]string // by theme; "" for those that are not named, and an empty value where a look decides
	value   string
}

// a place where a variable shows.
type spot struct{ sel, property string }

var (
	bookLink   = `svc-schedule [data-pf=item]:not([data-pf-full]) [data-pf=book]`
	stateLabel = `svc-walkins [data-pf-state=%s] [data-pf=label]`
)

// showings has for every variable its place in each theme, its default, and a value with its computed form. Colours
// are compared as rendered. The site's text is rgb(10, 20, 30) and its links are rgb(0, 0, 200).
var showings = map[string]showing{
	"--pf-font": {
		at: map[string][]spot{
			"":       {{"svc-schedule [data-pf=time]", "font-family"}, {"svc-schedule [data-pf=duration]", "font-family"}, {"svc-walkins [data-pf=label]", "font-family"}},
			"cards":  {{"svc-rentals [data-pf=name]", "font-family"}, {"svc-classes [data-pf=description]", "font-family"}, {"svc-times [data-pf=page]", "font-family"}},
			"studio": {{"svc-schedule [data-pf=day-name]", "font-family"}, {"svc-schedule [data-pf=link]", "font-family"}},
		},
		without: map[string]string{"": "monospace", "studio": `"Figtree Variable", Figtree, ui-sans-serif, system-ui, sans-serif`},
		value:   "fantasy",
	},
	"--pf-text": {
		at: map[string][]spot{
			"":      {{"svc-schedule [data-pf=item] [data-pf=time]", "color"}, {"svc-times [data-pf=day-name] time", "color"}},
			"cards": {{"svc-rentals [data-pf=link]", "color"}, {"svc-times [data-pf=name]", "color"}, {"svc-rentals [data-pf=item]", "color"}},
		},
		without: map[string]string{"": "rgb(10, 20, 30)", "studio": ""},
		value:   "rgb(70, 80, 90)",
	},
	"--pf-muted": {
		at: map[string][]spot{"": {
			{"svc-schedule [data-pf=duration]", "color"}, {"svc-schedule [data-pf=instructor]", "color"}, {"svc-rentals [data-pf=price]", "color"},
			{"svc-rentals [data-pf=mode]", "color"}, {"svc-walkins [data-pf=detail]", "color"},
		}},
		without: map[string]string{"": "color-mix(in srgb, rgb(10, 20, 30) 62%, transparent)", "studio": ""},
		value:   "rgb(70, 80, 90)",
	},
	"--pf-accent": {
		at: map[string][]spot{
			"clean": {{bookLink + " [data-pf=label]", "color"}, {"svc-times [data-pf=book] time", "color"}, {"svc-walkins [data-pf=book] [data-pf=label]", "color"}},
			"cards": {{bookLink, "background-color"}, {bookLink, "border-top-color"}, {"svc-walkins [data-pf=book]", "background-color"}},
		},
		without: map[string]string{"": "rgb(0, 0, 200)", "studio": "#a4472b"},
		value:   "rgb(70, 80, 90)",
	},
	"--pf-accent-text": {
		at:      map[string][]spot{"cards": {{bookLink + " [data-pf=label]", "color"}}},
		without: map[string]string{"": "Canvas", "studio": "#fff"},
		value:   "rgb(70, 80, 90)",
	},
	"--pf-line": {
		at:      map[string][]spot{"cards": {{"svc-schedule li", "border-top-color"}, {"svc-walkins [data-pf=walkins]", "border-left-color"}, {"svc-times [data-pf=page]", "border-top-color"}}},
		without: map[string]string{"": "color-mix(in srgb, rgb(10, 20, 30) 16%, transparent)", "studio": ""},
		value:   "rgb(70, 80, 90)",
	},
	"--pf-card": {
		at: map[string][]spot{
			"":      {{"svc-schedule li", "background-color"}, {"svc-rentals li", "background-color"}},
			"cards": {{"svc-walkins [data-pf=walkins]", "background-color"}},
		},
		without: map[string]string{"clean": "transparent", "card": "color-mix(in srgb, rgb(10, 20, 30) 4%, transparent)", "studio": "oklch(98.6% .006 85)"},
		value:   "rgb(70, 80, 90)",
	},
	"--pf-radius": {
		at:      map[string][]spot{"cards": {{"svc-schedule li", "border-top-left-radius"}, {bookLink, "border-top-left-radius"}}},
		without: map[string]string{"": "8px", "studio": "10px"},
		value:   "3px",
	},
	"--pf-gap": {
		at:      map[string][]spot{"": {{"svc-schedule [data-pf=items]", "row-gap"}, {"svc-rentals [data-pf=items]", "row-gap"}, {"svc-times [data-pf=jump]", "column-gap"}}},
		without: map[string]string{"": "12px"},
		value:   "50px",
	},
	"--pf-status-open": statusShowing("open", "green"),
	"--pf-status-busy": statusShowing("busy", "#ffbf00"), // amber
	"--pf-status-full": statusShowing("full", "red"),
}

// statusShowing: the dot has the colour itself. The text follows the site; TestStatusColours checks its default.
func statusShowing(name, color string) showing {
	label := fmt.Sprintf(stateLabel, name)
	return showing{
		at:      map[string][]spot{"cards": {{label + "::before", "border-top-color"}}},
		takes:   []spot{{label, "color"}},
		without: map[string]string{"": color},
		value:   "rgb(70, 80, 90)",
	}
}

// places are those of one theme.
func (v showing) places(theme string) []spot {
	all := append([]spot{}, v.at[""]...)
	if theme != "clean" {
		all = append(all, v.at["cards"]...)
	}
	return append(all, v.at[theme]...)
}

func (v showing) otherwise(theme string) string {
	if d, named := v.without[theme]; named {
		return d
	}
	return v.without[""]
}

const siteType = `body { font-family: monospace; color: rgb(10, 20, 30) } a { color: rgb(0, 0, 200) }`

// dressed is one of each, in a theme.
func dressed(t *testing.T, attributes string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"schedule", "classes", "rentals", "times-class", "walkins-open", "walkins-busy", "walkins-full", "walkins-closed"} {
		all.WriteString(wornTag(t, name, attributes))
	}
	return all.String()
}

// TestVariables: each of the twelve shows in every theme with its element, has the contract's default, and follows
// the site's value. E83.
func TestVariables(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	if len(showings) != len(v1Variables) {
		t.Fatalf("%d variables are tested", len(showings))
	}
	for _, theme := range wornThemes { // a page without any of them shows all of that at once
		s.show(siteType, dressed(t, wearing(theme)))
		for name, v := range showings {
			for _, p := range v.places(theme) {
				if want := v.otherwise(theme); want != "" {
					s.looks(theme+" without "+name, p, want)
				}
			}
		}
	}
	for name, v := range showings {
		t.Run(strings.TrimPrefix(name, "--pf-"), func(t *testing.T) {
			s := s.at(t)
			for _, theme := range wornThemes {
				places := v.places(theme)
				if len(places)+len(v.takes) == 0 {
					continue
				}
				s.show(siteType+` svc-schedule, svc-classes, svc-rentals, svc-times, svc-walkins { `+name+`: `+v.value+` }`, dressed(t, wearing(theme)))
				for _, p := range append(places, v.takes...) {
					s.looks(theme, p, v.value)
				}
			}
		})
	}
}

// looks compares a place with a value.
func (s *website) looks(theme string, p spot, want string) {
	s.t.Helper()
	if strings.HasSuffix(p.property, "color") {
		if got, expected := s.pixel(s.style(p.sel, p.property)), s.pixel(want); !nearColor(got, expected) {
			s.t.Errorf("%s: %s: %s is %v, want %v (%s)", theme, p.sel, p.property, got, expected, want)
		}
	} else if got := s.style(p.sel, p.property); got != want {
		s.t.Errorf("%s: %s: %s is %q, want %q", theme, p.sel, p.property, got, want)
	}
}

func nearColor(a, b []int) bool {
	for i := range a {
		if d := a[i] - b[i]; d > 2 || d < -2 {
			return false
		}
	}
	return true
}

// TestVariablesTakeFromAnywhere: on the tag, on an ancestor, on the page, and from inside a layer of the site's; the
// nearest one counts. E82.
func TestVariablesTakeFromAnywhere(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	const values = `{ --pf-gap: 50px; --pf-text: rgb(70, 80, 90); --pf-accent: rgb(1, 2, 3) }`
	for _, theme := range wornThemes {
		for name, css := range map[string]string{
			"on the tag": `svc-schedule ` + values, "around it": `main ` + values, "on the page": `html ` + values,
			"in a layer": `@layer a { @layer b { :root ` + values + ` } }`, "on every element": `* ` + values,
			"the nearest": `html { --pf-gap: 1px; --pf-text: red; --pf-accent: red } main ` + values,
			"in a part":   `[data-pf=day] ` + values,
		} {
			s.show(css, `<main>`+wornTag(t, "schedule", wearing(theme))+`</main>`)
			if got := s.style("[data-pf=items]", "row-gap"); got != "50px" {
				t.Errorf("%s, %s: the gap is %s", theme, name, got)
			}
			s.paints("[data-pf=item] [data-pf=time]", "color", "rgb(70, 80, 90)")
			sel, property := bookLink, "background-color"
			if theme == "clean" {
				sel, property = bookLink+" [data-pf=label]", "color"
			}
			s.paints(sel, property, "rgb(1, 2, 3)")
		}
	}
}

// TestStatusColours can be read on white and on the dark Canvas, and on a dark site without a colour scheme; and the
// text shows the state without them. E83, E85.
func TestStatusColours(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	said := map[string]bool{}
	for _, theme := range wornThemes {
		for name, site := range map[string]string{
			"white": `:root { color-scheme: light } body { background: #fff; color: #000 }`,
			"grey":  `:root { color-scheme: light } body { background: #fff; color: #333 }`,
			"dark":  `:root { color-scheme: dark } body { background: Canvas; color: CanvasText }`,
			"night": `:root { color-scheme: light } body { background: #14161a; color: #eee }`,
		} {
			s.show(site, dressed(t, wearing(theme)))
			for _, is := range []string{"open", "busy", "full", "closed"} {
				sel := fmt.Sprintf(stateLabel, is)
				said[s.Text(sel)] = true
				ground := browser.Eval[[]string](s.Page, fmt.Sprintf(`(() => {
					const all = [];
					for (let e = document.querySelector(%q); e; e = e.parentElement) all.unshift(getComputedStyle(e).backgroundColor);
					return all;
				})()`, sel))
				if c := s.contrast(s.style(sel, "color"), ground); c < 4.5 {
					t.Errorf("%s, %s: %s has %.2f:1", theme, name, is, c)
				}
			}
		}
	}
	if len(said) != 4 {
		t.Errorf("four states say %v", said)
	}
}

// contrast of a colour on grounds that lie on each other, the lowest first.
func (s *website) contrast(color string, grounds []string) float64 {
	s.t.Helper()
	paper := []float64{255, 255, 255}
	for _, g := range append(grounds, "") {
		if g == "" {
			g = color
		}
		p, old := s.pixel(g), append([]float64{}, paper...)
		for i := range paper {
			a := float64(p[3]) / 255
			paper[i] = float64(p[i])*a + old[i]*(1-a)
		}
		if g == color {
			a, b := luminance(paper)+.05, luminance(old)+.05
			return math.Max(a, b) / math.Min(a, b)
		}
	}
	return 0
}

func luminance(rgb []float64) float64 {
	sum := 0.0
	for i, share := range []float64{.2126, .7152, .0722} {
		x := rgb[i] / 255
		if x <= .04045 {
			x /= 12.92
		} else {
			x = math.Pow((x+.055)/1.055, 2.4)
		}
		sum += share * x
	}
	return sum
}

// TestLocationOfARule: a rule names the tag; an attribute aims it at one location. E91.
func TestLocationOfARule(t *testing.T) {
	t.Parallel()
	const css = `svc-times[location=harbour] [data-pf=name] { color: rgb(1, 2, 3) }`
	if _, refused := cssguard.Check(css); refused != nil {
		t.Fatalf("%+v", refused)
	}
	w := open(t)
	s := w.website(t)
	s.show(css, wornTag(t, "times-class", "")+`<svc-times location="elsewhere" id="other">`+goldenBody(t, "times-class")+`</svc-times>`)
	s.wants("svc-times [data-pf=name]", "color", "rgb(1, 2, 3)")
	s.differs("#other [data-pf=name]", "color", "rgb(1, 2, 3)")
}

// TestThemesInCorners: nothing reaches out of a narrow column, in either direction; forced colours keep edges; paper
// does not cut a row in two.
func TestThemesInCorners(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	long := strings.NewReplacer("Sunrise Vinyasa", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk", "Ana Ruiz", "Maximiliane Wolkenstein-Oberhuber")
	for _, theme := range wornThemes {
		for _, dir := range []string{"ltr", "rtl"} {
			for _, width := range []int{280, 420, 760} {
				for _, flow := range []string{"block", "flex"} {
					s.show(fmt.Sprintf("body { margin: 0 } main { display: %s; width: %dpx; direction: %s; overflow: auto }", flow, width, dir),
						`<main><div id="column">`+long.Replace(dressed(t, wearing(theme)))+`</div></main>`)
					if wide := browser.Eval[int](s.Page, `(m => m.scrollWidth - m.clientWidth)(document.querySelector("main"))`); wide > 0 {
						t.Errorf("%s, %s, %s of %d: %d px too wide", theme, dir, flow, width, wide)
					}
					if narrow := browser.Eval[int](s.Page, `document.querySelector("[data-pf=schedule]").offsetWidth`); narrow < 250 {
						t.Errorf("%s, %s, %s of %d: the schedule is %d px wide", theme, dir, flow, width, narrow)
					}
				}
			}
		}
		s.ForcedColors()
		s.show("", dressed(t, wearing(theme)))
		if theme != "clean" {
			s.wants("svc-schedule li", "border-top-style", "solid")
			s.wants(bookLink, "border-top-style", "solid")
			s.differs("svc-walkins [data-pf=label]::before", "border-top-color", s.style("body", "background-color"))
		}
		s.Scheme(false)
		s.wants("svc-schedule li", "break-inside", "avoid")
	}
}

// TestDocuments: the developers' document matches the guide. E91, E138, E149, E151.
func TestDocuments(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/embeds.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range append([]string{"X-Svc-Css", "custom.css", "after the theme", "async", "Referrer-Policy", "/embed/v2.js", "[location=", "Content-Security-Policy", "theme=\"none\"", "48"}, v1Variables...) {
		if !strings.Contains(string(text), word) {
			t.Errorf("docs/embeds.md does not speak of %s", word)
		}
	}
}
