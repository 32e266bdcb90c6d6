package view

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/billing"
	"foyer/billing/tender"
)

// Receipt is the confirmation of a booking.
type Receipt struct {
	Title     string // "You're booked" when empty; "Booking cancelled" and the like otherwise
	Off       bool   // the booking no longer stands: no tick
	Requested bool   // all bookings await the studio's approval
	Order     Order
	Number    string
	Made      time.Time
	PaidWith  string // "Visa ending 4242"; empty without a payment
	Due       string // "To pay at the studio: $22.00"; empty without a due amount
	Address   string
	Map       string // address of a map; empty leaves the link out
	Calendar  Calendar
	Notes     []string
	SellsPlan bool
}

// Heading returns the title.
func (v Receipt) Heading(w Words) string { return cmp.Or(v.Title, w.T("You’re booked")) }

// ReceiptOf shows a receipt for pages and letters.
func ReceiptOf(w Words, r order.Receipt) Receipt {
	v := Receipt{
		Order:  Order{Bill: BillOf(w, r.Totals, countSold(w, r.Lines))},
		Number: w.number(r.OrderID.String()), Made: r.CreatedAt, Address: Joined(", ", LocationSuffix(r.BusinessName, r.LocationName), AddressLine(r.Address)), Map: MapOf(r.BusinessName, r.Address),
	}
	stakes := r.CostBases()
	for i, l := range r.Lines {
		v.Order.Lines = append(v.Order.Lines, receiptLine(w, l, stakes[i], r.Totals.Currency))
	}
	v.Order.Lines = Together(w, v.Order.Lines)
	v.SellsPlan = slices.ContainsFunc(r.Lines, func(l order.ReceiptLine) bool { return l.PlanEnd != nil })
	if r.DueAmount > 0 {
		v.Due = w.DueAtStudio(Price{Minor: r.DueAmount, Currency: r.Totals.Currency})
	}
	if r.Card != nil {
		v.PaidWith = w.CardName(*r.Card)
	}
	v.Order.Bill.Tenders, v.Order.Bill.Remaining = tenders(w, r), nil
	if len(v.Order.Bill.Tenders) > 0 {
		v.PaidWith = "" // each tender has its own
	}
	if r.Test {
		v.Notes = append(v.Notes, w.T("This was a test payment. Nothing was charged."))
	}
	for _, t := range r.Payments {
		v.Notes = append(v.Notes, takingNotes(w, t, r.Totals.Currency)...)
	}
	for _, c := range r.Later {
		v.Notes = append(v.Notes, w.T("{amount} was paid with {card} on {day}.", "amount", w.Money(Price{Minor: c.Amount, Currency: r.Totals.Currency}), "card", w.CardName(c), "day", w.Date(c.PaidAt)))
	}
	switch {
	case r.State == order.Refunded && r.Desk:
		v.Off, v.Title = true, w.T("Your payment is refunded")
		v.Notes = append(v.Notes, w.T("This was no longer due when your payment arrived."))
	case r.State == order.Refunded:
		v.Off, v.Title = true, w.T("This was not booked")
		v.Notes = append(v.Notes, w.T("Your payment arrived too late, so it is refunded to your card in full."))
	default:
		v.Off, v.Requested, v.Title = w.standing(r)
	}
	if v.Requested {
		v.Notes = append(v.Notes, w.RequestedOf(r))
	}
	for _, back := range r.Refunds {
		amount := Price{Minor: back.Amount, Currency: r.Totals.Currency}
		if r.Card != nil && r.Card.State != order.CardCaptured && back.Destination != billing.ToCredit {
			v.Notes = append(v.Notes, w.Voided(w.Money(amount)))
			continue
		}
		v.Notes = append(v.Notes, refundNote(w, back, amount))
	}
	return v
}

// tenders returns the payment methods of an order at the time of booking, if one was credit or the payment was a
// deposit; none if a single method paid all of it.
func tenders(w Words, r order.Receipt) (out []BillLine) {
	deposit := r.Card != nil && r.Totals.DueLaterAmount > 0
	if r.Totals.PrepaidAmount() == 0 && !deposit || r.State == order.Refunded {
		return nil
	}
	for _, p := range r.Totals.Prepaid {
		label := w.T("Paid with your credit")
		if p.Kind == tender.GiftCard {
			label = w.T("Paid with {card}", "card", w.GiftCardNamed(p.Label))
		}
		out = append(out, BillLine{Label: label, Amount: Price{Minor: p.Amount, Currency: r.Totals.Currency}})
	}
	if r.Card != nil {
		out = append(out, BillLine{Label: w.T("Paid with {card}", "card", w.CardName(*r.Card)), Amount: Price{Minor: r.Card.Amount, Currency: r.Totals.Currency}})
	}
	return out
}

