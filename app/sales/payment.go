package sales

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/billing"
)

// Method is by what means money was taken.
type Method string

// The methods.
const (
	ByCard Method = "card"
	Cash   Method = "cash"
	Other  Method = "elsewhere" // by a means that the studio has itself, and of which nothing is known but the amount
	Credit Method = "credit"    // with account credit
)

// All lists them.
func (Method) All() []Method { return []Method{ByCard, Cash, Other, Credit} }

// Valid tells whether m is one of the methods.
func (m Method) Valid() bool { return slices.Contains(m.All(), m) }

// State is how a payment stands.
type State string

// The states.
const (
	Open           State = "open"       // it waits for the customer
	Processing     State = "processing" // the money is on its way
	Paid           State = "paid"       // and nothing of it went back
	PartlyRefunded State = "partly_refunded"
	Refunded       State = "refunded" // all of it
	Failed         State = "failed"   // the card was declined, or the processor refused; an open one may be tried again
	Canceled       State = "canceled" // nobody paid
	Void           State = "void"     // taken at the desk by mistake
)

// All lists them.
func (State) All() []State {
	return []State{Open, Processing, Paid, PartlyRefunded, Refunded, Failed, Canceled, Void}
}

// Valid tells whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// Succeeded tells whether the money was there.
func (s State) Succeeded() bool { return s == Paid || s == PartlyRefunded || s == Refunded }

// Payment is what was taken from a customer by one means, or a try to take it. Amounts are in minor units of Currency.
type Payment struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	Zone         string // IANA: of the location
	OrderID      uuid.UUID
	CustomerID   uuid.UUID
	CustomerName string // may be empty
	Label        string // the label of its first line
	LineCount    int    // of its order
	Method       Method
	State        State
	Amount       int64
	Currency     money.Currency
	FeeAmount    int64  // the platform's share. A24.
	FeePPM       int64  // and its rate, in parts per million
	ProcessorFee *int64 // what the processor took for itself (A30); nil until it says so
	Refunded     int64  // gone back, or on its way
	FeeRefunded  int64  // of the platform fee, with what went back
	Refundable   int64  // what can go back still; 0 of what was not taken, and of what went back twice: as credit and by hand to the card
	Net          *int64 // what of it the studio has: less fees and refunds; nil until the processor's fee is known
	CardBrand    string
	CardLast4    string
	CardWallet   string // that the card was paid with: apple_pay, google_pay, link …; empty: none
	Failure      string // why the card was declined, in words; empty otherwise
	FailureCode  string
	Note         string // at the desk
	TakenBy      string // at the desk: who took it
	Test         bool   // no money moved
	Authorized   bool   // held on the card until the studio has decided; not taken yet
	Released     bool   // was held there, and is let go: never taken
	Receipt      string // the token of its receipt; empty when nothing was sold
	CreatedAt    time.Time
	TakenAt      *time.Time // when the money was there; nil until then
}

// Tax is a tax rate as it was when something was sold.
type Tax struct {
	RateID uuid.UUID
	Name   string
	PPM    int64
}

// TaxTotal is what a payment has of one tax.
type TaxTotal struct {
	Tax
	Amount   int64
	Refunded int64 // of it, with what went back
}

// Line is a part of what a payment is for. Amounts are of this payment.
type Line struct {
	ID         *uuid.UUID // nil: the service fee
	BookingID  *uuid.UUID
	Kind       catalog.Kind // empty for the service fee
	Label      string       // as it was sold; empty for the service fee
	StartsAt   *time.Time   // of the booking now
	Attendee   string       // who comes, when it is somebody else than the customer
	Party      int
	Discount   int64 // taken off that, before tax
	Listed     int64 // the listed price; of the service fee what was charged, without the tax on top
	Tax        *Tax  // nil: untaxed, and for the service fee, which can have several
	TaxAmount  int64 // inside the price or on top of it
	Total      int64 // what the customer paid for it
	Refunded   int64 // went back of that
	Refundable int64
	// FeeShare is what of the platform fee of a card payment is for this booking; the shares of a payment add up to its fee. A224.
	FeeShare int64
}

// Refund is money of a payment that went back, is on its way, or could not be given.
type Refund struct {
	ID     uuid.UUID
	Amount int64
	State  billing.RefundState
	Reason billing.RefundReason
	// Destination is where it goes; what was paid with credit goes back to it, as to where it came from.
	Destination billing.Destination
	Note        string
	FeeAmount   int64 // of the platform fee that comes back to the studio with it
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Detail is a payment with everything that is known of it.
type Detail struct {
	Payment
	Lines   []Line // the service fee last
	Taxes   []TaxTotal
	Refunds []Refund // the earliest first
}

// settle fills in what follows from what was read.
func (p *Payment) settle(processorFee *int64) {
	if !p.State.Succeeded() {
		return
	}
	p.Refundable, p.ProcessorFee = max(0, p.Amount-p.Refunded), processorFee
	if p.Method == ByCard {
		p.Refundable = p.Currency.Floor(p.Refundable)
	}
	if processorFee != nil {
		net := p.Amount - p.Refunded - p.FeeAmount + p.FeeRefunded - *processorFee
		p.Net = &net
	}
}
