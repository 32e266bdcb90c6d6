package policy_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

func scope(a ...policy.Assignment) tenancy.Scope {
	return tenancy.Scope{
		Principal: tenancy.Principal{Actor: tenancy.Actor{Kind: tenancy.ActorPerson, ID: elsewhere}},
		Grants:    grants(a...),
	}
}

// A55: 403 forbidden, and the answer names the feature.
func TestRefusalNamesTheFeature(t *testing.T) {
	for name, err := range map[string]error{
		"Require":    policy.Require(scope(), policy.CatalogManage),
		"RequireAny": policy.RequireAny(scope(), policy.CatalogManage),
		"RequireAt":  policy.RequireAt(scope(role(policy.Manager, south)), policy.CatalogManage, north),
		"RequireRow": policy.RequireRow(scope(role(policy.Instructor, north)), policy.CatalogManage, north, true),
	} {
		f := fault.From(err)
		if !errors.Is(err, policy.ErrMissingFeature) || f.Kind != fault.Forbidden || f.Reason != "missing_feature" ||
			f.Details["feature"] != "catalog.manage" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestRequire(t *testing.T) {
	local, desk, instructor := scope(role(policy.Manager, north)), scope(role(policy.FrontDesk, whole)), scope(role(policy.Instructor, north))
	for name, c := range map[string]struct {
		err error
		ok  bool
	}{
		"business-wide act by a local manager":    {policy.Require(local, policy.CatalogManage), false},
		"their own location":                      {policy.RequireAt(local, policy.CatalogManage, north), true},
		"another location":                        {policy.RequireAt(local, policy.CatalogManage, south), false},
		"a row without a location":                {policy.RequireAt(local, policy.CatalogManage, uuid.Nil), false},
		"held somewhere":                          {policy.RequireAny(local, policy.CatalogManage), true},
		"held for own rows":                       {policy.RequireAny(instructor, policy.BookingView), true},
		"business-wide act by a whole-house desk": {policy.Require(desk, policy.BookingManage), true},
		"that desk at a location":                 {policy.RequireAt(desk, policy.BookingManage, south), true},
		"their session":                           {policy.RequireRow(instructor, policy.BookingCheckin, north, true), true},
		"their session elsewhere":                 {policy.RequireRow(instructor, policy.BookingCheckin, south, true), true},
		"somebody else's session":                 {policy.RequireRow(instructor, policy.BookingCheckin, north, false), false},
		"a location's rows with own reach":        {policy.RequireAt(instructor, policy.BookingCheckin, north), false},
		"own row of a feature without own":        {policy.RequireRow(instructor, policy.PaymentTake, north, true), false},
	} {
		if (c.err == nil) != c.ok {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	for name, c := range map[string]struct{ got, want bool }{
		"owner":                 {scope(role(policy.Owner, whole)).Grants.Owner, true},
		"admin":                 {scope(role(policy.Admin, whole)).Grants.Owner, false},
		"owner of one location": {scope(role(policy.Owner, north)).Grants.Owner, false},
		"nobody":                {scope().Grants.Owner, false},
	} {
		if c.got != c.want {
			t.Errorf("%s counts as an owner of the business: %v", name, c.got)
		}
	}
}

func TestSystemHoldsEverything(t *testing.T) {
	sc := tenancy.System(elsewhere, tenancy.SurfaceJob)
	for _, d := range policy.All {
		cover, err := policy.Where(sc, d.Feature)
		if err != nil || !cover.Everywhere || policy.Require(sc, d.Feature) != nil || policy.RequireAny(sc, d.Feature) != nil ||
			policy.RequireAt(sc, d.Feature, north) != nil {
			t.Errorf("%s: %v %v", d.Feature, cover, err)
		}
	}
	if policy.Require(tenancy.Visitor(tenancy.Principal{}, elsewhere, tenancy.SurfaceAPI), policy.LocationView) == nil {
		t.Error("a visitor is let through")
	}
}

func TestLimited(t *testing.T) {
	desk := scope(role(policy.FrontDesk, north))
	limited := func(sc tenancy.Scope, f tenancy.Feature, location uuid.UUID) bool {
		return policy.RequireAt(sc, f, location) == nil && !sc.Grants.Unlimited(f, location)
	}
	for name, c := range map[string]struct{ got, want bool }{
		"desk refunds":              {limited(desk, policy.PaymentRefund, north), true},
		"desk takes payments":       {limited(desk, policy.PaymentTake, north), false},
		"desk at another location":  {limited(desk, policy.PaymentRefund, south), false},
		"desk of the whole house":   {limited(scope(role(policy.FrontDesk, whole)), policy.CRMManage, whole), true},
		"manager":                   {limited(scope(role(policy.Manager, north)), policy.PaymentRefund, north), false},
		"desk and manager":          {limited(scope(role(policy.FrontDesk, north), role(policy.Manager, north)), policy.PaymentRefund, north), false},
		"instructor, own rows only": {limited(scope(role(policy.Instructor, north)), policy.MessageSend, north), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", name, c.got)
		}
	}
}

func TestWhere(t *testing.T) {
	for name, c := range map[string]struct {
		sc   tenancy.Scope
		want policy.Cover
	}{
		"owner":                  {scope(role(policy.Owner, whole)), policy.Cover{Everywhere: true}},
		"two desks":              {scope(role(policy.FrontDesk, south), role(policy.FrontDesk, north)), policy.Cover{Locations: []uuid.UUID{north, south}}},
		"instructor":             {scope(role(policy.Instructor, north)), policy.Cover{Own: true}},
		"instructor and manager": {scope(role(policy.Instructor, whole), role(policy.Manager, south)), policy.Cover{Locations: []uuid.UUID{south}, Own: true}},
	} {
		got, err := policy.Where(c.sc, policy.BookingView)
		if err != nil || got.Everywhere != c.want.Everywhere || got.Own != c.want.Own || !slices.Equal(got.Locations, c.want.Locations) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	if _, err := policy.Where(scope(role(policy.Marketer, whole)), policy.BookingView); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("marketer lists bookings: %v", err)
	}
}

// A limit holds where it was given, and nowhere that the full form is held too.
func TestWhereFull(t *testing.T) {
	for name, c := range map[string]struct {
		sc   tenancy.Scope
		want policy.Cover
	}{
		"owner":                    {scope(role(policy.Owner, whole)), policy.Cover{Everywhere: true}},
		"a desk":                   {scope(role(policy.FrontDesk, north)), policy.Cover{}},
		"a desk of the whole":      {scope(role(policy.FrontDesk, whole)), policy.Cover{}},
		"desk here, manager there": {scope(role(policy.FrontDesk, north), role(policy.Manager, south)), policy.Cover{Locations: []uuid.UUID{south}}},
		"desk and manager here":    {scope(role(policy.FrontDesk, whole), role(policy.Manager, north)), policy.Cover{Locations: []uuid.UUID{north}}},
		"system":                   {tenancy.System(elsewhere, tenancy.SurfaceJob), policy.Cover{Everywhere: true}},
	} {
		got := policy.WhereFull(c.sc, policy.PaymentView)
		if got.Everywhere != c.want.Everywhere || got.Own || !slices.Equal(got.Locations, c.want.Locations) {
			t.Errorf("%s: %+v", name, got)
		}
		if got.At(north) != (c.want.Everywhere || slices.Contains(c.want.Locations, north)) {
			t.Errorf("%s at the place: %v", name, got.At(north))
		}
	}
}
