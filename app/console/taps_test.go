package console_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
)

// TestTapsWaitForTheLine: offline, check-ins wait in the browser and are sent when the connection returns. One of a
// customer marked by another device meanwhile is refused and named, and one that waited for more than ten minutes is
// not sent, and named.
func TestTapsWaitForTheLine(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	f := s.Fill(t)
	c := s.As(t, consoletest.Owner)
	p := browser.New(t, browser.Options{})
	p.Goto(s.URL + "/livez")
	browser.Eval[string](p, fmt.Sprintf("document.cookie = 'foyer_session=%s; path=/'", c.Session()))
	p.Goto(s.URL + "/manage/" + s.Studio.Business.Slug + "/dates/" + f.Dates[0].ID.String())
	p.Wait(".roster form[data-queue] .btn")

	p.Offline(true)
	tap := func(i int) {
		t.Helper()
		browser.Eval[bool](p, fmt.Sprintf(`document.querySelector('form[action$="%s/check-in"] button').click(), true`, f.Bookings[i]))
	}
	says := func(text string) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !strings.Contains(p.Text("#taps p"), text); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the bar says %q, not %q", p.Text("#taps p"), text)
			}
		}
	}
	tap(0)
	says("Waiting to be sent: 1")
	tap(2)
	says("Waiting to be sent: 2")
	if _, err := s.Booking.NoShow(t.Context(), s.Owner, f.Bookings[0]); err != nil { // another device
		t.Fatal(err)
	}
	p.Offline(false)
	browser.Eval[bool](p, "dispatchEvent(new Event('online'))")
	says("Not done because something changed in the meantime: Cleo Marin")
	c.Get("/dates/"+f.Dates[0].ID.String()).Shows(t, "1 checked in", "No-show")

	browser.Eval[bool](p, `localStorage.setItem("taps", JSON.stringify([{ to: location.href, body: "", at: Date.now() - 11 * 60 * 1000, what: "Li Wei" }])), dispatchEvent(new Event("online"))`)
	says("Not sent because they waited for more than ten minutes: Li Wei")
}
