package api_test

import (
	"net/http"
	"testing"
)

// TestCartCredit: a customer's credit pays a part of the cart and a card the balance, or credit pays everything
// without a card. No other caller sees the credit.
func TestCartCredit(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.class("", 2200, 5)
	rosa := h.signIn("rosa@example.com")
	s.book(rosa, "occurrence")
	customer := h.expect(200, call{path: s.at("/businesses/{business}/bookings?occurrenceId=" + s.ids["occurrence"]), token: s.owner}).list("items")[0]["customerId"].(string)
	grant := func(amount int) {
		h.post(s.at("/businesses/{business}/customers/"+customer+"/balance/adjustments"), s.owner, object{"locationId": s.ids["location"], "amount": amount, "note": "A gift"})
	}
	grant(1200)

	held := func(name string, price int64) string {
		s.class(name, price, 5)
		at := "/storefront/carts/" + s.cart("occurrence"+name)
		h.post(at+"/hold", rosa, nil)
		return at
	}
	use := func(status int, at, session string, yes bool) answer {
		return h.expect(status, call{method: http.MethodPut, path: at + "/credit", token: session, body: js(object{"use": yes})})
	}
	at := held(" one", 2200)
	use(401, at, "", true)
	if got := use(409, at, h.signIn("ben@example.com"), true); got.reason() != "held_by_another" {
		t.Errorf("%s", got)
	}
	got := use(200, at, rosa, true)
	if got.number("totals", "total") != 2200 || got.number("totals", "credit") != 1200 || got.number("credit", "amount") != 1200 {
		t.Errorf("%s", got)
	}
	if seen := h.expect(200, call{path: at}); seen.number("totals", "credit") != 0 || dig[any](seen.data(), "credit") != nil {
		t.Errorf("whoever has the link reads %s", seen)
	}
	pay := func(status int, body object) answer {
		return h.expect(status, call{method: http.MethodPost, path: at + "/payment", token: rosa, body: js(body)})
	}
	if got := pay(409, object{"quotedTotal": 2200}); got.reason() != "price_changed" {
		t.Errorf("%s", got)
	}
	p := pay(200, object{"quotedTotal": 1000, "saveCardConsent": "Harbour keeps this card."})
	h.pay(p.text("clientSecret"))
	receipt := dig[object](h.post(at+"/confirm", rosa, nil).data(), "receipt")
	if js(dig[object](receipt, "card")["amount"]) != "1000" || js(dig[object](receipt, "totals")["credit"]) != "1200" {
		t.Errorf("%s", js(receipt))
	}

	grant(1000)
	at = held(" two", 1000)
	use(200, at, rosa, true)
	if got := pay(409, object{"quotedTotal": 0}); got.reason() != "nothing_to_pay" {
		t.Errorf("%s", got)
	}
	h.post(at+"/confirm", rosa, nil)

	kept := h.expect(200, call{path: "/me/payment-methods", token: rosa}).list("items")
	if len(kept) != 1 || kept[0]["businessId"] != s.ids["business"] {
		t.Fatalf("kept cards: %s", js(kept))
	}
	at = held(" three", 1500)
	card := object{"quotedTotal": 1500, "paymentMethodId": kept[0]["id"]}
	pay(400, card)
	card["returnUrl"] = "http://studio.example/back"
	if got := pay(200, card); got.text("status") != "succeeded" || got.text("redirectUrl") != "" || got.text("failureCode") != "" {
		t.Errorf("%s", got)
	}
	h.post(at+"/confirm", rosa, nil)
	at = held(" four", 1500)
	card["paymentMethodId"] = "01890000-0000-7000-8000-000000000000"
	if got := pay(409, card); got.reason() != "card_removed" {
		t.Errorf("%s", got)
	}
}
