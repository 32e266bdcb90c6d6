package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// goodsOnly is a studio with a published product at 12.00, of which five are in stock, whose account takes cards.
func goodsOnly(t *testing.T) (*house, *studio) {
	h := open(t)
	s := h.open("Harbour")
	s.connect()
	s.product("", "Yoga mat")
	return h, s
}

// join returns members of an object, with spaces between them.
func join(o object, keys ...string) string {
	var out []string
	for _, key := range keys {
		out = append(out, fmt.Sprint(o[key]))
	}
	return strings.Join(out, " ")
}

// TestA92_A93_Lists: the lists of products and of the stock of a variant are exactly items and nextCursor, also of what
// is empty.
func TestA92_A93_Lists(t *testing.T) {
	h, s := goodsOnly(t)
	products, stock := s.at("/businesses/{business}/products"), s.at("/products/{product}/variants/{variant}/stock")
	for path, rows := range map[string]int{
		products: 1, products + "?q=strap": 0, stock: 1, stock + "?locationId=" + s.ids["location2"]: 0,
	} {
		data := h.expect(200, call{path: path, token: s.owner}).data()
		keys := slices.Sorted(maps.Keys(data))
		if !slices.Equal(keys, []string{"items", "nextCursor"}) || data["nextCursor"] != nil ||
			len(data["items"].([]any)) != rows {
			t.Errorf("%s: %v", path, data)
		}
	}
	s.product("2", "Strap")
	first := h.expect(200, call{path: products + "?limit=1", token: s.owner})
	next := h.expect(200, call{path: products + "?limit=1&cursor=" + first.text("nextCursor"), token: s.owner})
	if first.list("items")[0]["name"] != "Strap" || next.list("items")[0]["name"] != "Yoga mat" ||
		next.data()["nextCursor"] != nil {
		t.Errorf("%s\n%s", first, next)
	}
	h.expect(400, call{path: stock + "?cursor=" + first.text("nextCursor"), token: s.owner})
}

