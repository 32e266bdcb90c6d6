package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
)

// payingStripe stands in for the processor's script. It records the visible part of the page, and pays in the
// simulator.
const payingStripe = `window.told = [location.href, document.referrer, JSON.stringify(history.state)].join(" ");
window.Stripe = () => ({
	elements: () => ({
		create: () => ({ on: (what, then) => { if (what === "ready") setTimeout(then) }, mount: at => { at.textContent = "A card form" } }),
		submit: async () => ({}),
	}),
	confirmPayment: async o => {
		const body = new URLSearchParams({client_secret: o.clientSecret, number: "4242424242424242", exp: "12/34", cvc: "123", return_url: o.confirmParams.return_url});
		await fetch("/__sim/pay", {method: "POST", redirect: "manual", body});
		return {};
	},
})`

// TestProcessorsScriptInTheFrame: when it runs, neither the address of the page nor its referrer holds the ticket;
// the page can be reloaded all the same, and paying leads to the receipt with the customer still signed in.
func TestProcessorsScriptInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.Live = true })
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	host, l := s.framed(t, "/harbour/sunrise-vinyasa?embed=1&time="+yoga.Dates[0].ID.String(), "", browser.Options{})
	l.Answer("https://js.stripe.com/v3", "text/javascript", payingStripe)
	l.Click(".pick form button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	for _, again := range []bool{false, true} {
		if again {
			l.eval("location.reload()")
		}
		l.Wait("form[data-stripe] button:enabled")
		told := browser.Eval[string](l.Page, "told")
		if strings.Contains(told, "_ticket") || strings.Contains(told, "_pass") || !strings.HasSuffix(told, " "+s.URL+"/ null") {
			t.Errorf("loaded again %v: the script sees %q", again, told)
		}
	}
	host.as(l)
	l.Click("form[data-stripe] button")
	for end := time.Now().Add(30 * time.Second); !strings.Contains(l.URL(), "/receipt/") && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	if got := l.Text("h1"); got != "You’re booked" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	l.Click("main a[href^='/my?']")
	if got := l.Text(".lead"); !strings.Contains(got, "ana@example.com") {
		t.Errorf("my bookings say %q", got)
	}
	l.quiet()
}

// TestWalkinBarInTheFrame: it is as tall as its text, reloads every half minute and at once when it becomes visible
// again, never while it is hidden; unchanged parts are not touched, and without a status the frame is gone. E122.
func TestWalkinBarInTheFrame(t *testing.T) {
	// Serial: it hides its tab and measures the absence of requests meanwhile.
	s := open(t)
	s.sauna(t, func(r *apptest.ServiceRow) { r.Walkins = true })
	s.Clock.Set(ten)
	host, l := s.framed(t, "/harbour?embed=live", "", browser.Options{})
	height := func() int { return browser.Eval[int](host.Page, `document.querySelector("iframe").offsetHeight`) }
	until := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("it did not happen that %s: the frame is %d tall", what, height())
			}
		}
	}
	look := func() { host.Hide(); host.Show() }
	asked := func() int { return browser.Eval[int](l.Page, `asked`) }
	l.Before(`asked = answered = 0; send = fetch; fetch = (...a) => (asked++, send(...a).finally(() => answered++));
		later = setTimeout; if (!location.search.includes("plain")) setTimeout = (f, ms, ...a) => later(f, ms === 30000 ? 300 : ms, ...a)`)
	l.Goto(l.URL())
	until("it asks three times", func() bool { return asked() >= 3 })
	l.Goto(l.URL() + "&plain") // with the waits as they are
	until("it has a height", func() bool { h := height(); return h > 20 && h < 120 })
	if got := l.Text("[role=status]"); !strings.HasPrefix(got, "Walk in now") {
		t.Errorf("it says %q", got)
	}

	browser.Eval[bool](l.Page, `(changes = 0, new MutationObserver(list => changes += list.length).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true}), true)`)
	before := asked()
	look()
	until("it asks when it is looked at", func() bool { return asked() > before })
	time.Sleep(300 * time.Millisecond)
	if n := browser.Eval[int](l.Page, "changes"); n != 0 {
		t.Errorf("an answer that is the same changes the page %d times", n)
	}
	host.Hide()
	until("the bar is hidden, too, and has its answers", func() bool { return browser.Eval[bool](l.Page, "document.hidden && asked === answered") })
	s.SQL(t, "update locations set walkins_off = true")
	before = asked()
	time.Sleep(time.Second)
	if asked() != before || height() == 0 {
		t.Error("a hidden bar asks")
	}
	host.Show()
	until("it collapses", func() bool { return height() == 0 })
	s.SQL(t, "update locations set walkins_off = false")
	look()
	until("If they decline, the amount you pay for it now is refunded", func() bool { return height() > 20 })
	host.quiet()
}

// TestBackThroughHistory: the way back leads to the very page the visitor left, however many pages ago, and to the
// page that ref names where it is not behind. E145.
func TestBackThroughHistory(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	const site = "https://harbouryoga.com/timetable"
	const at = "?ref=https%3A%2F%2Fharbouryoga.com%2Ftimetable"
	l := s.look(t, browser.Options{})
	l.Answer(site, "text/html", `<!doctype html><meta name="referrer" content="unsafe-url"><title>Harbour Yoga</title><h1>Timetable</h1><a href="`+s.URL+"/harbour"+at+`">Book</a>`)
	steps := []func(){
		func() {},
		func() { l.Click("main .row .btn") },
		func() { l.Click(".pick form button") },
		func() { l.Goto(l.URL()) },
	}
	for n := range steps {
		l.Goto(site)
		l.Click("a")
		for _, step := range steps[1 : n+1] {
			step()
		}
		entries := browser.Eval[int](l.Page, "history.length")
		l.Click("[data-back]")
		if got := l.URL(); got != site {
			t.Fatalf("after %d steps the way back leads to %s", n, got)
		}
		if got := browser.Eval[int](l.Page, "history.length"); got != entries {
			t.Errorf("after %d steps it opened the page anew", n)
		}
	}
	fresh := s.look(t, browser.Options{})
	fresh.Answer(site, "text/html", `<!doctype html><title>Harbour Yoga</title><h1>Timetable</h1>`)
	fresh.at(s.path(yoga, nil) + at)
	fresh.Click("[data-back]")
	if got := fresh.URL(); got != site {
		t.Errorf("without a page behind it leads to %s", got)
	}
}

// TestEveryPageOfTheFrameIsAccessible checks the pages of the frame. WCAG 2.2 AA.
func TestEveryPageOfTheFrameIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 5, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 4, 4 })
	s.class(t, "Reformer Basics", 3, priced(3400))
	s.sauna(t, func(r *apptest.ServiceRow) { r.Walkins = true })
	l := s.look(t, browser.Options{})
	l.at("/harbour?embed=live").see("framed-bar-closed")
	l.at("/harbour?embed=1").see("framed-schedule")
	l.at(s.path(yoga, &yoga.Dates[0]) + "&embed=1").see("framed-listing")
	l.Click(".pick form button")
	l.see("framed-sign-in")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	l.see("framed-pay")
	l.order().Click(".order .acts a")
	l.see("framed-cart")
	l.Click("main .items ~ .acts a")
	l.see("framed-schedule-bar")
	l.Click(".bar .btn")
	l.Click("form[id=go] button")
	l.pays(apptest.CardGood)
	l.see("framed-receipt")
	l.Click("main a[href^='/my?']")
	l.see("framed-my")
	l.at("/nowhere?embed=1").see("framed-missing")
	s.Clock.Set(ten)
	l.at("/harbour?embed=live").see("framed-bar")
}
