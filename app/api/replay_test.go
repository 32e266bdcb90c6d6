package api_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
)

// TestReplay: the same key with the same request has one effect and one response; with another request it is a
// conflict.
func TestReplay(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 9)
	for _, c := range []struct {
		path, token, table string
		body, otherBody    object
		status             int
	}{
		{"/locations/{location}/spaces", s.owner, "spaces", object{"name": "Blue", "capacity": 3}, object{"name": "Red", "capacity": 3}, 201},
		{"/businesses/{business}/tax-rates", s.owner, "tax_rates", object{"name": "Tax", "ppm": 1}, object{"name": "Tax", "ppm": 2}, 201},
		{"/locations/{location}/offerings", s.owner, "offerings",
			object{"kind": "class", "name": "A", "durationMinutes": 60, "capacity": 1}, object{"kind": "class", "name": "B", "durationMinutes": 60, "capacity": 1}, 201},
		{"/offerings/{offering}/series", s.owner, "series", object{"weekdays": []int{1}, "start": "2026-06-15", "at": "08:00"},
			object{"weekdays": []int{2}, "start": "2026-06-15", "at": "08:00"}, 201},
		{"/storefront/carts", "", "carts", object{"locationId": s.ids["location"]}, object{"locationId": s.ids["location2"]}, 201},
		{"/businesses/{business}/team", s.owner, "members", object{"email": "kim@example.com"}, object{"email": "lee@example.com"}, 201},
	} {
		before := h.rows(c.table)
		first := h.expect(c.status, call{method: "POST", path: s.at(c.path), token: c.token, body: js(c.body), key: "k-1"})
		for range 2 {
			if again := h.expect(c.status, call{method: "POST", path: s.at(c.path), token: c.token, body: js(c.body), key: "k-1"}); string(again.body) != string(first.body) {
				t.Errorf("%s: %s, first %s", c.path, again, first)
			}
		}
		if n := h.rows(c.table) - before; n != 1 {
			t.Errorf("%s: %d rows", c.path, n)
		}
		reused := h.expect(409, call{method: "POST", path: s.at(c.path), token: c.token, body: js(c.otherBody), key: "k-1"})
		if reused.reason() != "idempotency_key_reused" {
			t.Errorf("%s", reused)
		}
		h.expect(c.status, call{method: "POST", path: s.at(c.path), token: c.token, body: js(c.otherBody), key: "k-2"})
	}
}

func (h *house) rows(table string) int {
	h.t.Helper()
	return apptest.Value[int](h.t, h.World, "select count(*) from "+table)
}

// TestReplayOfContractOperations: operations of the contract never return 409 for a key; with another body it is 400.
// A231.
func TestReplayOfContractOperations(t *testing.T) {
	h := open(t)
	rosa := h.signIn("rosa@example.com")
	body := object{"inviteToken": h.invite("rosa@example.com"), "name": "Harbour", "currency": "USD", "zone": "UTC"}
	first := h.expect(201, call{method: "POST", path: "/businesses", token: rosa, body: js(body), key: "open"})
	again := h.expect(201, call{method: "POST", path: "/businesses", token: rosa, body: js(body), key: "open"})
	if string(first.body) != string(again.body) || h.rows("businesses") != 1 {
		t.Errorf("%s", again)
	}
	reused := h.expect(400, call{method: "POST", path: "/businesses", token: rosa, body: js(with(body, "name", "Other")), key: "open"})
	if !slices.Equal(reused.fields(), []string{"header.Idempotency-Key"}) {
		t.Errorf("%v %s", reused.fields(), reused)
	}
	for _, op := range h.operations { // and no closed object of theirs has a version
		if op.Frozen && op.ID != "createBusiness" {
			d, _ := h.doc.Operation(op.Method, op.Path)
			schema := h.resolve(dig[object](d, "responses", "200", "content", "application/json", "schema"))
			if data := h.resolve(dig[object](schema, "properties", "data")); dig[object](data, "properties")["version"] != nil {
				t.Errorf("%s has a version", op.ID)
			}
		}
	}
}

