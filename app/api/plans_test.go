package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// packs is a studio with a published pack of ten credits for classes at 120.00, and a class at 22.00.
func packs(t *testing.T) (*house, *studio) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 2200, 9)
	s.add("pack", "/businesses/{business}/plans", s.bodies("createPlan"))
	s.post("/businesses/{business}/plans/{pack}/publish", nil)
	return h, s
}

// buys sells the pack to a customer at the desk, and stores the ids of the customer, their plan and its credits.
func (s *studio) buys(email string) {
	s.h.t.Helper()
	s.ids["buyer"] = s.h.post(s.at("/businesses/{business}/customers"), s.owner, object{"email": email}).text("id")
	s.post("/businesses/{business}/sales", object{
		"plans": []string{s.ids["pack"]}, "customerId": s.ids["buyer"], "locationId": s.ids["location"],
		"tenders": []object{{"method": "cash"}},
	})
	owned := s.owned()
	s.ids["owned"] = owned[0]["id"].(string)
	s.ids["grant"] = dig[string](owned[0]["grants"].([]any)[0], "id")
}

// owned lists the buyer's plans.
func (s *studio) owned() []object {
	s.h.t.Helper()
	path := s.at("/businesses/{business}/customers/{buyer}/plans")
	return s.h.expect(200, call{path: path, token: s.owner}).list("items")
}

// desk books a date for the buyer, and returns the booking.
func (s *studio) desk(date string) string {
	s.h.t.Helper()
	return s.h.post(s.at("/businesses/{business}/bookings"), s.owner, object{
		"customerId": s.ids["buyer"], "occurrenceId": s.ids[date],
	}).text("id")
}

// keysOf returns the names of the members of an object.
func keysOf(o object) string { return strings.Join(slices.Sorted(maps.Keys(o)), " ") }

// TestA92_A93_PlanLists: every list of plans is exactly items and nextCursor, also of what is empty.
func TestA92_A93_PlanLists(t *testing.T) {
	h, s := packs(t)
	s.buys("rosa@example.com")
	rosa := h.signIn("rosa@example.com")
	cart := s.cart("occurrence")
	h.post("/storefront/carts/"+cart+"/hold", rosa, nil)
	s.add("nobody", "/businesses/{business}/customers", object{"name": "Ben"})
	for path, rows := range map[string]int{
		"/businesses/{business}/plans":                                   1,
		"/businesses/{business}/plans?state=archived":                    0,
		"/businesses/{business}/plans/{pack}/benefits":                   1,
		"/businesses/{business}/customers/{buyer}/plans":                 1,
		"/businesses/{business}/customers/{nobody}/plans":                0,
		"/businesses/{business}/customers/{buyer}/plans/{owned}/credits": 1,
		"/storefront/locations/{location}/plans":                         1,
		"/storefront/locations/{location2}/plans":                        0,
		"/storefront/carts/" + cart + "/compatible-plans":                1,
		"/me/plans":                 1,
		"/me/plans/{owned}/credits": 1,
	} {
		token := s.owner
		if !strings.HasPrefix(path, "/businesses") {
			token = rosa
		}
		data := h.expect(200, call{path: s.at(path), token: token}).data()
		if keysOf(data) != "items nextCursor" || data["nextCursor"] != nil || len(data["items"].([]any)) != rows {
			t.Errorf("%s: %v", path, data)
		}
	}
}

