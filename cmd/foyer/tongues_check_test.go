package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"foyer/app/apptest/browser"
	"foyer/app/apptest/terms"
	"foyer/app/apptest/untranslated"
	"foyer/app/apptest/walks"
	"foyer/app/words"
)

// stroll is one walk through the demo, by one visitor.
type stroll struct {
	*town
	t      *testing.T
	tongue *words.Lang
	reader *untranslated.Reader // nil for English
	tab    *browser.Page
	told   map[string]bool
	seen   map[string]bool // kinds of addresses
	queue  []string

	pages, mails, looks, costs int
}

// forBuilders are the first parts of the pages for developers. They are English.
var forBuilders = []string{"/dev", "/__sim", "/embed/guide", "/embed/conformance", "/openapi", "/docs"}

// look checks the page as it is: its language, its words, its width, and axe in each color scheme.
func (w *stroll) look(name string, without ...string) {
	w.t.Helper()
	if w.pages++; w.pages%10 == 0 {
		w.t.Logf("%s: %d pages and %d mails so far, at %s", w.tongue.Tag(), w.pages, w.mails, name)
	}
	f := found{w.t, w.tongue.Tag() + " " + name, w.told}
	builders := slices.ContainsFunc(forBuilders, func(begin string) bool { return strings.HasPrefix(name, begin) })
	if lang := browser.Eval[string](w.tab, "document.documentElement.lang"); !builders && words.In(lang).Base() != w.tongue.Base() {
		f.Errorf("the page is in %q", lang)
	}
	if w.reader != nil {
		said := browser.Eval[[]string](w.tab, untranslated.Pieces(w.tongue.Base()))
		for _, english := range w.reader.Find(said) {
			f.Errorf("untranslated: %s", english)
		}
	}
	widths, schemes := []int{390}, []bool{false}
	if walks.Long() {
		widths, schemes = []int{1280, 320, 390}, []bool{false, true}
	}
	for _, width := range widths {
		w.tab.Resize(width, 844)
		if wide := browser.Eval[int](w.tab, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			f.Errorf("%d px too wide at %d, by %s", wide, width, browser.Eval[string](w.tab, widest))
		}
		for _, dark := range schemes {
			if !walks.Long() && w.axed(name) {
				continue
			}
			w.tab.Scheme(dark)
			w.tab.Axe(f, without...)
			w.looks++
		}
	}
}

// axed reports whether a page of that kind, with that heading and with or without an error, has been checked by axe
// before.
func (w *stroll) axed(name string) bool {
	w.t.Helper()
	kind := "mail" // all are one layout, which has a test of its own
	if u, err := url.Parse(name); err == nil && strings.HasPrefix(name, "/") {
		kind = kindOf(u) + browser.Eval[string](w.tab, "(document.querySelector('h1')?.textContent ?? '') + !!document.querySelector('[role=alert], [aria-invalid]')")
	}
	kind = "axe " + kind
	before := w.seen[kind]
	w.seen[kind] = true
	return before
}

// widest returns the names of elements that overflow the page.
const widest = `[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 0.5)
	.slice(-3).map(e => e.outerHTML.slice(0, 120)).join(' | ')`

// open opens an address of the demo and looks at it, and remembers where it leads.
func (w *stroll) open(path string) {
	w.t.Helper()
	w.tab.Goto(w.url + path)
	w.look(w.here())
	w.remember()
}

// here is the address of the page, without the host.
func (w *stroll) here() string { return strings.TrimPrefix(w.tab.URL(), w.url) }

// links returns the addresses that a page leads to without a change: its links, and its GET forms as they are.
const links = `[...document.links].filter(a => !a.hasAttribute('download') && !a.hasAttribute('hreflang')).map(a => a.href).concat(
	[...document.querySelectorAll('form[method=get]')].map(f => f.action.split('?')[0] + '?' + new URLSearchParams(new FormData(f))))`

// remember puts where the page leads into the queue.
func (w *stroll) remember() {
	w.t.Helper()
	for _, to := range browser.Eval[[]string](w.tab, links) {
		u, err := url.Parse(to)
		if err != nil || !strings.HasPrefix(to, w.url+"/") || !isPage(u.Path) {
			continue
		}
		u.Fragment = ""
		kind := kindOf(u)
		if !w.seen[kind] {
			w.seen[kind] = true
			w.queue = append(w.queue, strings.TrimPrefix(u.String(), w.url))
		}
	}
}

