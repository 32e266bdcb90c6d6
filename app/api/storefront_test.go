package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/web/op"
	"foyer/billing/stripesim"
)

// TestStorefrontIsPublic: every read of the storefront works without a credential, and one that is not valid changes
// nothing. A2, A58.
func TestStorefrontIsPublic(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.furnish(h.signIn("rosa@example.com"), h.signIn("ben@example.com"))
	key, _ := s.key()
	for _, spec := range h.operations {
		if spec.Method != http.MethodGet || !strings.HasPrefix(spec.Path, "/storefront") || spec.Access == op.StorefrontSession {
			continue // signed agreements belong to their customer (A179)
		}
		bare := h.expect(200, call{path: s.fill(spec, "")})
		for _, token := range []string{"nonsense", key, s.owner} {
			if a := h.expect(200, call{path: s.fill(spec, ""), token: token}); string(a.body) != string(bare.body) {
				t.Errorf("%s differs with a credential", spec.ID)
			}
		}
	}
}

// TestHoldNeedsASession: holding and confirming without a session, and with an API key, is 401. A3, A59.
func TestHoldNeedsASession(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 3)
	key, _ := s.key()
	cart := "/storefront/carts/" + s.cart("occurrence")
	for _, c := range []call{
		{method: "POST", path: cart + "/hold"}, {method: "DELETE", path: cart + "/hold"}, {method: "POST", path: cart + "/confirm"},
		{method: "POST", path: cart + "/payment", body: `{"quotedTotal":0}`},
	} {
		for _, token := range []string{"", "nonsense", key} {
			c.token = token
			h.expect(401, c)
		}
	}
}

// TestLastSeat: of two people one gets it, and the other gets the reason; a hold reserves its seat for ten minutes,
// and once ten more. A71, A74.
func TestLastSeat(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 1)
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	first, second := "/storefront/carts/"+s.cart("occurrence"), "/storefront/carts/"+s.cart("occurrence")
	held := h.expect(200, call{method: "POST", path: first + "/hold", token: rosa})
	if held.text("expiresAt") != "2026-06-10T12:10:00Z" || held.text("holdId") == "" {
		t.Errorf("%s", held)
	}
	if again := h.expect(200, call{method: "POST", path: first + "/hold", token: rosa, body: "{}"}); string(again.body) != string(held.body) {
		t.Errorf("%s", again)
	}
	lost := h.expect(409, call{method: "POST", path: second + "/hold", token: ben})
	if lost.reason() != "full" || dig[string](decode(lost.body), "error", "details", "occurrenceId") != s.ids["occurrence"] {
		t.Errorf("%s", lost)
	}
	if a := h.expect(409, call{method: "POST", path: first + "/hold", token: ben}); a.reason() != "held_by_another" {
		t.Errorf("%s", a)
	}
	more := h.expect(200, call{method: "POST", path: first + "/hold", token: rosa, body: `{"extend":true}`})
	if more.text("expiresAt") != "2026-06-10T12:20:00Z" || more.data()["extended"] != true {
		t.Errorf("%s", more)
	}
	h.expect(204, call{method: "DELETE", path: first + "/hold", token: rosa})
	h.expect(200, call{method: "POST", path: second + "/hold", token: ben})
	h.Clock.Advance(10 * time.Minute)
	h.expect(200, call{method: "POST", path: first + "/hold", token: rosa})
	if a := h.expect(409, call{method: "POST", path: second + "/confirm", token: ben}); a.reason() != "hold_expired" {
		t.Errorf("%s", a)
	}
	receipt := h.expect(200, call{method: "POST", path: first + "/confirm", token: rosa})
	h.expect(200, call{path: "/storefront/receipts/" + receipt.text("receiptToken")})
	if a := h.expect(409, call{method: "POST", path: first + "/hold", token: rosa}); a.reason() != "ordered" {
		t.Errorf("%s", a)
	}
}

