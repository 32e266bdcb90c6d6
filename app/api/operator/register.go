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

// surface is what the handlers work with.
type surface struct{ wire.Surface }

// declare declares an operation in a business. What its spec leaves open follows from the rest: a session or a key may call it
// that holds the feature in the business, location or offering that the path begins with; it answers 400 when it reads
// anything beside the path, and 409 when a repeated request is known by its key.
func declare[I, O any](a *surface, s op.Spec, handle func(context.Context, tenancy.Scope, *I) (O, error)) {
	if s.Access == 0 {
		s.Access = op.Operator
	}
	root := strings.Split(s.Path, "/")
	target := map[string]func(string) op.Target{"businesses": op.InBusiness, "locations": op.InLocation, "offerings": op.InOffering,
		"assets": op.InAsset}
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

// reads tells whether an input takes anything beside the path.
func reads(in reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(in), func(f reflect.StructField) bool {
		return f.Name == "Body" || f.Tag.Get("query") != ""
	})
}

// Register declares the operations of those who run a business.
func Register(on wire.Surface) {
	a := &surface{on}
	for _, declare := range []func(){
		a.businesses, a.houseStates, a.apiKeys, a.team, a.hours, a.timeOff,
		a.locations, a.archiveLocations, a.looks, a.stylesheets, a.closures, a.spaces, a.blocks, a.policies, a.discounts, a.taxRates, a.processor, a.payouts, a.disputes, a.disputeAnswers,
		a.offerings, a.offeringStates, a.offeringLinks, a.assets, a.availability, a.series, a.seriesEdits, a.occurrences, a.dates,
		a.bookings, a.bookingMaking, a.bookingChanges, a.attendance, a.openHolds, a.dueFees, a.payments, a.reports, a.sales, a.drawers, a.walkins, a.waitlists, a.customers, a.agreements, a.agreementStatuses, a.agreementPeople, a.balances, a.cards, a.auditLog,
	} {
		declare()
	}
}
