package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Fee is a late-cancellation or no-show fee.
type Fee struct {
	ID           uuid.UUID      `json:"id"`
	LocationID   uuid.UUID      `json:"locationId"`
	LocationName string         `json:"locationName"`
	BookingID    uuid.UUID      `json:"bookingId"`
	CustomerID   uuid.UUID      `json:"customerId"`
	CustomerName string         `json:"customerName" doc:"The customer's name; may be empty."`
	OfferingName string         `json:"offeringName"`
	StartsAt     time.Time      `json:"startsAt" doc:"Start of the booking."`
	Zone         string         `json:"zone" doc:"Time zone of the start."`
	Kind         fees.Kind      `json:"kind"`
	State        FeeState       `json:"state" doc:"State of the fee. withdrawn: not payable any more; with paid, because it was paid, otherwise because it should not have been charged."`
	Paid         bool           `json:"paid" doc:"Whether it was paid."`
	Amount       int64          `json:"amount" doc:"Amount in minor units."`
	Currency     money.Currency `json:"currency"`
	Reason       string         `json:"reason" doc:"Reason for the waiver, or the grace rule."`
	ReviewUntil  time.Time      `json:"reviewUntil" doc:"End of the review. The fee is not due before."`
	ChargeAt     *time.Time     `json:"chargeAt" doc:"When it is charged to a saved card; null if it is not charged automatically or a charge was attempted."`
	ChargeFailed string         `json:"chargeFailed" doc:"Decline code of the last charge of a card; empty if none failed."`
	Version      int64          `json:"version"`
	CreatedAt    time.Time      `json:"createdAt"`
	UpdatedAt    time.Time      `json:"updatedAt"`
}

// FeeState is the state of a fee in the values of the first release. Payment was added later and is a field of its
// own.
type FeeState string

// All returns the states.
func (FeeState) All() []FeeState {
	return []FeeState{FeeState(fees.Due), FeeState(fees.Waived), FeeState(fees.GraceWaived), FeeState(fees.Withdrawn)}
}

type listFeesIn struct {
	op.Page
	State      fees.State `query:"state"`
	Kind       fees.Kind  `query:"kind"`
	CustomerID uuid.UUID  `query:"customerId"`
}

type waiveFeeIn struct {
	FeeID uuid.UUID `path:"feeId" doc:"The fee."`
	Body  waiveFeeBody
}

type waiveFeeBody struct {
	Version int64  `json:"version" minimum:"1" doc:"Version of the fee that was read."`
	Reason  string `json:"reason" minLength:"1" maxLength:"500"`
}

func (a *surface) dueFees() {
	declare(a, op.Spec{
		ID: "listFees", Method: "GET", Path: "/businesses/{businessId}/fees", Tag: "bookings", Feature: "payment.take",
		Summary: "List fees", Description: "Returns late-cancellation and no-show fees, latest first.",
	}, wire.Filtered(a.Cursors, "fees", a.Fees.List, showFee,
		func(_ tenancy.Scope, in *listFeesIn, page paging.In[paging.Moment]) fees.ListInput {
			return fees.ListInput{State: in.State, Kind: in.Kind, CustomerID: in.CustomerID, Page: page}
		}))
	declare(a, op.Spec{
		ID: "waiveFee", Method: "POST", Path: "/businesses/{businessId}/fees/{feeId}/waive", Tag: "bookings", Feature: "payment.take",
		Summary: "Waive a fee", Description: "Cancels a fee that is due." +
			wire.Refuses("stale_version", "fee_not_due"), Versioned: true,
	}, func(ctx context.Context, sc tenancy.Scope, in *waiveFeeIn) (Fee, error) {
		p, err := a.Fees.Waive(ctx, sc, fees.WaiveInput{FeeID: in.FeeID, Version: in.Body.Version, Reason: in.Body.Reason})
		return showFee(p), err
	})
	declare(a, op.Spec{
		ID: "chargeFee", Method: "POST", Path: "/businesses/{businessId}/fees/{feeId}/charge", Tag: "bookings",
		Feature: "payment.take", Quoted: true,
		Summary: "Charge a saved card for a fee",
		Description: "Charges a fee that is due, also during its review, to a saved card of its customer, under the " +
			"recorded consent. The charge runs asynchronously, once: the fee is then paid, or its chargeFailed has the " +
			"reason, and the customer is notified by email either way. To charge several fees and the prices of " +
			"bookings, use collectCustomerBalance." +
			wire.Refuses("fee_not_due", "payment_processing", "card_removed", "card_without_consent", "card_unavailable",
				"card_amount_refused", "below_card_minimum"),
	}, a.chargeFee)
}

type chargeFeeIn struct {
	FeeID uuid.UUID `path:"feeId" doc:"The fee."`
	Body  chargeFeeBody
}

type chargeFeeBody struct {
	CardID uuid.UUID `json:"cardId,omitempty" doc:"A saved card of the customer. The default is the most recently saved card that has not expired."`
	op.Quote
}

func (a *surface) chargeFee(
	ctx context.Context, sc tenancy.Scope, in *chargeFeeIn,
) (op.Quoted[BalanceCharge, BalanceCharge], error) {
	return charging(a.Owed.ChargeFee(ctx, sc, owed.ChargeFeeInput{FeeID: in.FeeID, CardID: in.Body.CardID}))
}

func showFee(p fees.Fee) Fee {
	out := Fee{
		ID: p.ID, LocationID: p.LocationID, LocationName: p.LocationName, BookingID: p.BookingID, CustomerID: p.CustomerID,
		CustomerName: p.CustomerName, OfferingName: p.OfferingName, StartsAt: p.StartsAt, Zone: p.Zone, Kind: p.Kind, State: FeeState(p.State),
		Amount: p.Amount, Currency: p.Currency, Reason: p.Reason, ReviewUntil: p.ReviewUntil, Version: p.Version, CreatedAt: p.CreatedAt,
		UpdatedAt: p.UpdatedAt, ChargeFailed: p.ChargeFailed,
	}
	if !p.ChargeAt.IsZero() && p.State == fees.Due {
		out.ChargeAt = &p.ChargeAt
	}
	if p.State == fees.Paid {
		out.State, out.Paid = FeeState(fees.Withdrawn), true
	}
	return out
}
