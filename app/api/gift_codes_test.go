package api_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/giftcard"
)

// traces are the tables of the database, the queue's among them, that have a text in a row: as it is, or as bytes in
// hexadecimal digits or base64.
func (h *house) traces(text string) (tables []string) {
	h.t.Helper()
	forms := []string{text, hex.EncodeToString([]byte(text)), base64.RawStdEncoding.EncodeToString([]byte(text))}
	for _, table := range apptest.Values[string](h.t, h.World, `select format('%I.%I', n.nspname, c.relname)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`) {
		for _, form := range forms {
			n := apptest.Value[int](h.t, h.World, `select count(*)::int from `+table+` t
				where strpos(lower(t::text), lower($1)) > 0`, form)
			if n > 0 {
				tables = append(tables, table)
			}
		}
	}
	return tables
}

// noTrace fails the test if a code is in the database, with or without hyphens. Answers and the log are checked by the
// house.
func (h *house) noTrace(when, code string) {
	h.t.Helper()
	for _, form := range []string{code, strings.ReplaceAll(code, "-", "")} {
		if tables := h.traces(form); len(tables) > 0 {
			h.t.Errorf("%s: the code is in %v", when, tables)
		}
		h.secret(form)
	}
}

// C4. The code of a gift card is in the answer that sells it, and in no other answer, row, job, audit event or log
// line.
func TestCodesOfGiftCards(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 2200, 9)
	if got := h.traces("Harbour"); len(got) == 0 {
		t.Fatal("the search finds nothing")
	}

	sell := call{
		method: http.MethodPost, path: s.at("/businesses/{business}/gift-cards"), token: s.owner, key: "gift",
		body: js(object{"locationId": s.ids["location"], "amount": 5000, "method": "cash", "recipientName": "Kim"}),
	}
	first := h.do(sell)
	code, id := first.text("code"), dig[string](first.data(), "giftCard", "id")
	if again := h.do(sell); code == "" || string(again.body) != string(first.body) {
		t.Errorf("the repeated request: %s, first %s", again, first)
	}
	h.noTrace("sold", code)
	s.spend(id, code)
	h.noTrace("spent", code)

	mailed := s.buyCard("ben@example.com")
	h.noTrace("mailed", mailed)
	h.post(s.at("/businesses/{business}/gift-cards/"+id+"/send"), s.owner, object{"email": "lee@example.com"})
	h.noTrace("sent again", s.mailCode("lee@example.com"))
	if n := apptest.Value[int](t, h.World, "select count(*)::int from gift_cards where sealed_code is not null"); n != 0 {
		t.Errorf("%d codes are kept after their mails were sent", n)
	}
}

// spend shows a card in every way, and pays with it in a cart and at the desk, also where it is refused.
func (s *studio) spend(id, code string) {
	s.h.t.Helper()
	h, gifts := s.h, s.at("/businesses/{business}/gift-cards")
	wrong := code[:len(code)-1] + map[bool]string{true: "1", false: "0"}[code[len(code)-1] == '0']
	for _, c := range []call{
		{path: gifts}, {path: gifts + "/" + id}, {path: gifts + "/" + id + "/transactions"},
		{method: "POST", path: gifts + "/lookup", body: js(object{"code": code})},
		{method: "POST", path: gifts + "/lookup", body: js(object{"code": wrong})},
		{method: "POST", path: gifts + "/lookup", body: `{"code": "` + code + ``},
		{method: "POST", path: gifts + "/lookup", body: js(object{"code": code + strings.Repeat(" "+code, 4)})},
		{method: "POST", path: gifts + "/" + id + "/adjust", body: js(object{"amount": -9999, "note": "mistake"})},
		{method: "POST", path: s.at("/storefront/locations/{location}/gift-card-balance"), body: js(object{"code": code})},
		{method: "POST", path: s.at("/storefront/locations/{location}/gift-card-balance"), body: js(object{"code": wrong})},
		{path: s.at("/businesses/{business}/audit")},
	} {
		c.token = s.owner
		if a := h.do(c); a.status == http.StatusNotFound || c.method == "" && a.status != http.StatusOK {
			h.t.Errorf("%s", a)
		}
	}
	ada := h.signIn("ada@example.com")
	token := s.cart("occurrence")
	use := call{
		method: "PUT", path: "/storefront/carts/" + token + "/gift-card", token: ada, body: js(object{"code": code}),
	}
	h.expect(http.StatusConflict, use) // it is not held
	h.post("/storefront/carts/"+token+"/hold", ada, nil)
	h.expect(http.StatusOK, use)
	h.expect(http.StatusOK, call{path: "/storefront/carts/" + token, token: ada})
	h.post("/storefront/carts/"+token+"/confirm", ada, nil)
	sale := object{
		"locationId": s.ids["location"], "goods": []object{{"variantId": s.bottle(""), "quantity": 1}},
		"tenders": []object{{"method": "gift_card", "code": code}},
	}
	h.post(s.at("/businesses/{business}/sales"), s.owner, sale)
	sale["goods"] = []object{{"variantId": s.bottle(""), "quantity": 9}}
	h.do(call{method: "POST", path: s.at("/businesses/{business}/sales"), token: s.owner, body: js(sale)})
}

