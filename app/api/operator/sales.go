package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Sale is what a customer has paid at the desk.
type Sale struct {
	SaleEffects
	Payments []SalePayment `json:"payments" doc:"One for each order and method."`
}

// SalePayment is what was paid for one order by one means.
type SalePayment struct {
	ID           uuid.UUID      `json:"id"`
	OrderID      uuid.UUID      `json:"orderId"`
	Method       billing.Method `json:"method" doc:"By which it was paid."`
	Amount       int64          `json:"amount" doc:"Minor units."`
	ReceiptToken string         `json:"receiptToken" doc:"Of the order's receipt."`
}

// SaleEffects is what is paid.
type SaleEffects struct {
	LocationID       uuid.UUID      `json:"locationId"`
	CustomerID       uuid.UUID      `json:"customerId"`
	Tenders          []SaleTender   `json:"tenders" doc:"How it is paid."`
	Amount           int64          `json:"amount" doc:"Minor units: what is paid."`
	BalanceDueAmount int64          `json:"leftAmount" doc:"What stays due of what is named."`
	Currency         money.Currency `json:"currency"`
	Lines            []SaleLine     `json:"lines" doc:"What is due."`
}

// SaleTender is what is paid by one means.
type SaleTender struct {
	Method billing.Method `json:"method" doc:"By which it is paid."`
	Amount int64          `json:"amount" doc:"Minor units."`
}

// SaleLine is one thing that is paid for.
type SaleLine struct {
	BookingID uuid.UUID  `json:"bookingId"`
	FeeID     *uuid.UUID `json:"feeId" doc:"The fee that it is; null for what was booked."`
	Label     string     `json:"label" doc:"What was booked."`
	Amount    int64      `json:"amount" doc:"Minor units: what is due of it, with the tax on top."`
}

type createSaleBody struct {
	BookingIDs []uuid.UUID  `json:"bookingIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Bookings whose price is due; of a course whichever of its dates."`
	FeeIDs     []uuid.UUID  `json:"feeIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Fees that are due."`
	Tenders    []TenderBody `json:"tenders" minItems:"1" maxItems:"3" doc:"How it is paid, each method once."`
	op.Quote
}

// TenderBody says how something is paid.
type TenderBody struct {
	Method billing.Method `json:"method" doc:"cash; elsewhere: by the studio's own terminal, a bank transfer; credit: with the customer's account credit."`
	Amount int64          `json:"amount,omitempty" minimum:"1" maximum:"9007199254740991" doc:"Minor units. Left out, which only the last may: all that the others leave. Together less than is due is a part of it, which fees cannot be."`
	Note   string         `json:"note,omitempty" maxLength:"500" doc:"The slip of the terminal."`
}

func (a *surface) sales() {
	declare(a, op.Spec{
		ID: "createSale", Method: "POST", Path: "/businesses/{businessId}/sales", Tag: "commerce", Feature: "payment.take", Success: 201, Quoted: true,
		Summary: "Take money at the desk",
		Description: "What is due for bookings and fees of one customer at one location, all of it or a part, by one means or several. There is no platform fee on it. " +
			"What the studio booked itself is sold here, with its tax." + wire.Refuses("nothing_to_pay", "fee_not_due", "more_than_due", "fees_in_full", "credit_short"),
	}, a.createSale)
}

func (a *surface) createSale(ctx context.Context, sc tenancy.Scope, body *wire.Body[createSaleBody]) (op.Quoted[Sale, SaleEffects], error) {
	b := body.Body
	in := checkout.PaymentInput{BookingIDs: b.BookingIDs, FeeIDs: b.FeeIDs}
	for _, t := range b.Tenders {
		in.Tenders = append(in.Tenders, checkout.Tender(t))
	}
	got, err := a.Checkout.RecordPayment(ctx, sc, in)
	effects := SaleEffects{
		LocationID: got.LocationID, CustomerID: got.CustomerID, Amount: got.Amount, BalanceDueAmount: got.BalanceDueAmount, Currency: got.Currency,
		Tenders: []SaleTender{}, Lines: []SaleLine{},
	}
	for _, t := range got.Tenders {
		effects.Tenders = append(effects.Tenders, SaleTender{Method: t.Method, Amount: t.Amount})
	}
	for _, l := range got.Lines {
		effects.Lines = append(effects.Lines, SaleLine(l))
	}
	done := Sale{SaleEffects: effects, Payments: []SalePayment{}}
	for _, t := range got.Payments {
		done.Payments = append(done.Payments, SalePayment{
			ID: t.ID, OrderID: t.OrderID, Method: t.Method, Amount: t.Amount, ReceiptToken: a.Checkout.ReceiptToken(t.OrderID),
		})
	}
	return op.Quoted[Sale, SaleEffects]{Done: done, Effects: effects}, err
}