// TestA1_A97_Plans: under /plans an owner keeps plans with their benefits, and each change appears where it is read.
func TestA1_A97_Plans(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 9)
	s.add("taxRate", "/businesses/{business}/tax-rates", object{"name": "Sales tax", "ppm": 82500})
	p := s.add("plan", "/businesses/{business}/plans", object{
		"name": "Unlimited", "kind": "pass", "priceAmount": 9900, "taxRateId": s.ids["taxRate"], "validCount": 1,
		"validUnit": "month", "fromFirstUse": true, "locationIds": []string{s.ids["location"]},
	})
	if got := join(p.data(), "state", "currency", "priceAmount", "validCount", "validUnit", "fromFirstUse"); got !=
		"draft USD 9900 1 month true" || len(p.list("benefits")) != 0 {
		t.Errorf("%s", p)
	}
	const one = "/businesses/{business}/plans/{plan}"
	write := func(status int, method, path string, body object) answer {
		c := call{method: method, path: s.at(path), token: s.owner}
		if body != nil {
			c.body = js(body)
		}
		return h.expect(status, c)
	}
	if a := write(400, "POST", one+"/publish", nil); a.reason() != "incomplete" {
		t.Errorf("%s", a)
	}
	benefit := object{
		"credits": nil, "offeringIds": []string{s.ids["offering"]},
		"costs":     []object{{"offeringId": s.ids["offering"], "credits": 2}},
		"forGuests": true, "dayMax": 1, "weekMax": 5, "upcomingMax": 3,
	}
	set := write(200, "PUT", one+"/benefits", object{"version": 1, "benefits": []object{benefit}})
	if got := set.list("benefits"); len(got) != 1 || got[0]["credits"] != nil || set.number("version") != 2 {
		t.Errorf("%s", set)
	}
	write(409, "PUT", one+"/benefits", object{"version": 1, "benefits": []object{}})
	read := h.expect(200, call{path: s.at(one + "/benefits"), token: s.owner}).list("items")[0]
	if join(read, "forGuests", "dayMax", "weekMax", "upcomingMax") != "true 1 5 3" ||
		js(read["costs"]) != js(benefit["costs"]) || js(read["offeringIds"]) != js(benefit["offeringIds"]) {
		t.Errorf("benefit: %v", read)
	}
	for field, body := range map[string]object{
		"body.validCount":          {"validCount": nil, "validUnit": nil, "fromFirstUse": false},
		"body.validUnit":           {"validCount": nil, "fromFirstUse": false, "benefits": []object{{"credits": 1}}},
		"body.taxRateId":           {"taxRateId": s.ids["location"]},
		"body.benefits":            {"benefits": []object{{"credits": 1, "offeringIds": []string{s.ids["location"]}}}},
		"body.benefits[0].credits": {"benefits": []object{{"credits": 0}}},
		"body.priceAmount":         {"priceAmount": -1},
	} {
		if a := write(400, "PATCH", one, with(body, "version", 2)); js(a.fields()) != `["`+field+`"]` {
			t.Errorf("%s, want %s", a, field)
		}
	}
	if a := write(200, "POST", one+"/publish", nil); a.text("state") != "published" {
		t.Errorf("%s", a)
	}
	if a := write(400, "PUT", one+"/benefits", object{"version": 3, "benefits": []object{}}); a.reason() != "incomplete" {
		t.Errorf("%s", a)
	}
	write(200, "PATCH", one, object{"version": 3, "priceAmount": 10900, "soldOnline": true, "name": "All classes"})
	listed := h.expect(200, call{path: s.at("/storefront/locations/{location}/plans")}).list("items")
	if len(listed) != 1 || join(listed[0], "name", "priceAmount") != "All classes 10900" {
		t.Errorf("on sale: %v", listed)
	}
	if got := keysOf(listed[0]); got != "benefits currency customerMax description firstAmount freeze fromFirstUse id "+
		"kind name newCustomers priceAmount renewal validCount validUnit" {
		t.Errorf("public: %s", got)
	}
	if a := write(200, "POST", one+"/archive", nil); a.text("state") != "archived" {
		t.Errorf("%s", a)
	}
	if a := write(409, "PATCH", one, object{"version": 5, "name": "Again"}); a.reason() != "plan_archived" {
		t.Errorf("%s", a)
	}
	listed = h.expect(200, call{path: s.at("/storefront/locations/{location}/plans")}).list("items")
	if len(listed) != 0 {
		t.Errorf("on sale: %v", listed)
	}
	s.post("/businesses/{business}/close", object{})
	h.expect(404, call{path: s.at("/storefront/locations/{location}/plans")})
}

