package catalog

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing"
)

// Pricing has the additions to the listed prices of an offering, and the price display of its location:
// order.ListPriceOf sums them up in one number.
type Pricing struct {
	TaxMode      business.TaxMode
	TaxPPM       int64 // 0: untaxed
	PriceDisplay *business.PriceDisplay
	TaxCountry   string // the location's, ISO 3166; may be empty
	FeeMode      business.FeeMode
	FeePPM       int64
	SplitPPM     int64
	TakesCards   bool // there may be a service fee
	Deposit      DepositRules
}

// PricingSQL selects the columns of the Pricing of an offering at a location of a business: the names of the three.
func PricingSQL(offering, location, house string) string {
	return strings.NewReplacer("{o}", offering, "{l}", location, "{b}", house).Replace(pricingSQL)
}

// A database belongs to one environment of the processor, so the account is not checked for its own.
var pricingSQL = `{l}.tax_mode, {l}.price_display, {l}.country as tax_country, {b}.fee_mode, {b}.fee_ppm, {b}.split_ppm,
	coalesce((select t.ppm from tax_rates t where t.business_id = {o}.business_id and t.id = {o}.tax_rate_id), 0) as tax_ppm,
	coalesce((select y.rules -> 'deposit' from policies y
		where y.business_id = {o}.business_id and y.id = coalesce({o}.policy_id, {l}.policy_id)), '{}') as deposit,
	` + billing.AcceptsSQL("{l}.business_id", "pa.env", "{l}.currency") + ` as takes_cards`

// Full reports whether lists show the full price for a customer, in a currency.
func (p Pricing) Full(cur money.Currency) bool {
	if p.PriceDisplay != nil {
		return *p.PriceDisplay == business.PricesFull
	}
	return business.DisplayIn(p.TaxCountry, cur) == business.PricesFull
}

// PricingOf reads the Pricing of an offering in any state. An unknown one is not found.
func PricingOf(ctx context.Context, r pg.Reader, offering uuid.UUID) (Pricing, error) {
	return pg.Found(pg.One[Pricing](ctx, r, `select `+PricingSQL("o", "l", "b")+offeringFrom+`where o.business_id = $1 and o.id = $2`, r.Business(), offering))
}