// Several people of one date are added to a cart in one call, held together or not at all; the refusal has the number
// of free seats. A74.
func TestFriendsInACart(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 2200, 3)
	rosa := h.signIn("rosa@example.com")
	path := "/storefront/carts/" + s.cart()
	add := func(status int, more object) answer {
		more["occurrenceId"] = s.ids["occurrence"]
		return h.expect(status, call{method: "POST", path: path + "/items", body: js(more)})
	}
	for _, wrong := range []object{{"party": 21}, {"others": make([]string, 20)}, {"others": []string{strings.Repeat("x", 121)}}, {"minutes": 60}} {
		add(400, wrong)
	}
	cart := add(201, object{"party": 4, "others": []string{"Kim", ""}})
	var names []string
	for _, l := range cart.list("lines") {
		names = append(names, l["attendee"].(string))
	}
	if !slices.Equal(names, []string{"", "Kim", "Guest 2", "Guest 3"}) || cart.number("totals", "total") != 8800 {
		t.Errorf("%s", cart)
	}
	full := h.expect(409, call{method: "POST", path: path + "/hold", token: rosa})
	details := dig[object](decode(full.body), "error", "details")
	if full.reason() != "full" || asText(details["spots"]) != "3" {
		t.Errorf("%s", full)
	}
	h.expect(200, call{method: "DELETE", path: path + "/items/" + cart.list("lines")[3]["itemId"].(string)})
	h.expect(200, call{method: "POST", path: path + "/hold", token: rosa})
	if held := h.expect(200, call{path: path, token: rosa}); held.list("lines")[2]["bookingId"] == held.list("lines")[1]["bookingId"] {
		t.Errorf("two people share a booking: %s", held)
	}
}

// TestCart: items are added and removed, the same item twice is a duplicate, and a changed price is returned with
// both numbers. A17, A74.
func TestCart(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 2200, 3)
	rosa := h.signIn("rosa@example.com")
	token := s.cart("occurrence", "occurrence+")
	path := "/storefront/carts/" + token
	if a := h.expect(409, call{method: "POST", path: path + "/items", body: js(object{"occurrenceId": s.ids["occurrence"]})}); a.reason() != "duplicate" {
		t.Errorf("%s", a)
	}
	h.expect(201, call{method: "POST", path: path + "/items", body: js(object{"occurrenceId": s.ids["occurrence"], "attendee": "Kim"})})
	h.expect(404, call{method: "POST", path: path + "/items", body: js(object{"occurrenceId": ghost("x")})})
	cart := h.expect(200, call{path: path})
	if cart.number("totals", "total") != 6600 || len(cart.list("lines")) != 3 {
		t.Errorf("%s", cart)
	}
	gone := cart.list("lines")[2]["itemId"].(string)
	left := h.expect(200, call{method: "DELETE", path: path + "/items/" + gone})
	if left.number("totals", "total") != 4400 {
		t.Errorf("%s", left)
	}
	h.expect(404, call{method: "DELETE", path: path + "/items/" + gone})
	h.expect(200, call{method: "PATCH", path: s.at("/offerings/{offering}"), token: s.owner, body: `{"version":2,"price":2500}`})
	dearer := h.expect(409, call{method: "POST", path: path + "/hold", token: rosa})
	details := dig[object](decode(dearer.body), "error", "details")
	if dearer.reason() != "price_changed" || asText(details["quotedAmount"]) != "4400" || asText(details["amount"]) != "5000" {
		t.Errorf("%s", dearer)
	}
	h.expect(200, call{method: "POST", path: path + "/hold", token: rosa, body: `{"quotedTotal":5000}`})
	if a := h.expect(409, call{method: "POST", path: path + "/confirm", token: rosa}); a.reason() != "payment_required" {
		t.Errorf("%s", a)
	}
	s.restrict()
	if a := h.expect(409, call{method: "POST", path: path + "/payment", token: rosa, body: `{"quotedTotal":5000}`}); a.reason() != "card_unavailable" {
		t.Errorf("%s", a)
	}
	h.expect(404, call{path: "/storefront/carts/" + strings.Repeat("A", len(token))})
	h.expect(404, call{path: "/storefront/carts/short"})
}