// TestA97_CustomerPlans: a customer's plans are sold and given, extended, adjusted and ended, and the ledger of their
// credits has each change.
func TestA97_CustomerPlans(t *testing.T) {
	h, s := packs(t)
	s.buys("rosa@example.com")
	const one = "/businesses/{business}/customers/{buyer}/plans/{owned}"
	write := func(status int, path string, body object) answer {
		return h.expect(status, call{method: http.MethodPost, path: s.at(path), token: s.owner, body: js(body)})
	}
	read := func() (object, object) {
		owned := s.owned()
		return owned[0], owned[0]["grants"].([]any)[0].(object)
	}
	m, g := read()
	if join(m, "name", "kind", "state", "validCount", "validUnit") != "Ten classes pack active 3 month" ||
		m["orderId"] == nil || join(g, "balance", "unusedAmount") != "10 12000" {
		t.Errorf("sold: %v", m)
	}
	adjusted := write(201, one+"/credits", object{"credits": -3, "note": "Two friends came along."})
	if js(adjusted.list("grants")[0]["balance"]) != "7" {
		t.Errorf("%s", adjusted)
	}
	for _, body := range []object{
		{"credits": 0, "note": "?"}, {"credits": 1}, {"credits": 1, "note": "?", "grantId": s.ids["location"]},
	} {
		write(400, one+"/credits", body)
	}
	short := write(409, one+"/credits", object{"credits": -8, "note": "?"})
	if short.reason() != "credits_short" || js(dig[any](decode(short.body), "error", "details", "balance")) != "7" {
		t.Errorf("%s", short)
	}
	ledger := h.expect(200, call{path: s.at(one + "/credits"), token: s.owner}).list("items")
	if len(ledger) != 2 ||
		join(ledger[0], "kind", "credits", "balance", "note") != "adjusted -3 7 Two friends came along." ||
		join(ledger[1], "kind", "credits", "balance") != "granted 10 10" {
		t.Errorf("ledger: %v", ledger)
	}
	version := adjusted.number("version")
	extended := write(200, one+"/extend", object{"version": version, "lastDay": s.soon(200)})
	if extended.text("lastDay") != s.soon(200) || extended.number("version") != version+1 {
		t.Errorf("%s", extended)
	}
	if a := write(400, one+"/extend", object{"version": version + 1, "lastDay": s.soon(-1)}); js(a.fields()) !=
		`["body.lastDay"]` {
		t.Errorf("%s", a)
	}
	if a := write(409, one+"/end", object{"version": version + 1}); a.reason() != "membership_unused" {
		t.Errorf("%s", a)
	}
	if a := write(400, "/businesses/{business}/customers/{buyer}/plans", object{
		"planId": s.ids["pack"], "locationId": s.ids["location"],
	}); js(a.fields()) != `["body.planId"]` {
		t.Errorf("%s", a)
	}
	s.guestPlan()
	given := s.add("owned", "/businesses/{business}/customers/{buyer}/plans", s.bodies("addCompPlan"))
	if given.data()["orderId"] != nil || given.data()["lastDay"] != nil || given.text("kind") != "comp" {
		t.Errorf("%s", given)
	}
	if a := write(200, one+"/end", object{"version": given.number("version")}); a.text("state") != "canceled" {
		t.Errorf("%s", a)
	}
	if a := write(409, one+"/credits", object{"credits": 1, "note": "?"}); a.reason() != "membership_ended" {
		t.Errorf("%s", a)
	}
	h.CheckBooks(t)
}

