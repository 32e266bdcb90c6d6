package api_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/web/op"
)

// foundAt lists, for each kind of record, the operation that returns its id and the member's name.
var foundAt = map[string][2]string{ // where, and under which name
	"asset": {"/businesses/{business}/assets", "id"}, "business": {"/businesses", "id"}, "location": {"/businesses/{business}/locations", "id"},
	"offering": {"/locations/{location}/offerings", "id"}, "series": {"/offerings/{offering}/series", "id"},
	"occurrence": {"/offerings/{offering}/occurrences", "id"}, "member": {"/businesses/{business}/team", "id"},
	"assistant": {"/businesses/{business}/assistants", "id"},
	"key":       {"/businesses/{business}/api-keys", "id"}, "space": {"/locations/{location}/spaces", "id"},
	"revenueCategory": {"/businesses/{business}/revenue-categories", "id"},
	"taxRate":         {"/businesses/{business}/tax-rates", "id"}, "booking": {"/businesses/{business}/bookings", "id"},
	"customer": {"/businesses/{business}/customers", "id"}, "item": {"/storefront/carts/{cart}", "itemId"},
	"policy": {"/businesses/{business}/policies", "id"}, "discount": {"/businesses/{business}/discounts", "id"},
	"product": {"/businesses/{business}/products", "id"}, "variant": {"/products/{product}/variants", "id"},
	"document": {"/locations/{location}/agreements", "id"}, "closure": {"/locations/{location}/closures", "id"},
	"block":      {"/locations/{location}/spaces/{spare space}/blocks", "id"},
	"timeOff":    {"/businesses/{business}/team/{spare member}/time-off", "id"},
	"entry":      {"/offerings/{spare offering}/occurrences/{spare occurrence}/waitlist", "id"},
	"open cart":  {"/businesses/{business}/carts", "id"},
	"my booking": {"/me/bookings", "id"}, "hold": {"/businesses/{business}/holds", "id"},
	"payment": {"/businesses/{business}/payments", "id"}, "taking": {"/businesses/{business}/payments", "id"}, "drawer": {"/locations/{location}/drawers", "id"},
	"order":         {"/businesses/{business}/payments", "orderId"},
	"paymentMethod": {"/businesses/{business}/customers/{customer}/payment-methods", "id"},
	"fee":           {"/businesses/{business}/fees", "id"}, "edit": {"/offerings/{spare offering}/series/{spare series}/edits", "id"},
	"giftCard": {"/businesses/{business}/gift-cards", "id"}, "plan": {"/businesses/{business}/plans", "id"},
	"membership": {"/businesses/{business}/customers/{customer}/plans", "id"},
	"payout":     {"/businesses/{business}/payouts", "id"}, "dispute": {"/businesses/{business}/disputes", "id"},
	"batch":    {"/businesses/{business}/accounting/postings", "batchId"},
	"category": {},                                                               // one of the 21 of the contract
	"session":  {"/auth/sessions", "id"}, "cart": {}, "receipt": {}, "offer": {}, // secrets of authorized callers
}

