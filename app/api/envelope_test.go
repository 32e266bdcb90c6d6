package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestRefusalsOutsideOperations: an unknown address, an unsupported method and an unreadable request return the
// envelope too. A66, A70, A77. The client of these tests checks the shape.
func TestRefusalsOutsideOperations(t *testing.T) {
	h := open(t)
	owner := h.open("Harbour").owner
	for _, path := range []string{
		"/businesses/", "/businesses/x/y/z", "/businesses//team", "/storefront", "/storefront/nothing", "/me", "/me/nothing",
		"/auth", "/offerings", "/locations", "/Businesses", "/me/profile/", "/nothing", "/%zz",
	} {
		for _, token := range []string{"", owner} {
			h.expect(404, call{path: path, token: token})
		}
	}
	for _, c := range []call{
		{method: "DELETE", path: "/me/profile"}, {method: "PUT", path: "/businesses"}, {method: "GET", path: "/auth/verify"},
		{method: "POST", path: "/me/profile", body: "{}"}, {method: "PATCH", path: "/storefront/carts"}, {method: "TRACE", path: "/me/profile"},
		{method: "OPTIONS", path: "/me/profile"}, {method: "BREW", path: "/me/profile"},
	} {
		c.token = owner
		h.expect(404, c)
	}
}

// TestInternalError: a panic and a failing database return internal_error and no details. A73, A76.
func TestInternalError(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	path := s.at("/storefront/locations/{location}/offerings")
	h.expect(200, call{path: path})
	catalog := h.domains.Catalog
	h.domains.Catalog = nil // its handlers panic
	h.web()
	panicked := h.expect(500, call{path: path})
	if !strings.Contains(h.log.String(), "goroutine") {
		t.Error("the stack is not in the log")
	}
	h.domains.Catalog = catalog
	h.web()
	h.SQL(t, "drop table offerings cascade")
	failed := h.expect(500, call{path: path})
	for _, a := range []answer{panicked, failed} {
		if details := dig[object](decode(a.body), "error", "details"); len(details) != 0 {
			t.Errorf("%s", a)
		}
	}
}

// TestSuccesses is A13, A14, A15, A16 and A21 in separate calls: create, change, list, delete.
func TestSuccesses(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	space := h.post(s.at("/locations/{location}/spaces"), s.owner, object{"name": "Blue room", "capacity": 8})
	id := space.text("id")
	for _, c := range []call{
		{path: s.at("/locations/{location}/spaces")},
		{path: s.at("/locations/{location}/spaces/" + id)},
		{method: "PATCH", path: s.at("/locations/{location}/spaces/" + id), body: js(object{"version": 1, "capacity": 9})},
	} {
		c.token = s.owner
		a := h.expect(200, c)
		if keys := slices.Sorted(maps.Keys(decode(a.body))); !slices.Equal(keys, []string{"data", "v"}) || decode(a.body)["v"] != build {
			t.Errorf("%s", a)
		}
	}
	_, key := s.key()
	gone := h.expect(204, call{method: "DELETE", path: s.at("/businesses/{business}/api-keys/" + key), token: s.owner})
	if len(gone.body) != 0 {
		t.Errorf("%q", gone.body)
	}
	h.expect(404, call{method: "DELETE", path: s.at("/businesses/{business}/api-keys/" + key), token: s.owner})
}

// TestBuildNumber: v is the build, or dev from source, in every response. A14, A15.
func TestBuildNumber(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	for _, path := range []string{"/businesses", "/me/profile", s.at("/locations/{location}"), s.at("/storefront/locations/{location}")} {
		if v := decode(h.expect(200, call{path: path, token: s.owner}).body)["v"]; v != build {
			t.Errorf("%s: v %v", path, v)
		}
	}
}

