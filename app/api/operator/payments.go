package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Payment is what was taken from a customer by one means, or a try to; amounts in minor units.
type Payment struct {
	ID             uuid.UUID      `json:"id"`
	LocationID     uuid.UUID      `json:"locationId"`
	LocationName   string         `json:"locationName"`
	Zone           string         `json:"zone" doc:"The wall clock of the location."`
	OrderID        uuid.UUID      `json:"orderId" doc:"What it was for."`
	CustomerID     uuid.UUID      `json:"customerId"`
	CustomerName   string         `json:"customerName" doc:"May be empty."`
	Label          string         `json:"label" doc:"Of its first line."`
	LineCount      int            `json:"lineCount" doc:"How many lines its order has."`
	Method         sales.Method   `json:"method" doc:"Elsewhere: by a means of the studio's own, of which nothing but the amount is known."`
	State          sales.State    `json:"state" doc:"Open: it waits for the customer. Failed: the card was declined, and may be tried again. Canceled: nobody paid. Void: taken at the desk by mistake."`
	Amount         int64          `json:"amount"`
	Currency       money.Currency `json:"currency"`
	PlatformFee    int64          `json:"platformFee" doc:"The application fee of a card payment; 0 of others."`
	PlatformFeePPM int64          `json:"platformFeePpm" doc:"Its rate, in parts per million."`
	ProcessorFee   *int64         `json:"processorFee" doc:"What the processor took for itself; null until it says so, some seconds after the payment."`
	Refunded       int64          `json:"refunded" doc:"Gone back, or on its way."`
	FeeRefunded    int64          `json:"feeBack" doc:"Of the platform fee, come back to the studio with that."`
	Refundable     int64          `json:"left" doc:"What can go back still."`
	Net            *int64         `json:"net" doc:"What of it the studio has: less fees and refunds. Null until the processor's fee is known."`
	CardBrand      string         `json:"cardBrand" doc:"May be empty." example:"visa"`
	CardLast4      string         `json:"cardLast4" doc:"May be empty." example:"4242"`
	CardWallet     string         `json:"cardWallet" doc:"What the card was paid with: apple_pay, google_pay, link or another word of the processor; empty: none." example:"apple_pay"`
	FailureCode    string         `json:"failureCode" doc:"Why the last card was declined; empty otherwise."`
	Failure        string         `json:"failure" doc:"The same in words that fit the customer."`
	Note           string         `json:"note" doc:"Of what was taken at the desk."`
	TakenBy        string         `json:"takenBy" doc:"Who took it at the desk; empty for a card."`
	Test           bool           `json:"test" doc:"No money moved."`
	Receipt        string         `json:"receipt" doc:"The token of its receipt; empty when nothing was sold."`
	CreatedAt      time.Time      `json:"createdAt" doc:"When it began."`
	TakenAt        *time.Time     `json:"takenAt" doc:"When the money was there."`
}

// PaymentDetail is a payment with what it was for and what went back of it.
type PaymentDetail struct {
	Payment
	Lines   []PaymentLine   `json:"lines" doc:"The service fee last."`
	Taxes   []PaymentTax    `json:"taxes" doc:"By rate."`
	Refunds []PaymentRefund `json:"refunds" doc:"The earliest first."`
}

// PaymentLine is a part of what a payment is for; amounts are of this payment.
type PaymentLine struct {
	ID         *uuid.UUID           `json:"id" doc:"Null: the service fee."`
	BookingID  *uuid.UUID           `json:"bookingId"`
	Kind       catalog.Kind         `json:"kind" enum:",class,appointment,rental" doc:"Empty for the service fee."`
	Label      string               `json:"label" doc:"As it was sold; empty for the service fee."`
	StartsAt   *time.Time           `json:"startsAt" doc:"Of the booking now."`
	Attendee   string               `json:"attendee" doc:"Who comes, when it is somebody else than the customer."`
	Party      int                  `json:"party" doc:"Seats; 0 for the service fee."`
	Discount   int64                `json:"discount" doc:"What discounts took off it, before tax."`
	Listed     int64                `json:"listed" doc:"The listed price; of the service fee what was charged, without its tax."`
	Tax        op.Nullable[LineTax] `json:"tax" doc:"Null: untaxed. Null for the service fee, too, which can have several: see taxes."`
	TaxAmount  int64                `json:"taxAmount" doc:"Inside the price or on top of it."`
	Total      int64                `json:"total" doc:"What the customer paid for it."`
	Refunded   int64                `json:"refunded" doc:"Gone back of that, or on its way."`
	Refundable int64                `json:"left" doc:"What of it can go back still."`

	PlatformFee int64 `json:"platformFee" doc:"What of the payment's platform fee is for this booking; the lines add up to it. 0 of the service fee."`
}

