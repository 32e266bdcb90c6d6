package api_test

import (
	"net/http"
	"strings"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/policy"
)

// actor is a caller with its grants in the published table of roles.
type actor struct {
	name      string
	token     string
	known     bool // the credential is valid
	key       bool
	assistant bool            // an assistant's token, which is valid inside only
	grants    *tenancy.Grants // in the first studio; nil for no role there
	elsewhere *tenancy.Grants // in the other one
}

// holds returns grants of the roles.
func holds(roles ...policy.Assignment) *tenancy.Grants {
	if len(roles) == 0 {
		return nil
	}
	g := policy.GrantsFor(roles)
	return &g
}

// actors creates all actors of the matrix. They belong to the first studio; elsewhere is another one.
func (h *house) actors(s, elsewhere *studio) []actor {
	h.t.Helper()
	north, owner := parse(s.ids["location"]), policy.Assignment{Role: policy.Owner}
	person := func(name string, roles ...policy.Assignment) actor {
		var body []object
		for _, r := range roles {
			role := object{"role": r.Role}
			if r.Location != uuid.Nil {
				role["locationId"] = r.Location
			}
			body = append(body, role)
		}
		token, member := s.join(strings.ReplaceAll(name, " ", "-")+"@example.com", body...)
		if name == string(policy.Instructor) {
			s.ids["member"] = member
		}
		return actor{name: name, token: token, known: true, grants: holds(roles...)}
	}
	out := []actor{
		{name: "nobody"},
		{name: "a word as token", token: "nonsense"},
		{name: "an unknown token", token: strings.Repeat("A", 43)},
		{name: "an unknown key", token: "bk_" + strings.Repeat("A", 46)},
		{name: "the owner", token: s.owner, known: true, grants: holds(owner)},
	}
	for _, role := range policy.Roles()[1:] {
		out = append(out, person(string(role), policy.Assignment{Role: role}))
	}
	out = append(out,
		person("second owner", owner),
		person("manager of one location", policy.Assignment{Role: policy.Manager, Location: north}),
		person("desk of one location", policy.Assignment{Role: policy.FrontDesk, Location: north}),
		person("on the team without a role"),
		actor{name: "the owner of another business", token: elsewhere.owner, known: true, elsewhere: holds(owner)},
		actor{name: "a customer", token: h.signIn("customer@example.com"), known: true},
	)
	for _, a := range out[4:] {
		if a.name == "the owner" || a.name == string(policy.FrontDesk) || a.name == "manager of one location" {
			a.name, a.assistant = "the assistant of "+a.name, true // its token is good for an hour: made later
			out = append(out, a)
		}
	}
	return append(append(out, h.keys(s, elsewhere)...), h.former(s)...)
}

// assistant returns the access token of an assistant that a person connected to a business.
func (h *house) assistant(token string, business uuid.UUID) string {
	h.t.Helper()
	p, err := h.domains.Identity.Authenticate(h.t.Context(), token)
	if err != nil {
		h.t.Fatal(err)
	}
	return apptest.ConnectAssistant(h.t, h.domains.OAuth, "https://studio.example", p, business, "Assistant").Access
}

