package api_test

import (
	"fmt"
	"testing"
	"time"

	"foyer/app/apptest"
)

// A studio pauses: customers cannot book, but see the schedule and cancel their bookings, and the desk goes on. E48.
func TestPaused(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	rosa := h.signIn("rosa@example.com")
	s.book(rosa, "occurrence")
	chosen := s.cart("occurrence+")
	if a := h.post(s.at("/businesses/{business}/pause"), s.owner, nil); a.text("status") != "paused" || a.data()["closedAt"] != nil {
		t.Errorf("%s", a)
	}
	if days := h.expect(200, call{path: s.at("/storefront/locations/{location}/schedule")}).list("days"); len(days) == 0 {
		t.Error("nothing is on")
	}
	h.expect(409, call{method: "POST", path: "/storefront/carts/" + chosen + "/hold", token: rosa})
	mine := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")
	if len(mine) != 1 {
		t.Fatalf("she sees %v", mine)
	}
	h.expect(200, call{method: "POST", path: "/me/bookings/" + mine[0]["id"].(string) + "/cancel", token: rosa})
	h.expect(201, call{method: "POST", path: s.at("/businesses/{business}/bookings"), token: s.owner,
		body: js(object{"email": "ben@example.com", "occurrenceId": s.ids["occurrence"]})})
	if a := h.post(s.at("/businesses/{business}/resume"), s.owner, nil); a.text("status") != "active" {
		t.Errorf("%s", a)
	}
	h.post("/storefront/carts/"+chosen+"/hold", rosa, nil)
}

// A studio closes: a quote lists the effects, then exactly those happen. The public finds nothing, the desk cannot
// book, the records stay open, and for thirty days it can be reopened. E111.
func TestClosed(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	rosa := h.signIn("rosa@example.com")
	s.book(rosa, "occurrence")
	end := call{method: "POST", path: s.at("/businesses/{business}/close"), token: s.owner, body: "{}"}
	refused := h.expect(409, end)
	if refused.reason() != "future_bookings" || fmt.Sprint(dig[any](decode(refused.body), "error", "details", "bookings")) != "1" {
		t.Errorf("%s", refused)
	}
	end.body = js(object{"cancelBookings": true, "reason": "We are moving away.", "dryRun": true})
	quote := h.expect(200, end)
	if e := dig[object](quote.data(), "effects"); js(e) != `{"bookings":1,"refunds":[],"waiting":0}` {
		t.Errorf("it would do %s", js(e))
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from bookings where state = 'confirmed'"); n != 1 {
		t.Errorf("asking has done something: %d bookings", n)
	}
	end.body = js(object{"cancelBookings": true, "reason": "We are moving away.", "quoteId": quote.text("quoteId")})
	closed := h.expect(200, end)
	if closed.text("status") != "closed" || closed.text("returnUntil") != h.Clock.Now().Add(30*24*time.Hour).Format(time.RFC3339) {
		t.Errorf("%s", closed)
	}
	if mine := h.expect(200, call{path: "/me/bookings?when=past", token: rosa}).list("items"); len(mine) == 1 && mine[0]["state"] != "studio_cancelled" {
		t.Errorf("her booking is %v", mine[0])
	}
	for _, path := range []string{"/storefront/locations/{location}", "/storefront/locations/{location}/schedule", "/storefront/offerings/{offering}"} {
		h.expect(404, call{path: s.at(path)})
	}
	h.expect(200, call{path: s.at("/businesses/{business}/bookings"), token: s.owner})
	desk := h.expect(409, call{method: "POST", path: s.at("/businesses/{business}/bookings"), token: s.owner,
		body: js(object{"email": "ben@example.com", "occurrenceId": s.ids["occurrence"]})})
	if desk.reason() != "business_closed" {
		t.Errorf("%s", desk)
	}
	h.post(s.at("/businesses/{business}/resume"), s.owner, nil)
	h.expect(200, call{path: s.at("/storefront/locations/{location}")})
	h.post(s.at("/businesses/{business}/close"), s.owner, object{})
	h.Clock.Advance(30 * 24 * time.Hour)
	again := h.signIn(s.ownerEmail)
	if a := h.expect(409, call{method: "POST", path: s.at("/businesses/{business}/resume"), token: again}); a.reason() != "closed_for_good" {
		t.Errorf("%s", a)
	}
}

