package product_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/product"
	"foyer/app/tenancy"
	"foyer/policy"
)

// TestTotals: prices and stock of products, at the caller's locations or at one of them.
func TestTotals(t *testing.T) {
	t.Parallel()
	s := open(t)
	there := s.AddLocation(t, "Riverside")
	p, variants := s.product(t, "Shirt", 5, "Blue", "Red")
	empty, err := s.Create(t.Context(), s.Owner, product.CreateInput{Name: "Draft"})
	must(t, empty, err)
	_, err = s.edit(t, variants[1], func(in *product.UpdateVariantInput) { in.PriceAmount = new(int64(1500)) })
	must(t, 0, err)
	_, err = s.Receive(t.Context(), s.Owner, product.ReceiveInput{StockInput: s.at(variants[0], there.ID), Quantity: 3})
	must(t, 0, err)
	here := s.Join(t, "here@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	for what, c := range map[string]struct {
		sc       tenancy.Scope
		location uuid.UUID
		want     int
	}{
		"all": {s.Owner, uuid.Nil, 13}, "there": {s.Owner, there.ID, 3}, "of here": {here, uuid.Nil, 10},
		"not here": {here, there.ID, 0},
	} {
		got, err := s.Totals(t.Context(), c.sc, product.TotalsInput{
			ProductIDs: []uuid.UUID{p.ID, empty.ID}, LocationID: c.location,
		})
		must(t, got, err)
		want := product.Total{ProductID: p.ID, LeastAmount: 1200, MostAmount: 1500, Tracked: 2, OnHand: c.want}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	_, err = s.edit(t, variants[1], func(in *product.UpdateVariantInput) { in.Track = new(false) })
	must(t, 0, err)
	if got, err := s.Totals(t.Context(), s.Owner, product.TotalsInput{ProductIDs: []uuid.UUID{p.ID}}); err != nil ||
		got[0].Tracked != 1 || got[0].OnHand != 8 {
		t.Errorf("with one tracked: %+v, %v", got, err)
	}
	_, err = s.Totals(t.Context(), s.Visitor(), product.TotalsInput{ProductIDs: []uuid.UUID{p.ID}})
	apptest.Refused(t, err, fault.Forbidden)
	_, err = s.Totals(t.Context(), s.Owner, product.TotalsInput{ProductIDs: make([]uuid.UUID, 201)})
	wrong(t, "too many", err, "productIds")
}
