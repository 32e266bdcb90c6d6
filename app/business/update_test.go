package business_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/policy"
)

// pay writes a payment at a location, without the order behind it.
func pay(t *testing.T, w *apptest.World, s apptest.Studio, location uuid.UUID, status string) {
	t.Helper()
	w.SQL(t, fmt.Sprintf(`set session_replication_role = replica;
		insert into payments (id, business_id, location_id, order_id, env, account, attempt, amount, currency, fee_amount, fee_ppm,
			status, created_at, updated_at)
		values (gen_random_uuid(), '%s', '%s', gen_random_uuid(), 'simulated', 'acct_sim_1', 1, 2200, 'USD', 44, 20000,
			'%s', '2026-06-10', '2026-06-10')`, s.Business.ID, location, status))
}

func TestGet(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	coach := s.Join(t, "kim@example.com", apptest.At(policy.Instructor, s.Location.ID))
	if got, err := h.Get(t.Context(), coach); err != nil || got != s.Business {
		t.Errorf("%+v (%v)", got, err)
	}
	if _, err := h.Get(t.Context(), tenancy.Scope{Tenant: s.Business.ID}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a visitor: %v", err)
	}
	if _, err := business.BusinessOf(t.Context(), w.DB.View(uuid.New())); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("a business that does not exist: %v", err)
	}
}

func TestUpdate(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	got, err := h.Update(t.Context(), s.Owner, business.UpdateInput{
		Version: 1, Name: ptr(" Harbour Movement "), FeeMode: ptr(business.FeeSplit), Zone: ptr("America/Chicago"),
		Currency: ptr(money.Currency("CAD")), ClassWord: ptr("Sessions"), AppointmentWord: ptr("Privates"), RentalWord: ptr("Rooms"),
	})
	if err != nil || got.Name != "Harbour Movement" || got.FeeMode != "split" || got.Currency != "CAD" || got.Version != 2 ||
		got.Words != (business.Words{ClassWord: "Sessions", AppointmentWord: "Privates", RentalWord: "Rooms"}) || got.Slug != s.Business.Slug {
		t.Fatalf("%+v (%v)", got, err)
	}
	if read, err := h.Get(t.Context(), s.Owner); err != nil || read != got {
		t.Errorf("read back %+v (%v)", read, err)
	}
	_, err = h.Update(t.Context(), s.Owner, business.UpdateInput{Version: 1, Name: ptr("Late")})
	if !errors.Is(err, fault.ErrStale) || fault.From(err).Details["version"] != int64(2) {
		t.Errorf("stale: %v", err)
	}
	_, err = h.Update(t.Context(), s.Owner, business.UpdateInput{
		Version: 2, Name: ptr(strings.Repeat("x", 121)), ClassWord: ptr(" "), FeeMode: ptr(business.FeeMode("half")), Zone: ptr("x"),
		Currency: ptr(money.Currency("usd")), Slug: ptr("-"),
	})
	if got := strings.Join(fields(err), " "); got != "name classWord slug currency zone feeMode" {
		t.Errorf("wrong fields %q", got)
	}
	manager := s.Join(t, "kim@example.com", apptest.Everywhere(policy.Manager))
	if _, err := h.Update(t.Context(), manager, business.UpdateInput{Version: 2, Name: ptr("Mine")}); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a manager: %v", err)
	}
}

// The currency is frozen by the first payment, also one under way; a payment that failed does not count.
func TestCurrencyFreezes(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	second := s.AddLocation(t, "Uptown")
	business1 := func(version int64) error {
		_, err := h.Update(t.Context(), s.Owner, business.UpdateInput{Version: version, Currency: ptr(money.Currency("CAD"))})
		return err
	}
	location := func(l business.Location, c money.Currency) error {
		_, err := h.UpdateLocation(t.Context(), s.Owner, business.UpdateLocationInput{LocationID: l.ID, Version: l.Version, Currency: &c})
		return err
	}
	pay(t, w, s, s.Location.ID, "failed")
	if err := business1(1); err != nil {
		t.Errorf("after a failed payment: %v", err)
	}
	pay(t, w, s, s.Location.ID, "awaiting_method")
	if err := location(s.Location, "EUR"); !errors.Is(err, business.ErrCurrencyFrozen) {
		t.Errorf("a location with a payment under way: %v", err)
	}
	if err := location(s.Location, "USD"); err != nil {
		t.Errorf("the same currency is no change: %v", err)
	}
	if err := location(second, "EUR"); err != nil {
		t.Errorf("another location: %v", err)
	}
	_, err := h.Update(t.Context(), s.Owner, business.UpdateInput{Version: 2, Currency: ptr(money.Currency("EUR"))})
	if !errors.Is(err, business.ErrCurrencyFrozen) {
		t.Errorf("the business: %v", err)
	}
}

// A54, A65, A218: all features, the published table, the caller's own set.
func TestFeatures(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	desk := s.Join(t, "kim@example.com", apptest.At(policy.FrontDesk, s.Location.ID), apptest.Everywhere(policy.Instructor))
	var list []business.FeatureAccess
	if n := w.Statements(func() { list = h.Features(desk) }); n != 0 || len(list) != len(policy.All) {
		t.Fatalf("%d features in %d trips", len(list), n)
	}
	held := map[tenancy.Feature]policy.Cover{}
	for i, f := range list {
		if f.Feature != policy.All[i].Feature || f.Description.Description == "" || len(f.Roles) == 0 || f.Roles[0].Role != policy.Owner {
			t.Errorf("%+v", f)
		}
		held[f.Feature] = f.Held
	}
	if got := held[policy.BookingCheckin]; got.Everywhere || len(got.Locations) != 1 || !got.Own {
		t.Errorf("check-in is held %+v", got)
	}
	if got := held[policy.LocationView]; !got.Everywhere {
		t.Errorf("location.view is held %+v", got)
	}
	if got := held[policy.TeamManage]; got.Everywhere || got.Own || len(got.Locations) != 0 {
		t.Errorf("team.manage is held %+v", got)
	}
}

// A25: the platform sets the rate of the studio with an address, its own or a location's, and the log names the
// command line.
func TestSetFeeRate(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	for _, slug := range []string{s.Business.Slug, s.Location.Slug, strings.ToUpper(s.Location.Slug)} {
		if got, err := business.AtAddress(t.Context(), w.DB, slug); err != nil || got.ID != s.Business.ID {
			t.Errorf("at %s is %+v (%v)", slug, got, err)
		}
	}
	for _, slug := range []string{"nobody", "", "?"} {
		if _, err := business.AtAddress(t.Context(), w.DB, slug); !fault.IsKind(err, fault.NotFound) {
			t.Errorf("at %q: %v", slug, err)
		}
	}
	if got, err := business.SetFeeRate(t.Context(), w.DB, s.Business.ID, 15_000); err != nil || got.FeePPM != 15_000 {
		t.Errorf("%+v (%v)", got, err)
	}
	if by := apptest.Value[string](t, w, "select surface from audit_events where business_id = $1 order by seq desc limit 1", s.Business.ID); by != string(tenancy.SurfaceCLI) {
		t.Errorf("the log says %s", by)
	}
	for _, ppm := range []int64{-1, business.MaxFeePPM + 1} {
		if _, err := business.SetFeeRate(t.Context(), w.DB, s.Business.ID, ppm); len(fields(err)) != 1 {
			t.Errorf("%d ppm: %v", ppm, err)
		}
	}
	if _, err := business.SetFeeRate(t.Context(), w.DB, uuid.New(), 1); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("no business: %v", err)
	}
}
