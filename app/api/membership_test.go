package api_test

import (
	"net/http"
	"slices"
	"testing"
)

// TestA97_FreezeAndChange: a membership is frozen, changed to another plan and back, by its customer and by the studio;
// each is previewed and refused with its reason.
func TestA97_FreezeAndChange(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.furnish(rosa, h.signIn("ben@example.com"))
	s.connect()
	tier := func(name string, price int) {
		s.add(name, "/businesses/{business}/plans", object{
			"name": name, "kind": "membership", "priceAmount": price, "validCount": 1, "validUnit": "month",
			"benefits": []object{{"credits": 4, "rolloverMax": 1}}, "soldOnline": true,
		})
		s.post("/businesses/{business}/plans/{"+name+"}/publish", nil)
	}
	tier("basic", 3000)
	tier("premium", 9000)
	set := func(status int, change object) answer {
		return h.expect(status, call{method: http.MethodPatch, path: s.at("/businesses/{business}/plans/{basic}"),
			token: s.owner, body: js(with(change, "version", 2))})
	}
	for field, change := range map[string]object{
		"body.freeze.maxDays":           {"freeze": object{"minDays": 10, "maxDays": 5}},
		"body.renewal.billingDay":       {"renewal": object{"billingDay": 29}},
		"body.changeIds":                {"changeIds": []string{s.ids["basic"]}},
		"body.benefits[0].rolloverMax":  {"benefits": []object{{"credits": nil, "rolloverMax": 1}}},
		"body.renewal.downgradePeriods": {"renewal": object{"downgradePeriods": 121}},
	} {
		if a := set(400, change); js(a.fields()) != `["`+field+`"]` {
			t.Errorf("%s, want %s", a, field)
		}
	}
	set(200, object{"freeze": object{"maxDays": 30}, "changeIds": []string{s.ids["premium"]}})
	s.post("/businesses/{business}/sales", object{
		"plans": []string{s.ids["basic"]}, "locationId": s.ids["location"], "customerId": s.ids["customer"],
		"tenders": []object{{"method": "cash"}},
	})
	named := func(name string) object {
		list := h.expect(200, call{path: s.at("/me/plans"), token: rosa}).list("items")
		i := slices.IndexFunc(list, func(m object) bool { return m["name"] == name })
		if i < 0 {
			t.Fatalf("no %s: %v", name, list)
		}
		return list[i]
	}
	own := named("basic")
	s.ids["own"], _ = own["id"].(string)
	if js(dig[object](own, "freezeRules")["maxDays"]) != "30" || own["change"] != nil {
		t.Errorf("%v", own)
	}
	mine := func(status int, method, path string, body object) answer {
		return h.expect(status, call{method: method, path: s.at("/me/plans/{own}" + path), token: rosa, body: js(body)})
	}
	desk := func(status int, method, path string, body object) answer {
		if body != nil && body["version"] == nil {
			list := h.expect(200, call{path: s.at("/businesses/{business}/customers/{customer}/plans"), token: s.owner})
			for _, m := range list.list("items") {
				if m["id"] == s.ids["own"] {
					body["version"] = m["version"]
				}
			}
		}
		return h.expect(status, call{method: method, token: s.owner,
			path: s.at("/businesses/{business}/customers/{customer}/plans/{own}" + path), body: js(body)})
	}

	freeze := object{"startsOn": s.soon(5), "lastDay": s.soon(14)}
	quote := mine(200, http.MethodGet, "/freeze?startsOn="+s.soon(5)+"&lastDay="+s.soon(14), nil)
	if quote.number("bookings") != 0 || quote.number("amount") != 3000 || quote.text("lastDay") != s.soon(14) {
		t.Errorf("%s", quote)
	}
	if a := mine(409, http.MethodGet, "/freeze?startsOn="+s.soon(5)+"&lastDay="+s.soon(60), nil); a.reason() !=
		"freeze_refused" || js(dig[any](decode(a.body), "error", "details", "why")) != `"too_long"` {
		t.Errorf("%s", a)
	}
	if a := mine(409, http.MethodPost, "/freeze", with(freeze, "renewsOn", s.soon(1))); a.reason() != "stale_version" {
		t.Errorf("%s", a)
	}
	frozen := mine(200, http.MethodPost, "/freeze", with(freeze, "renewsOn", quote.text("renewsOn")))
	if list := frozen.list("freezes"); len(list) != 1 || list[0]["lastDay"] != s.soon(14) {
		t.Errorf("%s", frozen)
	}
	mine(200, http.MethodPost, "/unfreeze", nil)
	if a := mine(409, http.MethodPost, "/unfreeze", nil); a.reason() != "not_frozen" {
		t.Errorf("%s", a)
	}
	desk(200, http.MethodPost, "/freeze", object{"startsOn": s.soon(5), "note": "Injured"})
	desk(200, http.MethodPost, "/unfreeze", object{})

	offer := mine(200, http.MethodGet, "/change?planId="+s.ids["premium"], nil)
	if js(offer.data()["now"]) != "true" || offer.number("amount") != 6000 || offer.number("nextAmount") != 9000 {
		t.Errorf("%s", offer)
	}
	if a := mine(409, http.MethodPost, "/change", object{"planId": s.ids["premium"], "amount": 1}); a.reason() !=
		"stale_version" {
		t.Errorf("%s", a)
	}
	due := mine(200, http.MethodPost, "/change", object{"planId": s.ids["premium"], "amount": 6000})
	change := dig[object](due.data(), "change")
	if js(change["due"]) != "true" || js(change["amount"]) != "6000" || change["orderId"] == nil {
		t.Errorf("%s", due)
	}
	mine(200, http.MethodDelete, "/change", nil)
	if a := mine(409, http.MethodDelete, "/change", nil); a.reason() != "no_change" {
		t.Errorf("%s", a)
	}
	desk(200, http.MethodGet, "/change?planId="+s.ids["premium"]+"&atPeriodEnd=true", nil)
	coming := desk(200, http.MethodPost, "/change", object{"planId": s.ids["premium"], "atPeriodEnd": true})
	if change := dig[object](coming.data(), "change"); js(change["due"]) != "false" || change["name"] != "premium" {
		t.Errorf("%s", coming)
	}
	desk(200, http.MethodDelete, "/change", nil)
	paid := desk(200, http.MethodPost, "/change", object{"planId": s.ids["premium"]})
	h.expect(201, call{method: http.MethodPost, path: s.at("/businesses/{business}/sales"), token: s.owner,
		body: js(object{"periodId": dig[object](paid.data(), "change")["id"], "tenders": []object{{"method": "cash"}}})})
	named("premium")
}
