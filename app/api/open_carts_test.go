package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"foyer/app/web/op"
)

// The team sees the open carts: what is in them, at which price, who holds the seats and until when. Nothing in the
// answer lets its reader act as the customer. A97.
func TestA97_OpenCarts(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 1500, 5)
	s.add("discount", "/businesses/{business}/discounts", object{"name": "Spring", "code": "SPRING", "ppm": 100_000})
	rosa := h.signIn("rosa@example.com")
	empty := s.cart()
	token := s.cart("occurrence")
	h.post("/storefront/carts/"+token+"/items", "", object{"occurrenceId": s.ids["occurrence+"], "attendee": "Kim"})
	h.expect(200, call{method: "PUT", path: "/storefront/carts/" + token + "/code", body: js(object{"code": "spring"})})
	at := s.at("/businesses/{business}/carts")
	list := h.expect(200, call{path: at, token: s.owner}).list("items")
	if len(list) != 2 || list[0]["customerId"] != nil || list[0]["customerEmail"] != "" || list[0]["hold"] != nil {
		t.Fatalf("before the hold: %v", list)
	}
	h.post("/storefront/carts/"+token+"/hold", rosa, nil)
	theirs := h.expect(200, call{path: "/storefront/carts/" + token, token: rosa})
	id := theirs.text("id")
	got := h.expect(200, call{path: at + "/" + id, token: s.owner})
	for _, member := range []string{"totals", "code", "hold", "locationName", "zone", "createdAt"} {
		if js(got.data()[member]) != js(theirs.data()[member]) {
			t.Errorf("%s: %s, and the customer has %s", member, js(got.data()[member]), js(theirs.data()[member]))
		}
	}
	lines := got.list("lines")
	if len(lines) != 2 || lines[0]["occurrenceId"] != s.ids["occurrence"] || lines[0]["bookingId"] == nil ||
		lines[0]["offeringName"] != "Flow" ||
		lines[1]["attendee"] != "Kim" || js(lines[1]["price"]) != "1500" || js(lines[1]["total"]) != "1350" {
		t.Errorf("%s", got)
	}
	for member, want := range map[string]string{
		"customerEmail": "rosa@example.com", "code.code": "SPRING",
		"hold.expiresAt": h.Clock.Now().Add(10 * time.Minute).Format(time.RFC3339),
	} {
		if text := got.text(strings.Split(member, ".")...); text != want {
			t.Errorf("%s is %q, want %q", member, text, want)
		}
	}
	if got.text("customerId") == "" || got.data()["paying"] != false {
		t.Errorf("%s", got)
	}
	page := h.expect(200, call{path: at, token: s.owner})
	if list := page.list("items"); len(list) != 2 || list[0]["id"] != id || js(list[0]) != js(got.data()) ||
		len(list[1]["lines"].([]any)) != 0 {
		t.Errorf("%s", page)
	}
	for _, a := range []answer{got, page} {
		for _, secret := range []string{token, empty, "token", "ref"} {
			if strings.Contains(string(a.body), `"`+secret+`"`) {
				t.Errorf("%s has %s", a, secret)
			}
		}
	}
	h.post("/storefront/carts/"+token+"/payment", rosa, object{"quotedTotal": theirs.number("totals", "total")})
	if got := h.expect(200, call{path: at + "/" + id, token: s.owner}); got.data()["paying"] != true {
		t.Errorf("%s", got)
	}
	h.Clock.Advance(11 * time.Minute)
	late := h.expect(200, call{path: at + "/" + id, token: h.signIn(s.ownerEmail)})
	if late.data()["hold"] != nil || late.list("lines")[0]["bookingId"] != nil ||
		late.text("customerEmail") != "rosa@example.com" {
		t.Errorf("after the hold: %s", late)
	}
}