// TestCardPayment: the customer pays the studio on its own account, the platform charges 2 % as one application fee
// of the payment, and the receipt names the studio. A24, A215, A224.
func TestCardPayment(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.class("", 2225, 3)
	rosa := h.signIn("rosa@example.com")
	path := "/storefront/carts/" + s.cart("occurrence", "occurrence+")
	h.post(path+"/hold", rosa, nil)
	pay := h.post(path+"/payment", rosa, object{"quotedTotal": 4450})
	if pay.number("amount") != 4450 || pay.text("status") != "awaiting_method" || !strings.HasPrefix(pay.text("accountId"), "acct_sim_") || pay.data()["test"] != true {
		t.Errorf("%s", pay)
	}
	again := h.post(path+"/payment", rosa, object{"quotedTotal": 4450})
	if again.text("clientSecret") != pay.text("clientSecret") {
		t.Error("a repetition made another payment")
	}
	if a := h.expect(409, call{method: "POST", path: path + "/items", token: rosa, body: js(object{"occurrenceId": s.ids["occurrence++"]})}); a.reason() != "payment_started" {
		t.Errorf("%s", a)
	}
	if a := h.expect(409, call{method: "POST", path: path + "/confirm", token: rosa}); a.reason() != "payment_required" {
		t.Errorf("%s", a)
	}
	h.pay(pay.text("clientSecret"))
	done := h.post(path+"/confirm", rosa, nil)
	if same := h.post(path+"/confirm", rosa, nil); string(same.body) != string(done.body) {
		t.Error("confirming again answers something else")
	}
	r := h.expect(200, call{path: "/storefront/receipts/" + done.text("receiptToken")})
	if r.text("businessName") != "Harbour" || r.text("card", "last4") != "4242" || r.number("card", "amount") != 4450 || r.data()["test"] != true {
		t.Errorf("%s", r)
	}
	type row struct{ fee, payments int64 }
	got := row{apptest.Value[int64](t, h.World, "select fee_amount from payments"), apptest.Value[int64](t, h.World, "select count(*) from payments")}
	if got != (row{89, 1}) { // 2 % of 44.50, one fee for both bookings
		t.Errorf("%+v", got)
	}
	mine := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")
	if len(mine) != 2 || mine[0]["occurrenceId"] != s.ids["occurrence"] || mine[0]["state"] != "confirmed" {
		t.Errorf("%v", mine)
	}
}

