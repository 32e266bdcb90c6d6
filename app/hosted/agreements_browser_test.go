package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/apptest/browser"
)

// long is a text with its end out of view at first.
var long = "I take part at my own risk.\n\n" + strings.Repeat("I tell my teacher before the class about injuries and anything else that matters.\n\n", 60) + "I have understood this."

// way is a presentation of a document, and the steps in a browser until the customer has agreed to it.
type way struct {
	show   agreement.Show
	says   agreement.Content
	shown  agreement.Shown
	agrees func(l *looker, d agreement.Document, script bool)
}

var ways = map[string]way{
	"list": {agreement.ShowList, said("I take care of myself."), agreement.ShownCheckbox, func(l *looker, d agreement.Document, _ bool) {
		l.Click("input[name='agree." + d.Copy.ID.String() + "']")
		l.Click("[data-agreed]")
	}},
	"popup": {agreement.ShowPopup, said("I take care of myself."), agreement.ShownCheckbox, func(l *looker, _ agreement.Document, script bool) {
		if !script {
			l.Click("button[name=read]")
			l.fits()
			l.Click(".agree button")
			return
		}
		l.Click("[data-opens]")
		l.is("document.querySelector('dialog').open && document.activeElement.matches('dialog .said')", "the words are open and have the focus")
		l.look("popup")
		l.Press("\u001b")
		l.is("!document.querySelector('dialog').open && document.activeElement.matches('[data-opens]')", "Esc closes them and gives the focus back")
		if n := l.s.count(l.t, "agreement_acceptances"); n != 0 || l.Exists(".ask input:checked") {
			l.t.Fatal("closing is agreeing")
		}
		l.Click("[data-opens]")
		l.Click("dialog button[value=agree]")
	}},
	"full": {agreement.ShowFull, said(long), agreement.ShownFull, func(l *looker, _ agreement.Document, script bool) {
		l.Click("button[name=read]")
		if !script {
			l.fits()
			if !strings.HasSuffix(l.Text(".agree form"), "I have read all of it, and I agree") {
				l.t.Fatalf("the form says %q", l.Text(".agree form"))
			}
			l.Click(".agree button")
			return
		}
		l.look("full")
		l.is("document.querySelector('.agree button').ariaDisabled === 'true'", "it is locked before its end was seen")
		at := l.URL()
		browser.Eval[bool](l.Page, "(document.querySelector('.agree button').click(), true)") // leads to the end, and nowhere else
		l.is("document.querySelector('.agree button').ariaDisabled !== 'true'", "it opens at its end")
		if l.URL() != at || l.s.count(l.t, "agreement_acceptances") != 0 {
			l.t.Fatal("it was agreed to while it was locked")
		}
		l.look("full-open")
		l.Click(".agree button")
	}},
	"pdf": {agreement.ShowFull, agreement.Content{File: apptest.PDF(5, "I take care of myself.")}, agreement.ShownFull, func(l *looker, d agreement.Document, script bool) {
		l.Click("button[name=read]")
		if script {
			l.look("pdf")
		}
		if !strings.Contains(l.Text("main"), "5 pages") || !l.Exists("object.pdf[data$='?inline=1']") || !l.Exists("a[download]") {
			l.t.Fatalf("the page of a PDF says %q", l.Text("main"))
		}
		l.Click(".agree button")
		if strings.Contains(l.URL(), d.Copy.ID.String()) { // it was below the window: now its end is seen
			l.is("document.querySelector('.agree button').ariaDisabled !== 'true'", "it opens at its end")
			l.Click(".agree button")
		}
	}},
}

// is waits until something is true of the page.
func (l *looker) is(expression, what string) {
	l.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) { // real time: a browser's
		if yes, answered := browser.TryEval[bool](l.Page, expression); answered && yes {
			return
		}
		if time.Now().After(end) {
			l.t.Fatalf("%s: not true that %s", l.URL(), what)
		}
	}
}

// look holds the page that is open against axe, as it stands. A browser without script runs no axe either.
func (l *looker) look(name string) {
	l.t.Helper()
	l.fits()
	l.Axe(l.t)
	if l.t.Failed() {
		l.t.Fatalf("on %s at %s", name, l.URL())
	}
}