// TestA1_A97_Products: under /products an owner keeps a product with options, its variants and their stock ledger, and
// each change appears where it is read.
func TestA1_A97_Products(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.add("taxRate", "/businesses/{business}/tax-rates", object{"name": "Sales tax", "ppm": 82500})
	p := s.add("product", "/businesses/{business}/products", object{
		"name": "Yoga mat", "taxRateId": s.ids["taxRate"],
		"options": []object{{"name": "Colour", "choices": []string{"Blue", "Red"}}},
	})
	if p.text("state") != "draft" || p.text("currency") != "USD" || p.text("taxRateId") != s.ids["taxRate"] {
		t.Errorf("%s", p)
	}
	patch := func(status int, path string, body object) answer {
		return h.expect(status, call{method: http.MethodPatch, path: s.at(path), token: s.owner, body: js(body)})
	}
	if a := patch(400, "/products/{product}", object{"version": 1, "state": "published"}); a.reason() != "incomplete" {
		t.Errorf("%s", a)
	}
	create := func(status int, body object) answer {
		return h.expect(status, call{
			method: http.MethodPost, path: s.at("/products/{product}/variants"), token: s.owner, body: js(body),
		})
	}
	blue := object{
		"choices": []string{"Blue"}, "price": 2400, "cost": 900, "sku": "MAT-B", "barcode": "4006381333931", "track": true,
	}
	v := create(201, blue)
	s.ids["variant"] = v.text("id")
	if v.text("barcodeKind") != "ean_13" || v.number("cost") != 900 || len(v.list("stock")) != 0 {
		t.Errorf("%s", v)
	}
	for reason, body := range map[string]object{
		"variant_exists": {"choices": []string{"Blue"}, "price": 1},
		"sku_in_use":     {"choices": []string{"Red"}, "price": 1, "sku": "mat-b"},
		"barcode_in_use": {"choices": []string{"Red"}, "price": 1, "barcode": "4006381333931"},
	} {
		if a := create(409, body); a.reason() != reason {
			t.Errorf("%s, want %s", a, reason)
		}
	}
	for field, body := range map[string]object{
		"body.choices": {"price": 1}, "body.barcode": {"choices": []string{"Red"}, "price": 1, "barcode": "4006381333932"},
		"body.price": {"choices": []string{"Red"}, "price": -1},
	} {
		if a := create(400, body); js(a.fields()) != `["`+field+`"]` {
			t.Errorf("%s, want %s", a, field)
		}
	}
	s.add("annex", "/businesses/{business}/locations", object{"name": "Annex"})
	stock := s.at("/products/{product}/variants/{variant}/stock")
	change := func(status int, body object) answer {
		body["locationId"] = s.ids["location"]
		return h.expect(status, call{method: http.MethodPost, path: stock, token: s.owner, body: js(body)})
	}
	got := change(201, object{"kind": "receive", "quantity": 10})
	if l := got.list("stock")[0]; join(l, "onHand", "available", "lastNumber") != "10 10 1" {
		t.Errorf("%s", got)
	}
	change(201, object{"kind": "adjust", "quantity": -2, "reason": "Torn"})
	got = change(201, object{"kind": "transfer", "quantity": 3, "toLocationId": s.ids["annex"]})
	if len(got.list("entries")) != 2 {
		t.Errorf("%s", got)
	}
	change(201, object{"kind": "count", "quantity": 9, "lastNumber": 1}) // one less than there was then
	for what, body := range map[string]object{
		`["body.toLocationId"]`: {"kind": "receive", "quantity": 1, "toLocationId": s.ids["location2"]},
		`["body.lastNumber"]`:   {"kind": "adjust", "quantity": 1, "reason": "?", "lastNumber": 1},
		`["body.reason"]`:       {"kind": "adjust", "quantity": 1},
		`["body.quantity"]`:     {"kind": "count", "quantity": 1_000_000},
	} {
		if a := change(400, body); js(a.fields()) != what {
			t.Errorf("%s, want %s", a, what)
		}
	}
	abroad := change(409, object{"kind": "transfer", "quantity": 1, "toLocationId": s.ids["location2"]})
	if abroad.reason() != "other_currency" {
		t.Errorf("%s", abroad)
	}
	if a := change(409, object{"kind": "adjust", "quantity": -5, "reason": "?"}); a.reason() != "stock_short" {
		t.Errorf("%s", a)
	}
	var ledger []string
	for _, e := range h.expect(200, call{path: stock + "?locationId=" + s.ids["location"], token: s.owner}).list("items") {
		ledger = append(ledger, join(e, "kind", "quantity", "onHand"))
	}
	slices.Sort(ledger) // they are of one moment
	if got := strings.Join(ledger, ", "); got != "adjust -2 8, count -1 4, receive 10 10, transfer_out -3 5" {
		t.Errorf("ledger: %s", got)
	}
	patch(200, "/products/{product}", object{"version": 1, "state": "published"})
	patch(200, "/products/{product}/variants/{variant}", object{"version": 1, "price": 2500, "sellBelowZero": true})
	read := h.expect(200, call{path: s.at("/products/{product}/variants/{variant}"), token: s.owner})
	if read.number("price") != 2500 || read.number("version") != 2 || len(read.list("stock")) != 2 {
		t.Errorf("%s", read)
	}
	if a := h.post(s.at("/products/{product}/archive"), s.owner, nil); a.text("state") != "archived" {
		t.Errorf("%s", a)
	}
}

