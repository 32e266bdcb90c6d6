package stripesim

import (
	"net/http"
	"strconv"
	"strings"

	"foyer/app/clock"
)

// card is how a test number behaves.
type card struct {
	brand   string
	decline *payError // every charge fails with this
	check   bool      // the bank asks the customer first; without the customer it declines
	refund  string    // what happens to a refund later: "" nothing, "fail", "late"
}

func declines(code, declineCode, message string) *payError {
	return &payError{Type: "card_error", Code: code, DeclineCode: declineCode, Message: message}
}

// The numbers are Stripe's published test cards, so a tester's habits carry over.
var cards = map[string]card{
	"4242424242424242": {brand: "visa"},
	"4000056655665556": {brand: "visa"},
	"5555555555554444": {brand: "mastercard"},
	"378282246310005":  {brand: "amex"},
	"4000000000000002": {brand: "visa", decline: declines("card_declined", "generic_decline", "Your card was declined.")},
	"4000000000009995": {brand: "visa", decline: declines("card_declined", "insufficient_funds", "Your card has insufficient funds.")},
	"4000000000009987": {brand: "visa", decline: declines("card_declined", "lost_card", "Your card was declined.")},
	"4000000000000341": {brand: "visa", decline: declines("card_declined", "generic_decline", "Your card was declined.")},
	"4000000000000069": {brand: "visa", decline: declines("expired_card", "expired_card", "Your card has expired.")},
	"4000000000000127": {brand: "visa", decline: declines("incorrect_cvc", "incorrect_cvc", "Your card's security code is incorrect.")},
	"4000000000000119": {brand: "visa", decline: declines("processing_error", "processing_error", "An error occurred while processing your card. Try again in a little bit.")},
	"4000002500003155": {brand: "visa", check: true},
	"4000002760003184": {brand: "visa", check: true},
	"4000008400001629": {brand: "visa", check: true, decline: declines("card_declined", "generic_decline", "Your card was declined.")},
	"4000000000005126": {brand: "visa", refund: "fail"},
	"4000000000007726": {brand: "visa", refund: "late"},
}

// The names that Stripe's own libraries use for some of them.
var methodTokens = map[string]string{
	"pm_card_visa":                            "4242424242424242",
	"pm_card_mastercard":                      "5555555555554444",
	"pm_card_visa_chargeDeclined":             "4000000000000002",
	"pm_card_chargeDeclined":                  "4000000000000002",
	"pm_card_chargeDeclinedInsufficientFunds": "4000000000009995",
	"pm_card_chargeDeclinedExpiredCard":       "4000000000000069",
	"pm_card_authenticationRequired":          "4000002760003184",
	"pm_card_threeDSecure2Required":           "4000002760003184",
}

// typed is a card as a person typed it.
type typed struct{ number, month, year, cvc string }

// read checks a typed card as the card network would and returns its details, or why it is refused. A number that is not
// one of ours is refused without being kept: it may be somebody's real card.
func (t typed) read(now clock.Clock) (string, cardDetails, *payError) {
	number := strings.NewReplacer(" ", "", "-", "").Replace(t.number)
	if !luhn(number) {
		return "", cardDetails{}, cardProblem("incorrect_number", "number", "Your card number is incorrect.")
	}
	month, err := strconv.ParseInt(strings.TrimSpace(t.month), 10, 64)
	if err != nil || month < 1 || month > 12 {
		return "", cardDetails{}, cardProblem("invalid_expiry_month", "exp_month", "Your card's expiration month is invalid.")
	}
	year, err := strconv.ParseInt(strings.TrimSpace(t.year), 10, 64)
	if err == nil && year < 100 {
		year += 2000
	}
	today := now.Now()
	if err != nil || year < int64(today.Year()) || year > int64(today.Year())+50 ||
		(year == int64(today.Year()) && month < int64(today.Month())) {
		return "", cardDetails{}, cardProblem("invalid_expiry_year", "exp_year", "Your card's expiration date is in the past.")
	}
	if cvc := strings.TrimSpace(t.cvc); !digits(cvc) || len(cvc) < 3 || len(cvc) > 4 {
		return "", cardDetails{}, cardProblem("invalid_cvc", "cvc", "Your card's security code is invalid.")
	}
	c, ok := cards[number]
	if !ok {
		p := declines("card_declined", "test_mode_live_card", "This is a test payment. Use one of the test card numbers.")
		return "", cardDetails{}, p
	}
	return number, cardDetails{
		Brand: c.brand, Country: "US", ExpMonth: month, ExpYear: year, Funding: "credit", Last4: number[len(number)-4:],
	}, nil
}

func cardProblem(code, param, message string) *payError {
	return &payError{Type: "card_error", Code: code, Param: param, Message: message}
}

func digits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

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

var methodParams = []string{
	"type", "card.number", "card.exp_month", "card.exp_year", "card.cvc", "billing_details.email", "billing_details.name", "metadata.*",
}

func createMethod(c *call) (any, *problem) {
	c.direct()
	c.p.one("type", "card")
	c.p.need("type")
	t := typed{
		number: c.p.need("card.number"), month: c.p.need("card.exp_month"), year: c.p.need("card.exp_year"), cvc: c.p.need("card.cvc"),
	}
	metadata := c.p.metadata()
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	m, wrong := c.newMethod(t)
	if wrong != nil {
		return nil, &problem{payError: *wrong, status: http.StatusPaymentRequired}
	}
	m.Metadata = metadata
	return m, nil
}

// newMethod keeps a typed card on the account.
func (c *call) newMethod(t typed) (*paymentMethod, *payError) {
	number, details, wrong := t.read(c.opt.Clock)
	if wrong != nil {
		return nil, wrong
	}
	m := &paymentMethod{
		ID: c.newID("pm"), Object: "payment_method", Type: "card", Created: c.at.Unix(),
		Metadata: map[string]string{}, Card: details, Sim: methodSim{Number: number},
	}
	c.world.Methods[m.ID] = m
	return m, nil
}

// method finds a card by id, or makes one for a name like pm_card_visa.
func (c *call) method(id string) (*paymentMethod, *problem) {
	if m, ok := c.world.Methods[id]; ok {
		return m, nil
	}
	if number, ok := methodTokens[id]; ok {
		year := c.at.AddDate(4, 0, 0).Format("2006")
		if m, wrong := c.newMethod(typed{number: number, month: "12", year: year, cvc: "123"}); wrong == nil {
			return m, nil
		}
	}
	p := missing("PaymentMethod", id)
	p.Param = "payment_method"
	return nil, p
}
