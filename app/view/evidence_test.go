package view_test

import (
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest/browser"
	"foyer/app/view"
)

// evidence is that Ana agreed to a waiver for a child, in a browser with a long name.
func evidence() agreement.Evidence {
	sum := sha256.Sum256([]byte(houseRules))
	format, shown, words := agreement.Markdown, agreement.ShownFull, houseRules
	cart := uuid.MustParse("0190a1b2-0000-7000-8000-000000000001")
	return agreement.Evidence{
		ID: cart, BusinessID: cart, BusinessName: "Harbour Yoga", LocationID: cart, LocationName: "Harbour Yoga, Hill", Zone: "Europe/Lisbon", Language: "en", CustomerID: cart,
		Customer: "Ana Ruiz", Email: "ana@example.com", PersonID: &cart, Attendee: new("Mia"), Name: "House rules for everybody who comes along",
		Copy:   agreement.Copy{ID: cart, DocumentID: cart, Number: 3, Kind: agreement.KindText, Format: &format, Body: &words, SHA256: sum[:], Bytes: len(words), CreatedAt: at(1, 9, 0)},
		Round:  1,
		Source: agreement.SourceCheckout, Shown: &shown, IP: "2001:db8:85a3::8a2e:370:7334", CartID: &cart, CreatedAt: at(3, 12, 0),
		UserAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.2 Mobile/15E148 Safari/604.1",
		Bookings:  []agreement.EvidenceBooking{{ID: cart, Name: "Family yoga", StartsAt: at(19, 18, 0)}, {ID: cart, Name: "Family yoga", StartsAt: at(26, 18, 0)}},
	}
}

// TestEvidenceIsAccessible: A159: the page that proves an agreement has no violation on a phone and on a desktop,
// names the person, and is as light on a dark screen: it is a paper.
func TestEvidenceIsAccessible(t *testing.T) {
	t.Parallel()
	page, err := view.Evidence(evidence())
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"On behalf of", "Mia, as their parent or guardian or with their permission"} {
		if !strings.Contains(string(page), says) {
			t.Errorf("it does not say %q", says)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	t.Cleanup(s.Close)
	p := browser.New(t, browser.Options{})
	for _, width := range []int{320, 390, 1280} {
		p.Resize(width, 844)
		for _, dark := range []bool{false, true} {
			p.Scheme(dark)
			p.Goto(s.URL)
			p.Axe(t)
			picture(p, "evidence", width, dark)
			if wide := browser.Eval[int](p, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("scrolls sideways at %d px: %d px wide", width, wide)
			}
		}
	}
}
