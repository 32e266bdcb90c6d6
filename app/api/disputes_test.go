package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
)

// disputed returns the dispute of a payment, as found by the nightly listing.
func (s *studio) disputed(payment string) (id string) {
	h := s.h
	h.t.Helper()
	intent := apptest.Value[string](h.t, h.World, "select intent from payments where id = $1", payment)
	if _, err := h.sim.Dispute(s.account, intent, "product_not_received"); err != nil {
		h.t.Fatal(err)
	}
	h.Clock.Advance(24 * time.Hour)
	if err := h.domains.Balance.ListingsDue(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	list := h.expect(200, call{path: s.at("/businesses/{business}/disputes?open=true"), token: s.owner}).list("items")
	if len(list) != 1 || list[0]["paymentId"] != payment {
		h.t.Fatalf("%s", js(list))
	}
	return list[0]["id"].(string)
}

// TestDisputeEvidence: evidence is saved and changed as a draft, and submitted once; a stale version and a dispute of
// another business are refused.
func TestDisputeEvidence(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	at := s.at("/businesses/{business}/disputes/" + s.disputed(s.bought(h.signIn("rosa@example.com"))) + "/evidence")
	read := func() answer { t.Helper(); return h.expect(200, call{path: at, token: s.owner}) }
	keep := func(status int, version int64, changes ...any) answer {
		t.Helper()
		words := saidToTheBank
		for i := 0; i < len(changes); i += 2 {
			words = with(words, changes[i].(string), changes[i+1])
		}
		return h.expect(status, call{method: http.MethodPut, path: at, token: s.owner, body: js(object{"version": version, "words": words})})
	}
	handIn := func(status int, version int64) answer {
		t.Helper()
		return h.expect(status, call{method: http.MethodPost, path: at + "/submit", token: s.owner, body: js(object{"version": version})})
	}
	if got := read(); got.number("version") != 0 || got.text("words", "product") != "" || js(got.data()["handedInAt"]) != "null" ||
		got.text("proposal", "customerEmail") != "rosa@example.com" || !strings.Contains(got.text("proposal", "attendance"), "booked by the customer") {
		t.Errorf("%s", got)
	}
	accountant, _ := s.join("books@example.com", object{"role": "accountant"})
	if got := h.expect(200, call{path: at, token: accountant}); got.data()["proposal"] != nil {
		t.Errorf("who may not answer is told of the customer: %s", got)
	}
	if got := handIn(409, 0); got.reason() != "evidence_missing" {
		t.Errorf("%s", got)
	}
	if got := keep(200, 0); got.data()["proposal"] != nil {
		t.Errorf("%s", got)
	}
	if got := keep(409, 0); got.reason() != "stale_version" {
		t.Errorf("%s", got)
	}
	if got := keep(200, 1, "refusal", "She came."); got.number("version") != 2 || got.text("words", "refusal") != "She came." {
		t.Errorf("%s", got)
	}
	if got := handIn(409, 1); got.reason() != "stale_version" {
		t.Errorf("%s", got)
	}
	if got := handIn(200, 2); got.text("submittedAt") == "" || js(got.data()["acceptedAt"]) != "null" || got.text("words", "refusal") != "She came." {
		t.Errorf("%s", got)
	}
	if kept, again := keep(409, 3), handIn(409, 3); kept.reason() != "evidence_submitted" || again.reason() != "evidence_submitted" {
		t.Errorf("%s and %s", kept, again)
	}
	other := h.open("Elsewhere")
	for _, c := range []call{{path: other.at("/businesses/{business}") + at[len(s.at("/businesses/{business}")):]}, {path: at[:len(at)-len("/evidence")-36] + ghost("") + "/evidence"}} {
		c.token = s.owner
		if c.path[:len("/businesses/")+36] != at[:len("/businesses/")+36] {
			c.token = other.owner
		}
		h.expect(404, c)
	}
}
