package api_test

import (
	"net/http"
	"testing"

	"foyer/app/apptest"
)

// bought returns the payment of a customer who buys a seat of a class for 25.00 by card.
func (s *studio) bought(customer string) (payment string) {
	s.h.t.Helper()
	s.connect()
	s.sell(customer, 2500)
	pay := s.h.post("/storefront/carts/"+s.ids["cart"]+"/payment", customer, object{"quotedTotal": 2500})
	if _, err := s.h.sim.PayByCard(pay.text("clientSecret"), apptest.CardGood); err != nil {
		s.h.t.Fatal(err)
	}
	s.h.post("/storefront/carts/"+s.ids["cart"]+"/confirm", customer, nil)
	return s.h.expect(200, call{path: s.at("/businesses/{business}/payments"), token: s.owner}).list("items")[0]["id"].(string)
}

// TestPayments: a payment in the list and with its lines, and its refund: a dry run returns the effects, the call
// with the quote refunds once, and one with a stale quote changes nothing. A30.
func TestPayments(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.ids["payment"] = s.bought(h.signIn("rosa@example.com"))
	list := h.expect(200, call{path: s.at("/businesses/{business}/payments?method=card&state=paid&from=2020-01-01&to=2099-12-31"), token: s.owner}).list("items")
	if len(list) != 1 || js(list[0]["amount"]) != "2500" || js(list[0]["platformFee"]) != "50" || js(list[0]["processorFee"]) != "null" || js(list[0]["net"]) != "null" {
		t.Fatalf("%s", js(list))
	}
	for _, none := range []string{"method=cash", "state=refunded", "from=2099-01-01", "customerId=" + ghost("")} {
		if got := h.expect(200, call{path: s.at("/businesses/{business}/payments?" + none), token: s.owner}).list("items"); len(got) != 0 {
			t.Errorf("%s: %s", none, js(got))
		}
	}
	h.expect(400, call{path: s.at("/businesses/{business}/payments?from=2099-13-01"), token: s.owner})
	one := h.expect(200, call{path: s.at("/businesses/{business}/payments/{payment}"), token: s.owner})
	if lines := one.list("lines"); len(lines) != 1 || js(lines[0]["total"]) != "2500" || js(lines[0]["refundable"]) != "2500" || one.text("state") != "paid" || one.text("receipt") == "" {
		t.Errorf("%s", one)
	}
	refunds := s.at("/businesses/{business}/payments/{payment}/refunds")
	give := func(status int, body object) answer {
		body["reason"], body["note"] = "requested", "She was ill."
		return h.expect(status, call{method: http.MethodPost, path: refunds, token: s.owner, body: js(body)})
	}
	line := one.list("lines")[0]["id"]
	told := give(200, object{"lines": []any{line}, "dryRun": true})
	effects := dig[object](told.data(), "effects")
	if js(effects["amount"]) != "2500" || js(effects["feeRefunded"]) != "50" || js(effects["refundable"]) != "0" || effects["cardLast4"] != "4242" {
		t.Errorf("%s", js(effects))
	}
	if got := h.expect(200, call{path: s.at("/businesses/{business}/payments/{payment}"), token: s.owner}); got.number("refunded") != 0 {
		t.Error("a dry run gave money back")
	}
	if got := give(201, object{"amount": 500}); got.number("amount") != 500 || got.number("feeRefunded") != 10 || got.text("note") != "She was ill." {
		t.Errorf("%s", got)
	}
	if got := give(409, object{"lines": []any{line}, "quoteId": told.text("quoteId")}); got.reason() != "quote_changed" {
		t.Errorf("%s", got)
	}
	told = give(200, object{"lines": []any{line}, "dryRun": true})
	for range 2 { // a repeated call is the same refund
		if got := give(201, object{"lines": []any{line}, "quoteId": told.text("quoteId")}); got.number("amount") != 2000 {
			t.Errorf("%s", got)
		}
	}
	if got := give(409, object{"amount": 1}); got.reason() != "nothing_refundable" {
		t.Errorf("%s", got)
	}
	give(400, object{})
	give(400, object{"amount": 1, "serviceFee": true})
	if got := h.expect(200, call{path: s.at("/businesses/{business}/payments/{payment}"), token: s.owner}); got.text("state") != "refunded" || len(got.list("refunds")) != 2 {
		t.Errorf("%s", got)
	}
}

// TestRefundCap: the front desk's maximum refund is a setting of the location that requires permission for settings;
// a refund above it is refused with both figures.
func TestRefundCap(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.ids["payment"] = s.bought(h.signIn("rosa@example.com"))
	set := func(token string, status int, body object) answer {
		body["version"] = h.expect(200, call{path: s.at("/locations/{location}"), token: s.owner}).number("version")
		return h.expect(status, call{method: http.MethodPatch, path: s.at("/locations/{location}"), token: token, body: js(body)})
	}
	manager, _ := s.join("manager@example.com", object{"role": "manager", "locationId": s.ids["location"]})
	desk, _ := s.join("desk@example.com", object{"role": "front_desk", "locationId": s.ids["location"]})
	set(manager, 403, object{"refundCap": 1000})
	set(s.owner, 400, object{"refundCap": -1})
	if got := set(s.owner, 200, object{"refundCap": 1000}); got.number("refundCap") != 1000 {
		t.Errorf("%s", got)
	}
	if got := set(manager, 200, object{"name": "North"}); got.number("refundCap") != 1000 {
		t.Errorf("%s", got)
	}
	give := func(amount int) call {
		return call{method: http.MethodPost, path: s.at("/businesses/{business}/payments/{payment}/refunds"), token: desk,
			body: js(object{"amount": amount, "reason": "goodwill", "note": "The boiler was broken."})}
	}
	h.expect(201, give(700))
	refused := h.expect(409, give(301))
	details := dig[object](decode(refused.body), "error", "details")
	if refused.reason() != "refund_cap" || js(details["cap"]) != "1000" || js(details["refunded"]) != "700" {
		t.Errorf("%s", refused)
	}
	if got := h.expect(409, call{method: http.MethodPost, path: s.at("/businesses/{business}/payments/{payment}/refunds"), token: s.owner,
		body: js(object{"amount": 1801, "reason": "other", "note": "All of it."})}); got.reason() != "refund_too_large" {
		t.Errorf("%s", got)
	}
}