// keys are the API keys among the actors.
func (h *house) keys(s, elsewhere *studio) []actor {
	h.t.Helper()
	every, _ := s.key()
	narrow, _ := s.key("location.view")
	foreign, _ := elsewhere.key()
	revoked, id := s.key()
	h.expect(204, call{method: "DELETE", path: s.at("/businesses/{business}/api-keys/" + id), token: s.owner})
	all, err := policy.KeyGrants(*holds(policy.Assignment{Role: policy.Owner}), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return []actor{
		{name: "a key with everything", token: every, known: true, key: true, grants: &tenancy.Grants{All: all}},
		{name: "a narrow key", token: narrow, known: true, key: true,
			grants: &tenancy.Grants{All: tenancy.NewFeatureSet(policy.LocationView)}},
		{name: "a key of another business", token: foreign, known: true, key: true, elsewhere: &tenancy.Grants{All: all}},
		{name: "a revoked key", token: revoked, key: true},
	}
}

// former are actors who have lost their access.
func (h *house) former(s *studio) []actor {
	h.t.Helper()
	gone, member := s.join("gone@example.com", object{"role": "manager"})
	h.post(s.at("/businesses/{business}/team/"+member+"/deactivate"), s.owner, nil)
	expired := h.signIn("expired@example.com")
	h.SQL(h.t, `update sessions set expires_at = $1 where person_id = (select id from persons where email = 'expired@example.com')`,
		h.Clock.Now())
	out := h.signIn("out@example.com")
	h.expect(204, call{method: "POST", path: "/auth/logout", token: out})
	return []actor{
		{name: "a deactivated manager", token: gone, known: true},
		{name: "an expired session", token: expired},
		{name: "a session that was signed out", token: out},
	}
}

// wholeReads are reads of records of the whole business: a role at one location does not permit them.
var wholeReads = map[string]bool{"listApiKeys": true, "getProcessor": true}

// whole are reads of the whole account: a role in the whole business with a partial view does not permit them either.
var whole = map[string]bool{"listPayouts": true, "getPayout": true, "getReconciliation": true, "listDisputes": true, "getDispute": true,
	"getDisputeEvidence": true, "saveDisputeEvidence": true, "submitDisputeEvidence": true}

// inBody are operations whose body names the record. The matrix names a record of the first location.
var inBody = map[string]bool{"createBooking": true, "createRecurringBooking": true, "createSale": true,
	"createGiftCard":        true,
	"adjustCustomerBalance": true, "placeAsset": true, "collectCustomerBalance": true, "changeStock": true}

// anywhere are operations permitted by a feature at any location: bulk operations, whose records are admitted or
// refused one by one, and those without a location.
var anywhere = map[string]bool{"disconnectAssistant": true, "findGiftCard": true, "bulkCheckIn": true,
	"bulkCancel":     true,
	"createCustomer": true, "deleteCustomerPaymentMethod": true,
	"uploadAsset": true, "createUploadLink": true, "deleteAsset": true, "getAsset": true, "getAssetOriginal": true}

// ofOwners are operations for owners only.
var ofOwners = map[string]bool{"closeBusiness": true}

// placed are operations on a record of a location whose path names the business.
var placed = map[string]bool{"freeHold": true, "getOpenCart": true, "waiveFee": true, "chargeFee": true,
	"updateCustomer": true,
	"getPayment":     true, "refundPayment": true, "voidPayment": true, "returnGoods": true,
	"createSale": true, "adjustCustomerBalance": true, "collectCustomerBalance": true, "changeStock": true,
	"createGiftCard": true, "getGiftCard": true, "listGiftCardTransactions": true, "adjustGiftCard": true,
	"sendGiftCard": true, "addCompPlan": true, "extendPlan": true, "endPlan": true, "adjustCredits": true,
	"cancelPlan": true, "freezePlan": true, "unfreezePlan": true, "quotePlanChange": true, "changePlan": true,
	"withdrawPlanChange": true}

// ownRows are operations permitted to instructors by a feature for own rows.
var ownRows = map[string]bool{"listCustomerPlans": true, "listCredits": true, "getRoster": true, "getBooking": true,
	"getCustomer": true, "listCustomerAgreements": true, "markAgreementSigned": true, "getAgreementEvidence": true,
	"getCustomerBalance": true, "listCreditTransactions": true, "cancelOccurrence": true,
	"restoreOccurrence": true, "substituteOccurrence": true, "assignInstructor": true, "getWaitlist": true, "addToWaitlist": true, "removeFromWaitlist": true,
	"promoteFromWaitlist": true, "offerFromWaitlist": true, "skipOnWaitlist": true, "reorderWaitlist": true,
	"getBookingHistory": true, "cancelBooking": true, "rescheduleBooking": true, "approveBooking": true, "declineBooking": true,
	"updateBooking": true, "checkInBooking": true, "undoCheckIn": true, "markNoShow": true, "undoNoShow": true,
	"createBooking": true, "createRecurringBooking": true}

// ownTime are changes of the caller's own hours and time off; changing another member's needs the team's feature. The
// matrix changes another member's.
var ownTime = map[string]bool{"replaceMemberHours": true, "addTimeOff": true, "deleteTimeOff": true}

// may reports whether the table of roles permits an operation at a location with these grants; taught reports whether
// the caller is the instructor there.
func may(g tenancy.Grants, spec op.Spec, location uuid.UUID, taught bool) bool {
	switch {
	case spec.Access == op.Member:
		return true
	case ownRows[spec.ID]:
		return g.At(spec.Feature, location) || taught && g.Own.Has(spec.Feature)
	case whole[spec.ID]:
		return g.Unlimited(spec.Feature, uuid.Nil)
	case anywhere[spec.ID]:
		return g.Any(spec.Feature)
	case ofOwners[spec.ID]:
		return g.Owner
	case placed[spec.ID]:
		return g.At(spec.Feature, location)
	case ownTime[spec.ID]:
		return g.At(policy.TeamManage, uuid.Nil)
	case !strings.HasPrefix(spec.Path, "/businesses") && !strings.HasPrefix(spec.Path, "/products"):
		return g.At(spec.Feature, location)
	case spec.Method == http.MethodGet && !wholeReads[spec.ID]:
		return g.Any(spec.Feature)
	}
	return g.At(spec.Feature, uuid.Nil)
}
