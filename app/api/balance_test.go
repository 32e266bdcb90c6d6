package api_test

import (
	"net/http"
	"testing"
)

// TestBalance: credit is added by staff, pays a part of the amount due, and is refunded with the payment; the studio
// and the customer see the balance and its transactions.
func TestBalance(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class(" dear", 2200, 5)
	ada := h.signIn("ada@example.com")
	b := h.post(s.at("/businesses/{business}/bookings"), s.owner, object{"email": "ada@example.com", "occurrenceId": s.ids["occurrence dear"]})
	at := s.at("/businesses/{business}/customers/" + b.text("customerId") + "/balance")
	sums := func() string {
		return js(h.expect(200, call{path: at, token: s.owner}).data()["sums"])
	}
	if got := sums(); got != `[{"balance":-2200,"credit":0,"currency":"USD","due":2200,"feesDue":0}]` {
		t.Errorf("%s", got)
	}
	adjust := func(status int, amount int64) answer {
		return h.expect(status, call{method: http.MethodPost, path: at + "/adjustments", token: s.owner, body: js(object{
			"locationId": s.ids["location"], "amount": amount, "note": "The heating was off.",
		})})
	}
	if got := adjust(201, 1500); got.text("kind") != "granted" || got.number("balance") != 1500 {
		t.Errorf("%s", got)
	}
	if got := adjust(409, -1501); got.reason() != "insufficient_credit" || js(dig[any](decode(got.body), "error", "details", "creditAmount")) != "1500" {
		t.Errorf("%s", got)
	}
	sale := h.post(
		s.at("/businesses/{business}/sales"), s.owner, object{"bookingIds": []string{b.text("id")}, "tenders": []object{
			{"method": "account_credit", "amount": 1000}, {"method": "cash", "amount": 200},
		}},
	)
	if sale.number("amount") != 1200 || sale.number("dueAmount") != 1000 || len(sale.list("payments")) != 2 {
		t.Errorf("%s", sale)
	}
	if got := sums(); got != `[{"balance":-500,"credit":500,"currency":"USD","due":1000,"feesDue":0}]` {
		t.Errorf("%s", got)
	}
	payments := s.at("/businesses/{business}/payments")
	for _, p := range h.expect(200, call{path: payments, token: s.owner}).list("items") {
		if p["method"] != "cash" {
			continue
		}
		got := h.post(payments+"/"+p["id"].(string)+"/refunds", s.owner, object{
			"amount": 200, "reason": "goodwill", "note": "As agreed.", "destination": "account_credit",
		})
		if got.text("destination") != "account_credit" || got.text("state") != "succeeded" {
			t.Errorf("%s", got)
		}
	}
	moves := h.expect(200, call{path: at + "/transactions", token: s.owner}).list("items")
	if len(moves) != 3 || moves[0]["kind"] != "refunded" || moves[1]["kind"] != "spent" || js(moves[1]["amount"]) != "-1000" || moves[2]["note"] != "The heating was off." {
		t.Errorf("%s", js(moves))
	}
	mine := h.expect(200, call{path: "/me/balance", token: ada}).list("credits")
	if len(mine) != 1 || js(mine[0]["amount"]) != "700" || mine[0]["businessName"] != "Harbour" {
		t.Errorf("%s", js(mine))
	}
	paid := h.expect(200, call{path: "/me/payments", token: ada}).list("items")
	if len(paid) != 2 || paid[0]["label"] == "" || paid[0]["platformFee"] != nil {
		t.Errorf("%s", js(paid))
	}
	r := h.expect(200, call{path: "/storefront/receipts/" + paid[0]["receipt"].(string)})
	for _, p := range r.list("paidAtStudio") {
		if want := map[any]string{"cash": "200", "account_credit": "0"}[p["method"]]; js(p["credit"]) != want {
			t.Errorf("%s", js(p))
		}
	}
}

// TestCollect: a fee that is due is charged to the customer's saved card: a dry run returns the amount, the call with
// the quote charges it, and a repeated call is the same charge.
func TestCollect(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	s.connect()
	h.SQL(t, "update saved_cards set account = $1 where business_id = $2", s.account, s.ids["business"])
	at := s.at("/businesses/{business}/customers/{customer}/balance/collect")
	collect := func(status int, body object) answer {
		return h.expect(status, call{method: http.MethodPost, path: at, token: s.owner, body: js(body)})
	}
	told := collect(200, object{"feeIds": []string{s.ids["fee"]}, "dryRun": true})
	if effects := dig[object](told.data(), "effects"); js(effects["amount"]) != "1500" || effects["last4"] != "4242" || effects["cardId"] != s.ids["paymentMethod"] {
		t.Errorf("%s", js(effects))
	}
	for range 2 {
		got := collect(200, object{"feeIds": []string{s.ids["fee"]}, "quoteId": told.text("quoteId")})
		if lines := got.list("lines"); got.number("amount") != 1500 || len(lines) != 1 || lines[0]["feeId"] != s.ids["fee"] {
			t.Errorf("%s", got)
		}
	}
	if got := collect(409, object{"cardId": s.ids["paymentMethod2"], "feeIds": []string{s.ids["fee"]}}); got.reason() != "card_removed" {
		t.Errorf("%s", got)
	}
	fees := h.expect(200, call{path: s.at("/businesses/{business}/fees?state=due&customerId={customer}"), token: s.owner}).list("items")
	if len(fees) != 1 || fees[0]["chargeAt"] != nil || fees[0]["chargeFailed"] != "" {
		t.Errorf("%s", js(fees))
	}
}

// TestCollectPrices: the price of a booking by the desk is charged to the customer's saved card: a dry run returns
// the amount with its tax and lines, the call with the quote charges it, once; another customer's booking is treated
// as a nonexistent one.
func TestCollectPrices(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	s.connect()
	h.SQL(t, "update saved_cards set account = $1 where business_id = $2", s.account, s.ids["business"])
	s.class(" dear", 2200, 5)
	books := func(customer string) string {
		return h.post(s.at("/businesses/{business}/bookings"), s.owner, object{"customerId": customer, "occurrenceId": s.ids["occurrence dear"]}).text("id")
	}
	mine, others := books(s.ids["customer"]), books(s.ids["customer2"])
	at := s.at("/businesses/{business}/customers/{customer}/balance/collect")
	collect := func(status int, body object) answer {
		return h.expect(status, call{method: http.MethodPost, path: at, token: s.owner, body: js(body)})
	}
	told := collect(200, object{"bookingIds": []string{mine}, "dryRun": true})
	effects := dig[object](told.data(), "effects")
	if js(effects["amount"]) != "2200" || effects["cardId"] != s.ids["paymentMethod"] {
		t.Errorf("%s", js(effects))
	}
	for range 2 { // a repeated call is the same charge
		got := collect(200, object{"bookingIds": []string{mine}, "quoteId": told.text("quoteId")})
		if lines := got.list("lines"); got.number("amount") != 2200 || len(lines) != 1 || lines[0]["bookingId"] != mine || lines[0]["feeId"] != nil {
			t.Errorf("%s", got)
		}
	}
	foreign, unknown := collect(404, object{"bookingIds": []string{others}}), collect(404, object{"bookingIds": []string{"01890000-0000-7000-8000-000000000000"}})
	if js(decode(foreign.body)["error"]) != js(decode(unknown.body)["error"]) {
		t.Errorf("a booking of somebody else: %s, one that there is not: %s", foreign.body, unknown.body)
	}
	collect(400, object{"bookingIds": []string{mine, mine}})
}
