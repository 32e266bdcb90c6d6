package settings

import (
	"context"
	"strconv"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

const categoriesAt = "/settings/revenue-categories"

// revenueCategories mounts the income categories of offerings.
func (s *screens) revenueCategories() {
	s.Page("listRevenueCategories", categoriesAt, s.showCategories)
	s.Page("createRevenueCategory", categoriesAt+"/new", s.showNewCategory)
	s.Form("createRevenueCategory", categoriesAt+"/new", desk.Form{Do: s.addCategory, Show: s.showNewCategory})
	s.Page("updateRevenueCategory", categoriesAt+"/:category", s.showCategory)
	s.Form("updateRevenueCategory", categoriesAt+"/:category", desk.Form{
		Do: s.renameCategory, Show: s.showCategory, Inputs: []string{"name"},
	})
	s.Form("updateRevenueCategory", categoriesAt+"/:category/archive", desk.Form{Do: s.archiveCategory})
	s.Form("updateRevenueCategory", categoriesAt+"/:category/restore", desk.Form{Do: s.restoreCategory})
}

func (s *screens) showCategories(c *desk.Call) (ui.Screen, error) {
	archived := c.Value("archived") != ""
	page, err := s.Business.RevenueCategories(c.Context(), c.Scope, business.RevenueCategoriesInput{
		In: most, Archived: archived,
	})
	screen := ui.Screen{
		Title: c.UI.T("Revenue categories"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"),
		Lead: c.UI.T("Sales of an offering with a revenue category have an income account of their own in your books."),
		Body: categoriesBody(c, page.Items, archived),
	}
	if c.May("createRevenueCategory") && (len(page.Items) > 0 || archived) {
		screen.Acts = ui.Go(c.To(categoriesAt+"/new"), ui.Button{Text: c.UI.T("New category")})
	}
	return screen, err
}

func (s *screens) showNewCategory(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{
		Title: c.UI.T("New category"), Area: area, Up: up(c, c.UI.T("Revenue categories"), categoriesAt),
		Body: categoryBody(c, categoriesAt+"/new", business.RevenueCategory{}),
	}, nil
}

func (s *screens) addCategory(c *desk.Call, ctx context.Context) (desk.Done, error) {
	made, err := s.Business.CreateRevenueCategory(ctx, c.Scope, business.RevenueCategoryInput{Name: c.Value("name")})
	return desk.Done{
		To: c.To(categoriesAt), Said: c.UI.T("Added {name}. Choose it in the details of an offering.", "name", made.Name),
	}, err
}

// category returns the one of the address, archived or not.
func (s *screens) category(c *desk.Call) (business.RevenueCategory, error) {
	id, err := c.ID("category")
	if err != nil {
		return business.RevenueCategory{}, err
	}
	return s.Business.RevenueCategory(c.Context(), c.Scope, id)
}

func (s *screens) showCategory(c *desk.Call) (ui.Screen, error) {
	got, err := s.category(c)
	at := categoriesAt + "/" + got.ID.String()
	screen := ui.Screen{
		Title: got.Name, Area: area, Up: up(c, c.UI.T("Revenue categories"), categoriesAt), Body: categoryBody(c, at, got),
		Lead: c.UI.T(
			"Archive it when new offerings should not use it. Offerings that have it keep it until you choose another."),
	}
	act, text := "/archive", c.UI.T("Archive")
	if got.ArchivedAt != nil {
		act, text = "/restore", c.UI.T("Restore")
		screen.Lead = c.UI.T("Archived. Offerings that have it keep it until you choose another.")
	}
	screen.Acts = ui.Press(c.UI, c.To(at+act), ui.Button{Text: text, Kind: "quiet", Small: true}, version(got))
	return screen, err
}

func (s *screens) renameCategory(c *desk.Call, ctx context.Context) (desk.Done, error) {
	got, err := s.changeCategory(c, ctx, business.UpdateRevenueCategoryInput{Name: given(c, "name")})
	return desk.Done{To: c.To(categoriesAt), Said: c.UI.T("Saved {name}.", "name", got.Name)}, err
}

func (s *screens) archiveCategory(c *desk.Call, ctx context.Context) (desk.Done, error) {
	got, err := s.changeCategory(c, ctx, business.UpdateRevenueCategoryInput{Archived: new(true)})
	return desk.Done{
		To: c.To(categoriesAt), Said: c.UI.T("Archived {name}.", "name", got.Name),
		Undo: &ui.Undo{Action: c.To(categoriesAt + "/" + got.ID.String() + "/restore"), Fields: []view.Param{version(got)}},
	}, err
}

func (s *screens) restoreCategory(c *desk.Call, ctx context.Context) (desk.Done, error) {
	got, err := s.changeCategory(c, ctx, business.UpdateRevenueCategoryInput{Archived: new(false)})
	return desk.Done{To: c.To(categoriesAt), Said: c.UI.T("Restored {name}.", "name", got.Name)}, err
}

// changeCategory changes the category of the address, as the page had read it.
func (s *screens) changeCategory(c *desk.Call, ctx context.Context, in business.UpdateRevenueCategoryInput) (
	business.RevenueCategory, error) {
	id, err := c.ID("category")
	if err != nil {
		return business.RevenueCategory{}, err
	}
	in.RevenueCategoryID, in.Version = id, c.Version()
	return s.Business.UpdateRevenueCategory(ctx, c.Scope, in)
}

// version returns the hidden field of the version that the page has read.
func version(c business.RevenueCategory) view.Param {
	return view.Param{Name: "version", Value: strconv.FormatInt(c.Version, 10)}
}
