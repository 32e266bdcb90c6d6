package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Payment is a payment of a customer by one payment method, or an attempt; amounts in minor units.
type Payment struct {
	ID             uuid.UUID      `json:"id"`
	LocationID     uuid.UUID      `json:"locationId"`
	LocationName   string         `json:"locationName"`
	Zone           string         `json:"zone" doc:"Time zone of the location."`
	OrderID        uuid.UUID      `json:"orderId" doc:"The paid order."`
	CustomerID     uuid.UUID      `json:"customerId"`
	CustomerName   string         `json:"customerName" doc:"The customer's name; may be empty."`
	Label          string         `json:"label" doc:"Label of its first line."`
	LineCount      int            `json:"lineCount" doc:"Number of lines of its order."`
	Method         sales.Method   `json:"method" doc:"Payment method: card, cash, account credit, a gift card, or another method of the studio's own, of which only the amount is known."`
	State          sales.State    `json:"state" doc:"State of the payment. open: waits for the customer. failed: the card was declined, and the customer can try again. canceled: it was not paid. void: recorded at the desk by mistake."`
	Amount         int64          `json:"amount"`
	Currency       money.Currency `json:"currency"`
	PlatformFee    int64          `json:"platformFee" doc:"Application fee of a card payment; 0 for other methods."`
	PlatformFeePPM int64          `json:"platformFeePpm" doc:"Rate of the platform fee, in parts per million."`
	ProcessorFee   *int64         `json:"processorFee" doc:"Processor fee; null until the processor reports it, some seconds after the payment."`
	Refunded       int64          `json:"refunded" doc:"Amount refunded, including pending refunds."`
	FeeRefunded    int64          `json:"feeRefunded" doc:"Platform fee refunded to the studio with the refunds."`
	Refundable     int64          `json:"refundable" doc:"Refundable amount."`
	Net            *int64         `json:"net" doc:"Net amount: less fees and refunds. Null until the processor fee is known."`
	CardBrand      string         `json:"cardBrand" doc:"Card brand; may be empty." example:"visa"`
	CardLast4      string         `json:"cardLast4" doc:"Last four digits of the card; may be empty." example:"4242"`
	CardWallet     string         `json:"cardWallet" doc:"Wallet of the card: apple_pay, google_pay, link or another name used by the processor; empty for none." example:"apple_pay"`
	FailureCode    string         `json:"failureCode" doc:"Decline code of the last card; empty otherwise."`
	Failure        string         `json:"failure" doc:"Decline message for the customer."`
	Note           string         `json:"note" doc:"Note on a payment recorded at the desk."`
	RecordedBy     string         `json:"recordedBy" doc:"Staff member who recorded the payment at the desk; empty for a card payment."`
	Test           bool           `json:"test" doc:"Whether it is in test mode, without real money."`
	Receipt        string         `json:"receipt" doc:"Token of the receipt; empty if there was no sale."`
	CreatedAt      time.Time      `json:"createdAt" doc:"When the payment began."`
	RecordedAt     *time.Time     `json:"recordedAt" doc:"When it was paid."`
}

// PaymentDetail is a payment with its lines, taxes and refunds.
type PaymentDetail struct {
	Payment
	Lines   []PaymentLine   `json:"lines" doc:"Lines, the service fee last."`
	Taxes   []PaymentTax    `json:"taxes" doc:"Taxes by rate."`
	Refunds []PaymentRefund `json:"refunds" doc:"Refunds, earliest first."`
}