// Unknown, foreign and booked carts are the same answer to the byte; a role at one location sees the carts there. A47,
// A97.
func TestA97_OpenCartsOfOthers(t *testing.T) {
	h := open(t)
	s, elsewhere := h.open("Harbour"), h.open("Meadow")
	s.class("", 0, 5)
	s.class("2", 0, 5)
	elsewhere.class("", 0, 5)
	idOf := func(token string) string {
		return h.expect(200, call{path: "/storefront/carts/" + token}).text("id")
	}
	north, foreign := idOf(s.cart("occurrence")), idOf(elsewhere.cart("occurrence"))
	south := h.post("/storefront/carts", "", object{"locationId": s.ids["location2"]}).text("id")
	booked := s.cart("occurrence+")
	closed := idOf(booked)
	rosa := h.signIn("rosa@example.com")
	h.post("/storefront/carts/"+booked+"/hold", rosa, nil)
	h.post("/storefront/carts/"+booked+"/confirm", rosa, nil)
	at := s.at("/businesses/{business}/carts")
	unknown := h.expect(404, call{path: at + "/" + ghost("cartId"), token: s.owner})
	for name, id := range map[string]string{"foreign": foreign, "booked": closed} {
		if a := h.expect(404, call{path: at + "/" + id, token: s.owner}); string(a.body) != string(unknown.body) {
			t.Errorf("%s: %s, unknown: %s", name, a, unknown)
		}
	}
	ids := func(path, token string) (out []string) {
		t.Helper()
		for _, c := range h.expect(200, call{path: path, token: token}).list("items") {
			out = append(out, c["id"].(string))
		}
		return out
	}
	desk, _ := s.join("desk@example.com", object{"role": "front_desk", "locationId": s.ids["location2"]})
	for name, c := range map[string]struct {
		path, token string
		want        []string
	}{
		"owner":           {at, s.owner, []string{south, north}},
		"one location":    {at + "?locationId=" + s.ids["location"], s.owner, []string{north}},
		"a role at one":   {at, desk, []string{south}},
		"and of another":  {at + "?locationId=" + s.ids["location"], desk, nil},
		"of the business": {elsewhere.at("/businesses/{business}/carts"), elsewhere.owner, []string{foreign}},
	} {
		if got := ids(c.path, c.token); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	h.expect(200, call{path: at + "/" + south, token: desk})
	h.expect(403, call{path: at + "/" + north, token: desk})
	h.expect(403, call{path: at, token: elsewhere.owner})
	key, _ := s.key("location.view")
	h.expect(403, call{path: at, token: key})
}

// A page of carts costs the same number of statements whatever its size. Courses have their dates, each cart its own.
func TestOpenCartsStatements(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.course(0, 9)
	at := s.at("/businesses/{business}/carts")
	count := func() int {
		return h.Statements(func() { h.expect(200, call{path: at, token: s.owner}) })
	}
	held := s.enrol()
	h.post("/storefront/carts/"+held+"/hold", h.signIn("rosa@example.com"), nil)
	s.enrol()
	count() // what a process reads once
	few := count()
	for n := range 5 {
		token := s.enrol()
		if n < 2 {
			h.post("/storefront/carts/"+token+"/hold", h.signIn(fmt.Sprintf("guest%d@example.com", n)), nil)
		}
	}
	if many := count(); many != few {
		t.Errorf("%d statements for 2 carts, %d for 7", few, many)
	}
	for _, c := range h.expect(200, call{path: at, token: s.owner}).list("items") {
		one := h.expect(200, call{path: at + "/" + c["id"].(string), token: s.owner})
		dates := dig[[]any](one.list("lines")[0], "dates")
		if js(one.data()) != js(c) || len(dates) != 5 || (dig[any](dates[4], "bookingId") == nil) != (c["hold"] == nil) {
			t.Errorf("%s, in the list %s", one, js(c))
		}
	}
}

// The link for a file needs the feature of each operation that it is for: otherwise a caller who may call one could
// not get a link to it.
func TestUploadLinkNeedsTheirFeature(t *testing.T) {
	h := open(t)
	n := 0
	for _, spec := range h.operations {
		if spec.File == nil {
			continue
		}
		n++
		if spec.Feature != "catalog.manage" || spec.Access != op.Operator {
			t.Errorf("%s needs %s: createUploadLink has to admit its callers", spec.ID, spec.Feature)
		}
	}
	if n < 3 {
		t.Errorf("%d operations with a file", n)
	}
}
