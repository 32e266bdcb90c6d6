package settings

import (
	"cmp"
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/view"
	"foyer/billing"
	"foyer/media"
	"foyer/policy"
)

// house mounts the screen of the business: its name and headings, its fee, and its status.
func (s *screens) house() {
	s.Page("getBusiness", "/settings/business", s.showHouse)
	s.Form("updateBusiness", "/settings/business", desk.Form{Do: s.changeHouse, Show: s.showHouse, Inputs: []string{
		"name", "slug", "currency", "zone", "feeMode", "splitPpm", "classWord", "appointmentWord", "rentalWord",
	}})
	s.Form("pauseBusiness", "/settings/business/pause", desk.Form{Do: func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		_, err := s.Business.Pause(ctx, c.Scope)
		return desk.Done{Said: c.UI.T("Customers cannot book until you resume."), Undo: &ui.Undo{Action: c.To("/settings/business/resume")}}, err
	}})
	s.Form("resumeBusiness", "/settings/business/resume", desk.Form{Do: func(c *desk.Call, ctx context.Context) (desk.Done, error) {
		_, err := s.Business.Resume(ctx, c.Scope)
		return desk.Done{Said: c.UI.T("Customers can book again.")}, err
	}})
}

func (s *screens) showHouse(c *desk.Call) (ui.Screen, error) {
	b := c.Workspace.Business
	photos, err := c.Photos(media.OfBusiness, b.ID, c.May("updateBusiness") && c.Scope.Grants.At(policy.CatalogManage, uuid.Nil))
	return ui.Screen{
		Title: c.UI.T("Business"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: houseBody(c, b, photos),
	}, err
}

func (s *screens) changeHouse(c *desk.Call, ctx context.Context) (desk.Done, error) {
	split, err := percent(c, "splitPpm")
	if err != nil {
		return desk.Done{}, err
	}
	b, err := s.Business.Update(ctx, c.Scope, business.UpdateInput{
		Version: c.Version(), Name: given(c, "name"), Slug: given(c, "slug"), Currency: new(money.Currency(c.Value("currency"))), Zone: given(c, "zone"),
		FeeMode: new(business.FeeMode(c.Value("feeMode"))), SplitPPM: new(split), ClassWord: given(c, "classWord"),
		AppointmentWord: given(c, "appointmentWord"), RentalWord: given(c, "rentalWord"),
	})
	to := desk.Root + "/" + cmp.Or(b.Slug, c.Workspace.Business.Slug) + "/settings/business" // its address may be new
	return desk.Done{To: to, Said: c.UI.T("Saved.")}, err
}

// percent reads a field of percent, "8.25" or "8,25", in parts per million.
func percent(c *desk.Call, name string) (int64, error) {
	n, err := strconv.ParseFloat(strings.Replace(strings.TrimSuffix(c.Value(name), "%"), ",", ".", 1), 64)
	if err != nil || math.IsNaN(n) || n < 0 || n > 100 {
		return 0, fault.Invalid(name, "Enter a percentage from 0 to 100, such as 8.25.")
	}
	return int64(math.Round(n * 10_000)), nil
}

// percentOf is the inverse.
func percentOf(ppm int64) string {
	return strconv.FormatFloat(float64(ppm)/10_000, 'f', -1, 64)
}

// feeExample renders the fee of a card payment of twenty in a fee mode.
func feeExample(sh ui.Shell, b business.Business, mode business.FeeMode) string {
	info, ok := money.Lookup(b.Currency)
	if !ok {
		return ""
	}
	price := int64(20)
	for range info.Digits {
		price *= 10
	}
	charge := billing.Terms{FeePPM: b.FeePPM, Mode: billing.Mode(mode), SplitPPM: b.SplitPPM, Step: info.ChargeMultiple}.Charge(price)
	amount := func(minor int64) string { return sh.Money(view.Price{Minor: minor, Currency: b.Currency}) }
	return sh.T("For a {price} item, the customer pays {pays}, the fee is {fee} and you receive {get}.",
		"price", amount(price), "pays", amount(charge.Card), "fee", amount(charge.PlatformFee), "get", amount(charge.Studio()))
}

func feeModes(sh ui.Shell, b business.Business) []ui.Option {
	return []ui.Option{
		{Value: string(business.FeeAbsorb), Text: sh.T("The studio"), Hint: feeExample(sh, b, business.FeeAbsorb)},
		{Value: string(business.FeeSplit), Text: sh.T("The studio and the customer, shared"), Hint: feeExample(sh, b, business.FeeSplit)},
		{Value: string(business.FeeCustomer), Text: sh.T("The customer, as a separate line"), Hint: feeExample(sh, b, business.FeeCustomer)},
	}
}

// currencies returns the choices of currency.
func currencies() []ui.Option {
	var out []ui.Option
	for _, i := range money.Currencies() {
		out = append(out, ui.Option{Value: string(i.Code), Text: string(i.Code)})
	}
	return out
}