// LineTax is a tax rate as it was when something was sold.
type LineTax struct {
	RateID uuid.UUID `json:"rateId" doc:"The tax rate."`
	Name   string    `json:"name"`
	PPM    int64     `json:"ppm" doc:"Parts per million."`
}

// PaymentTax is what a payment has of one tax.
type PaymentTax struct {
	LineTax
	Amount   int64 `json:"amount"`
	Refunded int64 `json:"refunded" doc:"Of it, with what went back."`
}

// PaymentRefund is money of a payment that went back, is on its way, or could not be given.
type PaymentRefund struct {
	ID          uuid.UUID            `json:"id"`
	Amount      int64                `json:"amount"`
	State       billing.RefundState  `json:"state" doc:"Failed: the customer has to be paid another way, and the amount is left again."`
	Reason      billing.RefundReason `json:"reason" doc:"Requested, not_provided, duplicate, goodwill or other: somebody gave it back. Cancelled: the booking ended. Late_payment: what was paid for could not be given any more. External: the studio made it on the processor's own site. Given_back and void: at the desk."`
	Destination billing.Destination  `json:"destination" doc:"Original: where it was paid from. Credit: it stayed with the studio, and the customer has credit for it."`
	Note        string               `json:"note" doc:"What was said about it; may be empty."`
	FeeRefunded int64                `json:"feeBack" doc:"Of the platform fee, comes back to the studio with it; a prediction until the processor has booked it."`
	CreatedAt   time.Time            `json:"createdAt"`
	UpdatedAt   time.Time            `json:"updatedAt"`
}

// RefundEffects is what a refund does, in minor units.
type RefundEffects struct {
	PaymentID   uuid.UUID           `json:"paymentId" doc:"The payment."`
	Method      sales.Method        `json:"method" doc:"By which it was paid."`
	Destination billing.Destination `json:"destination" doc:"Where it goes."`
	Amount      int64               `json:"amount" doc:"Goes back."`
	Currency    money.Currency      `json:"currency"`
	TaxAmount   int64               `json:"taxAmount" doc:"Of it: what is owed less to the state."`
	FeeRefunded int64               `json:"feeBack" doc:"Of the platform fee, comes back to the studio. What the processor took for itself does not."`
	Refundable  int64               `json:"left" doc:"Of the payment, after it."`
	CardBrand   string              `json:"cardBrand" doc:"May be empty."`
	CardLast4   string              `json:"cardLast4" doc:"May be empty."`
	Lines       []LineRefunded      `json:"lines" doc:"The service fee last."`
}

// LineRefunded is what of a line goes back.
type LineRefunded struct {
	LineID    *uuid.UUID `json:"lineId" doc:"Null: the service fee."`
	Label     string     `json:"label" doc:"Empty for the service fee."`
	Amount    int64      `json:"amount" doc:"Tax included."`
	TaxAmount int64      `json:"taxAmount" doc:"Of it."`
}

type listPaymentsIn struct {
	op.Page
	Method     sales.Method `query:"method" doc:"By what means it was taken."`
	State      sales.State  `query:"state" doc:"Left out: everything but canceled, which nobody paid."`
	From       civil.Date   `query:"from" json:",omitzero" format:"date" doc:"The first day, of each location's own calendar: of when the money was there, or else of when the payment began."`
	To         civil.Date   `query:"to" json:",omitzero" format:"date" doc:"The last day."`
	CustomerID uuid.UUID    `query:"customerId"`
	LocationID uuid.UUID    `query:"locationId"`
	OrderID    uuid.UUID    `query:"orderId"`
}

