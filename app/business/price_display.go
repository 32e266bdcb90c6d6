package business

import (
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/patch"
)

// PriceDisplay determines the display of prices in lists when tax and fees are added to them.
type PriceDisplay string

// Price displays.
const (
	PricesFull    PriceDisplay = "full"     // the total price by card, with tax and service fee
	PricesPlusTax PriceDisplay = "plus_tax" // the studio's price, with a note that tax or a fee is added
)

// All returns all values.
func (PriceDisplay) All() []PriceDisplay { return []PriceDisplay{PricesFull, PricesPlusTax} }

// DisplayIn returns the default display of prices of a country: in full, as the law of most countries requires, and
// before tax in the United States and Canada. For an unknown country the currency decides.
func DisplayIn(country string, cur money.Currency) PriceDisplay {
	switch {
	case country == "US", country == "CA", country == "" && (cur == "USD" || cur == "CAD"):
		return PricesPlusTax
	}
	return PricesFull
}

// Display returns the display of prices in lists of the location: its own setting, or the default of its country.
func (l Location) Display() PriceDisplay {
	if l.PriceDisplay != nil {
		return *l.PriceDisplay
	}
	return DisplayIn(l.Country, l.Currency)
}

func checkDisplay(c *fault.Checks, field string, d *PriceDisplay) {
	c.That(d == nil || *d == PricesFull || *d == PricesPlusTax, field, "Use full or plus_tax, or null for the default of the country.")
}

func checkDisplayChange(c *fault.Checks, field string, d patch.Field[PriceDisplay]) {
	checkDisplay(c, field, d.Value)
}
