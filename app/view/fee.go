package view

import (
	"foyer/app/fees"
	"foyer/app/order"
)

// DueFor names the subject of a payment of fees or an amount due, for its receipt: "A fee for cancelling late:
// Sunrise Vinyasa, Fri 20 Nov, 6:30."
func (w Words) DueFor(r order.Receipt) string {
	line := r.Lines[0]
	switch {
	case r.OfFee():
		return w.FeeFor(line.Fee, line.Label, w.ShortWhen(line.StartsAt))
	case len(r.Lines) > 1, line.StartsAt.IsZero():
		return w.T("For {what}.", "what", Sold(w, r.Lines))
	}
	when := w.ShortWhen(line.StartsAt)
	if len(line.Dates) > 0 {
		when = w.Dates(BookedDates(w, line.Dates, line.State))
	}
	return w.T("For {what}, {when}.", "what", line.Label, "when", when)
}

// FeeFor names a fee and its booking.
func (w Words) FeeFor(kind fees.Kind, what, when string) string {
	if kind == fees.NoShow {
		return w.T("No-show fee: {what}, {when}.", "what", what, "when", when)
	}
	return w.T("Late-cancellation fee: {what}, {when}.", "what", what, "when", when)
}

// FeeTrouble is CardTrouble without held spots.
func FeeTrouble(w Words, code string) *Trouble {
	tr, known := cardTroubles[code]
	if !known {
		tr = cardDeclined
	}
	return &Trouble{Title: w.T(tr.title), Text: w.T("{what} Nothing was charged.", "what", w.T(tr.text))}
}

// FeeCharged is a charge of a saved card for a fee or the price of bookings, successful or not.
type FeeCharged struct {
	Amount Price
	Price  bool   // of bookings, not a fee
	For    string // DueFor
	Plan   string // name of the membership whose billing period is paid; empty: none is
	Card   string // "Visa ending 4242"; empty if the charge failed
	NoCard bool   // a balance due that no saved card can be charged for
	Link   string // absolute address of the receipt, or of the page to pay
}

// subjects returns the subjects of the mail: not paid, paid, and charged.
func (c FeeCharged) subjects(f From) (unpaid, paid, charged string) {
	amount, studio := f.Money(c.Amount), f.named()
	if c.Price {
		return f.T("{amount} is due to {studio}", "amount", amount, "studio", studio), f.T("You have paid {studio} {amount}", "amount", amount, "studio", studio),
			f.T("{amount} was charged", "amount", amount)
	}
	return f.T("A fee of {amount} is due to {studio}", "amount", amount, "studio", studio),
		f.T("You have paid {studio} a fee of {amount}", "amount", amount, "studio", studio), f.T("A fee of {amount} was charged", "amount", amount)
}

// FeeLetter reports a charge of a card for a fee or a price, or a failed charge with a link to pay.
func FeeLetter(f From, c FeeCharged) Letter {
	if c.Plan != "" && c.Card == "" {
		return unpaidPeriod(f, c)
	}
	amount := f.Money(c.Amount)
	unpaid, paid, charged := c.subjects(f)
	if c.Card == "" {
		title := f.T("Your card could not be charged")
		if c.NoCard {
			title = f.T("The balance of your booking is due")
		}
		return f.notice(unpaid, c.For, Notice{
			Title: title, Words: []string{c.For, f.T("{amount} is due to {studio}. Pay it online by card.", "amount", amount, "studio", f.named())},
			Button: f.C("button", "Pay {amount}", "amount", amount), Link: c.Link,
			Last: f.T("If you think this is a mistake, contact {studio}.", "studio", f.named()),
		})
	}
	return f.notice(paid, c.For, Notice{
		Title: charged, Words: []string{c.For, f.T("Charged to {card}.", "card", c.Card)},
		Button: f.T("Receipt"), Link: c.Link,
		Last: f.T("If you think this is a mistake, contact {studio}.", "studio", f.named()),
	})
}