// TestReplayOfABooking: hold and confirmation answer a repetition byte for byte, later too, and there is one booking.
func TestReplayOfABooking(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 2)
	rosa, token := h.signIn("rosa@example.com"), s.cart("occurrence")
	for _, verb := range []string{"/hold", "/confirm"} {
		c := call{method: "POST", path: "/storefront/carts/" + token + verb, token: rosa, key: verb}
		first := h.expect(200, c)
		h.Clock.Advance(time.Minute)
		for range 2 {
			if again := h.expect(200, c); string(again.body) != string(first.body) {
				t.Errorf("%s: %s, first %s", verb, again, first)
			}
		}
	}
	h.Clock.Advance(time.Hour) // the hold has long expired, and the cart is booked
	if again := h.expect(200, call{method: "POST", path: "/storefront/carts/" + token + "/hold", token: rosa, key: "/hold"}); again.text("holdId") == "" {
		t.Errorf("%s", again)
	}
	if n := h.rows("bookings"); n != 1 {
		t.Errorf("%d bookings", n)
	}
}

// TestReplayIsTheCallers: a key belongs to its sender; an invalid one is refused; after a day it expires.
func TestReplayIsTheCallers(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	admin, _ := s.join("admin@example.com", object{"role": "admin"})
	path := s.at("/businesses/{business}/tax-rates")
	post := func(token, key string) answer {
		return h.do(call{method: "POST", path: path, token: token, body: js(object{"name": "Tax", "ppm": 1}), key: key})
	}
	mine, theirs := post(s.owner, "same"), post(admin, "same")
	if mine.text("id") == theirs.text("id") || theirs.status != 201 {
		t.Errorf("%s", theirs)
	}
	if again := post(h.signIn(s.ownerEmail), "same"); again.text("id") != mine.text("id") { // the person's, not the session's
		t.Errorf("%s", again)
	}
	for _, wrong := range []string{strings.Repeat("k", 256), "has space", "é"} {
		if a := post(s.owner, wrong); a.status != 400 {
			t.Errorf("%q: %s", wrong, a)
		}
	}
	cart := func(visitor string) answer {
		return h.expect(201, call{method: "POST", path: "/storefront/carts", remote: visitor, body: js(object{"locationId": s.ids["location"]}), key: "cart"})
	}
	if a, b := cart("203.0.113.1"), cart("203.0.113.2"); a.text("token") == b.text("token") {
		t.Error("a stranger's key returned somebody's cart")
	}
	h.Clock.Advance(25 * time.Hour)
	if err := h.DB.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := post(s.owner, "same"); again.text("id") == mine.text("id") {
		t.Error("a key is remembered for ever")
	}
}

// TestReplayRace: of parallel identical requests one has the effect, and all get its response.
func TestReplayRace(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	answers := make([]string, 8)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			a := h.do(call{method: "POST", path: s.at("/businesses/{business}/tax-rates"), token: s.owner, body: js(object{"name": "Tax", "ppm": 1}), key: "twins"})
			answers[i] = fmt.Sprint(a.status, string(a.body))
		})
	}
	all.Wait()
	one := strings.HasPrefix(answers[0], "201") && len(slices.Compact(slices.Clone(answers))) == 1
	if n := h.rows("tax_rates"); n != 1 || !one {
		t.Errorf("%d rows, %v", n, answers)
	}
}

// TestVersions: every change of a record requires the version that was read; a stale one is a conflict with the
// current one. A71.
func TestVersions(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	for _, op := range h.operations {
		if !op.Versioned {
			// a cart is one customer's, and its last word counts; the contract shows no version of the others
			if op.Method == "PATCH" && op.ID != "updateCartItem" && op.ID != "updateAsset" && op.ID != "updateAgreement" &&
				op.ID != "updateAccountingConnection" {
				t.Errorf("%s changes a record and takes no version", op.ID)
			}
			continue
		}
		a := h.expect(409, call{method: op.Method, path: s.fill(op, ""), token: s.owner, body: js(s.bodies(op.ID))})
		if a.reason() != "stale_version" || dig[object](decode(a.body), "error", "details")["version"] == nil {
			t.Errorf("%s: %s", op.ID, a)
		}
		h.expect(400, call{method: op.Method, path: s.fill(op, ""), token: s.owner, body: js(without(s.bodies(op.ID), "version"))})
	}
}