// TestIDsAreFound is A23: every id of a path is in a list or record that its caller can read.
func TestIDsAreFound(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.furnish(rosa, h.signIn("ben@example.com"))
	for _, spec := range h.operations {
		for _, p := range params(spec.Path) {
			if _, known := foundAt[kindOf(spec.Path, p)]; !known {
				t.Errorf("%s: nothing says where {%s} is found", spec.ID, p)
			}
		}
	}
	for kind, at := range foundAt {
		if at[0] == "" {
			continue
		}
		token := s.owner
		if kind == "session" || kind == "my booking" {
			token = rosa
		}
		a := h.expect(200, call{path: s.at(at[0]), token: token})
		if !strings.Contains(string(a.body), `"`+at[1]+`":"`+s.ids[kind]+`"`) && !strings.Contains(string(a.body), s.ids[kind]) {
			t.Errorf("%s is not in %s", kind, at[0])
		}
		if _, err := uuid.Parse(s.ids[kind]); err != nil { // A20
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// TestIDsInBodiesAndQueries is A23 for the ids outside paths: each is that of a record in a list, or a member of
// another operation's response.
func TestIDsInBodiesAndQueries(t *testing.T) {
	h := open(t)
	listed := map[string]string{ // by the name of the member: the kind of record
		"customerId": "customer", "documentIds": "document", "bookingId": "booking", "locationId": "location", "locationIds": "location", "transferTo": "location", "memberId": "member", "memberIds": "member", "occurrenceId": "occurrence",
		"occurrenceIds": "occurrence", "offeringId": "offering", "offeringIds": "offering", "parentId": "space", "policyId": "policy", "seriesId": "series",
		"spaceId": "space", "spaceIds": "space", "assetIds": "asset", "subjectId": "location", "taxRateId": "taxRate",
		"revenueCategoryId": "revenueCategory", "variantId": "variant",
		"toLocationId": "location", "bookingIds": "booking", "feeIds": "fee", "cardId": "paymentMethod",
		"planId": "plan", "planIds": "plan", "changeIds": "plan", "plans": "plan", "excludedIds": "offering",
		"paymentMethodId": "paymentMethod", "excludeBookingId": "booking", "assistantId": "assistant",
	}
	answered := map[string][2]string{ // by the name of the member: the operation that returns it, and the name there
		"challengeId": {"createChallenge", "challengeId"}, "contentId": {"getCartAgreements", "contentId"}, "acceptanceId": {"listAgreementSigners", "acceptanceId"}, "quoteId": {"cancelBooking", "quoteId"}, "groupId": {"listBookings", "groupId"},
		"grantId": {"listCompatiblePlans", "grantId"}, "periodId": {"listCustomerPlans", "id"},
		"orderId": {"listPayments", "orderId"}, "lines": {"getPayment", "id"},
		"lineId": {"getPayment", "id"}, "actor": {"listAudit", "id"}, "recordId": {"listAudit", "recordId"},
	}
	made := map[string]string{
		"attemptId completeAccounting": "the provider's redirect leads to the settings screen with it",
		"id removeCartGiftCard":        "the cart lists its gift cards in giftCards",
		"id checkInWalkin":             "the door makes it, so that a check-in that is sent twice is one",
	}
	operations := map[string]op.Spec{}
	for _, spec := range h.operations {
		operations[spec.ID] = spec
	}
	seen := map[string]bool{}
	for _, spec := range h.operations {
		d, _ := h.doc.Operation(spec.Method, spec.Path)
		names := h.idsIn(h.bodySchema(spec), nil)
		for _, p := range dig[[]any](d, "parameters") {
			p := p.(object)
			if p["in"] == "query" && h.isID(dig[object](p, "schema")) {
				names[p["name"].(string)] = true
			}
		}
		for name := range names {
			seen[name] = true
			_, isListed := foundAt[listed[name]]
			from, isAnswered := answered[name]
			switch {
			case isListed, made[name+" "+spec.ID] != "":
			case !isAnswered:
				t.Errorf("%s: nothing says where %s is found", spec.ID, name)
			case !h.answers(operations[from[0]], from[1]):
				t.Errorf("%s: %s does not answer %s", spec.ID, from[0], from[1])
			}
		}
	}
	for name := range listed {
		if !seen[name] {
			t.Errorf("no operation is told %s", name)
		}
	}
}

// isID reports whether a schema is that of an id, of a list of them, or of either and nothing.
func (h *house) isID(s object) bool {
	s = h.resolve(s)
	for _, options := range []string{"anyOf", "oneOf"} {
		list, _ := s[options].([]any)
		for _, o := range list {
			if h.isID(o.(object)) {
				return true
			}
		}
	}
	items, _ := s["items"].(object)
	return s["format"] == "uuid" || items != nil && h.isID(items)
}

// idsIn returns the names of the members of a schema, at any depth, that are ids. within are the schemas around it.
func (h *house) idsIn(s object, within []object) map[string]bool {
	names := map[string]bool{}
	s = h.resolve(s)
	if len(within) > 12 {
		return names
	}
	within = append(within, s)
	deeper := func(o object) {
		for name := range h.idsIn(o, within) {
			names[name] = true
		}
	}
	members, _ := s["properties"].(object)
	for name, m := range members {
		if h.isID(m.(object)) {
			names[name] = true
		}
		deeper(m.(object))
	}
	if items, ok := s["items"].(object); ok {
		deeper(items)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := s[key].([]any)
		for _, o := range list {
			deeper(o.(object))
		}
	}
	return names
}

// answers reports whether a success of the operation has a member of that name that is an id.
func (h *house) answers(spec op.Spec, name string) bool {
	d, _ := h.doc.Operation(spec.Method, spec.Path)
	for status, r := range dig[object](d, "responses") {
		schema := dig[object](r, "content", "application/json", "schema")
		if status[0] == '2' && schema != nil && h.idsIn(schema, nil)[name] {
			return true
		}
	}
	return false
}
