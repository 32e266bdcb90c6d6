package billingtest

import (
	"testing"
	"time"

	"foyer/app/money"
	"foyer/billing"
)

// Card is a published test card number.
type Card string

// The cards of the suite.
const (
	CardGood     Card = "4242 4242 4242 4242"
	CardDeclined Card = "4000 0000 0000 0002"
	CardNoFunds  Card = "4000 0000 0000 9995"
	CardExpired  Card = "4000 0000 0000 0069"
	CardAsksBank Card = "4000 0027 6000 3184" // the bank asks the customer every time
)

// Delivery is an event as it reached the app.
type Delivery struct {
	Body      []byte
	Signature string
}

// Target is an implementation under test, with two accounts that take cards and hands for what the program cannot do.
type Target struct {
	Processor billing.Processor
	Currency  money.Currency // of both accounts
	Account   string
	Other     string

	// Onboard opens an account link as the studio and completes the account.
	Onboard func(t testing.TB, link string)
	// Pay types a card as the customer in the browser. It returns where the browser is sent: the bank's page when it asks.
	Pay func(t testing.TB, in billing.Intent, card Card) string
	// Bank answers the bank's page.
	Bank func(t testing.TB, page string, authorise bool)
	// Disconnect takes the platform's access to an account away.
	Disconnect func(t testing.TB, account string)
	// Wait lets time pass.
	Wait func(d time.Duration)
	// Deliveries returns every event that was sent so far, in the order it came.
	Deliveries func(t testing.TB) []Delivery
	// Now is the processor's time.
	Now func() time.Time
	// Sign signs a body as the processor would at a time, with one of the secrets the Processor was given (0 or 1).
	Sign func(body []byte, secret int, at time.Time) string
}