// TestA97_Memberships: a membership has its terms, and a customer's has the billing period to pay, which the desk takes
// and a cancellation ends.
func TestA97_Memberships(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.furnish(rosa, h.signIn("ben@example.com"))
	create := func(status int, change object) answer {
		body := object{
			"name": "Monthly", "kind": "membership", "priceAmount": 6000, "validCount": 1, "validUnit": "month",
			"soldOnline": true, "benefits": []object{{"credits": 4}}, "renewal": object{
				"introAmount": 2000, "introPeriods": 1, "minPeriods": 2, "noticeDays": 3},
		}
		for k, v := range change {
			body[k] = v
		}
		return h.expect(status, call{method: http.MethodPost, path: s.at("/businesses/{business}/plans"), token: s.owner,
			body: js(body)})
	}
	for field, change := range map[string]object{
		"body.validCount":           {"validCount": nil, "validUnit": nil},
		"body.renewal":              {"kind": "pass"},
		"body.renewal.minPeriods":   {"renewal": object{"ends": true}},
		"body.renewal.introAmount":  {"renewal": object{"introAmount": 100}},
		"body.renewal.introPeriods": {"renewal": object{"introPeriods": 61}},
	} {
		for name, v := range change {
			if v == nil {
				delete(change, name)
				change[name] = 0
			}
		}
		if field == "body.validCount" {
			change = object{"validCount": 0}
		}
		if a := create(400, change); js(a.fields()) != `["`+field+`"]` {
			t.Errorf("%s, want %s", a, field)
		}
	}
	made := create(201, nil)
	s.ids["monthly"] = made.text("id")
	if got := join(dig[object](made.data(), "renewal"), "introAmount", "introPeriods", "minPeriods", "ends",
		"noticeDays"); got != "2000 1 2 false 3" {
		t.Error(got)
	}
	s.post("/businesses/{business}/plans/{monthly}/publish", nil)
	changed := h.expect(200, call{method: http.MethodPatch, path: s.at("/businesses/{business}/plans/{monthly}"),
		token: s.owner, body: js(object{"version": 2, "renewal": object{"introAmount": 2000, "introPeriods": 1}})})
	if got := join(dig[object](changed.data(), "renewal"), "introPeriods", "minPeriods"); got != "1 0" {
		t.Error(got)
	}
	listed := h.expect(200, call{path: s.at("/storefront/locations/{location}/plans")}).list("items")
	if join(listed[0], "priceAmount", "firstAmount") != "6000 2000" {
		t.Errorf("on sale: %v", listed)
	}

	cart := h.post("/storefront/carts", "", object{"locationId": s.ids["location"]}).text("token")
	add := func(status int, consent string) answer {
		return h.expect(status, call{method: http.MethodPost, path: "/storefront/carts/" + cart + "/items",
			body: js(with(object{"planId": s.ids["monthly"]}, "renewalConsent", consent))})
	}
	if a := add(409, ""); a.reason() != "renewal_consent" {
		t.Errorf("%s", a)
	}
	if a := add(400, "   "); js(a.fields()) != `["body.renewalConsent"]` {
		t.Errorf("%s", a)
	}
	if line := add(201, "My card is charged each month until I cancel.").list("lines")[0]; js(line["total"]) != "2000" {
		t.Errorf("%v", line)
	}

	renewing(s, "") // a plan of its own, which the customer has
	next := func() object {
		owned := h.expect(200, call{path: s.at("/me/plans"), token: rosa}).list("items")
		for _, m := range owned {
			if m["id"] == s.ids["membership"] {
				return dig[object](m, "renewal")
			}
		}
		t.Fatalf("rosa has %v", owned)
		return nil
	}
	if r := next(); r["agreedAt"] != nil || join(dig[object](r, "next"), "amount", "due", "startsOn") !=
		"6000 false "+h.Clock.Now().AddDate(0, 1, 0).Format(time.DateOnly) {
		t.Errorf("%v", r)
	}
	agreed := h.expect(200, call{method: http.MethodPut, path: s.at("/me/plans/{membership}/renewal"), token: rosa,
		body: js(s.bodies("renewMyPlan"))})
	if dig[object](agreed.data(), "renewal")["agreedAt"] == nil {
		t.Errorf("%s", agreed)
	}
	pay := call{method: http.MethodPost, path: s.at("/businesses/{business}/sales"), token: s.owner, body: js(object{
		"periodId": dig[object](next(), "next")["id"], "tenders": []object{{"method": "cash"}}})}
	if sale := h.expect(201, pay); sale.number("amount") != 6000 || sale.text("customerId") != s.ids["customer"] {
		t.Errorf("%s", sale)
	}
	if a := h.expect(409, pay); a.reason() != "period_not_due" {
		t.Errorf("%s", a)
	}
	cancel := func(status int, body object) answer {
		return h.expect(status, call{method: http.MethodPost, path: s.at("/me/plans/{membership}/cancel"), token: rosa,
			body: js(body)})
	}
	if a := cancel(409, object{"lastDay": s.soon(1)}); a.reason() != "stale_version" {
		t.Errorf("%s", a)
	}
	last := h.Clock.Now().AddDate(0, 2, -1).Format(time.DateOnly)
	if a := cancel(200, object{"lastDay": last}); a.text("lastDay") != last ||
		dig[object](a.data(), "renewal")["canceledAt"] == nil {
		t.Errorf("%s", a)
	}
	if a := cancel(409, object{}); a.reason() != "membership_canceled" {
		t.Errorf("%s", a)
	}
}

