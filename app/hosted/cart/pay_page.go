package cart

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"foyer/app/view"
)

// Pay is the last step before a booking is made.
type Pay struct {
	Order view.Order
	Way   PayWay
	// Form posts no field with PayNothing. With PayTest it posts "number", "exp" ("12/30", "1230" or "12/2030") and
	// "cvc", with PayTest and PayLive also "keep".
	Form        view.Form
	Card        *LiveCard // for PayLive
	Tests       []TestCard
	Saved       *PaySaved     // with PayTest and PayLive: saved cards; nil for none
	SaveConsent string        // with PayTest and PayLive: the text of the consent for "keep" of the card form
	Code        CartCode      // a promo code can be entered here; the zero value where it cannot
	Renewals    string        // the notice that the card is saved for renewals; empty without a membership
	Plans       *PayPlans     // what pays for each seat; nil: no plan can
	Gifts       *PayGifts     // gift cards; nil where none can pay
	Credit      *PayCredit    // account credit of the customer; nil: none
	Deposit     *PayDeposit   // a deposit is possible; nil: the full price is paid
	AtStudio    *PayAtStudio  // beside a card or in its place; nil where the studio's rules do not offer it
	Least       *view.Price   // with PayNotOffered: cards are accepted, and this is the minimum charge
	Approval    string        // the notice that the studio approves the booking; empty when it is booked at once
	Fee         bool          // a fee is paid: no spots are held
	Items       bool          // no seat is held, but other items
	Agreed      []view.Agreed // the required agreements that the customer has accepted
	Trouble     *view.Trouble
}

// PayWay is the way a card can pay this order.
type PayWay int

// The ways.
const (
	PayNothing    PayWay = iota // the total is zero, or credit pays all of it
	PayTest                     // the processor simulator's own card form
	PayLive                     // the processor's card form
	PayNotOffered               // no card can
)

// PayCredit is account credit that may pay first. Form posts "use", 1 or 0, and changes that.
type PayCredit struct {
	Form  view.Form
	Has   view.Price
	Pays  view.Price  // zero: it is not used
	All   bool        // it pays all
	Least *view.Price // set if credit pays less than it could, because of the minimum charge of a card
}

// PayGifts are the gift cards that pay, and the field for one more. Form posts "gift", a code.
type PayGifts struct {
	Form  view.Form
	Cards []PayGift
	Paid  view.Price // by them and by credit
	All   bool       // that is all
	Open  bool       // the field is shown
	Typed string
}

// PayGift is a gift card that pays.
type PayGift struct {
	Name      string // "Gift card •••• 7K2M"
	Has, Pays view.Price
	Remove    view.Form
}

const fieldGiftCode = "gift"

// byGift reports whether gift cards pay all, with credit or without.
func (v Pay) byGift() bool {
	return v.Way == PayNothing && v.Gifts != nil && len(v.Gifts.Cards) > 0 && v.Gifts.All
}

// PayDeposit is the choice between a deposit and the full price. Form posts "full", 1 or 0, and changes that.
type PayDeposit struct {
	Form         view.Form
	InFull       bool // the full price is paid now
	Now, Full    view.Price
	Later        view.Price // the balance due after a deposit
	BalanceDueAt *time.Time // from when it is charged to a saved card, in the location's zone; nil: it is not
}

// button is the text of the other choice with its amount. If credit pays all of it, it has no amount.
func (d PayDeposit) button(w view.Words) string {
	switch {
	case d.InFull && d.Now.Minor == 0:
		return w.T("Pay only the deposit now, with your credit")
	case d.InFull:
		return w.T("Pay only the deposit now, {amount}", "amount", w.Money(d.Now))
	case d.Full.Minor == 0:
		return w.T("Pay in full now, with your credit")
	}
	return w.T("Pay in full now, {amount}", "amount", w.Money(d.Full))
}

// byCredit reports whether account credit pays all.
func (v Pay) byCredit() bool { return v.Way == PayNothing && v.Credit != nil && v.Credit.All }

// PayAtStudio is payment at the studio: the amount due there, and the cost of cancelling.
type PayAtStudio struct {
	Form  view.Form
	Total view.Price
	Terms []string // a sentence each
}

// LiveCard has the settings of the processor's script. The form's action answers a POST that accepts JSON with
// {"data":{"clientSecret":"…"}}, or with the error envelope; its message is shown as it is.
type LiveCard struct {
	Key     string // publishable key
	Account string // the studio's account at the processor
	Amount  int64  // in the processor's units
	Return  string // absolute return address, of the page that completes the order
	Held    bool   // the payment is only authorized until the studio has decided
}

// TestCard is a number of the simulator, and its effect.
type TestCard struct{ Number, Does string }

// title is the title of the page.
func (v Pay) title(w view.Words) string {
	switch {
	case v.byCredit(), v.byGift():
		return w.C("title", "Pay")
	case v.Way == PayNothing && v.Items:
		return w.T("Confirm your order")
	case v.Way == PayNothing, v.Way == PayNotOffered && v.AtStudio != nil:
		return w.T("Confirm your booking")
	}
	return w.C("title", "Pay")
}

func (v Pay) button(w view.Words) string {
	switch {
	case v.byGift() && v.Approval != "":
		return w.T("Send request and pay {amount}", "amount", w.Money(v.Gifts.Paid))
	case v.byGift():
		return w.C("button", "Pay {amount}", "amount", w.Money(v.Gifts.Paid))
	case v.byCredit() && v.Approval != "":
		return w.T("Send request and pay {amount} with credit", "amount", w.Money(v.Credit.Pays))
	case v.byCredit():
		return w.T("Pay {amount} with credit", "amount", w.Money(v.Credit.Pays))
	}
	if v.Way == PayNothing && v.Approval != "" {
		return w.T("Send request")
	}
	if v.Way == PayNothing && v.Items {
		return w.T("Confirm order")
	}
	if v.Way == PayNothing {
		return w.T("Book now")
	}
	return w.C("button", "Pay {amount}", "amount", w.Money(v.Order.Bill.DueNow()))
}

func (v Pay) buttonThere(w view.Words) string {
	if v.Approval != "" {
		return w.T("Send request and pay at the studio")
	}
	return w.T("Book now and pay at the studio")
}

// settings are the data attributes that pay.js reads.
func (v Pay) settings(w view.Words) templ.Attributes {
	return templ.Attributes{
		"data-stripe":   true,
		"data-key":      v.Card.Key,
		"data-held":     v.Card.Held,
		"data-account":  v.Card.Account,
		"data-amount":   strconv.FormatInt(v.Card.Amount, 10),
		"data-currency": strings.ToLower(string(v.Order.Bill.Total.Currency)),
		"data-locale":   w.Lang().Base(),
		"data-return":   v.Card.Return,
		"data-words":    v.cardJSON(w),
	}
}

// cardJSON has pay.js's messages for a declined card, by the processor's code, and for a form that does not load.
func (v Pay) cardJSON(w view.Words) string {
	said := map[string]string{
		"":        w.T("The payment did not go through. Nothing was charged. Try again."),
		"loading": w.T("The card form did not load. Reload the page to try again."),
	}
	for code := range view.CardCodes() {
		tr := v.trouble(w, code)
		said[code] = tr.Title + ". " + tr.Text
	}
	text, err := json.Marshal(said)
	if err != nil {
		panic(err) // strings
	}
	return string(text)
}