// A location is archived once it has no upcoming bookings; until then the refusal lists them by offering. E111.
func TestArchivedLocation(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	s.class("2", 0, 5)
	rosa := h.signIn("rosa@example.com")
	s.book(rosa, "occurrence")
	put := call{method: "POST", path: s.at("/locations/{location}/archive"), token: s.owner}
	refused := h.expect(409, put)
	details := dig[object](decode(refused.body), "error", "details")
	inTheWay := dig[[]any](details, "offerings")
	if refused.reason() != "future_bookings" || fmt.Sprint(details["bookings"]) != "1" || len(inTheWay) != 1 || dig[string](inTheWay[0], "offeringId") != s.ids["offering"] {
		t.Errorf("%s", refused)
	}
	mine := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")
	h.expect(200, call{method: "POST", path: "/me/bookings/" + mine[0]["id"].(string) + "/cancel", token: rosa})
	put.body = js(object{"dryRun": true})
	quote := h.expect(200, put)
	if e := dig[object](quote.data(), "effects"); js(e) !=
		`{"dates":5,"offerings":1,"transferred":{"bookings":0,"dates":0,"offerings":0,"waiting":0},"waiting":0}` {
		t.Errorf("it would do %s", js(e))
	}
	put.body = js(object{"quoteId": quote.text("quoteId")})
	if a := h.expect(200, put); a.data()["archivedAt"] == nil {
		t.Errorf("%s", a)
	}
	h.expect(404, call{path: s.at("/storefront/locations/{location}")})
	h.expect(200, call{path: s.at("/storefront/locations/{location2}")})
	if state := h.expect(200, call{path: s.at("/offerings/{offering}"), token: s.owner}).text("state"); state != "archived" {
		t.Errorf("what was sold there is %s", state)
	}
	if list := h.expect(200, call{path: s.at("/businesses/{business}/locations"), token: s.owner}).list("items"); len(list) != 1 {
		t.Errorf("listed: %v", list)
	}
}

// A location is archived and its offerings continue at another: only if that location meets the requirements, and
// then every date, booking and waitlist entry is there, under its existing id.
func TestArchivedLocationContinuesAtAnother(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.add("space", "/locations/{location}/spaces", object{"name": "Big room", "capacity": 12})
	s.class("", 0, 1, object{"spaceId": s.ids["space"]})
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	s.book(rosa, "occurrence")
	h.expect(201, call{method: "POST", path: s.at("/storefront/offerings/{offering}/occurrences/{occurrence}/waitlist"), token: ben, body: "{}"})
	mine := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")[0]
	s.add("location3", "/businesses/{business}/locations", object{"name": "Harbour West"})
	put := call{method: "POST", path: s.at("/locations/{location}/archive"), token: s.owner}
	move := func(to string, status int, more object) answer {
		body := object{"transferTo": s.at(to), "reason": "The roof leaks."}
		for k, v := range more {
			body[k] = v
		}
		put.body = js(body)
		return h.expect(status, put)
	}
	details := func(a answer, key string) string { return js(dig[any](decode(a.body), "error", "details", key)) }
	if f := move("{location}", 400, nil).fields(); len(f) != 1 || f[0] != "body.transferTo" {
		t.Errorf("to itself: %v", f)
	}
	move(h.open("Stranger").ids["location"], 404, nil)
	if a := move("{location2}", 409, nil); a.reason() != "locations_differ" || details(a, "differs") != `["zone","currency","taxMode"]` {
		t.Errorf("%s", a)
	}
	if a := move("{location3}", 409, nil); a.reason() != "spaces_missing" || details(a, "spaces") != `["Big room"]` {
		t.Errorf("%s", a)
	}
	s.add("space3", "/locations/{location3}/spaces", object{"name": "Big room", "capacity": 11})
	if a := move("{location3}", 409, nil); a.reason() != "spaces_missing" {
		t.Errorf("a smaller room: %s", a)
	}
	h.expect(200, call{method: "PATCH", path: s.at("/locations/{location3}/spaces/{space3}"), token: s.owner, body: `{"version":1,"capacity":12}`})
	quote := move("{location3}", 200, object{"dryRun": true})
	if e := js(dig[object](quote.data(), "effects")); e !=
		`{"dates":0,"offerings":1,"transferred":{"bookings":1,"dates":5,"offerings":1,"waiting":1},"waiting":0}` {
		t.Errorf("it would do %s", e)
	}
	if a := move("{location3}", 200, object{"quoteId": quote.text("quoteId")}); a.data()["archivedAt"] == nil {
		t.Errorf("%s", a)
	}
	made := h.expect(200, call{path: s.at("/locations/{location3}/offerings"), token: s.owner}).list("items")
	if len(made) != 1 || made[0]["state"] != "published" || made[0]["slug"] != "flow" {
		t.Fatalf("%v", made)
	}
	s.ids["offering3"] = made[0]["id"].(string)
	dates := h.expect(200, call{path: s.at("/offerings/{offering3}/occurrences"), token: s.owner}).list("items")
	if len(dates) != 5 || dates[0]["id"] != s.ids["occurrence"] || dates[0]["spaceId"] != s.ids["space3"] || fmt.Sprintf("%v %v", dates[0]["taken"], dates[0]["waiting"]) != "1 1" {
		t.Errorf("%v", dates)
	}
	now := h.expect(200, call{path: "/me/bookings/" + mine["id"].(string), token: rosa})
	if now.text("locationName") != "Harbour West" || now.text("startsAt") != mine["startsAt"] || now.text("state") != "confirmed" {
		t.Errorf("%s", now)
	}
	if list := h.expect(200, call{path: "/me/waitlist", token: ben}).list("items"); len(list) != 1 || list[0]["state"] != "waiting" {
		t.Errorf("%v", list)
	}
	history := h.expect(200, call{path: s.at("/businesses/{business}/bookings/" + mine["id"].(string) + "/history"), token: s.owner}).list("items")
	if last := history[len(history)-1]; last["transition"] != "relocated" || last["reason"] != "The roof leaks." {
		t.Errorf("%v", last)
	}
	if days := h.expect(200, call{path: s.at("/storefront/locations/{location3}/schedule")}).list("days"); len(days) != 5 {
		t.Errorf("on sale on %d days", len(days))
	}
	h.expect(200, call{method: "POST", path: "/me/bookings/" + mine["id"].(string) + "/cancel", token: rosa})
	h.CheckBooks(t)
}

