package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
)

// Statuses that a payment has with us and not at the processor.
const (
	StatusNew    Status = "new"    // the processor has not answered yet; nobody can pay it
	StatusFailed Status = "failed" // the processor refused to make it; final
)

// Outcome is what became of the money of a payment that succeeded.
type Outcome string

// The outcomes.
const (
	OutcomeNone     Outcome = ""         // it has not succeeded
	OutcomeSettled  Outcome = "settled"  // what was paid for is given
	OutcomeRefunded Outcome = "refunded" // it could not be given: the money goes back
)

// Payment is one try to take the money of an order by card. It keeps the account it was made on.
type Payment struct {
	ID             uuid.UUID
	LocationID     uuid.UUID
	OrderID        uuid.UUID
	Env            Env
	AccountID      string
	Attempt        int    // 1 for an order's first payment
	IntentID       string // the processor's id; empty until it answered
	ChargeID       string
	Amount         int64 // on the card, in minor units of Currency
	Currency       money.Currency
	FeeAmount      int64 // the platform's application fee, one per payment. A24, A224.
	FeePPM         int64
	Status         Status
	CardBrand      string
	CardLast4      string
	FailureCode    string // why the last card was declined
	FailureMessage string // fit to be shown to the customer
	Outcome        Outcome
	DueAt          time.Time // when to ask the processor again; zero when nothing is open
	CreatedAt      time.Time
	UpdatedAt      time.Time
	SucceededAt    time.Time // zero until then
}

// Over reports whether the payment cannot change any more.
func (p Payment) Over() bool { return p.Status.Final() || p.Status == StatusFailed }

// Moving reports whether money may be on its way, so that nothing may take the payment's place.
func (p Payment) Moving() bool {
	return p.Status == StatusProcessing || p.Status == StatusAuthorized || p.Status == StatusSucceeded
}

// Test reports whether no money moves.
func (p Payment) Test() bool { return p.Env != EnvLive }

// after returns the payment as the processor has it now. A payment that is over stays as it is, whatever comes late.
func (p Payment) after(in Intent, now time.Time) Payment {
	if p.Over() {
		return p
	}
	p.IntentID, p.Status, p.ChargeID = in.ID, in.Status, in.ChargeID
	p.FailureCode, p.FailureMessage = "", ""
	if f := in.Failure; f != nil && in.Status != StatusSucceeded {
		p.FailureCode, p.FailureMessage = f.Code, f.Message
		if f.DeclineCode != "" {
			p.FailureCode = f.DeclineCode
		}
	}
	if in.Card != nil {
		p.CardBrand, p.CardLast4 = in.Card.Brand, in.Card.Last4
	}
	if p.Over() {
		p.DueAt = time.Time{}
	}
	if p.Status == StatusSucceeded {
		p.SucceededAt = now
	}
	return p
}

// is reports whether the processor's payment is the one that was asked for.
func (p Payment) is(in Intent) bool {
	return p.AccountID == in.Account && (p.IntentID == "" || p.IntentID == in.ID) &&
		p.Amount == in.Amount && p.Currency == in.Currency && p.FeeAmount == in.Fee
}

// When a payment that is not over is asked for again.
const (
	recheckFirst = 5 * time.Minute
	recheckMost  = 6 * time.Hour
	payWithin    = 24 * time.Hour     // after that it is given up at the processor
	askWithin    = 7 * 24 * time.Hour // after that nobody asks any more
)

// checkAt is when to ask again: after five minutes, then at growing distances.
func (p Payment) checkAt(now time.Time) time.Time {
	age := now.Sub(p.CreatedAt)
	if age > askWithin {
		return time.Time{}
	}
	return now.Add(min(max(age, recheckFirst), recheckMost))
}

// PaymentOf reads a payment; an unknown id is not found.
func PaymentOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Payment, error) {
	return readPayment(ctx, r, id)
}
