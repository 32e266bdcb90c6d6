package view

import (
	"foyer/app/checkout"
	"foyer/app/fees"
)

// OwedFor says what somebody pays for who has that receipt of what they owe: "A fee for cancelling late: Sunrise Vinyasa, Fri 20 Nov, 6:30."
func (w Words) OwedFor(r checkout.Receipt) string {
	line := r.Lines[0]
	if line.Fee != "" {
		return w.FeeFor(line.Fee, line.Label, w.ShortWhen(line.StartsAt))
	}
	if len(r.Lines) > 1 {
		return w.T("For {what}.", "what", Sold(w, r.Lines))
	}
	when := w.ShortWhen(line.StartsAt)
	if len(line.Dates) > 0 {
		when = w.Dates(BookedDates(w, line.Dates, line.State))
	}
	return w.T("For {what}, {when}.", "what", line.Label, "when", when)
}

// FeeFor says what a fee is for.
func (w Words) FeeFor(kind fees.Kind, what, when string) string {
	if kind == fees.NoShow {
		return w.T("A fee for not coming: {what}, {when}.", "what", what, "when", when)
	}
	return w.T("A fee for cancelling late: {what}, {when}.", "what", what, "when", when)
}

// FeeTrouble is CardTrouble where no spots are held.
func FeeTrouble(w Words, code string) *Trouble {
	tr, known := cardTroubles[code]
	if !known {
		tr = cardDeclined
	}
	return &Trouble{Title: w.T(tr.title), Text: w.T("{what} Nothing was charged.", "what", w.T(tr.text))}
}

// FeeCharged is a fee, or the price of bookings, that a card was charged for, or could not be.
type FeeCharged struct {
	Amount Price
	Price  bool   // of bookings, and no fee
	For    string // OwedFor
	Card   string // "Visa ending 4242"; empty: it could not be charged
	Asks   bool   // what a deposit has left, and there is no card that it could be charged to
	Link   string // absolute address: of the receipt, or of the page on which it is paid
}

// subjects are what the mail says first: that it is paid, or that it is not, and that it was charged.
func (c FeeCharged) subjects(f From) (unpaid, paid, charged string) {
	amount, studio := f.Money(c.Amount), f.named()
	if c.Price {
		return f.T("{amount} is to be paid to {studio}", "amount", amount, "studio", studio), f.T("You have paid {studio} {amount}", "amount", amount, "studio", studio),
			f.T("{amount} was charged", "amount", amount)
	}
	return f.T("A fee of {amount} is to be paid to {studio}", "amount", amount, "studio", studio),
		f.T("You have paid {studio} a fee of {amount}", "amount", amount, "studio", studio), f.T("A fee of {amount} was charged", "amount", amount)
}

// FeeLetter says that a card was charged for a fee or a price, or that it could not be and how that is paid.
func FeeLetter(f From, c FeeCharged) Letter {
	amount := f.Money(c.Amount)
	unpaid, paid, charged := c.subjects(f)
	if c.Card == "" {
		title := f.T("Your card could not be charged")
		if c.Asks {
			title = f.T("The rest of what you booked is to be paid")
		}
		return f.notice(unpaid, c.For, Notice{
			Title: title, Words: []string{c.For, f.T("You owe {studio} {amount}. Pay it with a card on this page.", "amount", amount, "studio", f.named())},
			Button: f.C("button", "Pay {amount}", "amount", amount), Link: c.Link,
			Last: f.T("If you think that this is a mistake, tell {studio}.", "studio", f.named()),
		})
	}
	return f.notice(paid, c.For, Notice{
		Title: charged, Words: []string{c.For, f.T("It was paid with {card}.", "card", c.Card)},
		Button: f.T("Receipt"), Link: c.Link,
		Last: f.T("If you think that this is a mistake, tell {studio}.", "studio", f.named()),
	})
}
