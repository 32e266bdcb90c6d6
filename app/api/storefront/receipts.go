package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Receipt is what was sold, where, and how it was paid. Nothing that the studio edits later changes its figures. The
// studio is the merchant of record and the only one it names. A215.
type Receipt struct {
	OrderID      uuid.UUID                `json:"orderId"`
	State        string                   `json:"state" enum:"settled,refunded"`
	BusinessName string                   `json:"businessName" doc:"The studio: the merchant of record."`
	LocationID   uuid.UUID                `json:"locationId"`
	LocationName string                   `json:"locationName"`
	Zone         string                   `json:"zone" doc:"The wall clock of the times."`
	Address      wire.Address             `json:"address"`
	Website      string                   `json:"website"`
	CustomerName string                   `json:"customerName" doc:"May be empty."`
	Lines        []ReceiptLine            `json:"lines"`
	Totals       Totals                   `json:"totals"`
	Due          int64                    `json:"due" doc:"To be paid at the studio, in minor units, for what still stands."`
	Card         op.Nullable[ReceiptCard] `json:"card" doc:"The card that paid; null when nothing was paid by card."`
	PaidAtStudio []ReceiptPayment         `json:"paidAtStudio" doc:"What was paid there: in cash, by a terminal of the studio's."`
	Refunds      []ReceiptRefund          `json:"refunds" doc:"Money that went back, or is on its way."`
	Test         bool                     `json:"test" doc:"No money moved."`
	CreatedAt    time.Time                `json:"createdAt"`
	SettledAt    time.Time                `json:"settledAt"`
}

// ReceiptLine is one seat that was sold, or a course: then the booking and the times are its first date's.
type ReceiptLine struct {
	BookingID    uuid.UUID              `json:"bookingId"`
	OfferingID   uuid.UUID              `json:"offeringId"`
	OccurrenceID uuid.UUID              `json:"occurrenceId"`
	Kind         catalog.Kind           `json:"kind"`
	Label        string                 `json:"label" doc:"The offering's name when it was sold."`
	Fee          fees.Kind              `json:"fee,omitempty" doc:"The fee that it is, for the booking; left out for what was booked."`
	Slug         string                 `json:"slug"`
	Attendee     string                 `json:"attendee" doc:"Who is coming, when it is somebody else."`
	StartsAt     time.Time              `json:"startsAt"`
	EndsAt       time.Time              `json:"endsAt"`
	Instructor   string                 `json:"instructor"`
	Space        string                 `json:"space"`
	State        booking.State          `json:"state" doc:"Of the booking now. A requested one waits for the studio's word."`
	Price        int64                  `json:"price" doc:"As listed, in minor units."`
	Discount     int64                  `json:"discount" doc:"What discounts took off it, before tax."`
	Tax          int64                  `json:"tax"`
	TaxRate      op.Nullable[TaxFigure] `json:"taxRate" doc:"Null: untaxed."`
	Policy       []string               `json:"policy" doc:"The rules of this booking in plain words, as they were when it was made."`
	Dates        []wire.CourseDate      `json:"dates" doc:"Of a course: all dates that were sold, in their order; none of anything else."`
}

// TaxFigure is a tax rate as it was when it was applied.
type TaxFigure struct {
	TaxRateID uuid.UUID `json:"taxRateId"`
	Name      string    `json:"name"`
	PPM       int64     `json:"ppm"`
}

// ReceiptCard is the card that paid.
type ReceiptCard struct {
	Brand  string    `json:"brand" doc:"May be empty." example:"visa"`
	Last4  string    `json:"last4" example:"4242"`
	Amount int64     `json:"amount" doc:"Minor units."`
	PaidAt time.Time `json:"paidAt" doc:"When the money was taken, or began to be held on the card."`
	// State is what became of it.
	State checkout.CardState `json:"state" doc:"Where the studio has the last word on all of an order, the money is held on the card until it has answered, and then taken or let go."`
}