// PaymentLine is a line of a payment; its amounts are the shares of this payment.
type PaymentLine struct {
	ID         *uuid.UUID           `json:"id" doc:"The line; null for the service fee."`
	BookingID  *uuid.UUID           `json:"bookingId" doc:"The booking; null for a product and the service fee."`
	VariantID  *uuid.UUID           `json:"variantId" doc:"The variant of a product; null for others."`
	Quantity   int                  `json:"quantity" doc:"Number of a product; 1 for a booking, 0 for the service fee."`
	Returned   int                  `json:"returned" doc:"Number of a product that was returned, with any payment of the order."`
	Kind       order.Kind           `json:"kind" enum:",class,appointment,rental,product" doc:"Kind of the offering, or product; empty for the service fee."`
	Label      string               `json:"label" doc:"Label, as sold; empty for the service fee."`
	StartsAt   *time.Time           `json:"startsAt" doc:"Current start of the booking; null without one."`
	Attendee   string               `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	Party      int                  `json:"party" doc:"Number of seats; 0 for the service fee."`
	Discount   int64                `json:"discount" doc:"Discount before tax."`
	Listed     int64                `json:"listed" doc:"Listed price; for the service fee the amount charged, without its tax."`
	Tax        op.Nullable[LineTax] `json:"tax" doc:"Tax rate; null for untaxed. Also null for the service fee, which can have several taxes: see taxes."`
	TaxAmount  int64                `json:"taxAmount" doc:"Tax, included in the price or added to it."`
	Total      int64                `json:"total" doc:"Amount paid by the customer for the line."`
	Refunded   int64                `json:"refunded" doc:"Amount refunded, including pending refunds."`
	Refundable int64                `json:"refundable" doc:"Refundable amount."`

	PlatformFee int64 `json:"platformFee" doc:"Share of the payment's platform fee. The lines add up to the fee. 0 for the service fee."`
}

// LineTax is a tax rate at the time of a sale.
type LineTax struct {
	RateID uuid.UUID `json:"rateId" doc:"The tax rate."`
	Name   string    `json:"name"`
	PPM    int64     `json:"ppm" doc:"Rate in parts per million."`
}

// PaymentTax is the amount of one tax in a payment.
type PaymentTax struct {
	LineTax
	Amount   int64 `json:"amount"`
	Refunded int64 `json:"refunded" doc:"Tax refunded."`
}

// PaymentRefund is a refund of a payment: succeeded, pending or failed.
type PaymentRefund struct {
	ID          uuid.UUID            `json:"id"`
	Amount      int64                `json:"amount"`
	State       billing.RefundState  `json:"state" doc:"State of the refund. failed: refund the customer another way; the amount is refundable again."`
	Reason      billing.RefundReason `json:"reason" doc:"Reason. requested, not_provided, duplicate, goodwill, other: refunded by staff. cancelled: the booking was cancelled. late_payment: the item could not be fulfilled any more. external: refunded on the processor's own site. Two more are for refunds at the desk and voided payments."`
	Destination billing.Destination  `json:"destination" doc:"Destination. original: the original payment method. account_credit: account credit of the customer; the money is kept by the studio."`
	Note        string               `json:"note" doc:"Note; may be empty."`
	FeeRefunded int64                `json:"feeRefunded" doc:"Platform fee refunded to the studio with it; an estimate until the processor has recorded it."`
	CreatedAt   time.Time            `json:"createdAt"`
	UpdatedAt   time.Time            `json:"updatedAt"`
}

// RefundEffects describes the effects of a refund, in minor units.
type RefundEffects struct {
	PaymentID   uuid.UUID           `json:"paymentId" doc:"The payment."`
	Method      sales.Method        `json:"method" doc:"Payment method of the payment."`
	Destination billing.Destination `json:"destination" doc:"Destination of the refund."`
	Amount      int64               `json:"amount" doc:"Amount refunded."`
	Currency    money.Currency      `json:"currency"`
	TaxAmount   int64               `json:"taxAmount" doc:"Tax included in the amount, by which the studio's tax decreases."`
	FeeRefunded int64               `json:"feeRefunded" doc:"Platform fee refunded to the studio. The processor fee is not refunded."`
	Refundable  int64               `json:"refundable" doc:"Refundable amount of the payment after the refund."`
	CardBrand   string              `json:"cardBrand" doc:"Card brand; may be empty."`
	CardLast4   string              `json:"cardLast4" doc:"Last four digits of the card; may be empty."`
	Lines       []LineRefunded      `json:"lines" doc:"Lines, the service fee last."`
}

// LineRefunded is the refunded amount of a line.
type LineRefunded struct {
	LineID    *uuid.UUID `json:"lineId" doc:"The line; null for the service fee."`
	Label     string     `json:"label" doc:"Label; empty for the service fee."`
	Amount    int64      `json:"amount" doc:"Amount refunded, including tax."`
	TaxAmount int64      `json:"taxAmount" doc:"Tax included in the amount."`
}

type listPaymentsIn struct {
	op.Page
	Method     sales.Method `query:"method" doc:"Only payments by this payment method."`
	State      sales.State  `query:"state" doc:"Only payments in this state. The default is every state except canceled."`
	From       civil.Date   `query:"from" json:",omitzero" format:"date" doc:"First day, in each location's own calendar: the day it was paid, or for an unpaid one the day it began."`
	To         civil.Date   `query:"to" json:",omitzero" format:"date" doc:"Last day."`
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
	Lines       []uuid.UUID          `json:"lines,omitempty" maxItems:"100" doc:"Lines to refund: their refundable amounts."`
	ServiceFee  bool                 `json:"serviceFee,omitempty" doc:"Also refund the refundable amount of the service fee."`
	Amount      *int64               `json:"amount,omitempty" minimum:"1" maximum:"9007199254740991" doc:"Amount to refund in minor units, instead of lines. It is distributed over everything refundable."`
	Reason      billing.RefundReason `json:"reason,omitempty" enum:"requested,not_provided,duplicate,goodwill,other" default:"requested" doc:"Reason for the refund."`
	Destination billing.Destination  `json:"destination,omitempty" default:"original" doc:"Destination. original: the original payment method. account_credit: account credit at once, with no transfer of money and no refund of the platform fee."`
	Note        string               `json:"note,omitempty" maxLength:"500" doc:"Note, for the studio's records."`
	op.Quote
}

type voidPaymentIn struct {
	PaymentID uuid.UUID `path:"paymentId" doc:"The payment."`
	Body      voidPaymentBody
}

type voidPaymentBody struct {
	Note string `json:"note" minLength:"1" maxLength:"500" doc:"Reason, for the studio's records."`
}

func (a *surface) payments() {
	declare(a, op.Spec{
		ID: "listPayments", Method: "GET", Path: "/businesses/{businessId}/payments", Tag: "commerce",
		Feature: "payment.view",
		Summary: "List payments",
		Description: "Returns payments by card and at the desk, including open ones, latest first. With the limited form " +
			"of the feature, returns today's payments at the location.",
	}, wire.Filtered(a.Cursors, "payments", a.Sales.List, showPayment,
		func(_ tenancy.Scope, in *listPaymentsIn, page paging.In[paging.Moment]) sales.ListInput {
			return sales.ListInput{
				Method: in.Method, State: in.State, From: in.From, To: in.To, CustomerID: in.CustomerID,
				LocationID: in.LocationID, OrderID: in.OrderID, Page: page,
			}
		}))
	declare(a, op.Spec{
		ID: "getPayment", Method: "GET", Path: "/businesses/{businessId}/payments/{paymentId}", Tag: "commerce",
		Feature: "payment.view",
		Summary: "Get a payment", Description: "Returns a payment with its lines, taxes, fees and refunds.",
	}, wire.ByName(a.Sales.Get, func(in *paymentIn) uuid.UUID { return in.PaymentID }, showPaymentDetail))
	declare(a, op.Spec{
		ID: "refundPayment", Method: "POST", Path: "/businesses/{businessId}/payments/{paymentId}/refunds", Tag: "commerce", Feature: "payment.refund",
		Summary: "Refund a payment", Success: 201, Quoted: true,
		Description: "Refunds to the card, at the desk if it was paid there, or as account credit: the refundable amounts " +
			"of certain lines, or an amount. Bookings do not change. With the limited form of the feature, all refunds of a " +
			"payment are limited to the location's refundCap: 409 refund_cap returns it in details.cap, and earlier refunds " +
			"in details.refunded. Refunds to a card are in steps of the currency, for example 0.010 BHD: amounts of lines are " +
			"rounded so that all refunds of a payment add up to the payment, and 400 refund_step refuses another amount, with " +
			"the nearest two in details.below and details.above." +
			wire.Refuses("refund_cap", "nothing_refundable", "refund_too_large", "refund_disputed", "refund_step"),
	}, a.refundPayment)
	declare(a, op.Spec{
		ID: "voidPayment", Method: "POST", Path: "/businesses/{businessId}/payments/{paymentId}/void", Tag: "commerce", Feature: "payment.take",
		Summary: "Void a payment",
		Description: "Voids a payment recorded at the desk today by mistake, without refunds. The amount is due again. " +
			"Goods are returned and refunded instead." +
			wire.Refuses("paid_by_card", "not_voidable", "shared_fee", "goods_sold"),
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
		Failure: p.Failure, Note: p.Note, RecordedBy: p.RecordedBy, Test: p.Test, Receipt: p.Receipt,
		CreatedAt: p.CreatedAt, RecordedAt: p.PaidAt,
	}
}

func showPaymentDetail(d sales.Detail) PaymentDetail {
	return PaymentDetail{
		Payment: showPayment(d.Payment), Refunds: wire.Show(d.Refunds, showPaymentRefund),
		Lines: wire.Show(d.Lines, func(l sales.Line) PaymentLine {
			return PaymentLine{
				ID: l.ID, BookingID: l.BookingID, Kind: l.Kind, VariantID: wire.VariantOf(l.Kind, l.Subject),
				Quantity: l.Quantity, Returned: l.Returned, Label: l.Label, StartsAt: l.StartsAt,
				Attendee: l.Attendee, Party: l.Party,
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
