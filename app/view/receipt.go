package view

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/billing"
)

// Receipt is a booking that was made.
type Receipt struct {
	Title    string // "You're booked" when empty; "Booking cancelled" and the like otherwise
	Off      bool   // the booking does not stand any more: no tick
	Asked    bool   // all of it waits for the studio
	Order    Order
	Number   string
	Made     time.Time
	PaidWith string // "Visa ending 4242"; empty when nothing was paid
	Due      string // "To pay at the studio: $22.00"; empty when nothing is
	Address  string
	Map      string // address of a map; empty leaves the link out
	Calendar Calendar
	Notes    []string
}

// Heading is its title.
func (v Receipt) Heading(w Words) string { return cmp.Or(v.Title, w.T("You’re booked")) }

// ReceiptOf is a receipt as pages and letters show it.
func ReceiptOf(w Words, r checkout.Receipt) Receipt {
	v := Receipt{
		Order:  Order{Bill: BillOf(w, r.Totals, countSold(w, r.Lines))},
		Number: w.number(r.OrderID.String()), Made: r.CreatedAt, Address: Joined(", ", Elsewhere(r.BusinessName, r.LocationName), AddressLine(r.Address)), Map: MapOf(r.BusinessName, r.Address),
	}
	stakes := r.CostBases()
	for i, l := range r.Lines {
		v.Order.Lines = append(v.Order.Lines, receiptLine(w, l, stakes[i], r.Totals.Currency))
	}
	v.Order.Lines = Together(w, v.Order.Lines)
	if r.DueAmount > 0 {
		v.Due = w.DueAtStudio(Price{Minor: r.DueAmount, Currency: r.Totals.Currency})
	}
	if r.Card != nil {
		v.PaidWith = w.CardName(*r.Card)
	}
	v.Order.Bill.Tenders, v.Order.Bill.Remaining = tenders(w, r), nil
	if len(v.Order.Bill.Tenders) > 0 {
		v.PaidWith = "" // each says it
	}
	if r.Test {
		v.Notes = append(v.Notes, w.T("This was a test payment. No money moved."))
	}
	for _, t := range r.Payments {
		v.Notes = append(v.Notes, takingNotes(w, t, r.Totals.Currency)...)
	}
	for _, c := range r.Later {
		v.Notes = append(v.Notes, w.T("{amount} was paid with {card} on {day}.", "amount", w.Money(Price{Minor: c.Amount, Currency: r.Totals.Currency}), "card", w.CardName(c), "day", w.Date(c.PaidAt)))
	}
	switch {
	case r.State == checkout.OrderRefunded && r.Desk:
		v.Off, v.Title = true, w.T("Your payment goes back")
		v.Notes = append(v.Notes, w.T("You did not owe this any more when your payment came."))
	case r.State == checkout.OrderRefunded:
		v.Off, v.Title = true, w.T("This was not booked")
		v.Notes = append(v.Notes, w.T("Your payment came when the spots were gone, so all of it goes back to your card."))
	default:
		v.Off, v.Asked, v.Title = w.standing(r)
	}
	if v.Asked {
		v.Notes = append(v.Notes, w.AskedOf(r))
	}
	for _, back := range r.Refunds {
		amount := Price{Minor: back.Amount, Currency: r.Totals.Currency}
		if r.Card != nil && r.Card.State != checkout.CardCaptured && back.Destination != billing.ToCredit {
			v.Notes = append(v.Notes, w.Voided(w.Money(amount)))
			continue
		}
		v.Notes = append(v.Notes, refundNote(w, back, amount))
	}
	return v
}

// tenders are the means by which an order was paid when it was booked, when credit was one of them or it was a deposit; none when all of
// it was paid by one means.
func tenders(w Words, r checkout.Receipt) (out []BillLine) {
	deposit := r.Card != nil && r.Totals.DueLaterAmount > 0
	if r.Totals.CreditAmount == 0 && !deposit || r.State == checkout.OrderRefunded {
		return nil
	}
	if r.Totals.CreditAmount > 0 {
		out = append(out, BillLine{Label: w.T("Paid with your credit"), Amount: Price{Minor: r.Totals.CreditAmount, Currency: r.Totals.Currency}})
	}
	if r.Card != nil {
		out = append(out, BillLine{Label: w.T("Paid with {card}", "card", w.CardName(*r.Card)), Amount: Price{Minor: r.Card.Amount, Currency: r.Totals.Currency}})
	}
	return out
}

