package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/money"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// GoodsReturn is a return of goods of an order, with its refunds.
type GoodsReturn struct {
	GoodsReturnEffects
	Refunds []ReturnRefund `json:"refunds" doc:"Refunds, one for each payment; none without a refund."`
}

// GoodsReturnEffects describes the effects of a return.
type GoodsReturnEffects struct {
	OrderID    uuid.UUID      `json:"orderId"`
	LocationID uuid.UUID      `json:"locationId"`
	Currency   money.Currency `json:"currency"`
	Amount     int64          `json:"amount" doc:"Amount refunded, in minor units."`
	TaxAmount  int64          `json:"taxAmount" doc:"Tax included in the amount, by which the studio's tax decreases."`
	Lines      []ReturnedLine `json:"lines" doc:"Lines returned."`
	Methods    []ReturnMethod `json:"methods" doc:"Payments refunded."`
}

// ReturnedLine is the returned part of a line.
type ReturnedLine struct {
	LineID   uuid.UUID `json:"lineId" doc:"The line."`
	Label    string    `json:"label" doc:"Label, as sold."`
	Quantity int       `json:"quantity" doc:"Number returned."`
	Restock  bool      `json:"restock" doc:"Whether it is for sale again."`
	Amount   int64     `json:"amount" doc:"Amount refunded, including tax, in minor units."`
}

// ReturnMethod is a payment that a return refunds.
type ReturnMethod struct {
	PaymentID   uuid.UUID           `json:"paymentId" doc:"The payment."`
	Method      sales.Method        `json:"method" doc:"Payment method of the payment."`
	Destination billing.Destination `json:"destination" doc:"Destination of the refund."`
	Amount      int64               `json:"amount" doc:"Amount refunded, in minor units."`
	FeeRefunded int64               `json:"feeRefunded" doc:"Platform fee refunded to the studio."`
}

// ReturnRefund is a refund that was made with a return.
type ReturnRefund struct {
	PaymentID uuid.UUID `json:"paymentId" doc:"The payment."`
	PaymentRefund
}

type returnGoodsIn struct {
	OrderID uuid.UUID `path:"orderId" doc:"The order."`
	Body    returnGoodsBody
}

type returnGoodsBody struct {
	Lines       []ReturnLineBody    `json:"lines" minItems:"1" maxItems:"50" doc:"Lines of goods to return, each once."`
	Refund      *bool               `json:"refund,omitempty" default:"true" doc:"Whether the share of the price and the tax is refunded. false: nothing is refunded, for example because it was before."`
	Destination billing.Destination `json:"destination,omitempty" default:"original" doc:"Destination of the refund. original: the original payment methods. account_credit: account credit at once, with no transfer of money and no refund of the platform fee."`
	Note        string              `json:"note,omitempty" maxLength:"500" doc:"Note, for the studio's records."`
	op.Quote
}

// ReturnLineBody is the part of a line to return.
type ReturnLineBody struct {
	LineID   uuid.UUID `json:"lineId" doc:"The line: see the lines of a payment."`
	Quantity int       `json:"quantity" minimum:"1" maximum:"999" doc:"Number to return."`
	Restock  bool      `json:"restock" doc:"Whether it is added to the stock of the location, to be sold again."`
}

func (a *surface) returns() {
	declare(a, op.Spec{
		ID: "returnGoods", Method: "POST", Path: "/businesses/{businessId}/orders/{orderId}/returns", Tag: "commerce",
		Feature: "payment.refund", Success: 201, Quoted: true,
		Summary: "Return goods",
		Description: "Returns goods of an order, and refunds their share of the price and tax, up to what is refundable " +
			"of their lines: the card first, then payments at the desk, then account credit. Service fees are not refunded. " +
			"The limited form of the feature limits refunds of a payment to the location's refundCap. 409 " +
			"already_returned has in details.returnable the number that can still be returned of the line in details.lineId." +
			wire.Refuses("already_returned", "nothing_refundable", "refund_cap", "refund_disputed"),
	}, a.returnGoods)
}

func (a *surface) returnGoods(
	ctx context.Context, sc tenancy.Scope, in *returnGoodsIn,
) (op.Quoted[GoodsReturn, GoodsReturnEffects], error) {
	b := in.Body
	wanted := sales.ReturnInput{
		OrderID: in.OrderID, Refund: b.Refund == nil || *b.Refund, Destination: b.Destination, Note: b.Note,
		Lines: wire.Show(b.Lines, func(l ReturnLineBody) sales.ReturnLine { return sales.ReturnLine(l) }),
	}
	got, err := a.Sales.Return(ctx, sc, wanted)
	effects := GoodsReturnEffects{
		OrderID: got.OrderID, LocationID: got.LocationID, Currency: got.Currency, Amount: got.Amount,
		TaxAmount: got.TaxAmount,
		Lines:     wire.Show(got.Lines, func(l sales.ReturnedLine) ReturnedLine { return ReturnedLine(l) }),
		Methods: wire.Show(got.Refunds, func(r sales.RefundResult) ReturnMethod {
			return ReturnMethod{r.PaymentID, r.Method, r.Refund.Destination, r.Refund.Amount, r.Refund.FeeAmount}
		}),
	}
	done := GoodsReturn{effects, wire.Show(got.Refunds, func(r sales.RefundResult) ReturnRefund {
		return ReturnRefund{r.PaymentID, showPaymentRefund(r.Refund)}
	})}
	return op.Quoted[GoodsReturn, GoodsReturnEffects]{Done: done, Effects: effects}, err
}
