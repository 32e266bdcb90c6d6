package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
)

// paged lists the operations with cursor pages, the member with their rows and the key of a row.
var paged = map[string][2]string{
	"listBusinesses": {"items", "business.id"}, "listApiKeys": {"items", "id"}, "listAssistants": {"items", "id"},
	"listTeam":      {"items", "id"},
	"listLocations": {"items", "id"}, "listSpaces": {"items", "id"}, "listTaxRates": {"items", "id"},
	"listRevenueCategories": {"items", "id"},
	"listOfferings":         {"items", "id"}, "listSeries": {"items", "id"}, "listOccurrences": {"items", "id"},
	"listBookings": {"items", "id"}, "listMyBookings": {"items", "id"}, "getRoster": {"entries", "id"},
	"listMyWaitlist": {"items", "id"}, "getWaitlist": {"entries", "id"},
	"listProducts": {"items", "id"}, "listProductVariants": {"items", "id"}, "listStock": {"items", "id"},
	"listStorefrontProducts": {"items", "id"},
	"listPlans":              {"items", "id"}, "listCredits": {"items", "id"}, "listMyCredits": {"items", "id"},
	"listListings": {"items", "id"},
	"listPolicies": {"items", "id"}, "listDiscounts": {"items", "id"},
	"listClosures": {"items", "id"}, "listTimeOff": {"items", "id"},
	"listBlocks": {"items", "id"}, "listHolds": {"items", "id"}, "listOpenCarts": {"items", "id"}, "listFees": {"items",
		"id"}, "listPayments": {"items", "id"}, "listDrawers": {"items", "id"}, "listCreditTransactions": {"items", "id"},
	"listGiftCards": {"items", "id"}, "listGiftCardTransactions": {"items", "id"},
	"listMyPayments": {"items", "id"}, "listMyAgreements": {"items", "id"}, "listSeriesEdits": {"items", "id"},
	"listAgreementSigners": {"items", "acceptanceId"}, "listOutstandingAgreements": {"items", "customerId"},
	"listPayouts": {"items", "id"}, "listDisputes": {"items", "id"},
}

