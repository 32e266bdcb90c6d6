package embed_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest/browser"
	"foyer/app/business"
	"foyer/app/view"
)

// website is a studio's website, on another host than the service, with pages that link the service's sheets.
type website struct {
	*browser.Page
	t    *testing.T
	w    *world
	url  string
	page *string
}

func (w *world) website(t *testing.T) *website {
	s := &website{t: t, w: w, page: new(string)}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(out, *s.page)
	}))
	t.Cleanup(server.Close)
	s.url = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	s.Page = browser.New(t, browser.Options{Width: 800, Height: 900})
	return s
}

// at runs on the same browser for a part of a test.
func (s *website) at(t *testing.T) *website { copied := *s; copied.t = t; return &copied }

// show opens a page of the website. css is the site's own, linked after the sheets; with first it stands before them.
func (s *website) show(css, body string, first ...string) {
	s.t.Helper()
	s.w.cache.Forget(uuid.Nil)
	var links strings.Builder
	for _, path := range []string{"/embed/v1/themes/clean.css", "/embed/v1/themes/card.css", s.w.at("theme.css")} {
		fmt.Fprintf(&links, `<link rel="stylesheet" href="%s?%d">`, s.w.url+path, time.Now().UnixNano())
	}
	*s.page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Site</title><style>:root{color-scheme:light dark}` +
		strings.Join(first, "") + `</style>` + links.String() + `<style>` + css + `</style><body>` + body
	s.Goto(s.url)
}

// goldenBody is a golden: the fragment as the service prints it.
func goldenBody(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile("testdata/" + name + ".html")
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// wornTag is a golden in its tag.
func wornTag(t *testing.T, name, attributes string) string {
	t.Helper()
	tag, _, _ := strings.Cut(name, "-")
	return fmt.Sprintf(`<svc-%s location="harbour" %s>%s</svc-%[1]s>`, tag, attributes, goldenBody(t, name))
}

// style is a computed value of the first match; sel may end in ::before.
func (s *website) style(sel, property string) string {
	s.t.Helper()
	sel, pseudo, _ := strings.Cut(sel, "::")
	if pseudo != "" {
		pseudo = "::" + pseudo
	}
	return browser.Eval[string](s.Page, fmt.Sprintf(`getComputedStyle(document.querySelector(%q), %q).getPropertyValue(%q)`, sel, pseudo, property))
}

func (s *website) wants(sel, property, want string) {
	s.t.Helper()
	if got := s.style(sel, property); got != want {
		s.t.Errorf("%s: %s is %q, want %q", sel, property, got, want)
	}
}

func (s *website) differs(sel, property, from string) {
	s.t.Helper()
	if got := s.style(sel, property); got == from {
		s.t.Errorf("%s: %s is %q", sel, property, got)
	}
}

const hookSel = `[data-pf=%s]`

var wornThemes = []string{"clean", "card", "studio"}

func wearing(theme string) string { return `theme="` + theme + `"` }

// TestAskedThemes: a theme applies to the tags with its name, clean to those without a known one, and none to the
// page around them. E74, E76, E78, E79.
func TestAskedThemes(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	s.show(`li { border-top: 7px solid; padding: 5px } section { display: block }`,
		wornTag(t, "schedule", "id=a")+wornTag(t, "schedule", `id=b theme=""`)+wornTag(t, "schedule", `id=c theme=Card`)+wornTag(t, "schedule", `id=d theme=clean`)+
			wornTag(t, "schedule", `id=e theme=card`)+wornTag(t, "schedule", `id=f theme=studio`)+wornTag(t, "schedule", `id=g theme=none`)+
			`<section id=h theme=card>`+goldenBody(t, "schedule")+`</section><svc-schedule id=i hidden>`+goldenBody(t, "schedule")+`</svc-schedule>`)
	for _, id := range []string{"a", "b", "c", "d"} { // clean: laid out, without a card
		s.wants("#"+id, "display", "block")
		s.wants("#"+id+" li", "display", "flex")
		s.wants("#"+id+" li", "border-top-width", "7px")
		s.wants("#"+id+" li", "padding-top", "0px")
	}
	for _, id := range []string{"e", "f"} {
		s.wants("#"+id+" li", "border-top-width", "1px")
		s.wants("#"+id+" li", "padding-top", "15px")
	}
	for _, id := range []string{"g", "h"} { // the site's alone
		s.wants("#"+id+" li", "display", "list-item")
		s.wants("#"+id+" li", "border-top-width", "7px")
		s.wants("#"+id+" li", "padding-top", "5px")
	}
	s.wants("#g", "display", "inline")
	s.wants("#i", "display", "none")
	if n := browser.Eval[int](s.Page, `(() => {
		const bare = [...document.querySelectorAll("#h *")].map(e => getComputedStyle(e)), none = [...document.querySelectorAll("#g *")].map(e => getComputedStyle(e));
		let n = 0;
		bare.forEach((style, i) => { for (const p of style) if (!/size|width|height|origin|inset|top|bottom|left|right|perspective/.test(p) && style.getPropertyValue(p) !== none[i].getPropertyValue(p)) n++ });
		return n;
	})()`); n > 0 {
		t.Errorf("with theme=none %d computed values are not what they are without any sheet", n)
	}
}

// TestDeliberateRulesWin: a hook, a class or an id of the site's beats the shipped sheets, in whichever order the
// sheets are linked, and without !important. E80.
func TestDeliberateRulesWin(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	for _, theme := range wornThemes {
		for name, css := range map[string]string{
			"hook":  `[data-pf] { margin-top: 3px; padding-top: 4px; color: rgb(1, 2, 3); font-family: fantasy; border: 0 } [data-pf=item] { display: table; background: rgb(4, 5, 6) }`,
			"class": `.box * { margin-top: 3px; padding-top: 4px; color: rgb(1, 2, 3); font-family: fantasy; border: 0 } .box li { display: table; background: rgb(4, 5, 6) }`,
			"id":    `#box * { margin-top: 3px; padding-top: 4px; color: rgb(1, 2, 3); font-family: fantasy; border: 0 } #box li { display: table; background: rgb(4, 5, 6) }`,
		} {
			t.Run(theme+" "+name, func(t *testing.T) {
				s := s.at(t)
				for _, before := range []bool{false, true} {
					after, first := css, ""
					if before {
						after, first = "", css
					}
					s.show(after, `<div class=box id=box>`+wornTag(t, "schedule", wearing(theme))+wornTag(t, "times-class", wearing(theme))+wornTag(t, "walkins-open", wearing(theme))+`</div>`, first)
					for _, h := range []string{"day-name", "item", "time", "link", "duration", "spots", "book", "label", "meta", "status", "detail", "page"} {
						sel := fmt.Sprintf(hookSel, h)
						s.wants(sel, "margin-top", "3px")
						s.wants(sel, "padding-top", "4px")
						s.wants(sel, "color", "rgb(1, 2, 3)")
						s.wants(sel, "font-family", "fantasy")
						s.wants(sel, "border-top-width", "0px")
					}
					s.wants("li", "display", "table")
					s.wants("li", "background-color", "rgb(4, 5, 6)")
				}
			})
		}
	}
}

