package api_test

import (
	"crypto/sha256"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgersim"
	"foyer/app/pg"
	"foyer/app/web/op"
	"foyer/billing/ledger"
)

// furnish fills a studio with a record of every kind at both of its locations, so that every path of the document can be
// filled in. Kinds of the second location end in 2. Records that tests may spoil begin with "spare ".
func (s *studio) furnish(customer, customer2 string) {
	h := s.h
	h.t.Helper()
	s.furnishAccounting()
	s.ids["session"] = h.expect(200, call{path: "/auth/sessions", token: customer}).list("items")[0]["id"].(string)
	_, s.ids["spare member"] = s.join("spare-" + s.ownerEmail)
	_, s.ids["spare key"] = s.key()
	_, s.ids["key"] = s.key("location.view")
	for _, kind := range []string{"spare assistant", "assistant"} { // the newest is first in the list
		h.assistant(s.owner, parse(s.ids["business"]))
		s.ids[kind] = h.expect(200, call{path: s.at("/businesses/{business}/assistants"),
			token: s.owner}).list("items")[0]["id"].(string)
	}
	instructor := s.ids["member"]
	if instructor == "" {
		instructor = s.ids["spare member"]
		s.ids["member"] = instructor
	}
	s.add("taxRate", "/businesses/{business}/tax-rates", object{"name": "Sales tax", "ppm": 82500})
	s.add("revenueCategory", "/businesses/{business}/revenue-categories", object{"name": "Workshops"})
	s.add("policy", "/businesses/{business}/policies", object{"name": "Strict"})
	s.add("discount", "/businesses/{business}/discounts", object{"name": "Spring offer", "code": "SPRING20", "ppm": 200_000})
	s.add("spare discount", "/businesses/{business}/discounts", object{"name": "Spare", "code": "SPARE", "amount": 500})
	s.add("spare policy", "/businesses/{business}/policies", object{"name": "Spare"})
	s.product("", "Yoga mat")
	s.product("2", "Strap")
	s.add("spare product", "/businesses/{business}/products", object{"name": "Spare"})
	s.add("spare variant", "/products/{spare product}/variants", object{"price": 900, "track": true})
	away := object{"startsAt": "2026-07-10T09:00:00Z", "endsAt": "2026-07-11T09:00:00Z"}
	s.add("timeOff", "/businesses/{business}/team/{spare member}/time-off", away)
	for _, at := range []string{"", "2"} {
		s.add("space"+at, "/locations/{location"+at+"}/spaces", object{"name": "Room", "capacity": 10})
		s.add("spare space"+at, "/locations/{location"+at+"}/spaces", object{"name": "Spare", "capacity": 10})
		s.add("closure"+at, "/locations/{location"+at+"}/closures", object{"name": "Christmas", "startsOn": "2026-12-24", "endsOn": "2026-12-26"})
		s.add("block"+at, "/locations/{location"+at+"}/spaces/{spare space"+at+"}/blocks", away)
		taught := object{}
		if at == "" {
			taught["memberId"] = instructor
		}
		waiver := object{"name": "Waiver", "body": "I take care of myself.", "everyListing": false}
		s.ids["content"+at] = s.add("document"+at, "/locations/{location"+at+"}/agreements", waiver).text("contentId")
		s.add("spare document"+at, "/locations/{location"+at+"}/agreements", waiver)
		s.class(at, 0, 8, taught)
		s.spareClass(at, taught)
		for _, spare := range []string{"", "spare "} {
			s.add(spare+"asset"+at, "/businesses/{business}/assets", object{"title": "Hall"})
			s.h.expect(200, call{method: "PUT", path: s.at("/assets/{" + spare + "asset" + at + "}/placements"), token: s.owner,
				body: js(object{"subject": "location", "subjectId": s.ids["location"+at]})})
		}
	}
	s.book(customer, "occurrence")
	s.ids["receipt"] = s.book(customer, "occurrence+")
	s.book2(customer2)
	s.ids["cart"] = s.cart("occurrence++")
	items := h.expect(200, call{path: "/storefront/carts/" + s.ids["cart"]}).list("lines")
	s.ids["item"] = items[0]["itemId"].(string)
	s.openCarts()
	for at, date := range map[string]string{"": "occurrence", "2": "occurrence2"} {
		b := h.expect(200, call{path: s.at("/businesses/{business}/bookings?occurrenceId=" + s.ids[date]), token: s.owner}).list("items")[0]
		s.ids["booking"+at], s.ids["customer"+at] = b["id"].(string), b["customerId"].(string)
		s.post("/businesses/{business}/customers/{customer"+at+"}/agreements/{document"+at+"}/mark-signed?locationId="+s.ids["location"+at], nil)
		s.ids["entry"+at], s.ids["offer"+at] = s.waits("spare occurrence"+at, s.ids["customer"+at])
	}
	s.furnishBookings(customer, customer2)
	s.furnishPlans()
}