// TestKeySets is A22 for the records best known to clients: exactly these members. The schemas are closed too; this
// is the second opinion.
func TestKeySets(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	rosa := h.signIn("rosa@example.com")
	s.furnish(rosa, h.signIn("ben@example.com"))
	for path, want := range map[string]string{
		"/me/profile":                                 "createdAt email id locale name phone verifiedAt version zone",
		"/me/bookings":                                "items nextCursor",
		"/businesses/{business}/customers":            "customers limit offset total", // A90
		"/storefront/locations/{location}/offerings":  "items nextCursor",             // A91
		"/businesses/{business}/customers/{customer}": "createdAt email id name personId phone updatedAt version",
		"/businesses/{business}/processor":            "accountId currency due env state updatedAt",
		"/businesses/{business}": "appointmentWord classWord closedAt createdAt currency feeMode feePpm id name rentalWord " +
			"returnUntil slug splitPpm status updatedAt version zone",
		"/businesses/{business}/plans/{plan}": "activeCount benefits changeIds createdAt currency customerMax description " +
			"freeze fromFirstUse id kind locationIds name newCustomers position priceAmount renewal soldOnline state " +
			"taxRateId updatedAt validCount validUnit version",
		"/businesses/{business}/customers/{customer}/plans": "items nextCursor",
		"/me/plans":                                 "items nextCursor",
		"/locations/{location}/hours":               "intervals",
		"/locations/{location}/theme":               "accent background corners type version",
		"/locations/{location}/stylesheet":          "css updatedAt version warnings",
		"/storefront/locations/{location}/schedule": "currency days from instructors next offerings spaces to today zone",
		"/storefront/offerings/{offering}/times":    "currency days nextCursor today zone",
		"/storefront/carts/{cart}": "agreements atStudio businessName card cardMinimum code createdAt credit deposit " +
			"giftCards " +
			"hold " +
			"id lines locationId locationName order state totals zone",
		"/storefront/receipts/{receipt}": "address businessName card createdAt customerName due fulfilledAt lines " +
			"locationId locationName orderId paidAtStudio refunds state test totals website zone",
		"/offerings/{offering}/occurrences?limit=1": "items nextCursor",
		"/offerings/{offering}": "approval bufferAfterMinutes bufferBeforeMinutes capacity compact createdAt currency " +
			"description durationMinutes durations enrolment gridMinutes heading id kind lastStart locationId memberIds name " +
			"needsMember onlineCapacity policyId position price publishedAt revenueCategoryId slug soldAs spaceIds state " +
			"taxRateId updatedAt version walkins word",
		"/businesses/{business}/team/{member}": "access active bookable createdAt dailyCap id name updatedAt version " +
			"weeklyCap",
		"/businesses/{business}/bookings/{booking}": "allowedActions attendee cancelledAt checkedInAt checkedOutAt " +
			"confirmedAt course createdAt currency customerEmail customerId customerName customerPhone dates endsAt " +
			"graceUntil groupId id instructor kind locationId locationName money note occurrenceId offeringId offeringName " +
			"online orderId party policy price reschedules reviewAt space startsAt state updatedAt version zone",
		"/businesses/{business}/payments/{payment}": "amount cardBrand cardLast4 cardWallet createdAt currency customerId " +
			"customerName failure failureCode feeRefunded id label lineCount lines locationId locationName method net note " +
			"orderId platformFee platformFeePpm processorFee receipt recordedAt recordedBy refundable refunded refunds state " +
			"taxes test zone",
		"/locations/{location}/spaces/{space}": "archivedAt capacity createdAt id locationId name parentId updatedAt version",
		"/storefront/offerings/{offering}": "approval currency description durationMinutes durations enrolment fullPrice " +
			"id kind locationId name needsMember policy position price slug soldAs walkins word",
		"/storefront/locations/{location}": "address appointmentWord branding businessName classWord closures currency " +
			"hours id name open priceDisplay rentalWord slug taxMode website zone",
		"/locations/{location}": "address archivedAt createdAt currency dailyCap id language name otherLanguages " +
			"otherSites priceDisplay refundCap reminders slug taxMode taxRateId updatedAt version website zone",
		"/offerings/{offering}/occurrences/{occurrence}/roster": "capacity endsAt entries instructor locationId " +
			"locationName nextCursor occurrenceId offeringId offeringName onlineCapacity space startsAt state taken " +
			"takenOnline zone",
	} {
		token := s.owner
		if strings.HasPrefix(path, "/me") {
			token = rosa
		}
		got := slices.Sorted(maps.Keys(h.expect(200, call{path: s.at(path), token: token}).data()))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s", path, strings.Join(got, " "))
		}
	}
}

// TestMoney is A17 and A18: 22.00 is 2200 in both directions, and no other form is accepted. Every number in every
// response of these tests is an integer: the client checks that.
func TestMoney(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	offering := object{"kind": "class", "name": "Flow", "durationMinutes": 60, "capacity": 5, "price": 2200}
	a := h.post(s.at("/locations/{location}/offerings"), s.owner, offering)
	if a.number("price") != 2200 {
		t.Errorf("%s", a)
	}
	for _, wrong := range []string{`"22.00"`, `"2200"`, "22.5", "2200.0", "2.2e3", "-1", "100000000"} {
		body := strings.Replace(js(offering), `"price":2200`, `"price":`+wrong, 1)
		refused := h.expect(400, call{method: http.MethodPost, path: s.at("/locations/{location}/offerings"), token: s.owner, body: body})
		if !slices.Equal(refused.fields(), []string{"body.price"}) {
			t.Errorf("%s: %v", wrong, refused.fields())
		}
	}
}
