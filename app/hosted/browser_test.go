package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/booking"
	"foyer/app/words"
)

// quiet fails for every error of a script, refused load and failed request of the pages so far.
func (l *looker) quiet() {
	l.t.Helper()
	if said := l.Complaints(); len(said) > 0 {
		l.t.Errorf("the browser complains: %q", said)
	}
}

// fits fails when the page scrolls sideways.
func (l *looker) fits() {
	l.t.Helper()
	l.Wait("h1") // on a busy machine the page that a click leads to may not have begun yet
	if wide := browser.Eval[int](l.Page, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		l.t.Errorf("%s is %d px too wide", l.URL(), wide)
	}
}

// TestNewCustomerInABrowser books a class and buys a mat on the smallest phone, with script and without, by visible
// elements.
func TestNewCustomerInABrowser(t *testing.T) {
	t.Parallel()
	for name, noScript := range map[string]bool{"with script": false, "without script": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			yoga := s.class(t, "Sunrise Vinyasa", 3)
			s.sells(t, "Cork mat", 1200, 3)
			f := &finger{looker: s.look(t, smallPhone(noScript)), in: words.In("en-US"), plain: noScript}
			f.at("/" + s.Location.Slug)
			f.sound()
			f.Click("main .row .btn")
			if got := f.Text(".pick .when"); !strings.Contains(got, "Thursday, June 11") {
				t.Fatalf("the chosen time is %q", got)
			}
			f.sound()
			f.tap(".pick form button")
			f.signsIn("ana@example.com")
			f.isNamed("Ana Ruiz", "About you", "Continue")
			f.sound()
			f.reads("form[action*='/pay/card'] button", "Pay $22.00")
			f.at("/" + s.Location.Slug)
			f.tap(".below a")
			f.sound()
			f.tap(".items a")
			f.sound()
			f.tap(".pick form .acts button")
			f.shows("Sunrise Vinyasa", "Cork mat", "$34.00")
			f.sound()
			f.tap("form#go button[type=submit]")
			f.sound()
			f.pays(apptest.CardGood, 3400)
			f.reads("h1", "You’re booked")
			f.shows("Sunrise Vinyasa", "Cork mat", "Paid with Visa ending 4242")
			f.sound()
			f.quiet()
			if n := s.count(t, "stock_levels where on_hand = 2"); n != 1 {
				t.Error("no mat left the shelf")
			}
			roster, err := s.Booking.RosterOf(t.Context(), s.Owner, booking.RosterInput{OccurrenceID: yoga.Dates[0].ID})
			if err != nil || len(roster.Entries.Items) != 1 || roster.Entries.Items[0].CustomerName != "Ana Ruiz" || roster.Entries.Items[0].State != booking.Confirmed {
				t.Errorf("the studio's roster has %+v (%v)", roster.Entries.Items, err)
			}
		})
	}
}

// TestAWholeRowBooks: wherever a finger or the mouse rests on a row of the timetable, or of the appointments, it
// leads to booking.
func TestAWholeRowBooks(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 1)
	l := s.look(t, browser.Options{Width: 390, Height: 844})
	for _, across := range []float64{0.02, 0.5, 0.98} {
		for how, press := range map[string]func(string, float64, float64){"the mouse": l.PressAt, "a finger": l.TapAt} {
			l.at("/" + s.Location.Slug)
			press("main .row", across, 0.2)
			if !l.Exists(".pick form button") {
				t.Errorf("pressed by %s at %.2f of the row: %s", how, across, l.URL())
			}
		}
	}
}

// TestBankAndDeclineInABrowser fails authentication at the bank, has a card declined, and pays with the third
// attempt; the page keeps the seats all the while.
func TestBankAndDeclineInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	l := s.look(t, browser.Options{})
	l.at(s.path(yoga, &yoga.Dates[0]))
	l.Click(".pick form button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")

	l.pays(apptest.CardChecked)
	if got := l.Text("h1"); got != "Is this payment yours?" {
		t.Fatalf("the bank asks %q", got)
	}
	l.Axe(t)
	l.Click("button[value=fail]")
	if got := l.Text("[role=alert]"); !strings.Contains(got, "Nothing was charged") {
		t.Fatalf("after the bank's no: %q", got)
	}
	l.pays(apptest.CardDeclined)
	if got := l.Text("[role=alert]"); !strings.Contains(got, "Your bank declined the card") {
		t.Fatalf("after the decline: %q", got)
	}
	l.pays(apptest.CardChecked)
	l.Click("button[value=authorise]")
	if got := l.Text("h1"); got != "You’re booked" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	l.quiet()
}

// TestHoldRunsOutInABrowser counts down in front of the customer, and offers the seat again.
func TestHoldRunsOutInABrowser(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	l := s.look(t, browser.Options{})
	l.at(s.path(yoga, &yoga.Dates[0]))
	l.Click(".pick form button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	s.Clock.Advance(10*time.Minute - 2*time.Second)
	l.Goto(l.URL())
	for end := time.Now().Add(time.Minute); !strings.Contains(l.Text("[data-hold]"), "The hold has expired"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the countdown says %q", l.Text("[data-hold]"))
		}
	}
	s.Clock.Advance(3 * time.Second)
	l.Goto(l.URL())
	if got := l.Text("h1"); got != "Your hold has expired" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	l.Click("form[action$='/again'] button")
	l.pays(apptest.CardGood)
	if got := l.Text("h1"); got != "You’re booked" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
	l.quiet()
}

// TestKeyboardAlone books a free class without a pointer: every step is reached by Tab and pressed by Enter.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	talk := s.class(t, "Open House", 1, priced(0))
	l := s.look(t, browser.Options{})
	press := func(sel string) {
		t.Helper()
		for range 40 {
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
	press("form[action$='/pay'] button")
	if got := l.Text("h1"); got != "You’re booked" {
		t.Fatalf("%s says %q", l.URL(), got)
	}
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