// bareCSS is a site's style of its own lists and paragraphs, in chains of any length.
const bareCSS = `* { padding: 2px; list-style-type: square }
	html body main section ul { padding-left: 40px; columns: 2; margin: 1em 0 }
	html body main section ul li { float: left; width: 50%; margin: 21px; padding: 22px; text-align: center; list-style: square; background: rgb(9, 9, 9) }
	html body main section ul li::before { content: "»" }
	html body main section ul li a { margin: 23px; padding: 24px; text-transform: uppercase; border-bottom: 25px solid }
	html body main section h3, html body main section h4 { margin: 2em 0; font: 50px fantasy; color: rgb(1, 1, 1) }
	html body main section p { margin: 2em 0; padding: 26px; font-size: 60px; line-height: 3 }
	html body main section form input, html body main section form button { width: 100%; margin: 27px }`

// TestBareRulesLose: a site's style of bare elements, in a chain of any length, does not undo a theme. E81.
func TestBareRulesLose(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	for _, theme := range wornThemes {
		t.Run(theme, func(t *testing.T) {
			s := s.at(t)
			s.show(bareCSS, `<main><section>`+wornTag(t, "schedule", wearing(theme))+wornTag(t, "rentals", wearing(theme))+wornTag(t, "times-class", wearing(theme))+`</section></main>`)
			for _, h := range []string{"schedule", "items", "item", "day-name", "name", "meta", "pages", "head", "jump"} {
				s.wants(fmt.Sprintf(hookSel, h), "margin-top", "0px")
			}
			s.wants("ul", "padding-left", "0px")
			s.wants("ul", "display", "grid")
			s.wants("li", "list-style-type", "none")
			s.wants("li", "text-align", "start")
			s.wants("li", "display", "flex")
			s.differs("li", "background-color", "rgb(9, 9, 9)")
			s.wants("svc-rentals li::before", "content", "none")
			s.wants("[data-pf=link]", "margin-top", "0px")
			s.wants("[data-pf=link]", "padding-left", "0px")
			s.wants("[data-pf=jump] input", "margin-top", "0px")
			if browser.Eval[bool](s.Page, `(i => i.offsetWidth > i.parentNode.offsetWidth / 2)(document.querySelector("[data-pf=jump] input"))`) {
				t.Error("the date field is as wide as the site's fields")
			}
			if theme == "clean" { // and its style of text stays
				s.wants("h3", "font-family", "fantasy")
				s.wants("h3", "color", "rgb(1, 1, 1)")
				s.wants("[data-pf=link]", "text-transform", "uppercase")
				return
			}
			s.wants("li", "padding-top", "15px")
			s.wants("[data-pf=link]", "text-transform", "none")
			s.wants("[data-pf=link]", "border-bottom-width", "0px")
			s.wants("[data-pf=meta]", "font-size", "16px")
			s.wants("[data-pf=meta]", "padding-left", "0px")
			s.wants("h3", "font-size", "18px")
			s.differs("h3", "font-family", "fantasy")
		})
	}
}

