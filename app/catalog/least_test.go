package catalog_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/patch"
)

// An offering payable by card only is not published below the minimum of a card payment: the error has the price and
// the minimum. A policy with payment at the studio makes it sellable, and so does a price of zero.
func TestPublishAtLeastWhatACardCanPay(t *testing.T) {
	s := open(t)
	low := s.create(t, func(in *catalog.CreateInput) { in.PriceAmount = ptr(int64(49)) })
	_, err := s.Publish(t.Context(), s.System(), low.ID)
	apptest.Is(t, err, catalog.ErrBelowCardMinimum)
	if d := fault.From(err).Details; apptest.Wrong(err) != "price" || d["least"] != int64(50) || d["currency"] != "USD" {
		t.Errorf("wrong are %q, %v", apptest.Wrong(err), d)
	}
	s.published(t, func(in *catalog.CreateInput) { in.PriceAmount = ptr(int64(50)) })
	s.published(t, func(in *catalog.CreateInput) { in.PriceAmount = ptr(int64(0)) })

	ok := s.published(t)
	_, err = s.Update(t.Context(), s.System(), catalog.UpdateInput{ID: ok.ID, Version: ok.Version, PriceAmount: ptr(int64(1))})
	apptest.Is(t, err, catalog.ErrBelowCardMinimum)
	desk := s.AddPolicy(t, func(r *catalog.Rules) { r.PayAtStudio = true })
	own, err := s.Update(t.Context(), s.System(), catalog.UpdateInput{ID: ok.ID, Version: ok.Version, PriceAmount: ptr(int64(1)), PolicyID: patch.Some(desk)})
	if err != nil {
		t.Fatalf("at the studio: %v", err)
	}
	_, err = s.Update(t.Context(), s.System(), catalog.UpdateInput{ID: own.ID, Version: own.Version, PolicyID: patch.None[uuid.UUID]()})
	apptest.Is(t, err, catalog.ErrBelowCardMinimum)
	if own, err = s.Update(t.Context(), s.System(), catalog.UpdateInput{ID: own.ID, Version: own.Version, Name: ptr("Evening Yoga")}); err != nil || own.Name != "Evening Yoga" {
		t.Errorf("another edit: %v", err)
	}
}

// Amounts of rules that are paid by card are ones that a card can pay.
func TestRulesNameWhatACardCanPay(t *testing.T) {
	s := open(t)
	rules := catalog.StandardRules()
	rules.Deposit.Amount, rules.Cancel.LateFeeAmount, rules.NoShow.FeeAmount = 49, 30, 1
	_, err := s.CreatePolicy(t.Context(), s.System(), catalog.CreatePolicyInput{Name: "Low", Rules: rules})
	if got := apptest.Wrong(err); got != "rules.cancel.lateFeeAmount rules.deposit.amount rules.noShow.feeAmount" {
		t.Errorf("wrong are %q", got)
	}
	rules.Deposit.Amount, rules.CollectFees = 50, false
	if _, err := s.CreatePolicy(t.Context(), s.System(), catalog.CreatePolicyInput{Name: "By hand", Rules: rules}); err != nil {
		t.Errorf("fees that no card is charged for: %v", err)
	}
}
