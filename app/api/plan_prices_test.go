package api_test

import (
	"net/http"
	"testing"
	"time"
)

// A97. A new price for members is previewed with its earliest day, set once, listed, named in the customer's own plan,
// and withdrawn before its day.
func TestPlanPrices(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.furnish(rosa, h.signIn("ben@example.com"))
	renewing(s, "")
	at := s.at("/businesses/{business}/plans/{monthly}/prices")
	get := func(status int, path string) answer { return h.expect(status, call{path: path, token: s.owner}) }
	set := func(status int, day string) answer {
		return h.expect(status, call{method: http.MethodPost, path: at, token: s.owner,
			body: js(object{"priceAmount": 8000, "startsOn": day})})
	}
	earliest := h.Clock.Now().AddDate(0, 0, 30).Format(time.DateOnly)
	quote := get(200, at+"/quote?priceAmount=8000")
	if got := join(quote.data(), "priceAmount", "startsOn", "earliestOn", "memberCount", "raisedCount", "unmailedCount",
		"leastAmount", "mostAmount", "currency"); got != "8000 "+earliest+" "+earliest+" 1 1 0 6000 6000 USD" {
		t.Error(got)
	}
	if a := get(400, at+"/quote?priceAmount=8000&startsOn="+s.soon(10)); js(a.fields()) != `["query.startsOn"]` {
		t.Errorf("%s", a)
	}
	if a := set(400, s.soon(10)); js(a.fields()) != `["body.startsOn"]` {
		t.Errorf("%s", a)
	}
	if a := get(409, s.at("/businesses/{business}/plans/{plan}/prices/quote?priceAmount=1")); a.reason() !=
		"plan_does_not_renew" {
		t.Errorf("%s", a)
	}
	made := set(201, s.soon(60))
	if again := set(201, s.soon(60)); again.text("id") != made.text("id") {
		t.Errorf("%s", again)
	}
	if a := set(409, s.soon(61)); a.reason() != "price_change_coming" {
		t.Errorf("%s", a)
	}
	list := get(200, at).list("items")
	if len(list) != 1 || join(list[0], "id", "priceAmount", "startsOn", "state", "memberCount") !=
		made.text("id")+" 8000 "+s.soon(60)+" coming 1" {
		t.Errorf("%v", list)
	}
	withdraw := func(status int) answer {
		return h.expect(status, call{method: http.MethodDelete, path: at, token: s.owner})
	}
	if a := withdraw(200); a.text("state") != "void" {
		t.Errorf("%s", a)
	}
	if a := withdraw(409); a.reason() != "no_price_change" {
		t.Errorf("%s", a)
	}
}