// TestBrandingOfALocation: the accents, the background, the corners and the typeface of the location's pages, in both
// schemes; of two locations on a page, each its own. E77.
func TestBrandingOfALocation(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.theme(func(l *business.Branding) { l.Accent, l.Corners, l.Type = "#1f5f4a", "round", "system" })
	s := w.website(t)
	accent := view.AccentOf("#1f5f4a")
	page := wornTag(t, "schedule", "theme=studio") + `<svc-schedule location="elsewhere" theme="studio">` + goldenBody(t, "schedule") + `</svc-schedule>`
	for _, dark := range []bool{false, true} {
		tone := map[bool]view.Tone{false: accent.Light, true: accent.Dark}[dark]
		s.Scheme(dark)
		s.show("a { color: rgb(0, 0, 200) }", page)
		s.paints("svc-schedule li:not([data-pf-full]) [data-pf=book]", "background-color", tone.Fill)
		s.paints("svc-schedule li:not([data-pf-full]) [data-pf=label]", "color", tone.Ink)
		s.paints("[location=elsewhere] li:not([data-pf-full]) [data-pf=book]", "background-color", "rgb(0, 0, 200)")
		s.wants("svc-schedule li", "border-top-left-radius", "20px")
		s.wants("svc-schedule [data-pf=book]", "border-top-left-radius", "16px")
		s.wants("[location=elsewhere] li", "border-top-left-radius", "8px")
		if font := s.style("svc-schedule li", "font-family"); !strings.HasPrefix(font, "ui-sans-serif") {
			t.Errorf("the type is %s", font)
		}
	}
	s.paints("svc-schedule li", "background-color", "oklch(23% .01 60)")
	s.Scheme(false)

	w.theme(func(l *business.Branding) { l.Background, l.Corners = "dark", "square" })
	s.show("", page)
	s.wants("svc-schedule li", "color-scheme", "dark")
	s.wants("svc-schedule li", "border-top-left-radius", "0px")
	s.paints("svc-schedule li", "background-color", "oklch(23% .01 60)")
	s.paints("svc-schedule li:not([data-pf-full]) [data-pf=book]", "background-color", accent.Dark.Fill)
}

// TestStudioBringsItsFace: on another site the tag is written in the face of the studio's pages, which comes from the
// service. E77.
func TestStudioBringsItsFace(t *testing.T) {
	t.Parallel()
	w := open(t)
	s := w.website(t)
	loaded := func() []string {
		return browser.Eval[[]string](s.Page, `document.fonts.ready.then(all => [...all].filter(f => f.status === "loaded").map(f => f.family.replaceAll('"', "")))`)
	}
	s.show("", wornTag(t, "schedule", "theme=studio"))
	if got := loaded(); !slices.Contains(got, "Figtree Variable") {
		t.Errorf("the site has %q", got)
	}
	s.show("", wornTag(t, "schedule", "theme=card"))
	if got := loaded(); len(got) > 0 {
		t.Errorf("for the theme card the site has loaded %q", got)
	}
	if said := s.Complaints(); len(said) > 0 {
		t.Errorf("the browser complains: %q", said)
	}
}

// paints compares colours as they come out on the screen.
func (s *website) paints(sel, property, want string) {
	s.t.Helper()
	got, expected := s.pixel(s.style(sel, property)), s.pixel(want)
	for i := range got {
		if d := got[i] - expected[i]; d > 1 || d < -1 {
			s.t.Errorf("%s: %s is %v, want %v (%s)", sel, property, got, expected, want)
			return
		}
	}
}

// pixel is a colour as red, green, blue and opacity, 0 to 255.
func (s *website) pixel(color string) []int {
	s.t.Helper()
	return browser.Eval[[]int](s.Page, fmt.Sprintf(`(() => {
		const c = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
		c.fillStyle = %q; c.fillRect(0, 0, 1, 1);
		return [...c.getImageData(0, 0, 1, 1).data];
	})()`, color))
}
