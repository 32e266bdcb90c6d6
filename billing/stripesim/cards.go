package stripesim

import (
	"strings"
	"time"
)

// card is the behaviour of a test number.
type card struct {
	brand   string
	decline *payError // every charge fails with this
	check   bool      // the bank checks with the customer first; off session it declines
	trusted bool      // once saved with the customer's consent, the bank allows charges off session
	attach  bool      // the payment that saves it passes, before decline applies
	refund  string    // the fate of a refund: "" nothing, "fails", "passes": until then it is pending
	dispute bool      // the customer's bank disputes the payment a little later
	wallet  string    // it came from the browser's wallet: apple_pay, google_pay, link
}

func declines(code, declineCode, message string) *payError {
	return &payError{Type: "card_error", Code: code, DeclineCode: declineCode, Message: message}
}

// The numbers are Stripe's published test cards, so a tester's habits carry over. Three stand for a wallet that a
// browser would offer.
var cards = map[string]card{
	"4242424242424242": {brand: "visa"},
	"4000056655665556": {brand: "visa"},
	"5555555555554444": {brand: "mastercard"},
	"378282246310005":  {brand: "amex"},
	"5200828282828210": {brand: "mastercard", wallet: "apple_pay"},
	"5105105105105100": {brand: "mastercard", wallet: "google_pay"},
	"6011111111111117": {brand: "discover", wallet: "link"},
	"4000000000000002": {brand: "visa", decline: declines("card_declined", "generic_decline", "Your card was declined.")},
	"4000000000009995": {brand: "visa", decline: declines("card_declined", "insufficient_funds", "Your card has insufficient funds.")},
	"4000000000009987": {brand: "visa", decline: declines("card_declined", "lost_card", "Your card was declined.")},
	"4000000000000341": {brand: "visa", attach: true, decline: declines("card_declined", "generic_decline", "Your card was declined.")},
	"4000000000000069": {brand: "visa", decline: declines("expired_card", "expired_card", "Your card has expired.")},
	"4000000000000127": {brand: "visa", decline: declines("incorrect_cvc", "incorrect_cvc", "Your card's security code is incorrect.")},
	"4000000000000119": {brand: "visa", decline: declines("processing_error", "processing_error", "An error occurred while processing your card. Try again in a little bit.")},
	"4000002500003155": {brand: "visa", check: true, trusted: true},
	"4000002760003184": {brand: "visa", check: true},
	"4000008400001629": {brand: "visa", check: true, decline: declines("card_declined", "generic_decline", "Your card was declined.")},
	"4000000000000259": {brand: "visa", dispute: true},
	"4000000000005126": {brand: "visa", refund: "fails"},
	"4000000000007726": {brand: "visa", refund: "passes"},
}

// typed is a card as it was typed.
type typed struct {
	number string
	month  time.Time // the last of its life, by its first day
}

// readCard checks a typed card, as the card network would, and returns it, or the reason of its refusal. A number
// that is not one of ours is refused without being stored: it may be a person's real card.
func readCard(number, expiry, cvc string, now time.Time) (typed, *payError) {
	number = strings.NewReplacer(" ", "", "-", "").Replace(number)
	if !luhn(number) {
		return typed{}, cardProblem("incorrect_number", "number", "Your card number is incorrect.")
	}
	month, ok := monthOf(expiry)
	if !ok {
		return typed{}, cardProblem("invalid_expiry_month", "exp_month", "Your card's expiration month is invalid.")
	}
	if !now.Before(month.AddDate(0, 1, 0)) {
		return typed{}, cardProblem("invalid_expiry_year", "exp_year", "Your card's expiration date is in the past.")
	}
	if cvc = strings.TrimSpace(cvc); !digits(cvc) || len(cvc) < 3 || len(cvc) > 4 {
		return typed{}, cardProblem("invalid_cvc", "cvc", "Your card's security code is invalid.")
	}
	if _, ok := cards[number]; !ok {
		return typed{}, declines("card_declined", "test_mode_live_card", "This is a test payment. Use one of the test card numbers.")
	}
	return typed{number, month}, nil
}

// monthOf reads "12/34", "12 / 2034" or "1234" as the first day of that month.
func monthOf(expiry string) (time.Time, bool) {
	expiry = strings.NewReplacer(" ", "", "-", "/", ".", "/").Replace(expiry)
	for _, layout := range []string{"1/06", "1/2006", "0106", "012006"} {
		if month, err := time.Parse(layout, expiry); err == nil {
			return month, true
		}
	}
	return time.Time{}, false
}

func cardProblem(code, param, message string) *payError {
	return &payError{Type: "card_error", Code: code, Param: param, Message: message}
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// luhn is the check digit of card numbers.
func luhn(s string) bool {
	if !digits(s) || len(s) < 12 || len(s) > 19 {
		return false
	}
	sum := 0
	for i, r := range s {
		d := int(r - '0')
		if (len(s)-i)%2 == 0 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
