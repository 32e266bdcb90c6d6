package api_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"foyer/app/web"
	"foyer/app/web/op"
)

// limited opens a house with the contract's own limits.
func limited(t testing.TB, l op.Limits) (*house, *studio) {
	t.Helper()
	h := open(t, func(o *web.Options) { o.Limits = l })
	s := h.open("Harbour")
	h.Clock.Advance(time.Minute) // what it took to open is another window
	return h, s
}

// TestReadLimit: 480 calls a minute and visitor, then 429 until the window resets. A72, A75, A79, A85.
func TestReadLimit(t *testing.T) {
	h, s := limited(t, op.Limits{})
	paths := []string{s.at("/storefront/locations/{location}"), s.at("/storefront/locations/{location}/offerings"), "/storefront/carts/nothing"}
	for n := range 480 {
		if a := h.do(call{path: paths[n%len(paths)]}); a.status == 429 {
			t.Fatalf("call %d: %s", n+1, a)
		}
	}
	h.Clock.Advance(20 * time.Second)
	over := h.expect(429, call{path: paths[0]})
	if over.header("Retry-After") != "40" {
		t.Errorf("Retry-After %s", over.header("Retry-After"))
	}
	h.expect(429, call{path: paths[2]})
	h.expect(429, call{path: paths[0], headers: []string{"X-Forwarded-For", "203.0.113.77"}})
	h.expect(429, call{path: paths[0], headers: []string{"Cf-Connecting-Ip", "203.0.113.77"}}) // from no proxy of ours
	h.expect(200, call{path: paths[0], remote: "198.51.100.4"})
	h.Clock.Advance(40 * time.Second)
	h.expect(200, call{path: paths[0]})
}

// TestVisitors: the visitor is the single address in cf-connecting-ip, when a proxy of ours sent it; with any other
// value the connection is counted. A83, A84, A85.
func TestVisitors(t *testing.T) {
	h, s := limited(t, op.Limits{StorefrontMax: 1})
	path := s.at("/storefront/locations/{location}")
	from := func(connection string, headers ...string) int {
		return h.do(call{path: path, remote: connection, headers: headers}).status
	}
	const proxy = "10.0.0.1"
	for _, address := range []string{"203.0.113.5", "2001:db8::5", "203.0.113.6"} {
		if first, second := from(proxy, "Cf-Connecting-Ip", address), from("10.0.0.2", "Cf-Connecting-Ip", address); first != 200 || second != 429 {
			t.Errorf("%s: %d, %d", address, first, second)
		}
	}
	if got := from(proxy); got != 200 {
		t.Errorf("the proxy itself: %d", got)
	}
	for _, bad := range []string{"203.0.113.7, 203.0.113.8", "nonsense", "", "203.0.113.9:443", "203.0.113.0/24", "fe80::1%eth0"} {
		if got := from(proxy, "Cf-Connecting-Ip", bad); got != 429 { // counted for the proxy, which has had its call
			t.Errorf("%q: %d", bad, got)
		}
	}
}

// TestWriteLimit: 60 cart writes a minute and visitor; reads do not eat them, and they count among the 480. Holding and
// confirming with a session are no such writes. A81, A226.
func TestWriteLimit(t *testing.T) {
	h, s := limited(t, op.Limits{})
	s.class("", 0, 5)
	rosa := h.signIn("rosa@example.com")
	for range 100 {
		h.expect(200, call{path: s.at("/storefront/locations/{location}")})
	}
	begin := call{method: "POST", path: "/storefront/carts", body: js(object{"locationId": s.ids["location"]})}
	var cart string
	for n := range 60 {
		c := begin
		if n > 0 {
			c = call{method: "POST", path: cart + "/items", body: js(object{"occurrenceId": s.ids["occurrence"], "attendee": strconv.Itoa(n % 3)})}
		}
		a := h.do(c)
		if a.status == 429 {
			t.Fatalf("write %d: %s", n+1, a)
		}
		if n == 0 {
			cart = "/storefront/carts/" + a.text("token")
		}
	}
	h.expect(429, begin)
	h.expect(429, call{method: "POST", path: cart + "/items", body: "{}"})
	h.expect(200, call{path: cart})
	h.expect(200, call{method: "POST", path: cart + "/hold", token: rosa})
	h.expect(200, call{method: "POST", path: cart + "/confirm", token: rosa})
	calls := 100 + 60 + 5
	for n := calls; n < 480; n++ {
		h.expect(200, call{path: cart})
	}
	h.expect(429, call{path: cart})
	begin.remote = "198.51.100.4"
	h.expect(201, begin)
}