// The desk adds a customer without an address, books them, and adds the address later: the person who signs in with
// it sees the booking.
func TestCustomerWithoutAnAddress(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	made := h.expect(201, call{method: "POST", path: s.at("/businesses/{business}/customers"), token: s.owner, body: js(object{"name": "Rosa"})})
	if made.data()["personId"] != nil || made.text("email") != "" {
		t.Errorf("%s", made)
	}
	id := made.text("id")
	h.expect(201, call{method: "POST", path: s.at("/businesses/{business}/bookings"), token: s.owner,
		body: js(object{"customerId": id, "occurrenceId": s.ids["occurrence"]})})
	change := call{method: "PATCH", path: s.at("/businesses/{business}/customers/" + id), token: s.owner,
		body: js(object{"version": 1, "email": "Rosa@example.com"})}
	if a := h.expect(200, change); a.text("email") != "rosa@example.com" || a.number("version") != 2 {
		t.Errorf("%s", a)
	}
	if a := h.expect(409, change); a.reason() != "stale_version" {
		t.Errorf("%s", a)
	}
	twin := h.expect(409, call{method: "POST", path: s.at("/businesses/{business}/customers"), token: s.owner, body: js(object{"email": "rosa@example.com"})})
	if twin.reason() != "customer_exists" || dig[string](decode(twin.body), "error", "details", "customerId") != id {
		t.Errorf("%s", twin)
	}
	if mine := h.expect(200, call{path: "/me/bookings", token: h.signIn("rosa@example.com")}).list("items"); len(mine) != 1 {
		t.Errorf("she sees %v", mine)
	}
}

