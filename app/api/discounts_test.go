package api_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
)

// TestCartCode: a code lowers a cart, an unknown one is refused with a reason, and without it the cart costs as much
// as before.
func TestCartCode(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class(" dear", 2200, 5)
	d := h.post(s.at("/businesses/{business}/discounts"), s.owner, object{"name": "Spring offer", "code": "spring20", "ppm": 200_000})
	if d.text("code") != "SPRING20" || d.number("uses") != 0 {
		t.Errorf("%s", d)
	}
	at := "/storefront/carts/" + s.cart("occurrence dear")
	put := func(status int, code string) answer {
		return h.expect(status, call{method: http.MethodPut, path: at + "/code", body: js(object{"code": code})})
	}
	got := put(200, " spring20 ")
	if got.number("totals", "total") != 1760 || got.number("totals", "subtotal") != 2200 || got.text("code", "name") != "Spring offer" || got.number("code", "amount") != 440 {
		t.Errorf("%s", got)
	}
	if got := put(400, "AUTUMN"); got.reason() != "code_unknown" || js(got.fields()) != `["body.code"]` {
		t.Errorf("%s", got)
	}
	if got := h.expect(200, call{path: at}); got.number("totals", "total") != 1760 {
		t.Errorf("after a code that is unknown: %s", got)
	}
	if got := h.expect(200, call{method: http.MethodDelete, path: at + "/code"}); got.number("totals", "total") != 2200 {
		t.Errorf("%s", got)
	}
}

// TestDiscountForMembers: a discount names the plans whose members have it, and is listed by them; others are refused
// its code.
func TestDiscountForMembers(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class(" dear", 2200, 5)
	s.add("plan", "/businesses/{business}/plans", object{"name": "Gold", "kind": "pack", "priceAmount": 5000})
	s.add("discount", "/businesses/{business}/discounts", object{
		"name": "Members", "code": "GOLD", "ppm": 200_000, "planIds": []string{s.ids["plan"]},
	})
	s.add("spare", "/businesses/{business}/discounts", object{"name": "Spring", "ppm": 1})
	at := s.at("/businesses/{business}/discounts")
	list := h.expect(200, call{path: at + "?planId=" + s.ids["plan"], token: s.owner}).list("items")
	if len(list) != 1 || js(list[0]["planIds"]) != js([]string{s.ids["plan"]}) || list[0]["name"] != "Members" {
		t.Errorf("%v", list)
	}
	wrong := h.expect(400, call{
		method: "PATCH", path: at + "/" + s.ids["discount"], token: s.owner,
		body: js(object{"version": 1, "planIds": []string{uuid.NewString()}}),
	})
	if js(wrong.fields()) != `["body.planIds"]` {
		t.Errorf("%s", wrong)
	}
	got := h.expect(400, call{
		method: "PUT", path: "/storefront/carts/" + s.cart("occurrence dear") + "/code", body: js(object{"code": "gold"}),
	})
	if got.reason() != "code_members" {
		t.Errorf("%s", got)
	}
	open := h.expect(200, call{
		method: "PATCH", path: at + "/" + s.ids["discount"], token: s.owner,
		body: js(object{"version": 1, "planIds": []string{}}),
	})
	if len(open.data()["planIds"].([]any)) != 0 {
		t.Errorf("%s", open)
	}
}
