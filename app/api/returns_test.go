package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestGoodsAtDesk: goods are quoted and sold to a walk-in with the change, come back in part with the tax of their
// share, and no payment of them can be voided.
func TestGoodsAtDesk(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.product("", "Yoga mat") // five at 12.00
	sell := func(status int, body object) answer {
		t.Helper()
		for k, v := range map[string]any{
			"locationId": s.ids["location"], "goods": []object{{"variantId": s.ids["variant"], "quantity": 3}},
			"tenders": []object{{"method": "cash", "receivedAmount": 4000}},
		} {
			if _, given := body[k]; !given {
				body[k] = v
			}
		}
		return h.expect(status, call{
			method: http.MethodPost, path: s.at("/businesses/{business}/sales"), token: s.owner, body: js(body),
		})
	}
	told := sell(200, object{"dryRun": true})
	effects := dig[object](told.data(), "effects")
	if js(effects["changeAmount"]) != "400" || effects["walkin"] != true || js(effects["lines"]) != "[]" {
		t.Errorf("%s", js(effects))
	}
	sale := sell(201, object{"quoteId": told.text("quoteId")})
	goods := sale.list("goods")
	if len(goods) != 1 || js(goods[0]["amount"]) != "3600" || goods[0]["label"] != "Yoga mat" ||
		sale.number("amount") != 3600 || sale.text("receiptToken") == "" {
		t.Fatalf("%s", sale)
	}
	one := []object{{"variantId": s.ids["variant"], "quantity": 1}}
	for reason, body := range map[string]object{
		"sold_out":      {},
		"goods_in_full": {"goods": one, "tenders": []object{{"method": "cash", "amount": 1}}},
		"more_than_due": {"goods": one, "tenders": []object{{"method": "cash", "amount": 1201}}},
	} {
		if got := sell(409, body); got.reason() != reason {
			t.Errorf("%s, want %s", got, reason)
		}
	}
	sell(400, object{"goods": []object{{"variantId": s.ids["variant"], "quantity": 1000}}})
	sell(400, object{"goods": []object{{"variantId": s.ids["variant"], "quantity": 1.5}}})
	payment := s.at("/businesses/{business}/payments/" + sale.list("payments")[0]["id"].(string))
	line := h.expect(200, call{path: payment, token: s.owner}).list("lines")[0]["id"]
	void := call{method: http.MethodPost, path: payment + "/void", token: s.owner, body: js(object{"note": "Mistake"})}
	if got := h.expect(409, void); got.reason() != "goods_sold" {
		t.Errorf("%s", got)
	}
	give := func(status int, body object, quantity int) answer {
		t.Helper()
		body["lines"] = []object{{"lineId": line, "quantity": quantity, "restock": true}}
		return h.expect(status, call{
			method: http.MethodPost, token: s.owner, body: js(body),
			path: s.at("/businesses/{business}/orders/" + sale.text("orderId") + "/returns"),
		})
	}
	told = give(200, object{"dryRun": true}, 2)
	if amount := js(dig[object](told.data(), "effects")["amount"]); amount != "2400" {
		t.Errorf("%s", told)
	}
	got := give(201, object{"quoteId": told.text("quoteId")}, 2)
	if got.number("amount") != 2400 || len(got.list("refunds")) != 1 {
		t.Errorf("%s", got)
	}
	again := give(409, object{}, 2)
	if again.reason() != "already_returned" || !strings.Contains(string(again.body), `"returnable":1`) {
		t.Errorf("%s", again)
	}
	if got := give(201, object{"refund": false}, 1); got.number("amount") != 0 || len(got.list("refunds")) != 0 {
		t.Errorf("%s", got)
	}
	detail := h.expect(200, call{path: payment, token: s.owner})
	if l := detail.list("lines")[0]; js(l["returned"]) != "3" || js(l["refunded"]) != "2400" || js(l["quantity"]) != "3" {
		t.Errorf("%s", detail)
	}
}
