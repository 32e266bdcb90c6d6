package operator

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// surface holds the services of the handlers.
type surface struct{ wire.Surface }

// declare declares an operation in a business. Defaults of its spec follow from the path and the input: callers are
// sessions and keys with the feature in the business, location or offering at the start of the path; status 400 is
// possible if it reads anything besides the path, and 409 if a repeated request is recognized by its key.
func declare[I, O any](a *surface, s op.Spec, handle func(context.Context, tenancy.Scope, *I) (O, error)) {
	if s.Access == 0 {
		s.Access = op.Operator
	}
	root := strings.Split(s.Path, "/")
	target := map[string]func(string) op.Target{"businesses": op.InBusiness, "locations": op.InLocation, "offerings": op.InOffering,
		"assets": op.InAsset, "products": op.InProduct}
	s.Target = target[root[1]](strings.Trim(root[2], "{}"))
	if s.Errors == nil {
		s.Errors = []int{401, 403, 404}
		if reads(reflect.TypeFor[I]()) {
			s.Errors = append(s.Errors, http.StatusBadRequest)
		}
		if s.Method != http.MethodGet && !s.NoReplay {
			s.Errors = append(s.Errors, http.StatusConflict)
		}
	}
	op.Declare(a.Ops, s, handle)
}

// reads reports whether an input has anything besides the path.
func reads(in reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(in), func(f reflect.StructField) bool {
		return f.Name == "Body" || f.Tag.Get("query") != ""
	})
}

// Register declares the operations for the team of a business.
func Register(on wire.Surface) {
	a := &surface{on}
	for _, declare := range []func(){
		a.businesses, a.houseStates, a.apiKeys, a.assistants, a.team, a.hours, a.timeOff,
		a.locations, a.archiveLocations, a.looks, a.stylesheets, a.closures, a.spaces, a.blocks, a.policies,
		a.discounts, a.products, a.stock, a.plans, a.customerPlans,
		a.taxRates, a.revenueCategories, a.processor, a.payouts, a.disputes, a.disputeAnswers,
		a.offerings, a.offeringStates, a.offeringLinks, a.assets, a.availability, a.series, a.seriesEdits, a.occurrences, a.dates,
		a.bookings, a.bookingMaking, a.bookingChanges, a.attendance, a.openHolds, a.openCarts, a.dueFees, a.payments,
		a.reports, a.sales, a.returns, a.giftCards, a.drawers, a.walkins, a.waitlists, a.customers, a.agreements,
		a.agreementStatuses, a.agreementPeople, a.balances, a.cards, a.auditLog, a.accounting, a.uploadLinks,
	} {
		declare()
	}
}
