package api_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/api"
	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// TestAdmissionIsOneTrip: admission of a request is one round trip. Only the business of a key, or of a record that
// needs a role there, is looked up before it, and cached.
func TestAdmissionIsOneTrip(t *testing.T) {
	h := open(t)
	s, other := h.open("Harbour"), h.open("Mill")
	s.class("", 0, 5)
	key, _ := s.key()
	rosa, cart := h.signIn("rosa@example.com"), s.cart("occurrence")
	business, location := s.ids["business"], s.ids["location"]
	count := []pg.Window{{Bucket: "test", Most: 1000, Length: time.Minute}}
	for name, c := range map[string]struct {
		knock        op.Knock
		first, again int
	}{
		"a visitor reads":               {op.Knock{Open: true, Kind: op.KindLocation, ID: location}, 1, 0},
		"a visitor without a record":    {op.Knock{Open: true}, 0, 0},
		"a visitor begins a cart":       {op.Knock{Open: true, Count: count}, 1, 1},
		"a visitor fills a cart":        {op.Knock{Open: true, Count: count, Kind: op.KindCart, ID: cart}, 1, 1},
		"a person reads":                {op.Knock{Open: true, Bearer: rosa, Kind: op.KindOffering, ID: s.ids["offering"]}, 1, 1},
		"a person holds a cart":         {op.Knock{Bearer: rosa, Kind: op.KindCart, ID: cart}, 1, 1},
		"a person pays for a cart":      {op.Knock{Bearer: rosa, Count: count, Kind: op.KindCart, ID: cart}, 1, 1},
		"a person's own":                {op.Knock{Bearer: rosa}, 1, 1},
		"an owner in the business":      {op.Knock{Bearer: s.owner, Roles: true, Kind: op.KindBusiness, ID: business}, 1, 1},
		"an owner at a location":        {op.Knock{Bearer: s.owner, Roles: true, Kind: op.KindLocation, ID: location}, 2, 1},
		"an owner elsewhere":            {op.Knock{Bearer: other.owner, Roles: true, Kind: op.KindBusiness, ID: business}, 1, 1},
		"a key in its business":         {op.Knock{Bearer: key, Roles: true, Kind: op.KindBusiness, ID: business}, 2, 1},
		"a key at a location":           {op.Knock{Bearer: key, Roles: true, Kind: op.KindLocation, ID: location}, 3, 1},
		"a key in another business":     {op.Knock{Bearer: key, Roles: true, Kind: op.KindBusiness, ID: other.ids["business"]}, 3, 2},
		"nobody, where somebody has to": {op.Knock{Kind: op.KindCart, ID: cart}, 0, 0},
		"nonsense":                      {op.Knock{Bearer: "nonsense", Roles: true, Kind: op.KindLocation, ID: location}, 0, 0},
	} {
		services := h.domains
		services.DB = h.As(t, "foyer_app") // its cache is empty
		gate := api.Gate(services)
		ask := func() {
			if _, err := gate.Enter(t.Context(), c.knock); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if first, again := h.Statements(ask), h.Statements(ask); first != c.first || again != c.again {
			t.Errorf("%s: %d trips, then %d; want %d and %d", name, first, again, c.first, c.again)
		}
	}
}

// TestRefusedCallsCount: a call is counted whatever its result, even with an invalid credential.
func TestRefusedCallsCount(t *testing.T) {
	h := open(t)
	gate := api.Gate(h.domains)
	for n, bearer := range []string{"", "nonsense", h.signIn("rosa@example.com")[1:] + "A", ""} {
		e, err := gate.Enter(t.Context(), op.Knock{Bearer: bearer, Count: []pg.Window{{Bucket: "test", Most: 3, Length: time.Minute}}})
		if err != nil || e.Principal.Kind != tenancy.ActorNone || e.Hits[0].Allowed != (n < 3) || !e.Hits[0].ResetAt.Equal(h.Clock.Now().Add(time.Minute)) {
			t.Errorf("call %d: %+v (%v)", n, e, err)
		}
	}
}

// TestTripsBeforeTheVerb: a request is one trip more than its verb.
func TestTripsBeforeTheVerb(t *testing.T) {
	h := open(t)
	s := h.open("Harbour")
	s.class("", 0, 9)
	rosa := h.signIn("rosa@example.com")
	key, _ := s.key()
	who, err := h.people.Authenticate(t.Context(), rosa)
	if err != nil {
		t.Fatal(err)
	}
	sc := tenancy.Visitor(who, uuid.MustParse(s.ids["business"]), tenancy.SurfaceAPI)
	hold := func(cart string) {
		h.expect(200, call{method: "POST", path: "/storefront/carts/" + cart + "/hold", token: rosa})
	}
	hold(s.cart("occurrence")) // makes the customer
	first, second := s.cart("occurrence"), s.cart("occurrence")
	verb := h.Statements(func() {
		if _, err := h.domains.Checkout.Hold(pg.WithClaim(t.Context(), pg.Claim{Key: [32]byte{1}}), sc, first, checkout.HoldInput{}); err != nil {
			t.Error(err)
		}
	})
	if trips := h.Statements(func() { hold(second) }); trips != verb+1 {
		t.Errorf("a hold: %d trips, its verb %d", trips, verb)
	}

	page := call{path: s.at("/businesses/{business}/customers"), token: key}
	h.expect(200, page)
	staff := tenancy.Scope{Tenant: sc.Tenant, Grants: tenancy.Grants{All: tenancy.NewFeatureSet("crm.view")}}
	verb = h.Statements(func() {
		if _, err := h.domains.CRM.List(t.Context(), staff, crm.ListInput{Limit: 50}); err != nil {
			t.Error(err)
		}
	})
	if trips := h.Statements(func() { h.expect(200, page) }); trips != verb+1 {
		t.Errorf("a page of customers: %d trips, its verb %d", trips, verb)
	}
}
