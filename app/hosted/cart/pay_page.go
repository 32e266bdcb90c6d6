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
	Order       view.Order
	Way         PayWay
	Form        view.Form // PayTest posts "number", "exp" ("12/30", "1230" or "12/2030") and "cvc", both card forms "keep"; PayNothing posts no field
	Card        *LiveCard // for PayLive
	Tests       []TestCard
	Saved       *PaySaved     // with PayTest and PayLive: the cards that can pay at a press; nil for none
	SaveConsent string        // with PayTest and PayLive: what "keep" of the card form agrees to
	Code        CartCode      // a promo code can be typed here; the zero value where it cannot
	Credit      *PayCredit    // account credit of the customer; nil: none
	Deposit     *PayDeposit   // a deposit would do; nil: all of it is paid
	AtStudio    *PayAtStudio  // beside a card or in its place; nil where the studio's rules do not offer it
	Least       *view.Price   // with PayNotOffered: cards are taken, and this is the least that one pays
	Asks        string        // who has the last word about it: the studio; empty when it is booked at once
	Fee         bool          // it is a fee: no spots are held
	Agreed      []view.Agreed // what the customer has agreed to that it asks for
	Trouble     *view.Trouble
}

// PayWay is how a card can pay this order.
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
	Least *view.Price // credit pays less than it could, because a card pays no less than this; nil: it pays as much as there is
}

// PayDeposit is the choice between a deposit and all of it. Form posts "full", 1 or 0, and changes that.
type PayDeposit struct {
	Form         view.Form
	InFull       bool // all of it is paid now
	Now, Full    view.Price
	Later        view.Price // that a deposit leaves for the studio
	BalanceDueAt *time.Time // from when on that is charged to a saved card, in the location's zone; nil: it is not
}

// button says what the other choice comes to. What credit pays all of has no amount left to name.
func (d PayDeposit) button(w view.Words) string {
	switch {
	case d.InFull && d.Now.Minor == 0:
		return w.T("Pay only the deposit now, with your credit")
	case d.InFull:
		return w.T("Pay only the deposit now, {amount}", "amount", w.Money(d.Now))
	case d.Full.Minor == 0:
		return w.T("Pay all of it now, with your credit")
	}
	return w.T("Pay all of it now, {amount}", "amount", w.Money(d.Full))
}

// byCredit tells whether account credit pays all.
func (v Pay) byCredit() bool { return v.Way == PayNothing && v.Credit != nil && v.Credit.All }

// PayAtStudio is paying at the studio: what is due there, and what cancelling costs then.
type PayAtStudio struct {
	Form  view.Form
	Total view.Price
	Terms []string // a sentence each
}

// LiveCard is what the processor's script needs. The form's action answers a POST that accepts JSON with
// {"data":{"clientSecret":"…"}}, or with the error envelope whose message is shown as it is.
type LiveCard struct {
	Key     string // publishable key
	Account string // the studio's account at the processor
	Amount  int64  // in the processor's units
	Return  string // absolute address to come back to, of the page that settles the order
	Held    bool   // the money is held until the studio has decided
}

// TestCard is a number that the simulator knows, and what it does.
type TestCard struct{ Number, Does string }

// title says what is done on the page.
func (v Pay) title(w view.Words) string {
	switch {
	case v.byCredit():
		return w.C("title", "Pay")
	case v.Way == PayNothing, v.Way == PayNotOffered && v.AtStudio != nil:
		return w.T("Confirm your booking")
	}
	return w.C("title", "Pay")
}

func (v Pay) button(w view.Words) string {
	switch {
	case v.byCredit() && v.Asks != "":
		return w.T("Send the request and pay {amount} with credit", "amount", w.Money(v.Credit.Pays))
	case v.byCredit():
		return w.T("Pay {amount} with credit", "amount", w.Money(v.Credit.Pays))
	}
	if v.Way == PayNothing && v.Asks != "" {
		return w.T("Send the request")
	}
	if v.Way == PayNothing {
		return w.T("Book now")
	}
	return w.C("button", "Pay {amount}", "amount", w.Money(v.Order.Bill.DueNow()))
}

func (v Pay) buttonThere(w view.Words) string {
	if v.Asks != "" {
		return w.T("Send the request and pay at the studio")
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

// cardJSON is what pay.js says of a refused card, by the processor's code, and what it says when a form does not load.
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