// furnishAccounting connects the studio to an accounting provider, with a closed day that waits for the map.
func (s *studio) furnishAccounting() {
	h := s.h
	h.t.Helper()
	s.ids["category"] = "asset.cash_on_hand"
	for _, a := range h.accounts.Sim.Accounts(ledgersim.RealmUSD) {
		if a.Type == "Bank" {
			s.ids["account"] = a.ID
		}
	}
	s.post("/businesses/{business}/accounting/connect/complete", object{"attemptId": s.accountingAttempt()})
	s.ids["attempt"] = s.accountingAttempt()
	business, location := uuid.MustParse(s.ids["business"]), uuid.MustParse(s.ids["location"])
	err := pg.Do(h.t.Context(), h.DB, business, func(tx *pg.Tx) error {
		b := tx.Batch()
		sale := ledger.CashTransfer(ledger.Context{LocationID: location, Currency: "USD", At: tx.Now()}, uuid.New(), 5000)
		if err := ledger.PostIn(b, tx, sale); err != nil {
			return err
		}
		return b.Commit(h.t.Context())
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.Clock.Advance(24 * time.Hour)
	if err := h.domains.Closer.CloseDays(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	if err := h.domains.Accounting.BatchDays(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	s.ids["batch"] = h.expect(200, call{
		path: s.at("/businesses/{business}/accounting/postings"), token: s.owner,
	}).list("postings")[0]["batchId"].(string)
}

// accountingAttempt is an attempt of the owner to connect that came back from the provider.
func (s *studio) accountingAttempt() string {
	h := s.h
	h.t.Helper()
	url := h.expect(200, call{
		path: s.at("/businesses/{business}/accounting/connect"), token: s.owner,
	}).text("authorizeUrl")
	callback, err := h.accounts.Sim.Approve(url, ledgersim.RealmUSD)
	if err != nil {
		h.t.Fatal(err)
	}
	_, query, _ := strings.Cut(callback, "?")
	to := h.expect(303, call{path: accountingReturn + "?" + query}).header("Location")
	_, attempt, ok := strings.Cut(to, "accounting=finish&attempt=")
	if !ok {
		h.t.Fatalf("the provider's redirect leads to %s", to)
	}
	return attempt
}

// spareClass is an offering that may be archived, a series that may be edited and ended, and one of its dates.
func (s *studio) spareClass(at string, taught object) {
	s.h.t.Helper()
	s.add("spare offering"+at, "/locations/{location"+at+"}/offerings", object{
		"kind": "class", "name": "Spare", "durationMinutes": 30, "price": 0, "capacity": 5,
	})
	series := object{"weekdays": []int{1}, "start": s.h.Clock.Now().AddDate(0, 0, 1).Format(time.DateOnly), "at": "09:00"}
	maps.Copy(series, taught)
	path := s.at("/offerings/{spare offering" + at + "}")
	s.add("spare series"+at, path+"/series", series)
	edited := s.h.expect(200, call{method: "PATCH", path: s.at(path + "/series/{spare series" + at + "}"), token: s.owner,
		body: js(object{"version": 1, "scope": "all", "at": "08:00"})})
	s.ids["edit"+at] = edited.text("editId")
	s.ids["spare occurrence"+at] = s.h.expect(200, call{path: path + "/occurrences", token: s.owner}).list("items")[0]["id"].(string)
}

// waits adds a customer to the waitlist of a date, full or not, and returns the entry and its token.
func (s *studio) waits(date, customer string) (entry, token string) {
	s.h.t.Helper()
	id := uuid.New()
	token = s.h.token(s.h.domains.Waitlist.Token(id))
	hash := sha256.Sum256([]byte(token))
	s.h.SQL(s.h.t, `insert into waitlist_entries (id, business_id, location_id, offering_id, occurrence_id, customer_id, person_id, token_hash,
			state, rank, created_at, updated_at)
		select $1, o.business_id, o.location_id, o.offering_id, o.id, c.id, c.person_id, $2, 'waiting', $5, $6, $6
		from occurrences o, customers c where o.id = $3 and c.id = $4`,
		id, hash[:], s.ids[date], customer, s.h.Clock.Now().UnixNano(), s.h.Clock.Now())
	s.h.SQL(s.h.t, `insert into waitlist_transitions (id, business_id, entry_id, from_state, to_state, actor_kind, surface, created_at)
		select gen_random_uuid(), business_id, id, '', state, 'system', 'job', created_at from waitlist_entries where id = $1`, id)
	return id.String(), token
}

// book2 books a date at the second location.
func (s *studio) book2(session string) {
	s.h.t.Helper()
	cart := s.h.post("/storefront/carts", "", object{"locationId": s.ids["location2"]}).text("token")
	s.h.post("/storefront/carts/"+cart+"/items", "", object{"occurrenceId": s.ids["occurrence2"]})
	s.h.post("/storefront/carts/"+cart+"/hold", session, nil)
	s.h.post("/storefront/carts/"+cart+"/confirm", session, nil)
}

// openCarts stores the ids of an open cart at each location.
func (s *studio) openCarts() {
	s.h.t.Helper()
	s.ids["open cart"] = s.h.expect(200, call{path: "/storefront/carts/" + s.ids["cart"]}).text("id")
	s.ids["open cart2"] = s.h.post("/storefront/carts", "", object{"locationId": s.ids["location2"]}).text("id")
}

// kindOf returns the kind of record of a path parameter.
func kindOf(template, param string) string {
	segments := strings.Split(template, "/")
	before := segments[slices.Index(segments, "{"+param+"}")-1]
	if before == "carts" && param == "cartId" {
		return "open cart"
	}
	if param == "id" || param == "token" {
		return map[string]string{
			"businesses": "business", "locations": "location", "offerings": "offering", "carts": "cart", "receipts": "receipt",
			"waitlist-offers": "offer", "assets": "asset",
		}[before]
	}
	switch {
	case strings.HasPrefix(template, "/me/bookings/"):
		return "my booking"
	case param == "paymentId" && strings.HasSuffix(template, "/void"):
		return "taking"
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
func (s *studio) fill(spec op.Spec, at string) string {
	path := spec.Path
	for _, p := range params(spec.Path) {
		kind := kindOf(spec.Path, p)
		for _, candidate := range []string{"spare " + kind + at, "spare " + kind, kind + at, kind} {
			if strings.HasPrefix(candidate, "spare ") && spec.Method == http.MethodGet {
				continue
			}
			if id := s.ids[candidate]; id != "" {
				path = strings.Replace(path, "{"+p+"}", id, 1)
				break
			}
		}
	}
	if strings.Contains(path, "{") {
		s.h.t.Fatalf("%s: nothing fills %s", spec.ID, path)
	}
	if q := queryOf[spec.ID]; q != nil {
		path += "?" + q(s, at)
	}
	return path
}

// queryOf are the queries of operations that require one. They can name a location.
var queryOf = map[string]func(s *studio, at string) string{
	"listCustomerAgreements": locationQuery, "markAgreementSigned": locationQuery, "getAgreementEvidence": locationQuery,
	"quotePlanChange":   func(s *studio, _ string) string { return "planId=" + s.ids["plan"] },
	"quoteMyPlanChange": func(s *studio, _ string) string { return "planId=" + s.ids["plan"] },
	"quoteMyFreeze":     func(s *studio, _ string) string { return "startsOn=" + s.soon(3) },
}

func locationQuery(s *studio, at string) string { return "locationId=" + s.ids["location"+at] }

// fillWith is fill with one parameter replaced by something else.
func (s *studio) fillWith(spec op.Spec, param, value string) string {
	want, got := strings.Split(spec.Path, "/"), strings.Split(s.fill(spec, ""), "/")
	got[slices.Index(want, "{"+param+"}")] = value
	return strings.Join(got, "/")
}

// stale is a version that no record has: a PATCH with it is admitted, and changes nothing.
const stale = 1 << 40

// saidToTheBank is evidence of a dispute.
var saidToTheBank = object{
	"product": "Morning Yoga", "customerName": "Ada Byron", "customerEmail": "ada@example.com", "customerIp": "", "serviceDate": "2026-07-04",
	"attendance": "Ada came at nine.", "policy": "Free to cancel until 3 July.", "refusal": "It took place, and she came.", "other": "",
}

// bodies returns a valid body for every operation with one.
func (s *studio) bodies(spec string) object {
	ids := s.ids
	return map[string]object{
		"createChallenge":  {"email": "matrix@example.com", "channel": "email_code"},
		"verifyChallenge":  {"challengeId": uuid.NewString(), "code": "000000"},
		"updateProfile":    {"version": stale, "name": "Rosa"},
		"createBusiness":   {"name": "No invite", "currency": "USD", "zone": "UTC"},
		"updateBusiness":   {"version": stale, "name": "Changed"},
		"closeBusiness":    {},
		"createCustomer":   {"name": "Ada"},
		"updateCustomer":   {"version": stale, "name": "Changed"},
		"createApiKey":     {"name": "made by the matrix"},
		"addTeamMember":    {"email": uuid.NewString() + "@example.com"},
		"updateTeamMember": {"version": stale, "name": "Changed"},
		"createLocation":   {"name": "Another"},
		"updateLocation":   {"version": stale, "name": "Changed"},
		"replaceTheme": {
			"version": stale, "accent": "#112233", "background": "paper", "type": "figtree", "corners": "soft",
		},
		"replaceStylesheet": {"version": stale, "css": "svc-times p { color: red }"},
		"replaceHours":      {"intervals": []object{{"weekday": 1, "opens": "09:00", "closes": "24:00"}}},
		"createSpace":       {"name": uuid.NewString(), "capacity": 3},
		"updateSpace":       {"version": stale, "name": "Changed"},
		"replaceMemberHours": {"locations": []object{{
			"locationId": ids["location"], "hours": []object{{"weekday": 1, "opens": "09:00", "closes": "17:00"}},
		}}},
		"replaceSpaceHours":     {"intervals": []object{{"weekday": 1, "opens": "09:00", "closes": "17:00"}}},
		"addTimeOff":            {"startsAt": "2026-08-10T09:00:00Z", "endsAt": "2026-08-11T09:00:00Z", "note": "Away"},
		"addBlock":              {"startsAt": "2026-08-10T09:00:00Z", "endsAt": "2026-08-11T09:00:00Z"},
		"addClosure":            {"name": "Holiday", "startsOn": "2026-08-03", "endsOn": "2026-08-04"},
		"createPolicy":          {"name": uuid.NewString(), "rules": object{"noticeMinutes": 60}},
		"updatePolicy":          {"version": stale, "name": "Changed"},
		"replaceLocationPolicy": {"policyId": ids["policy"]},
		"replaceOfferingStaff":  {"memberIds": []string{}},
		"replaceOfferingSpaces": {"spaceIds": []string{}},
		"createDiscount": {
			"name": "Weekday mornings", "code": "M" + strings.ToUpper(uuid.NewString()), "ppm": 100_000, "usesMax": 100,
		},
		"updateDiscount": {"version": stale, "name": "Changed"},
		"createProduct": {
			"name": "Cork block", "options": []object{{"name": "Size", "choices": []string{"Small", "Large"}}},
		},
		"updateProduct": {"version": stale, "name": "Changed"},
		"createProductVariant": {
			"sku": "B-" + uuid.NewString(), "barcode": uuid.NewString(), "price": 1400, "track": true,
		},
		"updateProductVariant": {"version": stale, "price": 1500},
		"createPlan": {
			"name": "Ten classes", "kind": "pack", "priceAmount": 12000, "soldOnline": true, "validCount": 3,
			"validUnit": "month", "benefits": []object{{"credits": 10, "kinds": []string{"class"}}},
		},
		"updatePlan":     {"version": stale, "name": "Changed"},
		"setBenefits":    {"version": stale, "benefits": []object{{"credits": 5, "offeringIds": []string{ids["offering"]}}}},
		"addCompPlan":    {"planId": ids["plan"], "locationId": ids["location"]},
		"extendPlan":     {"version": stale, "lastDay": s.soon(60)},
		"endPlan":        {"version": stale},
		"cancelPlan":     {"version": stale},
		"cancelMyPlan":   {},
		"freezePlan":     {"version": stale, "startsOn": s.soon(3), "lastDay": s.soon(10), "note": "Injured"},
		"unfreezePlan":   {"version": stale},
		"freezeMyPlan":   {"startsOn": s.soon(3), "lastDay": s.soon(10)},
		"changePlan":     {"version": stale, "planId": ids["plan"]},
		"changeMyPlan":   {"planId": ids["plan"]},
		"renewMyPlan":    {"renewalConsent": "My card is charged each month until I cancel."},
		"adjustCredits":  {"credits": 2, "note": "The heating was off."},
		"chooseCartPlan": {"paysPrice": true},
		"changeStock": {
			"kind": "receive", "locationId": ids["location"], "quantity": 5, "reason": "From the supplier",
		},
		"uploadAsset": {
			"title": "The hall", "alt": "A bright hall with twelve mats.", "tags": []string{"hall"},
		},
		"createUploadLink": {
			"operation": "uploadAsset", "fields": []object{{"name": "title", "value": "The hall"}},
		},
		"updateAsset":           {"alt": "A hall."},
		"placeAsset":            {"subject": "location", "subjectId": ids["location"]},
		"replaceOfferingAssets": {"assetIds": []string{ids["asset"]}},
		"replaceProductAssets":  {"assetIds": []string{ids["asset"]}},
		"applyCartCode":         {"code": "spring20"},
		"useCartCredit":         {"use": true},
		"createAgreement": {
			"name": "House rules", "body": "Shoes stay **outside**.", "format": "markdown", "show": "popup",
			"everyListing": false,
		},
		"updateAgreement":           {"name": "Changed"},
		"replaceOfferingAgreements": {"documentIds": []string{ids["spare document"]}},
		"acceptCartAgreements":      {"accept": []object{{"contentId": ids["content"], "shown": "checkbox"}}},
		"signMyAgreements": {
			"bookingId": ids["my booking"], "accept": []object{{"contentId": ids["content"], "shown": "checkbox"}},
		},
		"createTaxRate":              {"name": "Another", "ppm": 10000},
		"updateTaxRate":              {"version": stale, "name": "Changed"},
		"completeAccounting":         {"attemptId": ids["attempt"]},
		"updateAccountingConnection": {"startDate": "2026-06-12"},
		"confirmAccountingMap":       {"rows": []object{{"category": "asset.bank", "externalAccountId": ids["account"]}}},
		"createAccountingAccount":    {"name": "Till"},
		"createRevenueCategory":      {"name": "Private coaching"},
		"updateRevenueCategory":      {"version": stale, "name": "Changed"},
		"startProcessorOnboarding":   {"returnUrl": "https://studio.example/back"},
		"createOffering":             {"kind": "class", "name": "Another", "durationMinutes": 30, "capacity": 4},
		"updateOffering":             {"version": stale, "name": "Changed"},
		"createSeries": {
			"weekdays": []int{2}, "start": s.h.Clock.Now().AddDate(0, 0, 1).Format(time.DateOnly), "at": "08:00", "count": 2,
		},
		"searchAvailability": {
			"offeringId": ids["offering"], "from": s.h.Clock.Now().Format(time.RFC3339),
			"to": s.h.Clock.Now().AddDate(0, 0, 2).Format(time.RFC3339),
		},
		"explainAvailability": {
			"offeringId": ids["offering"], "startsAt": s.h.Clock.Now().AddDate(0, 0, 1).Format(time.RFC3339),
		},
		"updateSeries":           {"version": stale, "scope": "all", "at": "10:00"},
		"updateOccurrence":       {"version": stale, "capacity": 4},
		"cancelOccurrence":       {"reason": "storm"},
		"restoreOccurrence":      {},
		"substituteOccurrence":   {"memberId": ids["member"]},
		"assignInstructor":       {"occurrenceIds": []string{ids["spare occurrence"]}, "memberId": ids["member"]},
		"updateWalkins":          {"version": stale, "on": true},
		"checkInWalkin":          {"offeringId": ids["offering"], "party": 1},
		"joinWaitlist":           {},
		"adjustCustomerBalance":  {"locationId": ids["location"], "amount": 1000, "note": "The heating was off."},
		"chargeFee":              {},
		"collectCustomerBalance": {"feeIds": []string{ids["fee"]}},
		"addToWaitlist":          {"customerId": ids["customer"]},
		"promoteFromWaitlist":    {},
		"offerFromWaitlist":      {},
		"skipOnWaitlist":         {"reason": "asked to be"},
		"reorderWaitlist":        {"position": 1},
		"createBooking":          {"email": uuid.NewString() + "@example.com", "occurrenceId": ids["occurrence"]},
		"createRecurringBooking": {
			"email": uuid.NewString() + "@example.com", "offeringId": ids["offering"], "from": s.soon(0),
			"until": s.soon(3), "onClash": "skip",
		},
		"updateBooking":     {"version": stale, "note": "by the window"},
		"cancelBooking":     {"by": "studio"},
		"rescheduleBooking": {"occurrenceId": ids["occurrence+"]},
		"bulkCheckIn":       {"bookingIds": []string{ids["spare booking"]}},
		"bulkCancel":        {"bookingIds": []string{ids["spare booking"]}, "by": "studio"},
		"waiveFee":          {"version": stale, "reason": "ill"},
		"voidPayment":       {"note": "Another booking was meant."},
		"createSale":        {"feeIds": []string{ids["fee"]}, "tenders": []object{{"method": "cash"}}},
		"returnGoods": {
			"lines": []object{{"lineId": ids["line"], "quantity": 1, "restock": true}}, "note": "The wrong size.",
		},
		"createGiftCard": {
			"locationId": ids["location"], "amount": 5000, "method": "cash", "recipientName": "Rosa",
		},
		"findGiftCard":   {"code": ids["gift code"]},
		"adjustGiftCard": {"amount": 500, "note": "The studio was closed."},
		"sendGiftCard":   {"email": "rosa@example.com"},
		"setGiftCardTerms": {"soldOnline": true, "amounts": []int{2500, 5000}, "leastAmount": 500, "mostAmount": 50000,
			"version": stale},
		"getGiftCardBalance":    {"code": ids["gift code"]},
		"useCartGiftCard":       {"code": ids["gift code"]},
		"openDrawer":            {"floatAmount": 10000},
		"closeDrawer":           {"countedAmount": 10650, "remainingAmount": 10000, "note": "0.50 too little"},
		"payIn":                 {"amount": 5000, "note": "Change from the bank"},
		"payOut":                {"amount": 1200, "note": "Milk"},
		"createSettlement":      {"amount": 680, "feeAmount": 20, "note": "Terminal, June"},
		"refundPayment":         {"amount": 100, "reason": "goodwill", "note": "The boiler was broken."},
		"saveDisputeEvidence":   {"version": stale, "words": saidToTheBank},
		"submitDisputeEvidence": {"version": stale},
		"rescheduleMyBooking":   {"occurrenceId": ids["occurrence++"]},
		"createCart":            {"locationId": ids["location"]},
		"addCartItem":           {"occurrenceId": ids["occurrence++"]},
		"updateCartItem":        {"attendee": "Kim"},
		"holdCart":              {},
		"approveBooking":        {"reason": "a regular"},
		"declineBooking":        {"reason": "The room is being painted."},
		"archiveOffering":       {"dryRun": false},
		"cancelMyBooking":       {"dryRun": false},
		"startPayment":          {"quotedTotal": 0},
	}[spec]
}
