package my

import (
	"strconv"
	"time"

	"foyer/app/order"
	"foyer/app/sales"
	"foyer/app/view"
)

// Payments has the payments of one customer, and their means to pay.
type Payments struct {
	Email    string
	Credits  []Credit
	Payments []Payment
	More     string // address of older ones
}

// Credit is account credit with a studio.
type Credit struct {
	Studio string
	Amount view.Price
}

// Payment is one line of the customer's payments.
type Payment struct {
	At       time.Time
	Zone     *time.Location // of the studio
	Label    string         // "Sunrise Vinyasa", "Fee for cancelling late: Sunrise Vinyasa", "Sunrise Vinyasa and 2 more"
	Studio   string
	Method   string // "Visa ending 4242", "in cash"
	Amount   view.Price
	Refunded string // the amount refunded; may be empty
	Receipt  string // address
	Test     bool
}

// PaymentOf returns a payment as its customer sees it.
func PaymentOf(w view.Words, p sales.Mine) Payment {
	out := Payment{
		At: p.CreatedAt, Zone: w.Zone, Label: p.Label, Studio: view.Joined(", ", p.BusinessName, view.LocationSuffix(p.BusinessName, p.LocationName)),
		Method: means(w, p.Payment), Amount: view.Price{Minor: p.Amount, Currency: p.Currency}, Receipt: "/receipt/" + p.Receipt, Test: p.Test,
	}
	if p.PaidAt != nil {
		out.At = *p.PaidAt
	}
	if p.Fee != "" {
		out.Label = w.FeeLabel(p.Fee, p.Label)
	}
	if n := p.LineCount - 1; n > 0 {
		out.Label = w.T("{what} and {rest} more", "what", out.Label, "rest", strconv.Itoa(n))
	}
	switch back := w.Money(view.Price{Minor: p.Refunded, Currency: p.Currency}); {
	case p.Released, p.Authorized && p.Refunded == p.Amount:
		out.Refunded = w.T("It was authorized on your card and not charged.")
	case p.Authorized:
		out.Refunded = w.T("Authorized on your card until the studio responds")
	case p.Refunded == p.Amount:
		out.Refunded = w.T("Fully refunded, or on its way to you")
	case p.Refunded > 0:
		out.Refunded = w.T("Partially refunded: {amount}, or on its way to you", "amount", back)
	}
	return out
}

// means is the payment method in words.
func means(w view.Words, p sales.Payment) string {
	switch p.Method {
	case sales.ByCard:
		return w.CardName(order.ReceiptCard{Brand: p.CardBrand, Last4: p.CardLast4, Wallet: p.CardWallet})
	case sales.Cash:
		return w.C("payment", "Cash")
	case sales.Credit:
		return w.C("payment", "Account credit")
	}
	return w.C("payment", "At the studio")
}
