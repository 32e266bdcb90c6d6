package business_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/policy"
)

func TestTaxRates(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	rate, err := h.CreateTaxRate(t.Context(), s.Owner, business.TaxRateInput{Name: " Sales tax ", PPM: 88_750})
	if err != nil || rate.Name != "Sales tax" || rate.PPM != 88_750 || rate.Version != 1 {
		t.Fatalf("%+v (%v)", rate, err)
	}
	_, err = h.CreateTaxRate(t.Context(), s.Owner, business.TaxRateInput{PPM: 1_000_001})
	if got := strings.Join(fields(err), " "); got != "name ppm" {
		t.Errorf("wrong fields %q", got)
	}
	coach := s.Join(t, "kim@example.com", apptest.At(policy.Instructor, s.Location.ID))
	if list, err := h.TaxRates(t.Context(), coach, paging.In[uuid.UUID]{}); err != nil || len(list.Items) != 1 || list.Items[0] != rate {
		t.Errorf("%+v (%v)", list, err)
	}
	manager := s.Join(t, "pat@example.com", apptest.Everywhere(policy.Manager))
	_, create := h.CreateTaxRate(t.Context(), manager, business.TaxRateInput{Name: "x"})
	_, update := h.UpdateTaxRate(t.Context(), manager, business.UpdateTaxRateInput{TaxRateID: rate.ID, Version: 1})
	for verb, err := range map[string]error{"create": create, "update": update} {
		if !errors.Is(err, policy.ErrMissingFeature) {
			t.Errorf("%s by a manager: %v", verb, err)
		}
	}
}

// A new figure is a new rate; every use of the old one changes to the new one, in one transaction.
func TestATaxRateNeverChangesItsFigure(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	var moved [][2]uuid.UUID
	h := w.Businesses(t, func(o *business.Options) {
		o.ReplaceTaxRateTx = func(_ context.Context, _ *pg.Tx, old, successor uuid.UUID) error {
			moved = append(moved, [2]uuid.UUID{old, successor})
			return nil
		}
	})
	rate := s.AddTaxRate(t, "Sales tax", 80_000)
	l := s.AddLocation(t, "Uptown", func(in *business.LocationInput) { in.TaxRateID = &rate.ID })
	update := func(in business.UpdateTaxRateInput) (business.TaxRate, error) {
		in.TaxRateID = rate.ID
		return h.UpdateTaxRate(t.Context(), s.Owner, in)
	}
	named, err := update(business.UpdateTaxRateInput{Version: 1, Name: ptr("State tax"), PPM: ptr(80_000)})
	if err != nil || named.ID != rate.ID || named.Name != "State tax" || named.Version != 2 || len(moved) != 0 {
		t.Fatalf("renamed %+v (%v)", named, err)
	}
	if _, err := update(business.UpdateTaxRateInput{Version: 1, PPM: ptr(1)}); !errors.Is(err, fault.ErrStale) {
		t.Errorf("stale: %v", err)
	}
	next, err := update(business.UpdateTaxRateInput{Version: 2, PPM: ptr(82_500)})
	if err != nil || next.ID == rate.ID || next.PPM != 82_500 || next.Name != "State tax" || next.Version != 1 {
		t.Fatalf("replaced by %+v (%v)", next, err)
	}
	if len(moved) != 1 || moved[0] != [2]uuid.UUID{rate.ID, next.ID} {
		t.Errorf("moved %v", moved)
	}
	if n := apptest.Value[int](t, w, "select count(*) from tax_rates where id = $1 and ppm = 80000 and archived_at is not null", rate.ID); n != 1 {
		t.Error("the old rate is not there as it was, archived")
	}
	if got, err := h.Location(t.Context(), s.Owner, l.ID); err != nil || *got.TaxRateID != next.ID || got.Version != 2 {
		t.Errorf("the location reads %+v (%v)", got, err)
	}
	if list, err := h.TaxRates(t.Context(), s.Owner, paging.In[uuid.UUID]{}); err != nil || len(list.Items) != 1 || list.Items[0].ID != next.ID {
		t.Errorf("in use: %+v (%v)", list, err)
	}
	if _, err := update(business.UpdateTaxRateInput{Version: 3, Name: ptr("x")}); !errors.Is(err, business.ErrRateArchived) {
		t.Errorf("a replaced rate: %v", err)
	}
	if _, err := h.CreateLocation(t.Context(), s.Owner, business.LocationInput{Name: "X", TaxRateID: &rate.ID}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("a new location with a replaced rate: %v", err)
	}
	for name, id := range map[string]uuid.UUID{"unknown": uuid.New(), "foreign": w.Studio(t).AddTaxRate(t, "VAT", 1).ID} {
		_, err := h.UpdateTaxRate(t.Context(), s.Owner, business.UpdateTaxRateInput{TaxRateID: id, Version: 1})
		if err == nil || err.Error() != fault.Missing().Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// When an offering cannot follow, nothing changes.
func TestATaxRateIsReplacedWholeOrNotAtAll(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	refused := errors.New("refused")
	h := w.Businesses(t, func(o *business.Options) {
		o.ReplaceTaxRateTx = func(context.Context, *pg.Tx, uuid.UUID, uuid.UUID) error { return refused }
	})
	rate := s.AddTaxRate(t, "VAT", 200_000)
	if _, err := h.UpdateTaxRate(t.Context(), s.Owner, business.UpdateTaxRateInput{TaxRateID: rate.ID, Version: 1, PPM: ptr(1)}); !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if list, err := h.TaxRates(t.Context(), s.Owner, paging.In[uuid.UUID]{}); err != nil || len(list.Items) != 1 || list.Items[0] != rate {
		t.Errorf("%+v (%v)", list, err)
	}
}
