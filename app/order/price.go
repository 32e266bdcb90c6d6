package order

import (
	"cmp"
	"sort"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// Tax is one rate as it was when it was applied.
type Tax struct {
	RateID uuid.UUID
	Name   string
	PPM    int64 // 88750 is 8.875 %
}

// Item is the pipeline's input for one line.
type Item struct {
	ListedAmount     int64 // the price as listed, with tax inside where the location says so
	DiscountedAmount int64 // by discounts already: of a sold line, which keeps them
	Tax              *Tax  // nil: untaxed
	Deposit          catalog.DepositRules
	People           int            // of the deposit; 0 is one
	Income           ledger.Account // of the line in the books, which does not change its price
	Cover            *Cover         // the plan that pays it; nil: none
}

// Cover is the plan that pays for a seat, whose price is then all taken off, before every discount.
type Cover struct {
	GrantID uuid.UUID
	Name    string // of the plan, as customers read it
	Credits int    // that it costs; 0: the plan is unlimited
}

// Net returns the line's price less its earlier discounts, as tax is computed on it.
func (it Item) Net() int64 { return it.ListedAmount - it.DiscountedAmount }

// Terms are the price settings of a location and its business.
type Terms struct {
	Currency money.Currency
	TaxMode  business.TaxMode
	FeeMode  billing.Mode
	FeePPM   int64
	SplitPPM int64 // the customer's share of the fee, if it is split
	// Tender is the payment method; empty: by card.
	Tender billing.Tender
	// Prepaid is what the customer has with the studio and chose to pay with, in the order of payment; a card pays the
	// remaining amount.
	Prepaid []tender.Prepaid
	// InFull is the customer's choice to pay the full amount where a deposit would do.
	InFull bool
	// WaiveRemainder has the last discount take off the whole amount after the discounts.
	WaiveRemainder bool
}

// StepKind names a step of a line's price.
type StepKind string

// The steps that exist now, in their order. The discounts stand between the two, in Priced.Discounts.
const (
	StepListed StepKind = "listed"
	StepTax    StepKind = "tax"
)

// All returns all kinds.
func (StepKind) All() []StepKind { return []StepKind{StepListed, StepTax} }

// Step is one figure on the way to a line's price.
type Step struct {
	Kind     StepKind
	Label    string // the rate's name; empty for the listed price
	PPM      int64  // of a tax
	Amount   int64
	Included bool // inside the amounts before it, not added to them
}

// Priced is the price of one line.
type Priced struct {
	ListedAmount        int64
	DiscountAmount      int64 // taken off it, before tax
	TaxAmount           int64
	TotalAmount         int64 // the customer's price of the line
	NonRefundableAmount int64 // of that: not refunded if its customer cancels in time
	LaterAmount         int64 // of that: at the studio, because a deposit is enough now
	Steps               []Step
	Discounts           []Discounted // of DiscountAmount, in their order; none for a sold line
	Cover               *Cover       // the plan that pays it; then DiscountAmount is the whole price
}

// TaxTotal is the tax of one rate on the whole order.
type TaxTotal struct {
	Tax
	Amount int64
}

// Totals are the totals of an order, in minor units of Currency.
type Totals struct {
	Currency         money.Currency
	TaxMode          business.TaxMode
	SubtotalAmount   int64        // the lines as listed
	DiscountAmount   int64        // taken off them, before tax
	PlanAmount       int64        // of that: paid by plans
	Discounts        []Discounted // the discounts in it, in the order in which they were taken off
	TaxAmount        int64        // on top when exclusive, inside when inclusive
	Taxes            []TaxTotal
	ServiceFeeAmount int64            // a line of its own; 0 if the studio absorbs the platform fee (A26, A28)
	TotalAmount      int64            // the customer's price
	Prepaid          []tender.Prepaid // of that: paid with what the customer has with the studio
	DueLaterAmount   int64            // of that: due later at the studio
}

// Now returns the amount paid when it is booked: all of it, or the deposits and the service fee on them.
func (t Totals) Now() int64 { return t.TotalAmount - t.DueLaterAmount }

// PrepaidAmount returns the amount that is paid with what the customer has with the studio.
func (t Totals) PrepaidAmount() int64 { return tender.SumOf(t.Prepaid, "") }

// CreditAmount returns the part of it that is account credit.
func (t Totals) CreditAmount() int64 { return tender.SumOf(t.Prepaid, tender.AccountCredit) }

// DueNow returns the amount beside that to be paid by card now, or all of it at the studio.
func (t Totals) DueNow() int64 { return t.Now() - t.PrepaidAmount() }

// Quote is the price of a cart: a pure function of its lines and the terms.
type Quote struct {
	Lines  []Priced // in the order of the items
	Totals Totals
}

// Price runs the pipeline: listed prices, plans (cover), discounts (takeOff), tax by rate over the whole order and
// then spread over the lines, the part of them that a deposit leaves for later, account credit, service fee on the
// amount to pay by card (A24 to A28). Each figure is rounded once. Totals do not depend on the order of the lines, but
// for the unit that goes to the first of lines that are alike. offs are in the order in which they are taken off.
func Price(items []Item, offs []Off, t Terms) Quote {
	q := Quote{Lines: make([]Priced, len(items)), Totals: Totals{Currency: t.Currency, TaxMode: t.TaxMode}}
	steps := make([]Step, 2*len(items)) // a line has two at most
	for i, it := range items {
		steps[2*i] = Step{Kind: StepListed, Amount: it.ListedAmount}
		q.Lines[i] = Priced{ListedAmount: it.ListedAmount, DiscountAmount: it.DiscountedAmount, TotalAmount: it.Net(), Steps: steps[2*i : 2*i+1 : 2*i+2]}
		q.Totals.SubtotalAmount += it.ListedAmount
		q.Totals.DiscountAmount += it.DiscountedAmount
	}
	q.cover(items)
	q.takeOff(offs)
	if t.WaiveRemainder {
		q.waiveRemainder()
	}
	taxed := items
	if len(q.Totals.Discounts) > 0 || q.Totals.PlanAmount > 0 {
		taxed = q.discounted(items)
	}
	q.addTaxes(taxed)
	q.leaveLater(taxed, t)
	q.addFee(taxed, t)
	return q
}

// discounted returns the items at their prices without their discounts.
func (q *Quote) discounted(items []Item) []Item {
	out := make([]Item, len(items))
	for i, it := range items {
		out[i] = it
		out[i].DiscountedAmount = q.Lines[i].DiscountAmount
	}
	return out
}

// addTaxes computes each rate once, on the sum of the lines that carry it, and spreads it over them.
func (q *Quote) addTaxes(items []Item) {
	weights := make([]int64, len(items))
	for _, rate := range ratesOf(items) {
		var base int64
		for i, it := range items {
			weights[i] = 0
			if it.Tax != nil && it.Tax.RateID == rate.RateID {
				weights[i] = it.Net()
				base += it.Net()
			}
		}
		if base == 0 {
			continue
		}
		total := TaxTotal{rate, q.taxOn(base, rate.PPM)}
		q.Totals.Taxes = append(q.Totals.Taxes, total)
		q.Totals.TaxAmount += total.Amount
		for i, part := range money.Alloc(total.Amount, weights) {
			if weights[i] > 0 {
				q.Lines[i].tax(rate, part, q.Totals.TaxMode)
			}
		}
	}
}

func (q *Quote) taxOn(base, ppm int64) int64 {
	if q.Totals.TaxMode == business.TaxInclusive {
		return money.RoundHalfUp(base, ppm, money.Million+ppm)
	}
	return money.RoundHalfUp(base, ppm, money.Million)
}

func (p *Priced) tax(rate Tax, amount int64, mode business.TaxMode) {
	included := mode == business.TaxInclusive
	p.TaxAmount += amount
	if !included {
		p.TotalAmount += amount
	}
	p.Steps = append(p.Steps, Step{Kind: StepTax, Label: rate.Name, PPM: rate.PPM, Amount: amount, Included: included})
}

// ratesOf lists the rates of the items, each once, in the order they come.
func ratesOf(items []Item) []Tax {
	var out []Tax
	seen := map[uuid.UUID]bool{}
	for _, it := range items {
		if it.Tax != nil && !seen[it.Tax.RateID] {
			seen[it.Tax.RateID] = true
			out = append(out, *it.Tax)
		}
	}
	return out
}

// addFee adds the service fee and ends the totals. Where card amounts come in steps of more than a minor unit, the
// rounding up to a step is part of the service fee.
func (q *Quote) addFee(items []Item, t Terms) {
	due := q.Totals.SubtotalAmount - q.Totals.DiscountAmount
	if t.TaxMode != business.TaxInclusive {
		due += q.Totals.TaxAmount
	}
	by, terms, later := cmp.Or(t.Tender, billing.TenderCard), t.card(items), q.Totals.DueLaterAmount
	prepaid := t.prepaid(terms, by, due-later)
	q.Totals.Prepaid = firstOf(t.Prepaid, prepaid)
	c := terms.ChargeBy(by, due-later-prepaid)
	if by != billing.TenderCard {
		q.Totals.TotalAmount = c.Base + later + prepaid
		return
	}
	q.Totals.ServiceFeeAmount = c.ServiceFee + c.Rounding
	q.Totals.TaxAmount += c.ServiceTax
	q.spreadServiceTax(items, c.ServiceTax)
	q.Totals.TotalAmount = c.Card + later + prepaid
}

// prepaid returns the part of due that is prepaid: all of it, if that suffices, and else as much as leaves an amount
// that a card can pay. Beside a tender other than card it pays all or nothing.
func (t Terms) prepaid(card billing.Terms, by billing.Tender, due int64) int64 {
	info, known := money.Lookup(t.Currency)
	has := tender.SumOf(t.Prepaid, "")
	switch {
	case has <= 0:
		return 0
	case has >= due:
		return due
	case by != billing.TenderCard || !known:
		return 0
	}
	least := sort.Search(int(min(due, info.MinCharge)), func(base int) bool { return card.Charge(int64(base)).Card >= info.MinCharge })
	return max(0, min(has, due-int64(least)))
}

// firstOf returns what each pays of an amount, the first as much as it can.
func firstOf(has []tender.Prepaid, amount int64) (out []tender.Prepaid) {
	for _, p := range has {
		if p.Amount = min(p.Amount, amount); p.Amount > 0 {
			out, amount = append(out, p), amount-p.Amount
		}
	}
	return out
}

// spreadServiceTax adds the tax on the service fee to the rates of the lines it follows.
func (q *Quote) spreadServiceTax(items []Item, tax int64) {
	if tax == 0 {
		return
	}
	weights := make([]int64, len(q.Totals.Taxes))
	for i, total := range q.Totals.Taxes {
		for _, it := range items {
			if it.Tax != nil && it.Tax.RateID == total.RateID {
				weights[i] += it.Net() * it.Tax.PPM
			}
		}
	}
	for i, part := range money.Alloc(tax, weights) {
		q.Totals.Taxes[i].Amount += part
	}
}

// card returns the terms of a card payment for these items. Where prices include tax the service fee does too, at the
// rate of its items; otherwise it is not taxed.
func (t Terms) card(items []Item) billing.Terms {
	out := billing.Terms{FeePPM: t.FeePPM, Mode: t.FeeMode, SplitPPM: t.SplitPPM}
	if info, ok := money.Lookup(t.Currency); ok {
		out.Step = info.ChargeMultiple
	}
	if t.TaxMode != business.TaxInclusive {
		return out
	}
	out.TaxIn = true
	amounts, ppms := make([]int64, len(items)), make([]int64, len(items))
	for i, it := range items {
		amounts[i] = it.Net()
		if it.Tax != nil {
			ppms[i] = it.Tax.PPM
		}
	}
	out.Tax = billing.BlendTax(amounts, ppms)
	return out
}

// WithoutCard returns the terms of an order that is paid at the studio: it carries no platform fee, and so no service
// fee (A29).
func (t Terms) WithoutCard() Terms {
	t.Tender = billing.TenderCash
	return t
}

// PlatformFee returns the application fee on an amount that is put on a card. It depends on that amount alone.
func (t Terms) PlatformFee(card int64) int64 {
	t.FeeMode = billing.ModeAbsorb
	return t.card(nil).Charge(card).PlatformFee
}

// Payable reports whether a card can pay this amount.
func Payable(amount int64, cur money.Currency) bool { return billing.Chargeable(amount, cur) == nil }