// ReceiptPayment is what was paid at the studio at once.
type ReceiptPayment struct {
	Method   billing.Method `json:"method" doc:"How it was paid."`
	Amount   int64          `json:"amount" doc:"Minor units."`
	Refunded int64          `json:"back" doc:"How much of it was refunded there, in minor units."`
	Credit   int64          `json:"credit" doc:"How much of that is account credit now."`
	PaidAt   time.Time      `json:"paidAt"`
}

// ReceiptRefund is money that went back.
type ReceiptRefund struct {
	Amount      int64               `json:"amount"`
	State       billing.RefundState `json:"state"`
	Destination billing.Destination `json:"destination" doc:"Where it goes: to the card, or to the customer's account credit."`
	At          time.Time           `json:"at"`
}

// Confirmation is a booked cart.
type Confirmation struct {
	ReceiptToken string  `json:"receiptToken" doc:"The right to the receipt, and its name in addresses."`
	Receipt      Receipt `json:"receipt"`
}

// ReceiptPath names a receipt by its token.
type ReceiptPath struct {
	Token string `path:"token" doc:"The receipt's token."`
}

func (a *surface) receipts() {
	op.Declare(a.Ops, op.Spec{
		ID: "getReceipt", Method: "GET", Path: "/storefront/receipts/{token}", Tag: "storefront",
		Summary: "See a receipt", Description: "What was sold, where, and how it was paid. The token is the right to it.",
		Access: op.Public, Target: op.InReceipt("token"), Rate: op.RateStorefront, Errors: []int{404},
	}, func(ctx context.Context, sc tenancy.Scope, in *ReceiptPath) (Receipt, error) {
		r, err := a.Checkout.Receipt(ctx, sc, in.Token)
		return showReceipt(r), err
	})
}

func showReceipt(r checkout.Receipt) Receipt {
	return Receipt{
		OrderID: r.OrderID, State: string(r.State), BusinessName: r.BusinessName, LocationID: r.LocationID,
		LocationName: r.LocationName, Zone: r.Zone, Address: wire.ShowAddress(r.Address), Website: r.Website,
		CustomerName: r.CustomerName, Lines: wire.Show(r.Lines, func(l checkout.ReceiptLine) ReceiptLine { return showReceiptLine(l, r.Totals.Currency) }), Totals: showTotals(r.Totals),
		Refunds: wire.Show(r.Refunds, func(x checkout.ReceiptRefund) ReceiptRefund {
			return ReceiptRefund{Amount: x.Amount, State: x.State, Destination: x.Destination, At: x.At}
		}),
		PaidAtStudio: wire.Show(r.Payments, func(t checkout.ReceiptPayment) ReceiptPayment {
			return ReceiptPayment{Method: t.Method, Amount: t.Amount, Refunded: t.RefundedAmount, Credit: t.CreditAmount, PaidAt: t.At}
		}),
		Due: r.DueAmount, Card: wire.ShowOrNull(r.Card, showReceiptCard),
		Test: r.Test, CreatedAt: r.CreatedAt, SettledAt: r.SettledAt,
	}
}

func showReceiptLine(l checkout.ReceiptLine, cur money.Currency) ReceiptLine {
	return ReceiptLine{
		BookingID: l.BookingID, OfferingID: l.OfferingID, OccurrenceID: l.OccurrenceID, Kind: l.Kind, Label: l.Label, Fee: l.Fee,
		Slug: l.Slug, Attendee: l.Attendee, StartsAt: l.StartsAt, EndsAt: l.EndsAt, Instructor: l.Instructor,
		Space: l.Space, State: l.State, Price: l.ListedAmount, Discount: l.DiscountAmount, Tax: l.TaxAmount,
		Policy: wire.Words(l.Rules, l.Kind, len(l.Dates) > 0, cur), Dates: wire.Show(l.Dates, wire.ShowCourseDate),
		TaxRate: wire.ShowOrNull(l.Tax, showTaxFigure),
	}
}

func showReceiptCard(c checkout.ReceiptCard) ReceiptCard {
	return ReceiptCard{Brand: c.Brand, Last4: c.Last4, Amount: c.Amount, PaidAt: c.PaidAt, State: c.State}
}

func showTaxFigure(t checkout.Tax) TaxFigure {
	return TaxFigure{TaxRateID: t.RateID, Name: t.Name, PPM: t.PPM}
}