type paymentIn struct {
	PaymentID uuid.UUID `path:"paymentId" doc:"The payment."`
}

type refundPaymentIn struct {
	PaymentID uuid.UUID `path:"paymentId" doc:"The payment."`
	Body      refundPaymentBody
}

type refundPaymentBody struct {
	Lines       []uuid.UUID          `json:"lines,omitempty" maxItems:"100" doc:"What is left of these lines goes back."`
	ServiceFee  bool                 `json:"serviceFee,omitempty" doc:"And what is left of the service fee."`
	Amount      *int64               `json:"amount,omitempty" minimum:"1" maximum:"9007199254740991" doc:"Instead of lines: spread over all that is left. Minor units of the payment's currency."`
	Reason      billing.RefundReason `json:"reason,omitempty" enum:"requested,not_provided,duplicate,goodwill,other" default:"requested" doc:"Why it goes back."`
	Destination billing.Destination  `json:"destination,omitempty" default:"original" doc:"Original: by the means by which it was paid. Credit: as account credit, at once; no money moves, and the platform fee stays."`
	Note        string               `json:"note,omitempty" maxLength:"500" doc:"More about it, for the studio's records."`
	op.Quote
}

type voidPaymentIn struct {
	PaymentID uuid.UUID `path:"paymentId" doc:"The payment."`
	Body      voidPaymentBody
}

type voidPaymentBody struct {
	Note string `json:"note" minLength:"1" maxLength:"500" doc:"Why, for the studio's records."`
}

func (a *surface) payments() {
	declare(a, op.Spec{
		ID: "listPayments", Method: "GET", Path: "/businesses/{businessId}/payments", Tag: "commerce", Compact: true, Feature: "payment.view",
		Summary: "List payments",
		Description: "What was taken by card and at the desk, and what may be, the latest first. " +
			"Whoever holds the feature in its limited form sees what was taken today at the location.",
	}, wire.Filtered(a.Cursors, "payments", a.Sales.List, showPayment,
		func(_ tenancy.Scope, in *listPaymentsIn, page paging.In[paging.Moment]) sales.ListInput {
			return sales.ListInput{
				Method: in.Method, State: in.State, From: in.From, To: in.To, CustomerID: in.CustomerID,
				LocationID: in.LocationID, OrderID: in.OrderID, Page: page,
			}
		}))
	declare(a, op.Spec{
		ID: "getPayment", Method: "GET", Path: "/businesses/{businessId}/payments/{paymentId}", Tag: "commerce", Compact: true, Feature: "payment.view",
		Summary: "Get a payment", Description: "One payment with its lines, taxes, fees and refunds.",
	}, wire.ByName(a.Sales.Get, func(in *paymentIn) uuid.UUID { return in.PaymentID }, showPaymentDetail))
	declare(a, op.Spec{
		ID: "refundPayment", Method: "POST", Path: "/businesses/{businessId}/payments/{paymentId}/refunds", Tag: "commerce", Feature: "payment.refund",
		Summary: "Give money back", Success: 201, Quoted: true,
		Description: "Gives money back to the card, over the desk where it was paid there, or as account credit: what is left of certain lines, or an amount. No booking changes. " +
			"Whoever holds the feature in its limited form gives back no more of one payment, in all, than the location's refundCap: " +
			"409 refund_cap names it in details.cap, and details.refunded what went back before." +
			" A card gets money back in steps of its currency, 0.010 BHD for example: what is left of lines is rounded so that all refunds of a payment are together " +
			"what it was, and 400 refund_step refuses another amount, with the nearest two in details.below and details.above." +
			wire.Refuses("refund_cap", "nothing_left", "refund_too_large", "refund_disputed", "refund_step"),
	}, a.refundPayment)
	declare(a, op.Spec{
		ID: "voidPayment", Method: "POST", Path: "/businesses/{businessId}/payments/{paymentId}/void", Tag: "commerce", Feature: "payment.take",
		Summary: "Take a payment for a mistake",
		Description: "What was taken at the desk today by mistake, and of which nothing was refunded: what it paid for is due again." +
			wire.Refuses("paid_by_card", "not_voidable", "shared_fee"),
	}, func(ctx context.Context, sc tenancy.Scope, in *voidPaymentIn) (Payment, error) {
		p, err := a.Sales.Void(ctx, sc, sales.VoidInput{PaymentID: in.PaymentID, Note: in.Body.Note})
		return showPayment(p), err
	})
}