// The desk books a customer's massage every week: clashing times are listed first, the others recur: they are
// rescheduled and cancelled by scope.
func TestRecurringAppointment(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	week := make([]object, 7)
	for d := range week {
		week[d] = object{"weekday": d, "opens": "09:00", "closes": "17:00"}
	}
	h.expect(200, call{method: "PUT", path: s.at("/locations/{location}/hours"), token: s.owner, body: js(object{"intervals": week})})
	s.add("massage", "/locations/{location}/offerings", object{"kind": "rental", "name": "Sauna", "durationMinutes": 60, "price": 3000, "capacity": 1, "soldAs": "space"})
	s.add("sauna", "/locations/{location}/spaces", object{"name": "Sauna", "capacity": 4})
	h.expect(200, call{method: "PUT", path: s.at("/offerings/{massage}/spaces"), token: s.owner, body: js(object{"spaceIds": []string{s.ids["sauna"]}})})
	h.post(s.at("/offerings/{massage}/publish"), s.owner, nil)
	bookings := s.at("/businesses/{business}/bookings")
	day := func(n int) string { return h.Clock.Now().AddDate(0, 0, n).Format(time.DateOnly) }
	rule := object{"email": "rosa@example.com", "offeringId": s.ids["massage"], "from": day(2), "times": object{"at": "10:00", "count": 3}}
	h.expect(201, call{method: "POST", path: bookings, token: s.owner, body: js(object{"email": "ben@example.com",
		"time": object{"offeringId": s.ids["massage"], "startsAt": day(9) + "T14:00:00Z"}})})
	clash := h.expect(409, call{method: "POST", path: bookings + "/recurring", token: s.owner, body: js(rule)})
	if list := dig[[]any](decode(clash.body), "error", "details", "clashes"); clash.reason() != "clashes" || len(list) != 1 || dig[string](list[0], "reason") != "space_busy" {
		t.Errorf("%s", clash)
	}
	rule["onClash"] = "skip"
	made := h.expect(201, call{method: "POST", path: bookings + "/recurring", token: s.owner, body: js(rule)})
	rows := made.list("bookings")
	if len(rows) != 2 || len(made.list("clashes")) != 1 || made.list("clashes")[0]["occurrenceId"] != nil || rows[1]["startsAt"] != day(16)+"T14:00:00Z" {
		t.Fatalf("%s", made)
	}
	first := bookings + "/" + rows[0]["bookingId"].(string)
	moved := h.expect(200, call{method: "POST", path: first + "/reschedule", token: s.owner, body: js(object{
		"scope": "all", "startsAt": day(3) + "T15:00:00Z", "dryRun": true})})
	if others := dig[[]any](moved.data(), "effects", "others"); len(others) != 1 || dig[string](others[0], "startsAt") != day(17)+"T15:00:00Z" {
		t.Errorf("%s", moved)
	}
	h.expect(200, call{method: "POST", path: first + "/reschedule", token: s.owner, body: js(object{
		"scope": "all", "startsAt": day(3) + "T15:00:00Z", "quoteId": moved.text("quoteId")})})
	mine := call{method: "POST", path: "/me/bookings/" + rows[0]["bookingId"].(string) + "/cancel", token: h.signIn("rosa@example.com")}
	mine.body = js(object{"scope": "all", "dryRun": true})
	if others := dig[[]any](h.expect(200, mine).data(), "effects", "others"); len(others) != 1 || dig[string](others[0], "startsAt") != day(17)+"T15:00:00Z" {
		t.Errorf("she would cancel %v", others)
	}
	mine.body = js(object{"scope": "some"})
	h.expect(400, mine)
	ended := h.expect(200, call{method: "POST", path: first + "/cancel", token: s.owner, body: js(object{"by": "studio", "scope": "following"})})
	if left := h.expect(200, call{path: bookings + "?state=confirmed", token: s.owner}).list("items"); ended.text("state") != "studio_cancelled" || len(left) != 1 {
		t.Errorf("%s leaves %v", ended, left)
	}
	h.CheckBooks(t)
}

// One more attendee is added to a class that was booked and paid: the desk gets the difference, and records its
// payment at the studio.
func TestOneMoreComesAlong(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.class("", 2200, 5)
	rosa := h.signIn("rosa@example.com")
	cart := "/storefront/carts/" + s.cart("occurrence")
	h.post(cart+"/hold", rosa, nil)
	p := h.post(cart+"/payment", rosa, object{"quotedTotal": 2200})
	h.pay(p.text("clientSecret"))
	h.post(cart+"/confirm", rosa, nil)
	row := h.expect(200, call{path: s.at("/businesses/{business}/bookings?state=confirmed"), token: s.owner}).list("items")[0]
	more := call{method: "PATCH", path: s.at("/businesses/{business}/bookings/") + row["id"].(string), token: s.owner}
	more.body = js(object{"version": row["version"], "party": 2})
	refused := h.expect(409, more)
	if d := dig[object](decode(refused.body), "error", "details"); refused.reason() != "price_difference" || fmt.Sprintf("%v %v", d["difference"], d["currency"]) != "2200 USD" {
		t.Errorf("%s", refused)
	}
	more.body = js(object{"version": row["version"], "party": 2, "difference": "later"})
	if a := h.expect(200, more); a.number("party") != 2 || a.number("price") != 4400 {
		t.Errorf("%s", a)
	}
	got := h.expect(200, call{path: more.path, token: s.owner})
	if got.number("money", "paid") != 2200 || got.number("money", "due") != 2200 {
		t.Errorf("%s", got)
	}
	h.CheckBooks(t)
}
