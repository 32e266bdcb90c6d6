package view

import (
	"strconv"

	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// Renewing is how a membership is paid: the price of a billing period and the terms of its renewal.
type Renewing struct {
	plan.Renewal
	Count int // of Unit: the length of a billing period
	Unit  rules.Unit
	Price Price // of a billing period
	Intro Price // of each of the first ones, if IntroPeriods are set
	First Price // of the days until the first billing day; zero: a whole period comes first

	pricing catalog.Pricing
}

// RenewalOf returns how a membership on sale is paid.
func RenewalOf(p plan.Plan, pricing catalog.Pricing) Renewing {
	r := renewing(p.Count, p.Unit, p.Renewal, p.PriceAmount, p.Currency, pricing)
	if first := p.FirstAmount(); p.BillingDay > 0 && first != p.WholeAmount() {
		r.First = r.Shown(first)
	}
	return r
}

// MyRenewal returns how the coming billing periods of a customer's membership are paid.
func MyRenewal(m plan.Membership, pricing catalog.Pricing) Renewing {
	terms := m.Renewal
	if m.Next != nil && m.Whole(m.Next.Number) > terms.IntroPeriods {
		terms.IntroPeriods = 0
	}
	return renewing(m.Count, rules.Unit(m.Unit), terms, m.PriceAmount, m.Currency, pricing)
}

func renewing(
	count int, unit rules.Unit, r plan.Renewal, amount int64, cur money.Currency, pricing catalog.Pricing,
) Renewing {
	return Renewing{
		Renewal: r, Count: count, Unit: unit, Price: Shown(amount, 1, pricing, cur),
		Intro: Shown(r.IntroAmount, 1, pricing, cur), pricing: pricing,
	}
}

// Shown returns the price of a billing period by its amount as listed.
func (r Renewing) Shown(amount int64) Price { return Shown(amount, 1, r.pricing, r.Price.Currency) }

// Sum returns the prices of so many billing periods together, from one by its number.
func (r Renewing) Sum(first, periods int) Price {
	sum := Price{Currency: r.Price.Currency}
	for n := first; n < first+periods; n++ {
		p := r.Price
		if n <= r.IntroPeriods {
			p = r.Intro
		}
		sum.Minor += p.Minor
		sum.Tax, sum.Fee = sum.Tax || p.Tax, sum.Fee || p.Fee
	}
	return sum
}

// PerPeriod returns a price with the length of its billing period: "$80.00 a month", "$210.00 every 3 months".
func (w Words) PerPeriod(price string, count int, unit rules.Unit) string {
	if count == 1 {
		switch unit {
		case rules.Day:
			return w.T("{price} a day", "price", price)
		case rules.Week:
			return w.T("{price} a week", "price", price)
		case rules.Year:
			return w.T("{price} a year", "price", price)
		}
		return w.T("{price} a month", "price", price)
	}
	switch unit {
	case rules.Day:
		return w.N(count, "{price} every {n} day", "{price} every {n} days", "price", price)
	case rules.Week:
		return w.N(count, "{price} every {n} week", "{price} every {n} weeks", "price", price)
	case rules.Year:
		return w.N(count, "{price} every {n} year", "{price} every {n} years", "price", price)
	}
	return w.N(count, "{price} every {n} month", "{price} every {n} months", "price", price)
}

// per returns the price of a billing period with its length.
func (r Renewing) per(w Words) string { return w.PerPeriod(w.Money(r.Price), r.Count, r.Unit) }

// RowPrice is the price of a membership in a list: "$80 a month".
func (r Renewing) RowPrice(w Words) string {
	if r.Price.Minor == 0 {
		return w.MoneyShort(r.Price)
	}
	return w.PerPeriod(w.MoneyShort(r.Price), r.Count, r.Unit)
}

// RenewalTerms returns sentences about a membership: its price, how it renews or ends, and what a cancellation does.
func RenewalTerms(w Words, r Renewing) []string {
	price := w.T("The price is {price}.", "price", r.per(w))
	if r.IntroPeriods > 0 {
		price = w.N(r.IntroPeriods, "The first payment is {amount}, and after that the price is {price}.",
			"The first {n} payments are {amount} each, and after that the price is {price}.",
			"amount", w.Money(r.Intro), "price", r.per(w))
	}
	if r.BillingDay > 0 {
		price += " " + w.T("Payments are due on day {n} of the month.", "n", strconv.Itoa(r.BillingDay))
	}
	if r.First.Currency != "" {
		price += " " + w.T("You first pay {amount} for the days until then.", "amount", w.Money(r.First))
	}
	if r.Ends {
		return []string{price, w.N(r.MinPeriods,
			"The membership ends after {n} payment. It cannot be cancelled before that.",
			"The membership ends after {n} payments. It cannot be cancelled before that.")}
	}
	terms := []string{price, w.T("The membership renews until you cancel it.")}
	if r.MinPeriods > 1 && r.NoticeDays == 0 {
		return append(terms, w.N(r.MinPeriods,
			"It runs for at least {n} payment. If you cancel after that, it ends with the billing period that is paid.",
			"It runs for at least {n} payments. If you cancel after that, it ends with the billing period that is paid."))
	}
	if r.MinPeriods > 1 {
		terms = append(terms, w.N(r.MinPeriods, "It runs for at least {n} payment.", "It runs for at least {n} payments."))
	}
	if r.NoticeDays > 0 {
		return append(terms, w.N(r.NoticeDays,
			"To end it with a billing period, cancel at least {n} day before that period ends.",
			"To end it with a billing period, cancel at least {n} days before that period ends."))
	}
	return append(terms, w.T("If you cancel, it ends with the billing period that is paid."))
}

// RenewalConsent returns the words that a customer agrees to before a card is charged for each billing period: the
// price, how often, which card, and how to cancel. saves is set if the card is saved with the purchase. The words are
// stored as they were shown.
func (w Words) RenewalConsent(r Renewing, studio, name string, saves bool) string {
	said := w.T("{studio} charges your saved card at the start of each billing period of {plan}.",
		"studio", studio, "plan", name)
	if saves {
		said = w.T("{studio} saves the card that you pay with, and charges it at the start of each billing period of {plan}.",
			"studio", studio, "plan", name)
	}
	said = Joined(" ", append([]string{said}, RenewalTerms(w, r)...)...)
	said += " " + w.T("If several of your cards are saved with {studio}, the one that you saved last is charged.",
		"studio", studio)
	if r.Ends {
		return said
	}
	return said + " " + w.T("You can cancel under My plans at any time, in as few steps as it takes to join.")
}
