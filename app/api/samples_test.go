package api_test

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/web"
)

// furnish fills a studio with a record of every kind at both of its locations, so that every path of the document can be
// filled in. Kinds of the second location end in 2. Records that tests may spoil begin with "spare ".
func (s *studio) furnish(customer, customer2 string) {
	h := s.h
	h.t.Helper()
	s.ids["session"] = h.expect(200, call{path: "/auth/sessions", token: customer}).list("items")[0]["id"].(string)
	_, s.ids["spare member"] = s.join("spare-" + s.ownerEmail)
	_, s.ids["spare key"] = s.key()
	_, s.ids["key"] = s.key("location.view")
	teacher := s.ids["member"]
	if teacher == "" {
		teacher = s.ids["spare member"]
		s.ids["member"] = teacher
	}
	s.add("taxRate", "/businesses/{business}/tax-rates", object{"name": "Sales tax", "ppm": 82500})
	for _, at := range []string{"", "2"} {
		s.add("space"+at, "/locations/{location"+at+"}/spaces", object{"name": "Room", "capacity": 10})
		s.add("spare space"+at, "/locations/{location"+at+"}/spaces", object{"name": "Spare", "capacity": 10})
		taught := object{}
		if at == "" {
			taught["memberId"] = teacher
		}
		s.class(at, 0, 8, taught)
		s.spareClass(at)
	}
	s.book(customer, "occurrence")
	s.ids["receipt"] = s.book(customer, "occurrence+")
	s.book2(customer2)
	s.ids["cart"] = s.cart("occurrence++")
	items := h.expect(200, call{path: "/storefront/carts/" + s.ids["cart"]}).list("lines")
	s.ids["item"] = items[0]["itemId"].(string)
	for at, date := range map[string]string{"": "occurrence", "2": "occurrence2"} {
		b := h.expect(200, call{path: s.at("/businesses/{business}/bookings?occurrenceId=" + s.ids[date]), token: s.owner}).list("items")[0]
		s.ids["booking"+at], s.ids["customer"+at] = b["id"].(string), b["customerId"].(string)
	}
}

// spareClass is an offering that may be archived and a series that may be ended.
func (s *studio) spareClass(at string) {
	s.h.t.Helper()
	s.add("spare offering"+at, "/locations/{location"+at+"}/offerings", object{
		"kind": "class", "name": "Spare", "durationMinutes": 30, "price": 0, "capacity": 5,
	})
	s.add("spare series"+at, "/offerings/{spare offering"+at+"}/series", object{
		"weekdays": []int{1}, "start": s.h.Clock.Now().AddDate(0, 0, 1).Format(time.DateOnly), "at": "09:00",
	})
}

// book2 books a date at the second location.
func (s *studio) book2(session string) {
	s.h.t.Helper()
	cart := s.h.post("/storefront/carts", "", object{"locationId": s.ids["location2"]}).text("token")
	s.h.post("/storefront/carts/"+cart+"/items", "", object{"occurrenceId": s.ids["occurrence2"]})
	s.h.post("/storefront/carts/"+cart+"/hold", session, nil)
	s.h.post("/storefront/carts/"+cart+"/confirm", session, nil)
}

// kindOf is the kind of record that a path parameter names.
func kindOf(template, param string) string {
	segments := strings.Split(template, "/")
	before := segments[slices.Index(segments, "{"+param+"}")-1]
	if param == "id" || param == "token" {
		return map[string]string{
			"businesses": "business", "locations": "location", "offerings": "offering", "carts": "cart", "receipts": "receipt",
		}[before]
	}
	return strings.TrimSuffix(param, "Id")
}

// params lists the path parameters of a template in order.
func params(template string) []string {
	var out []string
	for seg := range strings.SplitSeq(template, "/") {
		if strings.HasPrefix(seg, "{") {
			out = append(out, strings.Trim(seg, "{}"))
		}
	}
	return out
}

// fill puts the studio's ids into a template; at is "" for the first location and "2" for the second. A write takes the
// spare record of its kind where there is one.
func (s *studio) fill(op web.Spec, at string) string {
	path := op.Path
	for _, p := range params(op.Path) {
		kind := kindOf(op.Path, p)
		for _, candidate := range []string{"spare " + kind + at, "spare " + kind, kind + at, kind} {
			if strings.HasPrefix(candidate, "spare ") && op.Method == http.MethodGet {
				continue
			}
			if id := s.ids[candidate]; id != "" {
				path = strings.Replace(path, "{"+p+"}", id, 1)
				break
			}
		}
	}
	if strings.Contains(path, "{") {
		s.h.t.Fatalf("%s: nothing fills %s", op.ID, path)
	}
	return path
}

// fillWith is fill with one parameter replaced by something else.
func (s *studio) fillWith(op web.Spec, param, value string) string {
	want, got := strings.Split(op.Path, "/"), strings.Split(s.fill(op, ""), "/")
	got[slices.Index(want, "{"+param+"}")] = value
	return strings.Join(got, "/")
}

// stale is a version that no record has: a PATCH with it is admitted, and changes nothing.
const stale = 1 << 40

// bodies has, for every operation that takes one, a body that its schema takes.
func (s *studio) bodies(op string) object {
	ids := s.ids
	return map[string]object{
		"createChallenge":          {"email": "matrix@example.com", "channel": "email_code"},
		"verifyChallenge":          {"challengeId": uuid.NewString(), "code": "000000"},
		"updateProfile":            {"version": stale, "name": "Rosa"},
		"createBusiness":           {"name": "No invite", "currency": "USD", "zone": "UTC"},
		"updateBusiness":           {"version": stale, "name": "Changed"},
		"createApiKey":             {"name": "made by the matrix"},
		"addTeamMember":            {"email": uuid.NewString() + "@example.com"},
		"updateTeamMember":         {"version": stale, "name": "Changed"},
		"createLocation":           {"name": "Another"},
		"updateLocation":           {"version": stale, "name": "Changed"},
		"replaceTheme":             {"version": stale, "accent": "#112233", "ground": "paper", "type": "figtree", "corners": "soft"},
		"replaceHours":             {"intervals": []object{{"weekday": 1, "opens": "09:00", "closes": "24:00"}}},
		"createSpace":              {"name": uuid.NewString(), "capacity": 3},
		"updateSpace":              {"version": stale, "name": "Changed"},
		"createTaxRate":            {"name": "Another", "ppm": 10000},
		"updateTaxRate":            {"version": stale, "name": "Changed"},
		"startProcessorOnboarding": {"returnUrl": "https://studio.example/back"},
		"createOffering":           {"kind": "class", "name": "Another", "durationMinutes": 30, "capacity": 4},
		"updateOffering":           {"version": stale, "name": "Changed"},
		"createSeries":             {"weekdays": []int{2}, "start": s.h.Clock.Now().AddDate(0, 0, 1).Format(time.DateOnly), "at": "08:00", "count": 2},
		"createCart":               {"locationId": ids["location"]},
		"addCartItem":              {"occurrenceId": ids["occurrence++"]},
		"holdCart":                 {},
		"startPayment":             {"quotedTotal": 0},
	}[op]
}