func (a *surface) refundPayment(ctx context.Context, sc tenancy.Scope, in *refundPaymentIn) (op.Quoted[PaymentRefund, RefundEffects], error) {
	b := in.Body
	got, err := a.Sales.Refund(ctx, sc, sales.RefundInput{
		PaymentID: in.PaymentID, Lines: b.Lines, ServiceFee: b.ServiceFee, Amount: b.Amount, Reason: b.Reason, Destination: b.Destination, Note: b.Note,
	})
	return op.Quoted[PaymentRefund, RefundEffects]{Done: showPaymentRefund(got.Refund), Effects: RefundEffects{
		PaymentID: got.PaymentID, Method: got.Method, Destination: got.Refund.Destination, Amount: got.Refund.Amount, Currency: got.Currency, TaxAmount: got.TaxAmount, FeeRefunded: got.Refund.FeeAmount,
		Refundable: got.RefundableAmount, CardBrand: got.CardBrand, CardLast4: got.CardLast4,
		Lines: wire.Show(got.Lines, func(l sales.LineRefund) LineRefunded { return LineRefunded(l) }),
	}}, err
}

func showPayment(p sales.Payment) Payment {
	return Payment{
		ID: p.ID, LocationID: p.LocationID, LocationName: p.LocationName, Zone: p.Zone, OrderID: p.OrderID, CustomerID: p.CustomerID,
		CustomerName: p.CustomerName, Label: p.Label, LineCount: p.LineCount, Method: p.Method, State: p.State, Amount: p.Amount,
		Currency: p.Currency, PlatformFee: p.FeeAmount, PlatformFeePPM: p.FeePPM, ProcessorFee: p.ProcessorFee, Refunded: p.Refunded,
		FeeRefunded: p.FeeRefunded, Refundable: p.Refundable, Net: p.Net, CardBrand: p.CardBrand, CardLast4: p.CardLast4, CardWallet: p.CardWallet, FailureCode: p.FailureCode,
		Failure: p.Failure, Note: p.Note, TakenBy: p.TakenBy, Test: p.Test, Receipt: p.Receipt, CreatedAt: p.CreatedAt, TakenAt: p.TakenAt,
	}
}

func showPaymentDetail(d sales.Detail) PaymentDetail {
	return PaymentDetail{
		Payment: showPayment(d.Payment), Refunds: wire.Show(d.Refunds, showPaymentRefund),
		Lines: wire.Show(d.Lines, func(l sales.Line) PaymentLine {
			return PaymentLine{
				ID: l.ID, BookingID: l.BookingID, Kind: l.Kind, Label: l.Label, StartsAt: l.StartsAt, Attendee: l.Attendee, Party: l.Party,
				Listed: l.Listed, Discount: l.Discount, Tax: wire.ShowOrNull(l.Tax, func(t sales.Tax) LineTax { return LineTax(t) }), TaxAmount: l.TaxAmount, Total: l.Total, Refunded: l.Refunded, Refundable: l.Refundable, PlatformFee: l.FeeShare,
			}
		}),
		Taxes: wire.Show(d.Taxes, func(t sales.TaxTotal) PaymentTax {
			return PaymentTax{LineTax: LineTax(t.Tax), Amount: t.Amount, Refunded: t.Refunded}
		}),
	}
}

func showPaymentRefund(r sales.Refund) PaymentRefund {
	return PaymentRefund{
		ID: r.ID, Amount: r.Amount, State: r.State, Reason: r.Reason, Destination: r.Destination, Note: r.Note, FeeRefunded: r.FeeAmount, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}
