package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestSales: the amount due for a booking by the desk is paid once: a dry run returns the amount, the call with the
// quote records it, and the booking, the payment and its receipt show it. A29: there is no platform fee.
func TestSales(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class(" dear", 2200, 5)
	b := h.post(s.at("/businesses/{business}/bookings"), s.owner, object{"email": "ada@example.com", "occurrenceId": s.ids["occurrence dear"]}).text("id")
	booking := func() answer {
		return h.expect(200, call{path: s.at("/businesses/{business}/bookings/" + b), token: s.owner})
	}
	if got := booking(); got.number("money", "due") != 2200 || got.number("money", "paidAtStudio") != 0 {
		t.Fatalf("%s", got)
	}
	take := func(status int, body object) answer {
		body["tenders"] = []object{{"method": "cash", "note": "in coins"}}
		return h.expect(status, call{method: http.MethodPost, path: s.at("/businesses/{business}/sales"), token: s.owner, body: js(body)})
	}
	drawers := s.at("/locations/{location}/drawers")
	drawer := h.post(drawers+"/open", s.owner, object{"floatAmount": 10000}).text("id")
	told := take(200, object{"bookingIds": []string{b}, "dryRun": true})
	if effects := dig[object](told.data(), "effects"); js(effects["amount"]) != "2200" || js(effects["tenders"]) != `[{"amount":2200,"method":"cash"}]` || js(effects["dueAmount"]) != "0" {
		t.Errorf("%s", js(effects))
	}
	if got := booking(); got.number("money", "due") != 2200 {
		t.Error("a dry run took money")
	}
	var payment, receipt string
	for range 2 { // a repeated call is the same sale
		got := take(201, object{"bookingIds": []string{b}, "quoteId": told.text("quoteId")})
		one := got.list("payments")[0]
		if payment != "" && payment != one["id"] || got.number("amount") != 2200 {
			t.Errorf("%s", got)
		}
		payment, receipt = one["id"].(string), one["receiptToken"].(string)
	}
	if got := take(409, object{"bookingIds": []string{b}}); got.reason() != "nothing_to_pay" {
		t.Errorf("%s", got)
	}
	take(400, object{})
	other := h.post(s.at("/businesses/{business}/bookings"), s.owner, object{"email": "bo@example.com", "occurrenceId": s.ids["occurrence dear"]}).text("id")
	if got := take(400, object{"bookingIds": []string{b, other}}); got.reason() != "one_customer" {
		t.Errorf("%s", got)
	}
	if got := booking(); got.number("money", "due") != 0 || got.number("money", "paidAtStudio") != 2200 {
		t.Errorf("%s", got)
	}
	at := s.at("/businesses/{business}/payments/" + payment)
	if got := h.expect(200, call{path: at, token: s.owner}); got.text("method") != "cash" || got.number("platformFee") != 0 || got.text("note") != "in coins" {
		t.Errorf("%s", got)
	}
	if got := h.expect(200, call{path: "/storefront/receipts/" + receipt}); got.number("due") != 0 || len(got.list("paidAtStudio")) != 1 || js(got.list("paidAtStudio")[0]["amount"]) != "2200" {
		t.Errorf("%s", got)
	}
	if got := h.expect(200, call{path: drawers + "/" + drawer, token: s.owner}); got.number("expectedAmount") != 12200 || got.number("paidAmount") != 2200 {
		t.Errorf("%s", got)
	}
	if got := h.post(at+"/void", s.owner, object{"note": "Another booking was meant."}); got.text("state") != "void" {
		t.Errorf("%s", got)
	}
	closed := h.post(drawers+"/"+drawer+"/close", s.owner, object{"countedAmount": 9950, "remainingAmount": 5000, "expectedAmount": 10000})
	if closed.number("count", "differenceAmount") != -50 || closed.number("count", "bankedAmount") != 4950 {
		t.Errorf("%s", closed)
	}
	if got := booking(); got.number("money", "due") != 2200 {
		t.Errorf("after the mistake: %s", got)
	}
}

// The quote of a cancellation lists the payments at the desk; with destination credit they become account credit.
func TestCancelToCredit(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class(" dear", 2200, 5)
	b := h.post(s.at("/businesses/{business}/bookings"), s.owner, object{"email": "ada@example.com", "occurrenceId": s.ids["occurrence dear"]}).text("id")
	h.expect(201, call{method: http.MethodPost, path: s.at("/businesses/{business}/sales"), token: s.owner,
		body: js(object{"bookingIds": []string{b}, "tenders": []object{{"method": "cash"}}})})
	cancel := func(status int, body object) answer {
		body["by"] = "customer"
		return h.expect(status, call{method: http.MethodPost, path: s.at("/businesses/{business}/bookings/" + b + "/cancel"), token: s.owner, body: js(body)})
	}
	effects := func(body object) object { return dig[object](cancel(200, body).data(), "effects") }
	if got := effects(object{"dryRun": true}); js(got["desk"]) != "2200" || js(got["credit"]) != "0" || js(got["refund"]) != "0" || js(got["forfeited"]) != "0" {
		t.Errorf("as it was paid: %s", js(got))
	}
	if got := effects(
		object{"dryRun": true, "destination": "account_credit"},
	); js(got["desk"]) != "0" || js(got["credit"]) != "2200" {
		t.Errorf("to credit: %s", js(got))
	}
	cancel(400, object{"destination": "elsewhere"})
	bulk := h.expect(200, call{method: http.MethodPost, path: s.at("/businesses/{business}/bookings/bulk-cancel"), token: s.owner,
		body: js(object{"bookingIds": []string{b}, "by": "studio", "destination": "account_credit", "dryRun": true})})
	rows := dig[[]any](dig[object](bulk.data(), "effects"), "rows")
	if got := dig[object](rows[0].(object), "effects"); js(got["credit"]) != "2200" {
		t.Errorf("many: %s", js(got))
	}
	cancel(200, object{"destination": "account_credit"})
	customer := h.expect(200, call{path: s.at("/businesses/{business}/bookings/" + b), token: s.owner}).text("customerId")
	if got := h.expect(200, call{path: s.at("/businesses/{business}/customers/" + customer + "/balance"), token: s.owner}); !strings.Contains(js(got.data()), "2200") {
		t.Errorf("%s", got)
	}
}