// TestPayAtStudio: without an account an offering with a price cannot be published, and the refusal has the path for
// connecting one; a policy with payment at the studio is enough. The choice is the confirmation's, and the amount due
// is in the cart, the receipt and the booking. A29, A74.
func TestPayAtStudio(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 3)
	refused := h.expect(400, call{method: "PATCH", path: s.at("/offerings/{offering}"), token: s.owner, body: `{"version":2,"price":2200}`})
	if refused.reason() != "no_way_to_pay" || !slices.Equal(refused.fields(), []string{"body.price"}) {
		t.Errorf("%s", refused)
	}
	h.post(s.at("/offerings/{offering}/unpublish"), s.owner, nil)
	h.expect(200, call{method: "PATCH", path: s.at("/offerings/{offering}"), token: s.owner, body: `{"version":3,"price":2200}`})
	refused = h.expect(400, call{method: "POST", path: s.at("/offerings/{offering}/publish"), token: s.owner})
	if refused.reason() != "no_way_to_pay" || !strings.Contains(string(refused.body), s.at("/businesses/{business}/processor/onboarding")) {
		t.Errorf("%s", refused)
	}
	s.add("desk", "/businesses/{business}/policies", object{"name": "Desk", "rules": object{"payAtStudio": true}})
	h.expect(200, call{method: "PATCH", path: s.at("/offerings/{offering}"), token: s.owner, body: js(object{"version": 4, "policyId": s.ids["desk"]})})
	h.post(s.at("/offerings/{offering}/publish"), s.owner, nil)

	rosa := h.signIn("rosa@example.com")
	path := "/storefront/carts/" + s.cart("occurrence")
	h.post(path+"/hold", rosa, nil)
	if c := h.expect(200, call{path: path, token: rosa}); c.data()["card"] != false || c.number("atStudio", "total") != 2200 {
		t.Errorf("%s", c)
	}
	confirm := func(status int, body object) answer {
		t.Helper()
		return h.expect(status, call{method: "POST", path: path + "/confirm", token: rosa, body: js(body)})
	}
	if a := confirm(400, object{"pay": "at_studio"}); !slices.Equal(a.fields(), []string{"body.quotedTotal"}) && !slices.Equal(a.fields(), []string{"quotedTotal"}) {
		t.Errorf("%s", a)
	}
	if a := confirm(409, object{"pay": "at_studio", "quotedTotal": 1}); a.reason() != "price_changed" {
		t.Errorf("%s", a)
	}
	if a := confirm(409, object{"pay": "card"}); a.reason() != "payment_required" {
		t.Errorf("%s", a)
	}
	confirm(400, object{"pay": "shells"})
	done := confirm(200, object{"pay": "at_studio", "quotedTotal": 2200})
	if done.number("receipt", "due") != 2200 || done.data()["receipt"].(object)["card"] != nil {
		t.Errorf("%s", done)
	}
	if same := confirm(200, object{"pay": "at_studio", "quotedTotal": 2200}); string(same.body) != string(done.body) {
		t.Error("confirming again answers something else")
	}
	mine := h.expect(200, call{path: "/me/bookings", token: rosa}).list("items")
	if b := h.expect(200, call{path: s.at("/businesses/{business}/bookings/") + mine[0]["id"].(string), token: s.owner}); b.number("money", "due") != 2200 || b.number("money", "paid") != 0 {
		t.Errorf("%s", b)
	}
}

// TestWebhook: an event of the processor is accepted once if it is signed, and refused otherwise. It is no operation:
// the document does not list it. A214.
func TestWebhook(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.class("", 2200, 3)
	s.book(h.signIn("rosa@example.com"), "occurrence")
	for range 2 {
		h.sim.Flush(t.Context())
	}
	events := apptest.Value[int](t, h.World, "select count(*) from webhook_events")
	waiting := apptest.Value[int](t, h.World, "select count(*) from river.river_job where kind = 'billing.webhook'")
	if events == 0 || events != waiting {
		t.Errorf("%d events, %d jobs", events, waiting)
	}
	body := `{"id":"evt_forged","type":"payment_intent.succeeded"}`
	for _, signature := range []string{"", "t=1,v1=00", stripesim.Sign([]byte(body), "whsec_wrong", h.Clock.Now())} {
		a := h.do(call{method: "POST", path: webhookPath, body: body, headers: []string{"Stripe-Signature", signature}})
		if a.status != 400 || dig[string](decode(a.body), "error", "code") != "validation" {
			t.Errorf("%q: %s", signature, a)
		}
	}
	const signed = `{"id":"evt_signed","object":"event","type":"payment_intent.succeeded","account":"acct_sim_x","api_version":"` + stripesim.APIVersion + `"}`
	for _, body := range []string{ // a sender with the secret still cannot break anything
		strings.Replace(signed, "evt_signed", `evt_\u0000`, 1),
		signed + strings.Repeat(" ", 300<<10-len(signed)),
	} {
		signature := stripesim.Sign([]byte(body), stripesim.DefaultWebhookSecret, h.Clock.Now())
		h.expect(400, call{method: "POST", path: webhookPath, body: body, headers: []string{"Stripe-Signature", signature}})
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from webhook_events"); n != events {
		t.Error("a forged event was kept")
	}
	signature := stripesim.Sign([]byte(signed), stripesim.DefaultWebhookSecret, h.Clock.Now())
	h.expect(200, call{method: "POST", path: webhookPath, body: signed, headers: []string{"Stripe-Signature", signature}})
	const fee = `{"id":"evt_fee","object":"event","type":"application_fee.created","api_version":"` + stripesim.APIVersion + `"}`
	for _, c := range []struct {
		path, body, secret string
		status             int
	}{
		{platformPath, fee, apptest.PlatformSecret, 200},
		{platformPath, fee, stripesim.DefaultWebhookSecret, 400}, // each endpoint has a secret of its own
		{webhookPath, fee, apptest.PlatformSecret, 400},
		{webhookPath, fee, stripesim.DefaultWebhookSecret, 400}, // of no studio's account
		{platformPath, signed, apptest.PlatformSecret, 400},     // of a studio's account
	} {
		h.expect(c.status, call{method: "POST", path: c.path, body: c.body,
			headers: []string{"Stripe-Signature", stripesim.Sign([]byte(c.body), c.secret, h.Clock.Now())}})
	}
	if n := apptest.Value[int](t, h.World, "select count(*) from webhook_events"); n != events+2 {
		t.Errorf("%d events were kept, want the two of their own endpoint", n-events)
	}
	for _, path := range []string{webhookPath, platformPath} {
		if spec, _ := h.doc.Operation("POST", path); spec != nil {
			t.Errorf("%s is described", path)
		}
	}
	large := h.do(call{method: "POST", path: webhookPath, body: strings.Repeat("x", 2<<20)})
	if large.status != 400 {
		t.Errorf("%s", large)
	}
}