// isPage distinguishes pages from files and from addresses that only look like a link.
func isPage(path string) bool {
	for _, end := range []string{".ics", ".json", ".css", ".js", ".yaml", ".txt", ".png", "/html"} {
		if strings.HasSuffix(path, end) {
			return false
		}
	}
	return !strings.Contains(path, "/files/") && !strings.HasPrefix(path, "/assets/") && !strings.HasPrefix(path, "/docs/") && // the API's document has a test of its own
		!strings.HasPrefix(path, "/manage") // the console, too, and it speaks English
}

// kindOf returns the common part of addresses that differ only in values: the days of a timetable, the letters of a
// mailbox. In a short walk the studios and their listings are of one kind, too, and so are the bookings.
func kindOf(u *url.URL) string {
	var names []string
	for name, values := range u.Query() {
		if strings.Join(values, "") != "" && name != "ref" { // that one is where a reader comes from
			names = append(names, name)
		}
	}
	slices.Sort(names)
	parts := strings.Split(u.Path, "/")
	if len(parts) > 3 && parts[2] == "mailbox" {
		parts[3] = ":mail"
	}
	if !walks.Long() {
		for i, part := range parts {
			if _, err := uuid.Parse(part); err == nil || len(part) > 24 {
				parts[i] = ":id"
			}
		}
		if len(parts) <= 3 && !slices.Contains([]string{"dev", "my", "docs", "cart", "receipt", "invite", "embed"}, parts[1]) {
			parts[1] = ":studio"
			if len(parts) == 3 {
				parts[2] = ":listing"
			}
		}
	}
	return strings.Join(parts, "/") + "?" + strings.Join(names, "&")
}

// wander opens the queued pages, and their links, until there are no new ones.
func (w *stroll) wander() {
	w.t.Helper()
	for len(w.queue) > 0 {
		path := w.queue[0]
		w.queue = w.queue[1:]
		w.open(path)
	}
}

// compare reads the page of each of the customer's active bookings, and the page that confirms its cancellation: the
// costs on the first are those on the second.
func (w *stroll) compare() {
	w.t.Helper()
	read := func(path string) string {
		quoted, _ := json.Marshal(path)
		return browser.Eval[string](w.tab, "fetch("+string(quoted)+").then(r => r.text())")
	}
	rows, err := w.past.Query(w.t.Context(), `select '/my/bookings/' || b.id from bookings b join customers c on c.id = b.customer_id
		where c.email = $1 and b.state in ('confirmed', 'requested') and b.starts_at > $2`, walker, w.clock.Now())
	w.must(err)
	paths, err := pgx.CollectRows(rows, pgx.RowTo[string])
	w.must(err)
	for _, path := range paths {
		w.costs++
		if err := terms.Agree(read(path), read(path+"/cancel")); err != nil {
			w.t.Errorf("%s %s: %v", w.tongue.Tag(), path, err)
		}
	}
}

// letters opens each mail that came to these addresses as a page, one of each subject.
func (w *stroll) letters(to ...string) {
	w.t.Helper()
	known := map[string]bool{}
	for _, address := range to {
		for _, m := range w.box.List(address) {
			subject := digits.ReplaceAllString(m.Subject, "0")
			if known[subject] || address != walker && address != founder && sixDigits.MatchString(m.Subject) { // signed in without a page, so in no language
				continue
			}
			known[subject] = true
			w.mails++
			name := fmt.Sprintf("mail %q", m.Subject)
			if w.reader != nil {
				for _, english := range w.reader.Find(append(strings.Split(m.Text, "\n"), m.Subject)) {
					found{w.t, w.tongue.Tag() + " " + name, w.told}.Errorf("untranslated in its text: %s", english)
				}
			}
			at := fmt.Sprintf("%s/dev/mail-of-the-walk/%d", w.url, w.mails)
			w.tab.Answer(at, "text/html; charset=utf-8", m.HTML)
			w.tab.Goto(at)
			w.look(name, "region", "landmark-one-main")
			w.pages--
		}
	}
}