// TestAgreeingInABrowser: A175, A184, A189: a list, the text over the page, a text that must be read to its end and a
// PDF: each with script and without, until the class is booked, and the customer's record has the text shown, and
// when.
func TestAgreeingInABrowser(t *testing.T) {
	t.Parallel()
	for name, w := range ways {
		for how, script := range map[string]bool{"with script": true, "without script": false} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				_, d := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Show: w.show, Content: w.says})
				talk := s.class(t, "Open House", 1, priced(0))
				l := s.look(t, browser.Options{Width: 390, Height: 844, NoScript: !script})
				l.at(s.path(talk, &talk.Dates[0]))
				l.Click(".pick form button")
				l.signIn("ana@example.com")
				l.Fill("#name", "Ana Ruiz")
				l.Click("main form button[type=submit]")
				if got := l.Text("h1"); got != "Before you book" {
					t.Fatalf("%s says %q", l.URL(), got)
				}
				if script {
					l.look("asked")
				}
				w.agrees(l, d, script)
				l.Wait("form[action$='/pay'] button[type=submit]")
				if got := l.Text("main"); !strings.Contains(got, "You agreed to Waiver on Jun") {
					t.Errorf("the last step says %q", got)
				}
				if script {
					l.look("pay")
				}
				l.Click("form[action$='/pay'] button[type=submit]")
				if got := l.Text("h1"); got != "You’re booked" {
					t.Fatalf("%s says %q", l.URL(), got)
				}
				l.quiet()
				now := s.Clock.Now()
				if n := s.count(t, `agreement_acceptances a join orders o on o.cart_id = a.cart_id join bookings b on b.order_id = o.id and b.state = 'confirmed'
					where a.document_id = $1 and a.copy_id = $2 and a.round = 1 and a.shown = $3 and a.source = 'checkout' and a.user_agent like 'Mozilla%'
					and a.created_at between $4 and $5`, d.ID, d.Copy.ID, w.shown, now.Add(-time.Minute), now); n != 1 {
					t.Errorf("%d acceptances of a booking", n)
				}
			})
		}
	}
}

// TestReadingToTheEndByKeyboard: A189: without a pointer: Tab, Enter, End. A screen reader's user presses the button
// after the last paragraph, and is led to the one that agrees.
func TestReadingToTheEndByKeyboard(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, d := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Show: agreement.ShowFull, Frequency: agreement.EveryBooking, Content: said(long)})
	talk := s.class(t, "Open House", 2, priced(0))
	l := s.look(t, browser.Options{})
	press := func(sel string) {
		t.Helper()
		for range 60 {
			l.Press("\t")
			if browser.Eval[bool](l.Page, "document.activeElement.matches("+quote(sel)+")") {
				l.Press("\r")
				return
			}
		}
		t.Fatalf("%s is not reached by Tab on %s", sel, l.URL())
	}
	l.at(s.path(talk, &talk.Dates[0]))
	press(".pick form button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Press("\r")
	locked := "document.querySelector('.agree button').ariaDisabled === 'true'"
	press("button[name=read]")
	l.is(locked, "it is locked")
	browser.Eval[bool](l.Page, "(dispatchEvent(new KeyboardEvent('keydown', {key: 'End'})), true)")
	l.is("!("+locked+")", "End opens it")
	press(".agree button")
	press("form[action$='/pay'] button[type=submit]")
	if got := l.Text("h1"); got != "You’re booked" {
		t.Fatalf("%s says %q", l.URL(), got)
	}

	l.at(s.path(talk, &talk.Dates[1]))
	press(".pick form button")
	press("button[name=read]")
	l.is(locked, "it is locked")
	browser.Eval[bool](l.Page, "(document.querySelector('[data-end] button').click(), true)") // as a screen reader presses: nothing is scrolled
	l.is("!("+locked+") && document.activeElement.matches('.agree button')", "the button behind the last paragraph opens it")
	l.Press("\r")
	l.Wait("form[action$='/pay'] button[type=submit]")
	if n := s.count(t, "agreement_acceptances where document_id = $1 and shown = 'full'", d.ID); n != 2 {
		t.Errorf("%d acceptances", n)
	}
}

// TestPDFOfAnAgreement: a PDF is saved from its address, and shown in pages of ours from the same one with another
// ending; in neither way does a browser run its contents on our pages.
func TestPDFOfAnAgreement(t *testing.T) {
	t.Parallel()
	s := open(t)
	file := apptest.PDF(2, "I take care of myself.")
	_, d := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: agreement.Content{File: file}})
	v := s.visit(t)
	for path, want := range map[string][]string{
		"":                  {"attachment; filename=Waiver.pdf", "default-src 'none'; sandbox"},
		"?inline=1":         {"inline; filename=Waiver.pdf", "frame-ancestors 'self'"},
		"?inline=1&embed=1": {"inline; filename=Waiver.pdf", "frame-ancestors *"},
	} {
		p := v.get(agreement.Path(s.Business.ID, d.Copy.ID) + path)
		h := p.Header
		if p.Body != string(file) || h.Get("Content-Type") != "application/pdf" || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Content-Disposition") != want[0] || !strings.Contains(h.Get("Content-Security-Policy"), want[1]) || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; ") {
			t.Errorf("%s: %d bytes, %v", path, len(p.Body), h)
		}
	}
}