// TestSeatsAreOneEach: members of appointments and rentals are refused by name next to a date of a class, and not
// ignored; a party there is as many seats.
func TestSeatsAreOneEach(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	items := "/storefront/carts/" + s.cart() + "/items"
	for field, value := range map[string]any{"minutes": 60, "memberId": ghost("memberId"), "spaceId": ghost("spaceId")} {
		a := h.expect(400, call{method: "POST", path: items, body: js(object{"occurrenceId": s.ids["occurrence"], field: value})})
		if got := a.fields(); len(got) != 1 || got[0] != "body."+field {
			t.Errorf("%s: %v", field, got)
		}
	}
	two := h.post(items, "", object{"occurrenceId": s.ids["occurrence"], "party": 2})
	if lines := two.list("lines"); len(lines) != 2 {
		t.Errorf("%s", two)
	}
}

// TestHeldCartOverTheAPI: a visitor with the link of a held cart reads no names and changes nothing; the session
// that holds it does both.
func TestHeldCartOverTheAPI(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	rosa, ben := h.signIn("rosa@example.com"), h.signIn("ben@example.com")
	cart := "/storefront/carts/" + s.cart()
	item := h.post(cart+"/items", "", object{"occurrenceId": s.ids["occurrence"], "attendee": "Kim"}).list("lines")[0]["itemId"].(string)
	for _, step := range []string{"/hold", "/confirm"} {
		h.post(cart+step, rosa, nil)
		for _, token := range []string{"", ben} {
			if got := h.expect(200, call{path: cart, token: token}); strings.Contains(string(got.body), "Kim") || got.list("lines")[0]["attendee"] != "" {
				t.Errorf("%s: %s", step, got)
			}
			for _, c := range []call{
				{method: "POST", path: cart + "/items", body: js(object{"occurrenceId": s.ids["occurrence+"]})},
				{method: "PATCH", path: cart + "/items/" + item, body: js(object{"attendee": "Eve"})},
				{method: "DELETE", path: cart + "/items/" + item},
			} {
				c.token = token
				if got := h.expect(409, c); got.reason() != "held_by_another" {
					t.Errorf("%s: %s", step, got)
				}
			}
		}
		if got := h.expect(200, call{path: cart, token: rosa}).list("lines")[0]["attendee"]; got != "Kim" {
			t.Errorf("%s: she reads %v", step, got)
		}
	}
}