// DueAtStudio says what is to be paid where something takes place.
func (w Words) DueAtStudio(amount Price) string {
	return w.T("To pay at the studio: {amount}", "amount", w.Money(amount))
}

// RequiredOf says what happens to the requests of a receipt.
func (w Words) AskedOf(r checkout.Receipt) string {
	if r.Card == nil {
		return w.AskedNote(r.BusinessName, Price{}, false)
	}
	return w.AskedNote(r.BusinessName, Price{Minor: r.Card.Amount, Currency: r.Totals.Currency}, r.Card.State == checkout.CardAuthorized)
}

// AskedNote says what happens to a request, whose price may only be held on a card.
func (w Words) AskedNote(business string, amount Price, held bool) string {
	if held {
		return w.T("{studio} answers every request by mail. {amount} is held on your card: it is taken when they say yes, and let go when they say no.",
			"studio", business, "amount", w.Money(amount))
	}
	return w.T("{studio} answers every request by mail. If they say no, all that you paid comes back.", "studio", business)
}

// takingNotes say what was paid at the studio at once, and what of it was given back.
func takingNotes(w Words, t checkout.ReceiptPayment, cur money.Currency) []string {
	amount := w.Money(Price{Minor: t.Amount, Currency: cur})
	paid := w.T("{amount} was paid at the studio on {day}.", "amount", amount, "day", w.Date(t.At))
	if t.Method == billing.MethodCash {
		paid = w.T("{amount} was paid in cash at the studio on {day}.", "amount", amount, "day", w.Date(t.At))
	}
	if t.Method == billing.MethodCredit {
		paid = w.T("{amount} was paid with your credit on {day}.", "amount", amount, "day", w.Date(t.At))
	}
	out := []string{paid}
	if n := t.RefundedAmount - t.CreditAmount; n > 0 {
		out = append(out, w.T("{amount} of it was given back there.", "amount", w.Money(Price{Minor: n, Currency: cur})))
	}
	if t.CreditAmount > 0 {
		out = append(out, w.creditNote(Price{Minor: t.CreditAmount, Currency: cur}))
	}
	return out
}

// creditNote says that what was paid is now credit.
func (w Words) creditNote(amount Price) string {
	return w.T("{amount} of it is now your credit with the studio. You can pay there with it.", "amount", w.Money(amount))
}

// FeeLabel names a fee on the receipt of its payment.
func (w Words) FeeLabel(k fees.Kind, what string) string {
	if k == fees.NoShow {
		return w.T("Fee for not coming: {what}", "what", what)
	}
	return w.T("Fee for cancelling late: {what}", "what", what)
}

func receiptLine(w Words, l checkout.ReceiptLine, s booking.CostBasis, cur money.Currency) Line {
	if l.Fee != "" {
		return Line{Name: w.FeeLabel(l.Fee, l.Label), Start: l.StartsAt, Minutes: Minutes(l.StartsAt, l.EndsAt), Party: l.Party, Who: w.Attendee(l.Attendee)}
	}
	out := Line{
		Name: l.Label, Start: l.StartsAt, Minutes: Minutes(l.StartsAt, l.EndsAt), Where: w.WhereWith(l.Space, l.Instructor), Party: l.Party,
		Who: w.Attendee(l.Attendee), State: w.StateOf(l.State), Dates: BookedDates(w, l.Dates, l.State),
	}
	b := booking.Booking{
		State: l.State, Rules: l.Rules, StartsAt: l.StartsAt, Currency: cur, Reschedules: l.Reschedules, GraceUntil: l.GraceUntil,
	}
	if len(l.Dates) > 0 {
		b.CourseFrom, b.StartsAt = booking.PaidFrom(l.Dates), booking.CourseListing(l.Dates, w.Now).StartsAt
	}
	out.Terms = Deadlines(w, b, s)
	return out
}