// buyCard buys a gift card in a cart, and returns the code in its mail. Before that it is in no table.
func (s *studio) buyCard(email string) string {
	s.h.t.Helper()
	h := s.h
	h.expect(http.StatusOK, call{
		method: "PUT", path: s.at("/locations/{location}/gift-card-terms"), token: s.owner,
		body: js(object{"soldOnline": true, "leastAmount": 500, "mostAmount": 50000, "version": 1}),
	})
	ada, token := h.signIn("eve@example.com"), s.cart()
	h.post("/storefront/carts/"+token+"/items", "", object{
		"giftCard": object{"amount": 2500, "recipientEmail": email, "recipientName": "Ben"},
	})
	h.post("/storefront/carts/"+token+"/hold", ada, nil)
	p := h.post("/storefront/carts/"+token+"/payment", ada, object{"quotedTotal": 2500})
	h.pay(p.text("clientSecret"))
	h.post("/storefront/carts/"+token+"/confirm", ada, nil)
	return s.mailCode(email)
}

// mailCode mails codes that are due, and returns the one that was sent to an address. The job has none.
func (s *studio) mailCode(email string) string {
	s.h.t.Helper()
	h, ctx, box := s.h, s.h.t.Context(), s.h.Mailbox(s.h.t)
	sales := giftcard.New(giftcard.Options{
		DB: h.DB, Cards: h.domains.GiftCards, Checkout: h.domains.Checkout, Owed: h.domains.Owed, Mail: box,
		Write: letters{}.GiftCard,
	})
	if err := sales.SendDue(ctx); err != nil {
		h.t.Fatal(err)
	}
	jobs := apptest.Values[string](h.t, h.World, `select args ->> 'card' from river.river_job
		where kind = 'giftcard.mail'`)
	for _, card := range jobs {
		job := giftcard.MailJob{Business: parse(s.ids["business"]), Card: parse(card)}
		for range 2 { // it comes once more
			if err := sales.MailCard(ctx, job); err != nil {
				h.t.Fatal(err)
			}
		}
	}
	mails := box.List(email)
	if len(mails) != 1 {
		h.t.Fatalf("%d mails to %s", len(mails), email)
	}
	return mails[0].Text
}

// A gift card has no quantity: a cart takes each by itself.
func TestQuantityOfGiftCards(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	token := s.cart()
	for _, quantity := range []any{0, 1.5, 2, 1000} {
		h.expect(http.StatusBadRequest, call{
			method: "POST", path: "/storefront/carts/" + token + "/items", body: js(object{
				"giftCard": object{"amount": 2500, "recipientEmail": "ben@example.com"}, "quantity": quantity,
			}),
		})
	}
	if n := h.rows("gift_cards"); n != 0 {
		t.Errorf("%d cards", n)
	}
}
