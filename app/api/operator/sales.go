package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/billing"
)

// Sale is what a customer has paid at the desk.
type Sale struct {
	SaleEffects
	Payments []SalePayment `json:"payments" doc:"One for each order that was paid."`
}

// SalePayment is what was paid for one order.
type SalePayment struct {
	ID           uuid.UUID `json:"id"`
	OrderID      uuid.UUID `json:"orderId"`
	Amount       int64     `json:"amount" doc:"Minor units."`
	ReceiptToken string    `json:"receiptToken" doc:"Of the order's receipt."`
}

// SaleEffects is what is paid.
type SaleEffects struct {
	LocationID uuid.UUID      `json:"locationId"`
	CustomerID uuid.UUID      `json:"customerId"`
	Method     billing.Method `json:"method" doc:"How it is paid."`
	Amount     int64          `json:"amount" doc:"Minor units. All that is due for what is named."`
	Currency   money.Currency `json:"currency"`
	Lines      []SaleLine     `json:"lines"`
}

// SaleLine is one thing that is paid for.
type SaleLine struct {
	BookingID uuid.UUID  `json:"bookingId"`
	PenaltyID *uuid.UUID `json:"penaltyId" doc:"The fee that it is; null for what was booked."`
	Label     string     `json:"label" doc:"What was booked."`
	Amount    int64      `json:"amount" doc:"Minor units, with the tax on top of it."`
}

type createSaleBody struct {
	BookingIDs []uuid.UUID `json:"bookingIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Bookings whose price is due; of a course whichever of its dates."`
	PenaltyIDs []uuid.UUID `json:"penaltyIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Fees that are due."`
	Tender     TenderBody  `json:"tender" doc:"How it is paid."`
	web.Quote
}

// TenderBody says how something is paid.
type TenderBody struct {
	Method billing.Method `json:"method" doc:"cash, or elsewhere: by the studio's own terminal, a bank transfer."`
	Note   string         `json:"note,omitempty" maxLength:"500" doc:"The slip of the terminal."`
}

func (a *surface) sales() {
	op(a, web.Spec{
		ID: "createSale", Method: "POST", Path: "/businesses/{businessId}/sales", Tag: "commerce", Feature: "payment.take", Success: 201, Quoted: true,
		Summary: "Take money at the desk",
		Description: "All that is due for bookings and fees of one customer at one location. There is no platform fee on it. " +
			"What the studio booked itself is sold here, with its tax." + wire.Refuses("nothing_to_pay", "penalty_over"),
	}, a.createSale)
}

func (a *surface) createSale(ctx context.Context, sc tenancy.Scope, in *wire.Body[createSaleBody]) (web.Quoted[Sale, SaleEffects], error) {
	b := in.Body
	got, err := a.Checkout.Take(ctx, sc, checkout.TakeInput{
		BookingIDs: b.BookingIDs, PenaltyIDs: b.PenaltyIDs, Method: b.Tender.Method, Note: b.Tender.Note,
	})
	effects := SaleEffects{
		LocationID: got.LocationID, CustomerID: got.CustomerID, Method: got.Method, Amount: got.Amount, Currency: got.Currency, Lines: []SaleLine{},
	}
	for _, l := range got.Lines {
		effects.Lines = append(effects.Lines, SaleLine(l))
	}
	done := Sale{SaleEffects: effects, Payments: []SalePayment{}}
	for _, t := range got.Takings {
		done.Payments = append(done.Payments, SalePayment{
			ID: t.ID, OrderID: t.OrderID, Amount: t.Amount, ReceiptToken: a.Checkout.ReceiptToken(t.OrderID),
		})
	}
	return web.Quoted[Sale, SaleEffects]{Done: done, Effects: effects}, err
}