// standing tells whether nothing of a receipt stands any more, whether all that stands waits for the studio, and what the
// page is called when it is not simply booked.
func (w Words) standing(r checkout.Receipt) (off, asked bool, title string) {
	off, asked = true, true
	gone := map[booking.State]int{}
	booked := slices.DeleteFunc(slices.Clone(r.Lines), func(l checkout.ReceiptLine) bool { return l.Fee != "" })
	if len(booked) == 0 {
		return true, false, w.T("Paid, thank you")
	}
	for _, l := range booked {
		switch l.State {
		case booking.Cancelled, booking.LateCancelled, booking.StudioCancelled, booking.Declined, booking.Expired:
			gone[l.State]++
		case booking.Requested:
			off = false
		default:
			off, asked = false, false
		}
	}
	switch n := len(booked); {
	case off && n > 0 && gone[booking.Declined] == n:
		return true, false, w.T("Your request was declined")
	case off && n > 0 && gone[booking.StudioCancelled] == n:
		return true, false, w.T("The studio cancelled this")
	case off:
		return true, false, w.T("This booking was cancelled")
	case asked:
		return false, true, w.T("Your request is sent")
	}
	return false, false, ""
}

// Voided says that money which a card only held is the customer's again.
func (w Words) Voided(amount string) string {
	return w.T("{amount} was held on your card and not taken. Your bank may take a few days to show that.", "amount", amount)
}

func refundNote(w Words, r checkout.ReceiptRefund, amount Price) string {
	if r.Destination == billing.ToCredit {
		return w.creditNote(amount)
	}
	what := w.Money(amount)
	switch r.State {
	case billing.RequestSucceeded:
		return w.T("{amount} went back to your card on {day}. Banks take up to ten days to show it.", "amount", what, "day", w.Date(r.At))
	case billing.RequestFailed, billing.RequestCanceled:
		return w.T("{amount} could not be sent back to your card. The studio will get in touch.", "amount", what)
	}
	return w.T("{amount} is on its way back to your card.", "amount", what)
}

// Sold names an order: by its name when it is one thing, else by how many.
func Sold(w Words, lines []checkout.ReceiptLine) string {
	if len(lines) == 1 {
		return lines[0].Label
	}
	return countSold(w, lines)
}

func countSold(w Words, lines []checkout.ReceiptLine) string {
	return w.CountOf(len(lines),
		func(i int) catalog.Kind { return KindOf(lines[i].Kind, len(lines[i].Dates) > 0) },
		func(i int) any { return lines[i].OccurrenceID })
}

// number is what a customer reads out on the phone: the end of the order's id, where the randomness is.
func (w Words) number(order string) string {
	return w.T("No. {number}", "number", strings.ToUpper(order[len(order)-8:]))
}

// CardName is "Visa ending 4242", or "Visa ending 4242 (Apple Pay)".
func (w Words) CardName(c checkout.ReceiptCard) string {
	return w.ByWallet(w.T("{card} ending {digits}", "card", w.CardBrand(c.Brand), "digits", c.Last4), c.Wallet)
}

// ByWallet adds to the name of a card what it was paid with. The names of wallets are the same in all languages.
func (w Words) ByWallet(card, wallet string) string {
	name, ok := map[string]string{"apple_pay": "Apple Pay", "google_pay": "Google Pay", "link": "Link", "samsung_pay": "Samsung Pay"}[wallet]
	if !ok {
		return card
	}
	return w.T("{card} ({wallet})", "card", card, "wallet", name)
}

// CardBrand is "Visa"; of a card whose brand nobody knows "Card".
func (w Words) CardBrand(brand string) string {
	switch brand {
	case "":
		return w.T("Card")
	case "amex":
		return "American Express"
	}
	return strings.ToUpper(brand[:1]) + strings.ReplaceAll(brand[1:], "_", " ")
}

// MapOf is the address of a map of the place; empty when it is not known well enough to find.
func MapOf(business string, a business.Address) string {
	if a.Street == "" || a.City == "" {
		return ""
	}
	return "https://www.openstreetmap.org/search?" + url.Values{"query": {Joined(", ", business, AddressLine(a), a.Country)}}.Encode()
}