// TestPlansAtTheDesk: a sale with plans lists them, and plan_credit pays for a booking with one credit, which a
// cancellation in time returns.
func TestPlansAtTheDesk(t *testing.T) {
	h, s := packs(t)
	s.ids["buyer"] = h.post(s.at("/businesses/{business}/customers"), s.owner, object{"name": "Ada"}).text("id")
	sale := func(status int, body object) answer {
		return h.expect(status, call{
			method: http.MethodPost, path: s.at("/businesses/{business}/sales"), token: s.owner, body: js(body),
		})
	}
	plan := object{
		"plans": []string{s.ids["pack"]}, "locationId": s.ids["location"], "tenders": []object{{"method": "cash"}},
	}
	if a := sale(400, plan); js(a.fields()) != `["body.customerId"]` {
		t.Errorf("to a walk-in: %s", a)
	}
	told := sale(200, with(with(plan, "customerId", s.ids["buyer"]), "dryRun", true))
	want := js([]object{{
		"planId": s.ids["pack"], "label": "Ten classes", "listed": 12000, "taxAmount": 0, "amount": 12000,
	}})
	if got := js(dig[any](told.data(), "effects", "plans")); got != want {
		t.Errorf("sold: %s, want %s", got, want)
	}
	s.buys("rosa@example.com")
	b := s.desk("occurrence")
	by := func(tender object) object { return object{"bookingIds": []string{b}, "tenders": []object{tender}} }
	for field, tender := range map[string]object{
		"body.tenders[0].grantId": {"method": "cash", "grantId": s.ids["grant"]},
		"body.tenders[0].amount":  {"method": "plan_credit", "amount": 2200},
	} {
		if a := sale(400, by(tender)); js(a.fields()) != `["`+field+`"]` {
			t.Errorf("%s, want %s", a, field)
		}
	}
	refused := sale(409, by(object{"method": "plan_credit", "grantId": s.ids["pack"]}))
	details := dig[object](decode(refused.body), "error", "details")
	if refused.reason() != "plan_does_not_pay" || details["bookingId"] != b || details["why"] == "" {
		t.Errorf("%s", refused)
	}
	paid := sale(201, by(object{"method": "plan_credit", "grantId": s.ids["grant"]}))
	if js(paid.list("tenders")) != `[{"amount":0,"label":"Ten classes","method":"plan_credit"}]` ||
		paid.number("amount") != 0 {
		t.Errorf("%s", paid)
	}
	balance := func() string {
		return js(s.owned()[0]["grants"].([]any)[0].(object)["balance"])
	}
	if got := balance(); got != "9" {
		t.Errorf("%s credits", got)
	}
	cancel := call{method: http.MethodPost, path: s.at("/businesses/{business}/bookings/" + b + "/cancel"), token: s.owner}
	cancel.body = js(object{"by": "studio", "dryRun": true})
	e := dig[object](h.expect(200, cancel).data(), "effects")
	if join(e, "plan", "planCredits", "desk") != "Ten classes 1 0" {
		t.Errorf("cancellation: %v", e)
	}
	cancel.body = js(object{"by": "studio"})
	h.expect(200, cancel)
	if got := balance(); got != "10" {
		t.Errorf("%s credits after it", got)
	}
	h.CheckBooks(t)
}

