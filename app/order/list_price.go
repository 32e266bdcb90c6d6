package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing"
)

// ListPrice is a price as lists show it: pages, embeds, mails and the API agree.
type ListPrice struct {
	Amount int64 // minor units
	Tax    bool  // tax is added to it
	Fee    bool  // a service fee is added to it, if paid by card
}

// ListPriceOf returns the price that lists show for an offering and so many people (0 is one): in full, the total of
// a cart with that alone, paid by card if the studio accepts cards; or as it is listed, with flags for the cart's
// additions.
func ListPriceOf(amount int64, people int, p catalog.Pricing, cur money.Currency) ListPrice {
	if amount == 0 {
		return ListPrice{}
	}
	t := priceOf(amount, people, p, cur, p.TakesCards)
	if p.Full(cur) {
		return ListPrice{Amount: t.TotalAmount}
	}
	return ListPrice{Amount: amount, Tax: p.TaxMode != business.TaxInclusive && t.TaxAmount > 0, Fee: t.ServiceFeeAmount > 0}
}

// FullPriceOf returns the full price of a listed price, independent of the lists: the total of a cart with that
// alone.
func FullPriceOf(amount int64, people int, p catalog.Pricing, cur money.Currency) int64 {
	return priceOf(amount, people, p, cur, p.TakesCards).TotalAmount
}

// AtStudioAmount returns the price at the studio of a listed price: with tax, and without a service fee.
func AtStudioAmount(amount int64, p catalog.Pricing, cur money.Currency) int64 {
	return priceOf(amount, 1, p, cur, false).TotalAmount
}

// AtStudioOf is AtStudioAmount by the id of the offering, in the currency of its location. It returns a not found
// error for an unknown one.
func AtStudioOf(ctx context.Context, r pg.Reader, offering uuid.UUID, cur money.Currency, amounts ...int64) (sum int64, err error) {
	p, err := catalog.PricingOf(ctx, r, offering)
	for _, amount := range amounts {
		sum += AtStudioAmount(amount, p, cur)
	}
	return sum, err
}

// priceOf is the total of a cart with one line.
func priceOf(amount int64, people int, p catalog.Pricing, cur money.Currency, card bool) Totals {
	it := Item{ListedAmount: amount, Deposit: p.Deposit, People: people}
	if p.TaxPPM > 0 {
		it.Tax = &Tax{PPM: p.TaxPPM}
	}
	t := Terms{Currency: cur, TaxMode: p.TaxMode, FeeMode: billing.Mode(p.FeeMode), FeePPM: p.FeePPM, SplitPPM: p.SplitPPM}
	if !card {
		t = t.WithoutCard()
	}
	return Price([]Item{it}, nil, t).Totals
}
