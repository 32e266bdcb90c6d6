package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
	"foyer/billing/tender"
)

// Receipt is a receipt of a sale: the items, the location and the payments. Later edits by the studio do not change
// its figures. The studio is the merchant of record and the only one named. A215.
type Receipt struct {
	OrderID      uuid.UUID                `json:"orderId"`
	State        string                   `json:"state" enum:"fulfilled,refunded"`
	BusinessName string                   `json:"businessName" doc:"Name of the studio, the merchant of record."`
	LocationID   uuid.UUID                `json:"locationId"`
	LocationName string                   `json:"locationName"`
	Zone         string                   `json:"zone" doc:"Time zone of the times."`
	Address      wire.Address             `json:"address"`
	Website      string                   `json:"website"`
	CustomerName string                   `json:"customerName" doc:"The customer's name; may be empty."`
	Lines        []ReceiptLine            `json:"lines"`
	Totals       wire.Totals              `json:"totals"`
	Due          int64                    `json:"due" doc:"Amount due at the studio, in minor units, for the lines that are not cancelled."`
	Card         op.Nullable[ReceiptCard] `json:"card" doc:"The card that paid; null if there was no card payment."`
	PaidAtStudio []ReceiptPayment         `json:"paidAtStudio" doc:"Payments without the card of the order: in cash, by the studio's own terminal, with account credit or with a gift card."`
	Refunds      []ReceiptRefund          `json:"refunds" doc:"Refunds, including pending ones."`
	Test         bool                     `json:"test" doc:"Whether it is in test mode, without real money."`
	CreatedAt    time.Time                `json:"createdAt"`
	FulfilledAt  time.Time                `json:"fulfilledAt"`
}