// TestGoodsInACart: the storefront lists products, a cart takes them with a quantity, and cart and receipt have the
// variant where a booking has its date.
func TestGoodsInACart(t *testing.T) {
	h, s := goodsOnly(t)
	listed := h.expect(200, call{path: s.at("/storefront/locations/{location}/products")}).list("items")
	variant := listed[0]["variants"].([]any)[0].(object)
	if listed[0]["name"] != "Yoga mat" || join(variant, "price", "available", "left") != "1200 true 5" {
		t.Errorf("listed: %v", listed)
	}
	at := "/storefront/carts/" + s.cart()
	add := func(status int, body object) answer {
		return h.expect(status, call{method: http.MethodPost, path: at + "/items", body: js(body)})
	}
	for what, body := range map[string]object{
		`["body.quantity"]`:     {"variantId": s.ids["variant"], "quantity": 0},
		`["body.quantity"] `:    {"variantId": s.ids["variant"], "quantity": 1000},
		`["body.quantity"]  `:   {"variantId": s.ids["variant"], "quantity": 1.5},
		`["body.quantity"]   `:  {"occurrenceId": s.ids["variant"], "quantity": 2},
		`["body.variantId"]`:    {"variantId": s.ids["variant"], "attendee": "Ben"},
		`["body.occurrenceId"]`: {},
	} {
		if a := add(400, body); js(a.fields()) != strings.TrimSpace(what) {
			t.Errorf("%v: %s, want %s", body, a, what)
		}
	}
	if a := add(409, object{"variantId": s.ids["variant"], "quantity": 6}); a.reason() != "sold_out" {
		t.Errorf("%s", a)
	}
	add(404, object{"variantId": s.ids["location"]})
	line := add(201, object{"variantId": s.ids["variant"], "quantity": 2}).list("lines")[0]
	if line["kind"] != "product" || line["variantId"] != s.ids["variant"] || join(line, "quantity", "total") != "2 2400" ||
		line["offeringId"] != nil || line["occurrenceId"] != nil || line["startsAt"] != nil || line["name"] != "Yoga mat" {
		t.Errorf("cart: %v", line)
	}
	rosa := h.signIn("rosa@example.com")
	h.post(at+"/hold", rosa, nil)
	held := h.expect(200, call{path: s.at("/products/{product}/variants/{variant}"), token: s.owner}).list("stock")[0]
	if join(held, "onHand", "held", "available") != "5 2 3" {
		t.Errorf("held: %v", held)
	}
	carts := h.expect(200, call{path: s.at("/businesses/{business}/carts"), token: s.owner}).list("items")
	open := carts[0]["lines"].([]any)[0].(object)
	if open["offeringName"] != "Yoga mat" || open["variantId"] != s.ids["variant"] || open["offeringId"] != nil {
		t.Errorf("open cart: %v", open)
	}
	pay := h.post(at+"/payment", rosa, object{"quotedTotal": h.expect(200, call{path: at}).number("totals", "total")})
	h.pay(pay.text("clientSecret"))
	receipt := h.token(h.post(at+"/confirm", rosa, nil).text("receiptToken"))
	sold := h.expect(200, call{path: "/storefront/receipts/" + receipt}).list("lines")[0]
	if sold["kind"] != "product" || sold["variantId"] != s.ids["variant"] || sold["bookingId"] != nil ||
		sold["startsAt"] != nil || sold["state"] != nil || sold["label"] != "Yoga mat" ||
		join(sold, "quantity", "price") != "2 2400" {
		t.Errorf("receipt: %v", sold)
	}
	paid := h.expect(200, call{path: s.at("/businesses/{business}/payments"), token: s.owner}).list("items")[0]
	payment := s.at("/businesses/{business}/payments/") + paid["id"].(string)
	line = h.expect(200, call{path: payment, token: s.owner}).list("lines")[0]
	if paid["label"] != "Yoga mat" || line["kind"] != "product" || line["bookingId"] != nil ||
		join(line, "total", "refundable") != "2400 2400" {
		t.Errorf("payment: %v\n%v", paid, line)
	}
	mine := h.expect(200, call{path: "/me/payments", token: rosa}).list("items")[0]
	if join(mine, "amount") != "2400" {
		t.Errorf("own payment: %v", mine)
	}
	stock := s.at("/products/{product}/variants/{variant}/stock")
	entry := h.expect(200, call{path: stock, token: s.owner}).list("items")[0]
	if entry["kind"] != "sell" || entry["orderId"] == nil || join(entry, "quantity", "onHand") != "-2 3" {
		t.Errorf("ledger: %v", entry)
	}
}