// DueAtStudio returns the text for an amount due at the studio.
func (w Words) DueAtStudio(amount Price) string {
	return w.T("Due at the studio: {amount}", "amount", w.Money(amount))
}

// RequestedOf returns a sentence about the requests of a receipt.
func (w Words) RequestedOf(r order.Receipt) string {
	if r.Card == nil {
		return w.RequestedNote(r.BusinessName, Price{}, false)
	}
	return w.RequestedNote(r.BusinessName, Price{Minor: r.Card.Amount, Currency: r.Totals.Currency}, r.Card.State == order.CardAuthorized)
}

// RequestedNote explains the next step of a request. held reports whether its price is only authorized on a card.
func (w Words) RequestedNote(business string, amount Price, held bool) string {
	if held {
		return w.T("{studio} answers every request by e-mail. {amount} is authorized on your card: it is charged if the studio approves, and released if it declines.",
			"studio", business, "amount", w.Money(amount))
	}
	return w.T("{studio} answers every request by e-mail. If the studio declines, your payment is refunded in full.", "studio", business)
}

// takingNotes lists the payments made at the studio at booking, and their refunds.
func takingNotes(w Words, t order.ReceiptPayment, cur money.Currency) []string {
	amount := w.Money(Price{Minor: t.Amount, Currency: cur})
	paid := w.T("{amount} was paid at the studio on {day}.", "amount", amount, "day", w.Date(t.At))
	if t.Method == tender.Cash {
		paid = w.T("{amount} was paid in cash at the studio on {day}.", "amount", amount, "day", w.Date(t.At))
	}
	if t.Method == tender.AccountCredit {
		paid = w.T("{amount} was paid with your credit on {day}.", "amount", amount, "day", w.Date(t.At))
	}
	if t.Method == tender.GiftCard {
		paid = w.T("{amount} was paid with {card} on {day}.", "amount", amount, "card", w.GiftCardNamed(t.Label),
			"day", w.Date(t.At))
	}
	out := []string{paid}
	if n := t.RefundedAmount - t.CreditAmount; n > 0 && t.Method == tender.GiftCard {
		out = append(out, w.T("{amount} of it was refunded to the gift card.", "amount",
			w.Money(Price{Minor: n, Currency: cur})))
	} else if n > 0 {
		out = append(out, w.T("{amount} of it was refunded at the studio.", "amount", w.Money(Price{Minor: n, Currency: cur})))
	}
	if t.CreditAmount > 0 {
		out = append(out, w.creditNote(Price{Minor: t.CreditAmount, Currency: cur}))
	}
	return out
}

// creditNote is the note about a payment refunded to credit.
func (w Words) creditNote(amount Price) string {
	return w.T("{amount} of it was refunded as credit with the studio. You can use it to pay there.", "amount", w.Money(amount))
}

// FeeLabel returns the name of a fee on the receipt of its payment.
func (w Words) FeeLabel(k fees.Kind, what string) string {
	if k == fees.NoShow {
		return w.T("No-show fee: {what}", "what", what)
	}
	return w.T("Late-cancellation fee: {what}", "what", what)
}

