package operator

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// Dispute is a payment that the customer's bank wants back.
type Dispute struct {
	ID                  uuid.UUID             `json:"id"`
	ExternalID          string                `json:"externalId" doc:"The processor's own id." example:"dp_1N2b3C"`
	PaymentID           *uuid.UUID            `json:"paymentId" doc:"The payment of ours; null for a charge that was not made here."`
	OrderID             *uuid.UUID            `json:"orderId" doc:"The order of that payment; null for a charge that was not made here."`
	LocationID          *uuid.UUID            `json:"locationId" doc:"The location of that payment; null for a charge that was not made here."`
	Amount              int64                 `json:"amount" doc:"That is disputed, in minor units."`
	Currency            money.Currency        `json:"currency"`
	Status              billing.DisputeStatus `json:"status" doc:"The warnings are inquiries: no money has moved."`
	Reason              string                `json:"reason" doc:"The bank's, such as fraudulent or product_not_received."`
	EvidenceDueBy       *time.Time            `json:"evidenceDueBy" doc:"Until when the studio can answer; null when it cannot."`
	Taken               int64                 `json:"taken" doc:"What the bank has of the studio's money now, in minor units: 0 after it was won."`
	FeeAmount           int64                 `json:"feeAmount" doc:"What the processor took for it, in minor units."`
	PlatformFeeRefunded int64                 `json:"platformFeeBack" doc:"What of the payment's platform fee is refunded to the studio because the dispute was lost, in minor units."`
	Test                bool                  `json:"test" doc:"No money moves."`
	CreatedAt           time.Time             `json:"createdAt" doc:"At the processor."`
	UpdatedAt           time.Time             `json:"updatedAt" doc:"When it was last read there."`
}

type listDisputesIn struct {
	op.Page
	Open bool `query:"open" doc:"Those only that are not decided."`
}

type disputePath struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
}

func (a *surface) disputes() {
	declare(a, op.Spec{
		ID: "listDisputes", Method: "GET", Path: "/businesses/{businessId}/disputes", Tag: "commerce", Feature: "payment.view",
		Summary: "List disputes", Description: "Payments that customers' banks want back, the latest first.",
	}, wire.Filtered(a.Cursors, "disputes", a.Billing.Disputes, showDispute,
		func(_ tenancy.Scope, in *listDisputesIn, page paging.In[paging.Moment]) billing.DisputesInput {
			return billing.DisputesInput{Open: in.Open, Page: page}
		}))
	declare(a, op.Spec{
		ID: "getDispute", Method: "GET", Path: "/businesses/{businessId}/disputes/{disputeId}", Tag: "commerce", Feature: "payment.view",
		Summary: "Get a dispute", Description: "One dispute, as it was last read at the processor.",
	}, wire.ByName(a.Billing.Dispute, func(in *disputePath) uuid.UUID { return in.DisputeID }, showDispute))
}

func showDispute(d billing.Dispute) Dispute {
	return Dispute{
		ID: d.ID, ExternalID: d.ExternalID, PaymentID: wire.AppointmentOptions(d.PaymentID), OrderID: wire.AppointmentOptions(d.OrderID),
		LocationID: wire.AppointmentOptions(d.LocationID), Amount: d.Amount, Currency: d.Currency, Status: d.Status, Reason: d.Reason,
		EvidenceDueBy: wire.TimeOrNull(d.EvidenceDueBy), Taken: d.Taken, FeeAmount: d.FeeAmount, PlatformFeeRefunded: d.FeeRefunded, Test: d.Test(), CreatedAt: d.HappenedAt,
		UpdatedAt: d.UpdatedAt,
	}
}
