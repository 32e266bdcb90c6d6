package business_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/policy"
)

func TestRevenueCategories(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	create := func(name string) (business.RevenueCategory, error) {
		return h.CreateRevenueCategory(t.Context(), s.Owner, business.RevenueCategoryInput{Name: name})
	}
	c, err := create(" Workshops ")
	if err != nil || c.Name != "Workshops" || c.Version != 1 || c.ArchivedAt != nil {
		t.Fatalf("%+v (%v)", c, err)
	}
	if _, err := create(""); !slices.Equal(fields(err), []string{"name"}) {
		t.Errorf("without a name: %v", err)
	}
	_, err = create("Workshops")
	if !errors.Is(err, business.ErrCategoryName) || !slices.Equal(fields(err), []string{"name"}) {
		t.Errorf("the name twice: %v", err)
	}
	coach := s.Join(t, "kim@example.com", apptest.At(policy.Instructor, s.Location.ID))
	list, err := h.RevenueCategories(t.Context(), coach, business.RevenueCategoriesInput{})
	if err != nil || len(list.Items) != 1 || list.Items[0] != c {
		t.Errorf("%+v (%v)", list, err)
	}
	if got, err := h.RevenueCategory(t.Context(), coach, c.ID); err != nil || got != c {
		t.Errorf("%+v (%v)", got, err)
	}
	manager := s.Join(t, "pat@example.com", apptest.Everywhere(policy.Manager))
	_, add := h.CreateRevenueCategory(t.Context(), manager, business.RevenueCategoryInput{Name: "x"})
	_, update := h.UpdateRevenueCategory(t.Context(), manager, business.UpdateRevenueCategoryInput{
		RevenueCategoryID: c.ID, Version: 1,
	})
	for verb, err := range map[string]error{"create": add, "update": update} {
		if !errors.Is(err, policy.ErrMissingFeature) {
			t.Errorf("%s by a manager: %v", verb, err)
		}
	}
}

// The name of an archived category is free; it is restored as long as its name is.
func TestRevenueCategoriesAreArchived(t *testing.T) {
	w := apptest.Open(t)
	h := w.Businesses(t)
	s := w.Studio(t)
	one := s.AddRevenueCategory(t, "Workshops")
	update := func(in business.UpdateRevenueCategoryInput) (business.RevenueCategory, error) {
		return h.UpdateRevenueCategory(t.Context(), s.Owner, in)
	}
	gone, err := update(business.UpdateRevenueCategoryInput{RevenueCategoryID: one.ID, Version: 1, Archived: ptr(true)})
	if err != nil || gone.ArchivedAt == nil || gone.Version != 2 {
		t.Fatalf("archived %+v (%v)", gone, err)
	}
	for archived, want := range map[bool]int{false: 0, true: 1} {
		list, err := h.RevenueCategories(t.Context(), s.Owner, business.RevenueCategoriesInput{Archived: archived})
		if err != nil || len(list.Items) != want {
			t.Errorf("archived %t: %+v (%v)", archived, list.Items, err)
		}
	}
	two := s.AddRevenueCategory(t, "Workshops")
	back := business.UpdateRevenueCategoryInput{RevenueCategoryID: one.ID, Version: 2, Archived: ptr(false)}
	if _, err := update(back); !errors.Is(err, business.ErrCategoryName) {
		t.Errorf("restored under a name in use: %v", err)
	}
	two, err = update(business.UpdateRevenueCategoryInput{RevenueCategoryID: two.ID, Version: 1, Name: ptr("Clay")})
	if err != nil || two.Name != "Clay" {
		t.Errorf("renamed: %v", err)
	}
	if got, err := update(back); err != nil || got.ArchivedAt != nil || got.Version != 3 {
		t.Errorf("restored %+v (%v)", got, err)
	}
	if _, err := update(back); !errors.Is(err, fault.ErrStale) {
		t.Errorf("stale: %v", err)
	}
	foreign := w.Studio(t).AddRevenueCategory(t, "x").ID
	for name, id := range map[string]uuid.UUID{"unknown": uuid.New(), "foreign": foreign} {
		_, err := update(business.UpdateRevenueCategoryInput{RevenueCategoryID: id, Version: 1})
		if err == nil || err.Error() != fault.Missing().Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
