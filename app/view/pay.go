package view

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Pay is the last step before a booking is made.
type Pay struct {
	Order   Order
	Way     PayWay
	Form    Form      // PayTest posts "number", "exp" ("12/30") and "cvc"; PayNothing posts no field
	Card    *LiveCard // for PayLive
	Tests   []TestCard
	Asks    string // who has the last word about it: the studio; empty when it is booked at once
	Trouble *Trouble
}

// PayWay is how this order can be paid.
type PayWay int

// The ways.
const (
	PayNothing    PayWay = iota // the total is zero
	PayTest                     // the processor simulator's own card form
	PayLive                     // the processor's card form
	PayNotOffered               // the studio takes no cards here
)

// LiveCard is what the processor's script needs. The form's action answers a POST that accepts JSON with
// {"data":{"clientSecret":"…"}}, or with the error envelope whose message is shown as it is.
type LiveCard struct {
	Key     string // publishable key
	Account string // the studio's account at the processor
	Amount  int64  // in the processor's units
	Return  string // absolute address to come back to, of the page that settles the order
}

// TestCard is a number that the simulator knows, and what it does.
type TestCard struct{ Number, Does string }

// Declined is the trouble of a card that was refused; reason is the processor's in plain words, may be empty.
func Declined(reason string) *Trouble {
	text := "Nothing was charged and your spots are still held. Check the card or try another one."
	if reason != "" {
		text = strings.TrimSuffix(reason, ".") + ". " + text
	}
	return &Trouble{Title: "Your card was declined", Text: text}
}

func (v Pay) button(w Words) string {
	if v.Way == PayNothing && v.Asks != "" {
		return "Send the request"
	}
	if v.Way == PayNothing {
		return "Book now"
	}
	return "Pay " + w.Money(v.Order.Bill.Total)
}

// settings are the data attributes that pay.js reads.
func (v Pay) settings() templ.Attributes {
	return templ.Attributes{
		"data-stripe":   true,
		"data-key":      v.Card.Key,
		"data-account":  v.Card.Account,
		"data-amount":   strconv.FormatInt(v.Card.Amount, 10),
		"data-currency": strings.ToLower(string(v.Order.Bill.Total.Currency)),
		"data-locale":   "en",
		"data-return":   v.Card.Return,
	}
}
