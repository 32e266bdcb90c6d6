package api_test

import (
	"net/http"
	"testing"
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
