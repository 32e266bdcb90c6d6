package sales

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/order"
	"foyer/billing"
)

// Method is the payment method of a payment.
type Method string

// The methods.
const (
	ByCard Method = "card"
	Cash   Method = "cash"
	Other  Method = "other"          // a method of the studio's own, without further details
	Credit Method = "account_credit" // account credit
	Gift   Method = "gift_card"      // a gift card
)

// All returns all methods.
func (Method) All() []Method { return []Method{ByCard, Cash, Other, Credit, Gift} }

// Valid reports whether m is one of the methods.
func (m Method) Valid() bool { return slices.Contains(m.All(), m) }

// State is the state of a payment.
type State string

// The states.
const (
	Open           State = "open"       // it waits for the customer
	Processing     State = "processing" // the payment is in progress
	Paid           State = "paid"       // and not refunded
	PartlyRefunded State = "partly_refunded"
	Refunded       State = "refunded" // in full
	Failed         State = "failed"   // the card was declined, or the processor refused; an open one may be tried again
	Canceled       State = "canceled" // not paid
	Void           State = "void"     // a mistake at the desk
)

// All returns all states.
func (State) All() []State {
	return []State{Open, Processing, Paid, PartlyRefunded, Refunded, Failed, Canceled, Void}
}

// Valid reports whether s is one of the states.
func (s State) Valid() bool { return slices.Contains(s.All(), s) }

// Succeeded reports whether the payment was made.
func (s State) Succeeded() bool { return s == Paid || s == PartlyRefunded || s == Refunded }

// Payment is a customer's payment by one method, or an attempt. Amounts are in minor units of Currency.
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
	ProcessorFee *int64 // the processor's own fee (A30); nil until it is reported
	Refunded     int64  // refunded, or in progress
	FeeRefunded  int64  // of the platform fee, with refunds
	Refundable   int64  // still refundable; 0 if not captured, or refunded twice: as credit and by hand to the card
	Net          *int64 // the studio's part: less fees and refunds; nil until the processor's fee is known
	CardBrand    string
	CardLast4    string
	CardWallet   string // the wallet used: apple_pay, google_pay, link …; empty: none
	Failure      string // the reason of a decline, in words; empty otherwise
	FailureCode  string
	Note         string // at the desk
	RecordedBy   string // at the desk: the staff member
	Test         bool   // no real money is involved
	Authorized   bool   // until the studio has decided; not captured yet
	Released     bool   // was authorized and released: never captured
	Receipt      string // the token of its receipt; empty if nothing was sold
	CreatedAt    time.Time
	PaidAt       *time.Time // the time of payment; nil until then
}

// Tax is a tax rate as it was at the sale.
type Tax struct {
	RateID uuid.UUID
	Name   string
	PPM    int64
}

// TaxTotal is the total of one tax in a payment.
type TaxTotal struct {
	Tax
	Amount   int64
	Refunded int64 // of it, with refunds
}

// Line is a part of a payment. Amounts are of this payment.
type Line struct {
	ID         *uuid.UUID // nil: the service fee
	BookingID  *uuid.UUID // nil: of goods, and the service fee
	Kind       order.Kind // of the offering, or product; empty for the service fee
	Subject    uuid.UUID  // of goods: what was sold
	Quantity   int        // of goods; 1 of a booking, 0 for the service fee
	Returned   int        // of that, by any payment of the order
	Label      string     // as it was sold; empty for the service fee
	StartsAt   *time.Time // of the booking now
	Attendee   string     // the attendee, if not the customer
	Party      int
	Discount   int64 // taken off that, before tax
	Listed     int64 // the listed price; of the service fee its amount, without the tax on top
	Tax        *Tax  // nil: untaxed, and for the service fee, which can have several
	TaxAmount  int64 // inside the price or on top of it
	Total      int64 // the customer's price
	Refunded   int64 // of that
	Refundable int64
	// FeeShare is the part of a card payment's platform fee for this booking; the shares of a payment add up to its
	// fee. A224.
	FeeShare int64
}

// Refund is a refund of a payment: done, in progress, or failed.
type Refund struct {
	ID     uuid.UUID
	Amount int64
	State  billing.RefundState
	Reason billing.RefundReason
	// Destination is its destination; a payment with credit is refunded to credit, as its original.
	Destination billing.Destination
	Note        string
	FeeAmount   int64 // of the platform fee, refunded to the studio with it
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Detail is a payment with its lines, taxes and refunds.
type Detail struct {
	Payment
	Lines   []Line // the service fee last
	Taxes   []TaxTotal
	Refunds []Refund // the earliest first
}

// settle fills in the derived fields.
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
