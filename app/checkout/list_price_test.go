package checkout_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/order"
	"foyer/billing"
)

// One price everywhere: for all tax modes, list price modes and fee modes of a location, the full list price is the
// total of the cart, the amount on the pay button and the charge on the card; and a list that shows less names the
// additions.
func TestOnePriceEverywhere(t *testing.T) {
	full, plus := business.PricesFull, business.PricesPlusTax
	for _, mode := range (business.TaxExclusive).All() {
		for _, fee := range []billing.Mode{billing.ModeAbsorb, billing.ModeSplit, billing.ModeCustomer} {
			for _, display := range []*business.PriceDisplay{nil, &full, &plus} {
				name := fmt.Sprintf("%s, fee %s, lists by the country", mode, fee)
				if display != nil {
					name = fmt.Sprintf("%s, fee %s, lists %s", mode, fee, *display)
				}
				t.Run(name, func(t *testing.T) { onePrice(t, mode, fee, display) })
			}
		}
	}
}

func onePrice(t *testing.T, mode business.TaxMode, fee billing.Mode, display *business.PriceDisplay) {
	s := open(t)
	s.feeMode(t, fee)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	s.w.SQL(t, "update locations set tax_mode = $1, price_display = $2, country = 'US'", mode, display)
	date := s.class(t, 2200, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
	offering := apptest.Value[uuid.UUID](t, s.w, "select id from offerings")
	pricing, err := catalog.PricingOf(t.Context(), s.w.DB.View(s.Business.ID), offering)
	listed := order.ListPriceOf(2200, 1, must(t, pricing, err), "USD")
	page, err := catalog.PageOf(t.Context(), s.w.DB.View(s.Business.ID), s.Location.ID, apptest.Value[string](t, s.w, "select slug from offerings"))
	if got := order.ListPriceOf(2200, 1, must(t, page, err).Pricing, "USD"); got != listed {
		t.Errorf("the page shows %+v, and the offering %+v", got, listed)
	}
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, date)
	s.hold(t, ada, token)
	total := s.cart(t, token).Totals
	if all := order.FullPriceOf(2200, 1, pricing, "USD"); all != total.TotalAmount {
		t.Errorf("in full %d, the cart comes to %d", all, total.TotalAmount)
	}
	want := order.ListPrice{Amount: 2200, Tax: mode == business.TaxExclusive, Fee: fee != billing.ModeAbsorb}
	if display != nil && *display == business.PricesFull {
		want = order.ListPrice{Amount: total.TotalAmount}
	}
	if listed != want {
		t.Errorf("the list shows %+v, want %+v", listed, want)
	}
	p := s.pay(t, ada, token, total.DueNow())
	if p.Amount != total.TotalAmount {
		t.Errorf("the button asks for %d of %d", p.Amount, total.TotalAmount)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	if charged := apptest.Value[int64](t, s.w, "select amount from payments where status = 'succeeded'"); charged != total.TotalAmount {
		t.Errorf("the card was charged %d of %d", charged, total.TotalAmount)
	}
	due, err := order.AtStudioOf(t.Context(), s.w.DB.View(s.Business.ID), offering, "USD", 2200)
	b := s.byDesk(t, s.Customer(t, "Bo"), date)
	if m := s.money(t, b); must(t, due, err) != m.Due {
		t.Errorf("the desk says %d, and %d is due", due, m.Due)
	}
}

// A deposit carries the fee of the deposit alone, a party is rounded once, and a free price is free.
func TestListPrices(t *testing.T) {
	full := business.PricesFull
	p := catalog.Pricing{TaxMode: business.TaxExclusive, TaxPPM: 88_750, PriceDisplay: &full, FeeMode: business.FeeCustomer, FeePPM: 20_000, TakesCards: true}
	for name, c := range map[string]struct {
		amount int64
		people int
		change func(*catalog.Pricing)
		want   order.ListPrice
	}{
		"free":            {0, 1, func(*catalog.Pricing) {}, order.ListPrice{}},
		"tax and fee":     {2200, 1, func(*catalog.Pricing) {}, order.ListPrice{Amount: 2444}},
		"no cards":        {2200, 1, func(p *catalog.Pricing) { p.TakesCards = false }, order.ListPrice{Amount: 2395}},
		"a deposit":       {2200, 1, func(p *catalog.Pricing) { p.Deposit.Percent = 30 }, order.ListPrice{Amount: 2410}},
		"untaxed, absorb": {2200, 1, func(p *catalog.Pricing) { p.TaxPPM, p.FeeMode = 0, business.FeeAbsorb }, order.ListPrice{Amount: 2200}},
		"by the country":  {2200, 1, func(p *catalog.Pricing) { p.PriceDisplay, p.TaxCountry = nil, "US" }, order.ListPrice{Amount: 2200, Tax: true, Fee: true}},
		"elsewhere":       {2200, 1, func(p *catalog.Pricing) { p.PriceDisplay, p.TaxCountry = nil, "DE" }, order.ListPrice{Amount: 2444}},
	} {
		q := p
		c.change(&q)
		if got := order.ListPriceOf(c.amount, c.people, q, "USD"); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	for country, want := range map[string]business.PriceDisplay{
		"US": business.PricesPlusTax, "CA": business.PricesPlusTax, "DE": business.PricesFull, "GB": business.PricesFull, "": business.PricesPlusTax,
	} {
		if got := business.DisplayIn(country, "USD"); got != want {
			t.Errorf("%q: %s", country, got)
		}
	}
	if business.DisplayIn("", "EUR") != business.PricesFull {
		t.Error("without a country the currency decides")
	}
}