// crowd fills a studio with four rows for every list. The fourth makes the count a multiple of the page.
func (s *studio) crowd(rosa string) {
	h := s.h
	h.t.Helper()
	s.add("member", "/businesses/{business}/team", object{"email": "kim@example.com"})
	s.add("space", "/locations/{location}/spaces", object{"name": "Hall", "capacity": 3})
	for n := range 4 {
		h.assistant(s.owner, parse(s.ids["business"]))
		away := object{"startsAt": fmt.Sprintf("2026-07-1%dT09:00:00Z", n), "endsAt": "2026-07-20T09:00:00Z"} // they end together
		s.post("/businesses/{business}/team/{member}/time-off", away)
		s.post("/locations/{location}/spaces/{space}/blocks", away)
		s.post("/locations/{location}/closures", object{"name": "Closed", "startsOn": fmt.Sprint("2026-12-2", n), "endsOn": fmt.Sprint("2026-12-2", n)})
		s.post("/businesses/{business}/policies", object{"name": fmt.Sprint("Policy ", n)})
		s.post("/locations/{location}/agreements", object{"name": fmt.Sprint("Terms ", n), "body": "Be kind.", "everyListing": false})
		s.post("/businesses/{business}/discounts", object{"name": fmt.Sprint("Offer ", n), "code": fmt.Sprint("CODE", n), "ppm": 100_000})
		s.post("/businesses/{business}/tax-rates", object{"name": fmt.Sprint("Rate ", n), "ppm": n})
		s.post("/businesses/{business}/revenue-categories", object{"name": fmt.Sprint("Category ", n)})
		s.post("/businesses/{business}/team", object{"email": fmt.Sprintf("m%d@example.com", n)})
		s.post("/locations/{location}/spaces", object{"name": fmt.Sprint("Room ", n), "capacity": 3})
		s.key("location.view")
		s.class(fmt.Sprint(" c", n), 0, 9) // published, with five dates
		s.post("/offerings/{offering c0}/series", object{"weekdays": []int{n}, "start": "2026-06-11", "at": "07:00", "count": 1})
		h.post("/businesses", s.owner, object{"inviteToken": h.invite(s.ownerEmail), "name": fmt.Sprint("Branch ", n), "currency": "USD", "zone": "UTC"})
		s.post("/businesses/{business}/locations", object{"name": fmt.Sprint("Place ", n)})
	}
	s.goods()
	s.gifts()
	s.ids["offering"], s.ids["occurrence"] = s.ids["offering c0"], s.ids["occurrence c0"]
	for _, o := range []string{"occurrence c0", "occurrence+ c0", "occurrence++ c0"} {
		s.book(rosa, o)
	}
	for n := range 3 {
		s.book(h.signIn(fmt.Sprintf("guest%d@example.com", n)), "occurrence c0")
	}
	for n := range 4 {
		s.h.post("/storefront/carts/"+s.cart("occurrence++++ c0")+"/hold", h.signIn(fmt.Sprintf("holds%d@example.com", n)), nil)
	}
	h.SQL(h.t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency, review_until, created_at, updated_at)
		select gen_random_uuid(), business_id, location_id, id, customer_id, 'no_show', 'due', 100, 'USD', $1, $1, $1 from bookings where state = 'confirmed' limit 4`, h.Clock.Now())
	for _, b := range h.expect(200, call{path: s.at("/businesses/{business}/bookings?limit=4"), token: s.owner}).list("items") {
		s.paid(b["id"].(string))
	}
	of := func(column string) string {
		return apptest.Value[string](h.t, h.World, `select b.`+column+`::text from bookings b join customers c on c.id = b.customer_id
			join persons p on p.id = c.person_id where p.email = 'rosa@example.com' order by b.id limit 1`)
	}
	s.ids["customer"] = of("customer_id")
	for _, d := range h.expect(200, call{path: s.at("/locations/{location}/agreements"), token: s.owner}).elements() {
		s.post("/businesses/{business}/customers/{customer}/agreements/"+d["id"].(string)+"/mark-signed?locationId="+s.ids["location"], nil)
	}
	for range 4 {
		s.paid(of("id"))
		s.post("/businesses/{business}/customers/{customer}/balance/adjustments", object{"locationId": s.ids["location"], "amount": 100, "note": "a gift"})
		s.counted("")
		h.atProcessor(s.ids["business"], uuid.NewString(), uuid.NewString())
	}
	s.credits()
	s.ids["series"] = s.ids["series c0"]
	for n, date := range []string{"occurrence c0", "occurrence+ c0", "occurrence++ c0"} {
		h.expect(200, call{method: "PATCH", path: s.at("/offerings/{offering}/occurrences/" + s.ids[date]), token: s.owner,
			body: js(object{"version": 1, "capacity": 20 + n})})
	}
	owed := s.add("document", "/locations/{location}/agreements", object{"name": "Waiver", "body": "I take care of myself."})
	for _, c := range h.expect(200, call{path: s.at("/businesses/{business}/customers"), token: s.owner}).list("customers") {
		s.post("/businesses/{business}/customers/"+c["id"].(string)+"/agreements/"+owed.text("id")+"/mark-signed?locationId="+s.ids["location"], nil)
	}
	h.expect(200, call{method: "PATCH", path: s.at("/locations/{location}/agreements/{document}"), token: s.owner, body: js(object{"reask": true})})
	for _, date := range []string{"occurrence", "occurrence+ c0", "occurrence++ c0"} {
		for _, b := range h.expect(200, call{path: s.at("/businesses/{business}/bookings?occurrenceId=" + s.ids[date]), token: s.owner}).list("items") {
			s.waits(date, b["customerId"].(string))
		}
	}
}

// gifts are four gift cards, of the last of which the balance changed three times.
func (s *studio) gifts() {
	s.h.t.Helper()
	for range 4 {
		s.gift("")
		s.h.Clock.Advance(time.Second)
	}
	for range 3 {
		s.post("/businesses/{business}/gift-cards/{giftCard}/adjust", s.bodies("adjustGiftCard"))
		s.h.Clock.Advance(time.Second)
	}
}

// credits are four plans, of the last of which the customer has one whose credits changed three times.
func (s *studio) credits() {
	s.h.t.Helper()
	for range 4 {
		s.guestPlan()
	}
	const list = "/businesses/{business}/customers/{customer}/plans"
	s.add("membership", list, s.bodies("addCompPlan"))
	for range 3 {
		s.h.Clock.Advance(time.Second)
		s.post(list+"/{membership}/credits", s.bodies("adjustCredits"))
	}
}

// goods are four published products, and one with four variants, of the first of which stock came four times.
func (s *studio) goods() {
	s.h.t.Helper()
	for n := range 4 {
		s.product(fmt.Sprint(" g", n), fmt.Sprint("Mat ", n))
	}
	s.add("product", "/businesses/{business}/products", object{
		"name": "Strap", "options": []object{{"name": "Length", "choices": []string{"S", "M", "L", "XL"}}},
	})
	for _, choice := range []string{"XL", "L", "M", "S"} {
		s.add("variant", "/products/{product}/variants", object{"choices": []string{choice}, "price": 900, "track": true})
	}
	for range 4 {
		s.post("/products/{product}/variants/{variant}/stock", s.bodies("changeStock"))
		s.h.Clock.Advance(time.Second)
	}
}

// product adds a published product with a variant and five of it in stock.
func (s *studio) product(suffix, name string) {
	s.h.t.Helper()
	s.add("product"+suffix, "/businesses/{business}/products", object{"name": name})
	s.add("variant"+suffix, "/products/{product"+suffix+"}/variants", object{"price": 1200, "track": true})
	s.post("/products/{product"+suffix+"}/variants/{variant"+suffix+"}/stock", s.bodies("changeStock"))
	s.h.expect(200, call{method: "PATCH", path: s.at("/products/{product" + suffix + "}"), token: s.owner,
		body: js(object{"version": 1, "state": "published"})})
}

// bottle adds a product in the currency of a location whose stock is not tracked, and returns its variant.
func (s *studio) bottle(at string) string {
	s.h.t.Helper()
	currency := s.h.expect(200, call{path: s.at("/locations/{location" + at + "}"), token: s.owner}).text("currency")
	bottle := object{"name": "Bottle", "currency": currency}
	id := s.h.post(s.at("/businesses/{business}/products"), s.owner, bottle).text("id")
	variant := s.h.post("/products/"+id+"/variants", s.owner, object{"price": 500}).text("id")
	s.h.expect(200, call{method: "PATCH", path: "/products/" + id, token: s.owner,
		body: js(object{"version": 1, "state": "published"})})
	return variant
}

func (s *studio) post(path string, body object) { s.h.t.Helper(); s.h.post(s.at(path), s.owner, body) }

// walk follows nextCursor to the end and returns the names of the rows, and the number of pages.
func (h *house) walk(path, token, rows, name string, limit int, between func()) (names []string, pages int) {
	h.t.Helper()
	cursor := ""
	for {
		a := h.expect(200, call{path: fmt.Sprintf("%s?limit=%d%s", path, limit, cursor), token: token})
		pages++
		for _, row := range a.list(rows) {
			names = append(names, dig[string](row, strings.Split(name, ".")...))
		}
		next, more := a.data()["nextCursor"].(string)
		if !more {
			return names, pages
		}
		cursor = "&cursor=" + next
		if len(a.list(rows)) != limit || pages > 60 {
			h.t.Fatalf("%s: a page that is not full has a next one", path)
		}
		between()
	}
}

// TestPaging walks every list page by page: each row once, in the order of one large page, and nextCursor is null exactly
// on the last page. A91, A94, A95.
func TestPaging(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.crowd(rosa)
	for _, op := range h.operations {
		at, ok := paged[op.ID]
		d, _ := h.doc.Operation(op.Method, op.Path)
		takesCursor := slices.ContainsFunc(dig[[]any](d, "parameters"), func(p any) bool { return dig[string](p, "name") == "cursor" })
		if op.ID == "getTimes" || op.ID == "listAudit" || op.ID == "listAccountingPostings" {
			continue // by day: TestTimesPaging; a row for all that happened: TestAuditLog; without a limit: TestA87_Pages
		}
		if ok != takesCursor {
			t.Errorf("%s: is it a list that pages by cursor?", op.ID)
		}
		if !ok {
			continue
		}
		token := map[bool]string{true: rosa, false: s.owner}[strings.HasPrefix(op.ID, "listMy")]
		path := s.fill(op, "")
		all, pages := h.walk(path, token, at[0], at[1], 200, func() {})
		if pages != 1 || len(all) < 3 || slices.Contains(all, "") {
			t.Errorf("%s: %d rows on %d pages", op.ID, len(all), pages)
		}
		for _, limit := range []int{1, 2, 3} {
			names, n := h.walk(path, token, at[0], at[1], limit, func() {})
			if !slices.Equal(names, all) || n != (len(all)+limit-1)/limit {
				t.Errorf("%s by %d: %d pages, %v, want %v", op.ID, limit, n, names, all)
			}
		}
	}
}

// TestPagingWhileRowsCome: rows added during a walk neither repeat a row nor omit one. A94.
func TestPagingWhileRowsCome(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	for _, name := range []string{"B", "D", "F", "H"} {
		s.post("/locations/{location}/offerings", object{"kind": "class", "name": name, "durationMinutes": 60, "capacity": 5})
	}
	path := s.at("/locations/{location}/offerings")
	before, _ := h.walk(path, s.owner, "items", "id", 200, func() {})
	added := []string{"A", "C", "E", "G", "I"}
	seen, _ := h.walk(path, s.owner, "items", "id", 1, func() {
		if len(added) > 0 {
			s.post("/locations/{location}/offerings", object{"kind": "class", "name": added[0], "durationMinutes": 60, "capacity": 5})
			added = added[1:]
		}
	})
	for _, id := range before {
		if n := count(seen, id); n != 1 {
			t.Errorf("a row that was there is seen %d times", n)
		}
	}
	for _, id := range seen {
		if count(seen, id) != 1 {
			t.Error("a row came twice")
		}
	}
}

func count(list []string, v string) (n int) {
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}

// TestTimesPaging: pages of whole days, each time once.
func TestTimesPaging(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 5)
	for n := range 9 {
		s.post("/offerings/{offering}/series", object{"weekdays": []int{0, 1, 2, 3, 4, 5, 6}, "start": "2026-06-11", "at": fmt.Sprintf("%02d:00", 13+n), "count": 10})
	}
	path, cursor, seen, pages := s.at("/storefront/offerings/{offering}/times"), "", []string{}, 0
	for {
		a := h.expect(200, call{path: path + cursor})
		pages++
		for _, d := range a.list("days") {
			for _, slot := range dig[[]any](d, "slots") {
				seen = append(seen, dig[string](slot, "occurrenceId"))
			}
		}
		next, more := a.data()["nextCursor"].(string)
		if !more {
			break
		}
		cursor = "?cursor=" + next
	}
	slices.Sort(seen)
	if len(seen) != 95 || len(slices.Compact(seen)) != 95 || pages < 4 {
		t.Errorf("%d times on %d pages", len(seen), pages)
	}
}

// TestCursors: a forged cursor, and one of another list, business or filter is 400, without details. A96.
func TestCursors(t *testing.T) {
	h := open(t)
	s, elsewhere := h.open("Harbour"), h.open("Meadow")
	for _, of := range []*studio{s, elsewhere} {
		of.class("", 0, 5)
		of.class(" b", 0, 5)
	}
	cursor := func(path, token string) string {
		next, ok := h.expect(200, call{path: path, token: token}).data()["nextCursor"].(string)
		if !ok {
			t.Fatalf("%s has one page", path)
		}
		return next
	}
	path := s.at("/locations/{location}/offerings?limit=1")
	good := cursor(path, s.owner)
	h.expect(200, call{path: path + "&cursor=" + good, token: s.owner})
	for name, bad := range map[string]string{
		"forged": "abc", "no base64": "%25%25", "changed": flip(good), "empty of another kind": strings.Repeat("A", 40),
		"of another business": cursor(elsewhere.at("/locations/{location}/offerings?limit=1"), elsewhere.owner),
		"of another list":     cursor(s.at("/offerings/{offering}/occurrences?limit=1"), s.owner),
		"of another location": cursor(s.at("/businesses/{business}/locations?limit=1"), s.owner),
	} {
		a := h.expect(400, call{path: path + "&cursor=" + bad, token: s.owner})
		if !slices.Equal(a.fields(), []string{"query.cursor"}) {
			t.Errorf("%s: %s", name, a)
		}
	}
	h.expect(400, call{path: path + "&state=draft&cursor=" + good, token: s.owner})
	h.expect(400, call{path: s.at("/storefront/locations/{location}/offerings?limit=1&cursor=" + good)})
}

func flip(cursor string) string {
	last := "A"
	if strings.HasPrefix(cursor, "A") {
		last = "B"
	}
	return last + cursor[1:]
}

// TestCustomers: 50 from the first on by default, at most 200, exactly the contract's shape. A86, A89, A90.
func TestCustomers(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 9)
	for _, name := range []string{"rosa", "ben", "cleo"} {
		s.book(h.signIn(name+"@example.com"), "occurrence")
	}
	path := s.at("/businesses/{business}/customers")
	first := h.expect(200, call{path: path, token: s.owner})
	if first.number("limit") != 50 || first.number("offset") != 0 || first.number("total") != 3 || len(first.list("customers")) != 3 {
		t.Errorf("%s", first)
	}
	next := h.expect(200, call{path: path + "?limit=2&offset=2", token: s.owner})
	if next.number("total") != 3 || len(next.list("customers")) != 1 || next.list("customers")[0]["email"] != "rosa@example.com" {
		t.Errorf("%s", next)
	}
	if a := h.expect(200, call{path: path + "?q=BEN", token: s.owner}); a.number("total") != 1 {
		t.Errorf("%s", a)
	}
	for _, wrong := range []string{"?limit=0", "?limit=201", "?offset=-1", "?limit=x"} {
		h.expect(400, call{path: path + wrong, token: s.owner})
	}
	h.expect(200, call{path: path + "?limit=200", token: s.owner})
	narrow, _ := s.key("location.view")
	h.expect(403, call{path: path, token: narrow})
}