// ReceiptLine is one seat sold, a course with the booking and times of its first date, a product, a gift card or
// a plan.
type ReceiptLine struct {
	BookingID    *uuid.UUID             `json:"bookingId" doc:"The booking; null without a booking."`
	OfferingID   *uuid.UUID             `json:"offeringId" doc:"The offering; null without a booking."`
	OccurrenceID *uuid.UUID             `json:"occurrenceId" doc:"The date; null without a booking."`
	VariantID    *uuid.UUID             `json:"variantId" doc:"The variant of a product; null for other lines."`
	GiftCardID   *uuid.UUID             `json:"giftCardId" doc:"The gift card that was sold; null for other lines."`
	PlanID       *uuid.UUID             `json:"planId" doc:"The plan that was sold; null for other lines."`
	Quantity     int                    `json:"quantity" doc:"Number of a product; otherwise 1."`
	Kind         string                 `json:"kind" enum:"class,appointment,rental,product,gift_card,plan" doc:"Kind of the offering, also for a fee of its booking; or product, gift_card or plan."`
	Label        string                 `json:"label" doc:"Name of the offering or product at the time of sale."`
	Fee          fees.Kind              `json:"fee,omitempty" doc:"Kind of the fee, for a fee of the booking; absent otherwise."`
	Slug         string                 `json:"slug"`
	Attendee     string                 `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	StartsAt     *time.Time             `json:"startsAt" doc:"When it starts; null without a booking."`
	EndsAt       *time.Time             `json:"endsAt" doc:"When it ends; null without a booking."`
	Instructor   string                 `json:"instructor"`
	Space        string                 `json:"space"`
	State        *booking.State         `json:"state" doc:"Current state of the booking; null without a booking. A requested one waits for approval by the studio."`
	Price        int64                  `json:"price" doc:"Listed price, in minor units."`
	Discount     int64                  `json:"discount" doc:"Discount before tax."`
	Tax          int64                  `json:"tax"`
	TaxRate      op.Nullable[TaxFigure] `json:"taxRate" doc:"Tax rate; null for untaxed."`
	Policy       []string               `json:"policy" doc:"The policy of this booking as English sentences, as it was at the time of booking."`
	Dates        []wire.CourseDate      `json:"dates" doc:"For a course: all dates sold, in order; otherwise empty."`
}

// TaxFigure is a tax rate at the time of its application.
type TaxFigure struct {
	TaxRateID uuid.UUID `json:"taxRateId"`
	Name      string    `json:"name"`
	PPM       int64     `json:"ppm"`
}

// ReceiptCard is the card that paid.
type ReceiptCard struct {
	Brand  string    `json:"brand" doc:"Card brand; may be empty." example:"visa"`
	Last4  string    `json:"last4" example:"4242"`
	Amount int64     `json:"amount" doc:"Amount in minor units."`
	PaidAt time.Time `json:"paidAt" doc:"When the payment was captured or authorized."`
	// State is the state of the card payment.
	State order.CardState `json:"state" doc:"State of the card payment. For an order that needs the studio's approval, the payment is authorized until the studio answers, and then captured or released."`
}

// ReceiptPayment is a payment at the studio.
type ReceiptPayment struct {
	Method   tender.Kind `json:"method" doc:"Payment method."`
	Label    string      `json:"label" doc:"Last characters of the code of a gift card; empty for other methods."`
	Amount   int64       `json:"amount" doc:"Amount in minor units."`
	Refunded int64       `json:"refunded" doc:"Amount refunded at the studio, in minor units."`
	Credit   int64       `json:"credit" doc:"Part of that refunded as account credit."`
	PaidAt   time.Time   `json:"paidAt"`
}

// ReceiptRefund is a refund of the sale.
type ReceiptRefund struct {
	Amount      int64               `json:"amount"`
	State       billing.RefundState `json:"state"`
	Destination billing.Destination `json:"destination" doc:"Destination of the refund: the card, or the customer's account credit."`
	At          time.Time           `json:"at"`
}

// Confirmation is a booked cart.
type Confirmation struct {
	ReceiptToken string  `json:"receiptToken" doc:"Token of the receipt. It authorizes access and is part of its address."`
	Receipt      Receipt `json:"receipt"`
}

// ReceiptPath is the path of a receipt, by its token.
type ReceiptPath struct {
	Token string `path:"token" doc:"Token of the receipt."`
}

func (a *surface) receipts() {
	op.Declare(a.Ops, op.Spec{
		ID: "getReceipt", Method: "GET", Path: "/storefront/receipts/{token}", Tag: "storefront",
		Summary:     "Get a receipt",
		Description: "Returns the items, the location and the payments. The token authorizes access.",
		Access:      op.Public, Target: op.InReceipt("token"), Rate: op.RateStorefront, Errors: []int{404},
	}, func(ctx context.Context, sc tenancy.Scope, in *ReceiptPath) (Receipt, error) {
		r, err := a.Orders.Receipt(ctx, sc, in.Token)
		return showReceipt(r), err
	})
}

func showReceipt(r order.Receipt) Receipt {
	return Receipt{
		OrderID: r.OrderID, State: string(r.State), BusinessName: r.BusinessName, LocationID: r.LocationID,
		LocationName: r.LocationName, Zone: r.Zone, Address: wire.ShowAddress(r.Address), Website: r.Website,
		CustomerName: r.CustomerName, Lines: wire.Show(r.Lines,
			func(l order.ReceiptLine) ReceiptLine { return showReceiptLine(l, r.Totals.Currency) }),
		Totals: wire.ShowTotals(r.Totals),
		Refunds: wire.Show(r.Refunds, func(x order.ReceiptRefund) ReceiptRefund {
			return ReceiptRefund{Amount: x.Amount, State: x.State, Destination: x.Destination, At: x.At}
		}),
		PaidAtStudio: wire.Show(r.Payments, func(t order.ReceiptPayment) ReceiptPayment {
			return ReceiptPayment{Method: t.Method, Label: t.Label, Amount: t.Amount, Refunded: t.RefundedAmount,
				Credit: t.CreditAmount, PaidAt: t.At}
		}),
		Due: r.DueAmount, Card: wire.ShowOrNull(r.Card, showReceiptCard),
		Test: r.Test, CreatedAt: r.CreatedAt, FulfilledAt: r.FulfilledAt,
	}
}

func showReceiptLine(l order.ReceiptLine, cur money.Currency) ReceiptLine {
	out := ReceiptLine{
		BookingID: wire.Optional(l.BookingID), OfferingID: wire.Optional(l.OfferingID),
		OccurrenceID: wire.Optional(l.OccurrenceID), VariantID: wire.VariantOf(l.Kind, l.Subject),
		GiftCardID: giftCardOf(l.Kind, l.Subject), PlanID: wire.PlanOf(l.Kind, l.Subject),
		Quantity: l.Quantity,
		Kind:     string(l.OfferingKind), Label: l.Label, Fee: l.Fee,
		Slug: l.Slug, Attendee: l.Attendee, StartsAt: wire.TimeOrNull(l.StartsAt), EndsAt: wire.TimeOrNull(l.EndsAt),
		Instructor: l.Instructor, Space: l.Space, State: wire.Optional(l.State), Price: l.ListedAmount,
		Discount: l.DiscountAmount,
		Tax:      l.TaxAmount, TaxRate: wire.ShowOrNull(l.Tax, showTaxFigure), Policy: []string{},
		Dates: wire.Show(l.Dates, wire.ShowCourseDate),
	}
	if l.OfferingKind == "" {
		out.Kind = string(l.Kind)
	} else {
		out.Policy = wire.Words(l.Rules, l.OfferingKind, len(l.Dates) > 0, cur)
	}
	return out
}

func showReceiptCard(c order.ReceiptCard) ReceiptCard {
	return ReceiptCard{Brand: c.Brand, Last4: c.Last4, Amount: c.Amount, PaidAt: c.PaidAt, State: c.State}
}

func showTaxFigure(t order.Tax) TaxFigure {
	return TaxFigure{TaxRateID: t.RateID, Name: t.Name, PPM: t.PPM}
}
