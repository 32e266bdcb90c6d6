package settings_test

import (
	"testing"

	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// A revenue category is added, renamed, archived with an undo, and restored. Its name is refused at its field as long
// as another one has it.
func TestRevenueCategories(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	const list = "/settings/revenue-categories"
	owner.Get("/settings").Shows(t, "Revenue categories", "None: income is booked by kind")
	add := func(name string) *consoletest.Page {
		return owner.Send(owner.Get(list+"/new").Form("/new"), "name", name)
	}
	add("Workshops").Is(t, 200).Shows(t, "Added Workshops. Choose it in the details of an offering.")
	add("Workshops").Is(t, 409).Shows(t, "Another revenue category has this name.")
	owner.Get("/settings").Shows(t, "1 category")
	all, err := s.Services.Business.RevenueCategories(t.Context(), s.Owner, business.RevenueCategoriesInput{})
	if err != nil || len(all.Items) != 1 {
		t.Fatalf("%+v (%v)", all, err)
	}
	at := list + "/" + all.Items[0].ID.String()
	form := owner.Get(at).Is(t, 200).Form(at[len(list):])
	owner.Send(form, "name", "Clay").Is(t, 200).Shows(t, "Saved Clay.")
	owner.Send(owner.Get(at).Form("/archive")).Is(t, 200).Shows(t, "Archived Clay.")
	owner.Get(list).Shows(t, "No revenue categories")
	owner.Get(list+"?archived=1").Shows(t, "Clay")
	owner.Send(owner.Get(at).Shows(t, "Archived.").Form("/restore")).Is(t, 200).Shows(t, "Restored Clay.")
	owner.Get(list).Shows(t, "Clay")
	page := owner.Get("/settings/changes?record=revenue_categories").Is(t, 200).Shows(t, "Revenue category · Clay")
	if page.Link(at) == "" {
		t.Error("the activity log has no link to the category")
	}
	viewer := s.As(t, policy.Viewer)
	viewer.Get(list).Is(t, 200).Shows(t, "Clay")
	viewer.Get(at).Is(t, 403)
}