// TestPlansInACart: a customer buys a plan in a cart; in the next one it pays for the seat, until the customer chooses
// the price, and their own plans show what is left.
func TestPlansInACart(t *testing.T) {
	h, s := packs(t)
	rosa := h.signIn("rosa@example.com")
	cart := "/storefront/carts/" + s.cart()
	add := call{method: http.MethodPost, path: cart + "/items"}
	for field, body := range map[string]object{
		"body.planId": {"planId": s.ids["pack"], "party": 2}, "body.planId ": {"planId": s.ids["pack"], "quantity": 2},
	} {
		add.body = js(body)
		if a := h.expect(400, add); js(a.fields()) != `["`+strings.TrimSpace(field)+`"]` {
			t.Errorf("%s", a)
		}
	}
	add.body = js(object{"planId": s.ids["location"]})
	h.expect(404, add)
	line := h.post(cart+"/items", "", object{"planId": s.ids["pack"]}).list("lines")[0]
	if join(line, "kind", "name", "total") != "plan Ten classes 12000" || line["planId"] != s.ids["pack"] ||
		line["plan"] != nil {
		t.Errorf("line: %v", line)
	}
	h.post(cart+"/hold", rosa, nil)
	total := h.expect(200, call{path: cart}).number("totals", "total")
	h.pay(h.post(cart+"/payment", rosa, object{"quotedTotal": total}).text("clientSecret"))
	receipt := h.token(h.post(cart+"/confirm", rosa, nil).text("receiptToken"))
	sold := h.expect(200, call{path: "/storefront/receipts/" + receipt}).list("lines")[0]
	if join(sold, "kind", "label") != "plan Ten classes" || sold["planId"] != s.ids["pack"] {
		t.Errorf("receipt: %v", sold)
	}

	cart = "/storefront/carts/" + s.cart("occurrence")
	if a := h.expect(409, call{path: cart + "/compatible-plans", token: rosa}); a.reason() != "not_held" {
		t.Errorf("%s", a)
	}
	h.post(cart+"/hold", rosa, nil)
	held := h.expect(200, call{path: cart, token: rosa})
	line = held.list("lines")[0]
	if join(line["plan"].(object), "name", "credits") != "Ten classes 1" || js(line["total"]) != "0" ||
		held.number("totals", "planAmount") != 2200 || held.number("totals", "total") != 0 {
		t.Errorf("held: %s", held)
	}
	fits := h.expect(200, call{path: cart + "/compatible-plans", token: rosa}).list("items")[0]
	owned := fits["owned"].([]any)[0].(object)
	if fits["itemId"] != line["itemId"] || join(owned, "name", "pays", "credits", "balance") != "Ten classes true 1 10" ||
		owned["why"] != nil || len(fits["forSale"].([]any)) != 1 {
		t.Errorf("plans: %v", fits)
	}
	choose := func(status int, body object) answer {
		return h.expect(status, call{
			method: http.MethodPut, path: cart + "/items/" + line["itemId"].(string) + "/plan", token: rosa, body: js(body),
		})
	}
	if a := choose(200, object{"paysPrice": true}); a.list("lines")[0]["plan"] != nil || a.number("totals", "total") == 0 {
		t.Errorf("%s", a)
	}
	choose(400, object{"paysPrice": true, "grantId": owned["grantId"]})
	choose(404, object{"grantId": s.ids["location"]})
	if a := choose(200, object{"grantId": owned["grantId"]}); a.number("totals", "total") != 0 {
		t.Errorf("%s", a)
	}
	choose(200, object{})
	h.post(cart+"/confirm", rosa, nil)

	mine := h.expect(200, call{path: "/me/plans", token: rosa}).list("items")[0]
	if join(mine, "name", "businessName", "state") != "Ten classes Harbour active" ||
		js(mine["grants"].([]any)[0].(object)["balance"]) != "9" {
		t.Errorf("own plans: %v", mine)
	}
	credits := "/me/plans/" + mine["id"].(string) + "/credits"
	used := h.expect(200, call{path: credits, token: rosa}).list("items")[0]
	if join(used, "kind", "credits", "balance", "offeringName") != "used -1 9 Flow" || used["note"] != nil {
		t.Errorf("own credits: %v", used)
	}
	h.expect(404, call{path: credits, token: h.signIn("ben@example.com")})
	h.CheckBooks(t)
}

// TestGuestPasses: a benefit of guest passes is read as it was written, and refused without a number of them.
func TestGuestPasses(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.add("plan", "/businesses/{business}/plans", object{"name": "Friends", "kind": "pass", "priceAmount": 0,
		"validCount": 1, "validUnit": "month"})
	set := func(status int, benefit object) answer {
		return h.expect(status, call{
			method: "PUT", path: s.at("/businesses/{business}/plans/{plan}/benefits"), token: s.owner,
			body: js(object{"version": 1, "benefits": []object{benefit}}),
		})
	}
	for _, benefit := range []object{
		{"credits": nil, "guestsOnly": true}, {"credits": 2, "guestsOnly": true, "forGuests": true},
	} {
		if a := set(400, benefit); js(a.fields()) != `["body.benefits[0].guestsOnly"]` {
			t.Errorf("%s", a)
		}
	}
	got := set(200, object{"credits": 2, "guestsOnly": true}).list("benefits")[0]
	if got["guestsOnly"] != true || got["forGuests"] != false {
		t.Errorf("%v", got)
	}
}
