package settings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
)

// taxes mounts the tax rates of locations and offerings.
func (s *screens) taxes() {
	s.Page("listTaxRates", "/settings/taxes", s.showRates)
	s.Page("createTaxRate", "/settings/taxes/new", s.showNewRate)
	s.Form("createTaxRate", "/settings/taxes/new", desk.Form{Do: s.addRate, Show: s.showNewRate, Inputs: rateInputs})
	s.Page("updateTaxRate", "/settings/taxes/:rate", s.showRate)
	s.Form("updateTaxRate", "/settings/taxes/:rate", desk.Form{Do: s.changeRate, Show: s.showRate, Inputs: rateInputs})
}

var rateInputs = []string{"name", "ppm"}

func (s *screens) showRates(c *desk.Call) (ui.Screen, error) {
	page, err := s.Business.TaxRates(c.Context(), c.Scope, most)
	screen := ui.Screen{Title: c.UI.T("Taxes"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: ratesBody(c, page.Items)}
	if c.May("createTaxRate") && len(page.Items) > 0 {
		screen.Acts = ui.Go(c.To("/settings/taxes/new"), ui.Button{Text: c.UI.T("New rate")})
	}
	return screen, err
}

func (s *screens) showNewRate(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{Title: c.UI.T("New rate"), Area: area, Up: up(c, c.UI.T("Taxes"), "/settings/taxes"), Body: rateBody(c, "/settings/taxes/new", business.TaxRate{})}, nil
}

func (s *screens) addRate(c *desk.Call, ctx context.Context) (desk.Done, error) {
	ppm, err := percent(c, "ppm")
	if err != nil {
		return desk.Done{}, err
	}
	r, err := s.Business.CreateTaxRate(ctx, c.Scope, business.TaxRateInput{Name: c.Value("name"), PPM: int(ppm)})
	return desk.Done{To: c.To("/settings/taxes"), Said: c.UI.T("Added {name}. Locations and offerings can use it.", "name", r.Name)}, err
}

// rate returns one of the rates in use.
func (s *screens) rate(c *desk.Call) (business.TaxRate, error) {
	id, err := c.ID("rate")
	if err != nil {
		return business.TaxRate{}, err
	}
	return s.rateOf(c, id)
}

func (s *screens) rateOf(c *desk.Call, id uuid.UUID) (business.TaxRate, error) {
	page, err := s.Business.TaxRates(c.Context(), c.Scope, most)
	if err != nil {
		return business.TaxRate{}, err
	}
	for _, r := range page.Items {
		if r.ID == id {
			return r, nil
		}
	}
	return business.TaxRate{}, fault.Missing()
}

func (s *screens) showRate(c *desk.Call) (ui.Screen, error) {
	r, err := s.rate(c)
	return ui.Screen{
		Title: r.Name, Area: area, Up: up(c, c.UI.T("Taxes"), "/settings/taxes"), Body: rateBody(c, "/settings/taxes/"+r.ID.String(), r),
		Lead: c.UI.T("A different percentage creates a new rate: locations and offerings switch to it, and old receipts keep the old one."),
	}, err
}

func (s *screens) changeRate(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("rate")
	if err != nil {
		return desk.Done{}, err
	}
	ppm, err := percent(c, "ppm")
	if err != nil {
		return desk.Done{}, err
	}
	r, err := s.Business.UpdateTaxRate(ctx, c.Scope, business.UpdateTaxRateInput{
		TaxRateID: id, Version: c.Version(), Name: given(c, "name"), PPM: new(int(ppm)),
	})
	return desk.Done{To: c.To("/settings/taxes"), Said: c.UI.T("Saved {name}.", "name", r.Name)}, err
}
