package business

import (
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/patch"
)

// PriceDisplay says how lists show prices to which tax and fees are added.
type PriceDisplay string

// The ways.
const (
	PricesFull    PriceDisplay = "full"     // what a customer pays for it by card, with tax and service fee
	PricesPlusTax PriceDisplay = "plus_tax" // the price as the studio wrote it, and that tax or a fee is added
)

// All lists them.
func (PriceDisplay) All() []PriceDisplay { return []PriceDisplay{PricesFull, PricesPlusTax} }

// DisplayIn is how lists show prices where a location does not say: in full, as the law of most countries wants it, and before tax in the
// United States and in Canada. Where the country is not known the currency decides.
func DisplayIn(country string, cur money.Currency) PriceDisplay {
	switch {
	case country == "US", country == "CA", country == "" && (cur == "USD" || cur == "CAD"):
		return PricesPlusTax
	}
	return PricesFull
}

// Display is how lists of the location show prices: as it says, or else as is usual in its country.
func (l Location) Display() PriceDisplay {
	if l.PriceDisplay != nil {
		return *l.PriceDisplay
	}
	return DisplayIn(l.Country, l.Currency)
}

func checkDisplay(c *fault.Checks, field string, d *PriceDisplay) {
	c.That(d == nil || *d == PricesFull || *d == PricesPlusTax, field, "Use full or plus_tax, or null for what is usual in the country.")
}

func checkDisplayChange(c *fault.Checks, field string, d patch.Field[PriceDisplay]) {
	checkDisplay(c, field, d.Value)
}
