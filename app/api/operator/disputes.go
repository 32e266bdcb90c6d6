package operator

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// Dispute is a payment that the customer's bank reverses or questions.
type Dispute struct {
	ID                  uuid.UUID               `json:"id"`
	ExternalID          string                  `json:"externalId" doc:"The processor's id of the dispute." example:"dp_1N2b3C"`
	PaymentID           *uuid.UUID              `json:"paymentId" doc:"The disputed payment; null for a charge made outside foyer."`
	OrderID             *uuid.UUID              `json:"orderId" doc:"Order of the payment; null for a charge made outside foyer."`
	LocationID          *uuid.UUID              `json:"locationId" doc:"Location of the payment; null for a charge made outside foyer."`
	Amount              int64                   `json:"amount" doc:"Disputed amount, in minor units."`
	Currency            money.Currency          `json:"currency"`
	Status              processor.DisputeStatus `json:"status" doc:"Status of the dispute. The warning statuses are inquiries, without a withdrawal of funds."`
	Reason              string                  `json:"reason" doc:"The bank's reason, such as fraudulent or product_not_received."`
	EvidenceDueBy       *time.Time              `json:"evidenceDueBy" doc:"Deadline for the evidence; null if no evidence can be submitted."`
	Withdrawn           int64                   `json:"withdrawn" doc:"Amount currently withdrawn from the studio, in minor units: 0 after the dispute was won."`
	FeeAmount           int64                   `json:"feeAmount" doc:"Dispute fee of the processor, in minor units."`
	PlatformFeeRefunded int64                   `json:"platformFeeRefunded" doc:"Platform fee refunded to the studio because the dispute was lost, in minor units."`
	Test                bool                    `json:"test" doc:"Whether it is in test mode, without real money."`
	CreatedAt           time.Time               `json:"createdAt" doc:"When it was created at the processor."`
	UpdatedAt           time.Time               `json:"updatedAt" doc:"When it was last read from the processor."`
}

type listDisputesIn struct {
	op.Page
	Open bool `query:"open" doc:"Only open disputes."`
}

type disputePath struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
}

func (a *surface) disputes() {
	declare(a, op.Spec{
		ID: "listDisputes", Method: "GET", Path: "/businesses/{businessId}/disputes", Tag: "commerce", Feature: "payment.view",
		Summary: "List disputes", Description: "Returns the disputes of the studio's payments, latest first.",
	}, wire.Filtered(a.Cursors, "disputes", a.Disputes.List, showDispute,
		func(_ tenancy.Scope, in *listDisputesIn, page paging.In[paging.Moment]) dispute.ListInput {
			return dispute.ListInput{Open: in.Open, Page: page}
		}))
	declare(a, op.Spec{
		ID: "getDispute", Method: "GET", Path: "/businesses/{businessId}/disputes/{disputeId}", Tag: "commerce", Feature: "payment.view",
		Summary: "Get a dispute", Description: "Returns a dispute as last read from the processor.",
	}, wire.ByName(a.Disputes.Get, func(in *disputePath) uuid.UUID { return in.DisputeID }, showDispute))
}

func showDispute(d dispute.Dispute) Dispute {
	return Dispute{
		ID: d.ID, ExternalID: d.ExternalID, PaymentID: wire.Optional(d.PaymentID), OrderID: wire.Optional(d.OrderID),
		LocationID: wire.Optional(d.LocationID), Amount: d.Amount, Currency: d.Currency, Status: d.Status, Reason: d.Reason,
		EvidenceDueBy: wire.TimeOrNull(d.EvidenceDueBy), Withdrawn: d.Withdrawn, FeeAmount: d.FeeAmount,
		PlatformFeeRefunded: d.FeeRefunded, Test: d.Test(), CreatedAt: d.HappenedAt,
		UpdatedAt: d.UpdatedAt,
	}
}
