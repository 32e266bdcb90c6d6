package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/catalog"
)

// TestServicesInABrowser books an appointment with Anyone and rents a room for two hours, on a phone, with script and
// without, by visible elements.
func TestServicesInABrowser(t *testing.T) {
	t.Parallel()
	for name, noScript := range map[string]bool{"with script": false, "without script": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.massage(t)
			s.sauna(t)
			l := s.look(t, browser.Options{Width: 390, Height: 844, NoScript: noScript})
			l.at("/" + s.Location.Slug).fits()
			l.Click("a.btn[href='/harbour/massage']")
			l.fits()
			l.Click(".free .chip:nth-child(2)")
			l.Click("button[value='" + start(ten) + "']")
			l.signIn("ana@example.com")
			l.Fill("#name", "Ana Ruiz")
			l.Click("main form button")
			l.pays(apptest.CardGood)
			if got := l.Text("h1"); got != "You’re booked" {
				t.Fatalf("%s says %q", l.URL(), got)
			}
			l.fits()

			l.at("/harbour/sauna")
			l.Click(".free .chip:nth-child(2)")
			l.Click(".opt[href*='minutes=120']")
			l.Click(".opt[href*='party=2']")
			if got := l.Text(".sum"); !strings.Contains(got, "$50.00") {
				t.Fatalf("two people pay %q", got)
			}
			l.fits()
			l.Click("button[value='" + start(ten) + "']")
			if got := l.Text("form[action*='/pay/card'] button"); got != "Pay $50.00" {
				t.Fatalf("the button says %q", got)
			}
			l.pays(apptest.CardGood)
			if got := l.Text(".items"); !strings.Contains(got, "10:00\u00a0am to 12:00\u00a0pm") || !strings.Contains(got, "2 people") {
				t.Fatalf("the receipt says %q", got)
			}
			l.fits()
			l.quiet()
			if n := s.count(t, "bookings where state = 'confirmed' and party = 2"); n != 1 {
				t.Errorf("%d rooms are rented", n)
			}
		})
	}
}

// TestEveryPageOfAServiceIsAccessible checks the pages of appointments and rentals.
func TestEveryPageOfAServiceIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	m, _, jo := s.massage(t, func(r *apptest.ServiceRow) { r.Approval = true })
	s.sauna(t)
	s.class(t, "Sunrise Vinyasa", 3)
	s.SQL(t, "update offerings set description = $2 where id = $1", m.ID, "Slow, firm pressure for shoulders and back.\n\nPlease come without having eaten for an hour.")
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 1500 }))
	l := s.look(t, browser.Options{})
	l.at("/" + s.Location.Slug).see("front-mixed")
	l.at("/harbour/massage").see("appointment")
	l.at("/harbour/sauna?party=4&minutes=120").see("rental")
	l.at("/harbour/massage?from=2026-06-11&with=" + jo.ID.String())
	s.AddBusy(t, m, ten, func(b *apptest.BusyRow) { b.Members = []uuid.UUID{jo.ID} })
	l.Click("button[value='" + start(ten) + "']")
	l.see("appointment-taken")
	l.Click("button[value='" + start(ten.Add(time.Hour)) + "']")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	l.see("pay-request")
	l.order().Click(".order .acts a")
	l.see("cart-request")
	l.Click("form[id=go] button")
	l.pays(apptest.CardGood)
	l.see("receipt-request")
	s.Pause(t)
	l.at("/harbour/massage").see("appointment-paused")
}