// TestEveryWriteCounts: a visitor with no writes left in the minute is refused every write of the storefront:
// changing, removing, paying and releasing as well as adding, and responses to a waitlist offer. Only holding,
// confirming and reads continue. Another visitor is not refused. A81, A226.
func TestEveryWriteCounts(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.furnish(rosa, h.signIn("ben@example.com"))
	h.web(func(o *web.Options) { o.Limits = op.Limits{WriteMax: 1} })
	h.Clock.Advance(time.Minute)
	const visitor = "198.51.100.9"
	h.expect(201, call{method: "POST", path: "/storefront/carts", remote: visitor, body: js(object{"locationId": s.ids["location"]})})
	counted := 0
	for _, spec := range h.operations {
		if !strings.HasPrefix(spec.Path, "/storefront/") {
			continue
		}
		c := call{method: spec.Method, path: s.fill(spec, ""), token: rosa, remote: visitor}
		if h.bodySchema(spec) != nil {
			c.body = js(s.bodies(spec.ID))
		}
		free := spec.Method == "GET" || spec.ID == "holdCart" || spec.ID == "confirmCart"
		if a := h.do(c); (a.status == 429) == free {
			t.Errorf("%s: %s", spec.ID, a)
		}
		if !free {
			counted++
		}
	}
	if counted < 11 {
		t.Errorf("only %d writes", counted)
	}
	for i, spec := range h.operations {
		if strings.HasPrefix(spec.Path, "/storefront/") && spec.Method != "GET" {
			other := call{method: spec.Method, path: s.fill(spec, ""), token: rosa, remote: fmt.Sprintf("203.0.113.%d", i%250), body: "{}"}
			if a := h.do(other); a.status == 429 {
				t.Errorf("%s for another visitor: %s", spec.ID, a)
			}
		}
	}
}

// TestLimitSettings: the settings change both limits and the window. A80, A81.
func TestLimitSettings(t *testing.T) {
	h, s := limited(t, op.Limits{StorefrontMax: 3, StorefrontWindow: 10 * time.Second, WriteMax: 1})
	begin := call{method: "POST", path: "/storefront/carts", body: js(object{"locationId": s.ids["location"]})}
	h.expect(201, begin)
	if a := h.expect(429, begin); a.header("Retry-After") != "10" {
		t.Errorf("Retry-After %s", a.header("Retry-After"))
	}
	h.expect(200, call{path: s.at("/storefront/locations/{location}")})
	h.expect(429, call{path: s.at("/storefront/locations/{location}")})
	h.Clock.Advance(10 * time.Second)
	h.expect(200, call{path: s.at("/storefront/locations/{location}")})
}

// TestOperatorsAreNotLimited: a thousand rapid calls of one operator pass. A82.
func TestOperatorsAreNotLimited(t *testing.T) {
	h, s := limited(t, op.Limits{})
	key, _ := s.key()
	for n := range 1000 {
		token := []string{s.owner, key}[n%2]
		if a := h.do(call{path: s.at("/locations/{location}"), token: token}); a.status != 200 {
			t.Fatalf("call %d: %s", n+1, a)
		}
	}
	for n := range 20 {
		h.expect(201, call{method: "POST", path: s.at("/locations/{location}/spaces"), token: key, body: js(object{"name": fmt.Sprint(n), "capacity": 1})})
	}
}