func receiptLine(w Words, l order.ReceiptLine, s booking.CostBasis, cur money.Currency) Line {
	if l.Fee != "" {
		return Line{Name: w.FeeLabel(l.Fee, l.Label), Start: l.StartsAt, Minutes: Minutes(l.StartsAt, l.EndsAt), Party: l.Party, Who: w.Attendee(l.Attendee)}
	}
	if !l.Kind.Seat() {
		return Line{Name: w.ItemName(l.Kind, l.Label), Quantity: l.Quantity, Plan: w.soldUntil(l.PlanEnd)}
	}
	out := Line{
		Name: l.Label, Start: l.StartsAt, Minutes: Minutes(l.StartsAt, l.EndsAt), Where: w.WhereWith(l.Space, l.Instructor), Party: l.Party,
		Who: w.Attendee(l.Attendee), State: w.StateOf(l.State), Dates: BookedDates(w, l.Dates, l.State),
		Plan: w.Covered(l.Cover),
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

// standing reports whether nothing of a receipt stands any more and whether all standing bookings await the studio.
// title is the title of the page, if it is not a plain booking.
func (w Words) standing(r order.Receipt) (off, asked bool, title string) {
	off, asked = true, true
	gone := map[booking.State]int{}
	booked := slices.DeleteFunc(slices.Clone(r.Lines), func(l order.ReceiptLine) bool { return !l.Kind.Seat() })
	if len(booked) == 0 {
		fees := !slices.ContainsFunc(r.Lines, func(l order.ReceiptLine) bool { return l.Kind != order.Fee })
		return fees, false, w.T("Paid, thank you")
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
		return true, false, w.T("The studio cancelled this booking")
	case off:
		return true, false, w.T("This booking was cancelled")
	case asked:
		return false, true, w.T("Your request was sent")
	}
	return false, false, ""
}

// Voided returns the text for an authorization that was released.
func (w Words) Voided(amount string) string {
	return w.T("{amount} was authorized on your card and released without a charge. Your bank may take a few days to show that.", "amount", amount)
}

func refundNote(w Words, r order.ReceiptRefund, amount Price) string {
	if r.Destination == billing.ToCredit {
		return w.creditNote(amount)
	}
	what := w.Money(amount)
	switch r.State {
	case billing.RequestSucceeded:
		return w.T("{amount} was refunded to your card on {day}. Banks take up to ten days to show it.", "amount", what, "day", w.Date(r.At))
	case billing.RequestFailed, billing.RequestCanceled:
		return w.T("{amount} could not be refunded to your card. The studio will contact you.", "amount", what)
	}
	return w.T("A refund of {amount} to your card is on its way.", "amount", what)
}

// Sold returns the name of an order: of a single item its own, otherwise a count.
func Sold(w Words, lines []order.ReceiptLine) string {
	if len(lines) == 1 {
		return w.ItemName(lines[0].Kind, lines[0].Label)
	}
	return countSold(w, lines)
}

func countSold(w Words, lines []order.ReceiptLine) string {
	return w.CountOf(len(lines),
		func(i int) order.Kind {
			if lines[i].OfferingKind == "" {
				return lines[i].Kind
			}
			return KindOf(order.Kind(lines[i].OfferingKind), len(lines[i].Dates) > 0)
		},
		func(i int) any { return lines[i].OccurrenceID })
}

// number is the number that a customer reads out on the phone: the end of the order's id, with its random digits.
func (w Words) number(order string) string {
	return w.T("No. {number}", "number", strings.ToUpper(order[len(order)-8:]))
}

// CardName returns "Visa ending 4242", or "Visa ending 4242 (Apple Pay)".
func (w Words) CardName(c order.ReceiptCard) string {
	return w.ByWallet(w.T("{card} ending {digits}", "card", w.CardBrand(c.Brand), "digits", c.Last4), c.Wallet)
}

// ByWallet adds the name of a wallet to that of a card. Wallets have the same name in all languages.
func (w Words) ByWallet(card, wallet string) string {
	name, ok := map[string]string{"apple_pay": "Apple Pay", "google_pay": "Google Pay", "link": "Link", "samsung_pay": "Samsung Pay"}[wallet]
	if !ok {
		return card
	}
	return w.T("{card} ({wallet})", "card", card, "wallet", name)
}

// CardBrand returns "Visa"; for an unknown brand "Card".
func (w Words) CardBrand(brand string) string {
	switch brand {
	case "":
		return w.T("Card")
	case "amex":
		return "American Express"
	}
	return strings.ToUpper(brand[:1]) + strings.ReplaceAll(brand[1:], "_", " ")
}

// MapOf returns the address of a map of a location; empty if its address is not specific enough.
func MapOf(business string, a business.Address) string {
	if a.Street == "" || a.City == "" {
		return ""
	}
	return "https://www.openstreetmap.org/search?" + url.Values{"query": {Joined(", ", business, AddressLine(a), a.Country)}}.Encode()
}
