package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/letters"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// DisputeWords is what a studio says to a bank. All texts together can have 150,000 characters.
type DisputeWords struct {
	Product       string `json:"product" maxLength:"150000" doc:"What was sold." example:"Morning Yoga"`
	CustomerName  string `json:"customerName" maxLength:"1000" doc:"Who bought it." example:"Ada Byron"`
	CustomerEmail string `json:"customerEmail" maxLength:"1000" doc:"Where the receipt went." example:"ada@example.com"`
	CustomerIP    string `json:"customerIp" maxLength:"1000" doc:"The network address from which they agreed." example:"192.0.2.17"`
	ServiceDate   string `json:"serviceDate" maxLength:"1000" doc:"When it was to take place." example:"2026-07-04"`
	Attendance    string `json:"attendance" maxLength:"150000" doc:"What was done and when: booked, checked in, cancelled."`
	Policy        string `json:"policy" maxLength:"150000" doc:"What the customer was told about cancelling."`
	Refusal       string `json:"refusal" maxLength:"150000" doc:"Why nothing is refunded."`
	Other         string `json:"other" maxLength:"150000" doc:"Anything else, such as what was agreed to, word for word."`
}

// DisputeEvidence is what a studio says about a dispute.
type DisputeEvidence struct {
	Words       DisputeWords `json:"words" doc:"What is said, or is to be."`
	Version     int64        `json:"version" doc:"Counts its changes; 0 while nothing is kept."`
	SubmittedAt *time.Time   `json:"handedInAt" doc:"When the studio handed it in; null while it is a draft."`
	TakenAt     *time.Time   `json:"takenAt" doc:"When the processor took it; null until then."`
	Refused     string       `json:"refused" doc:"Why the processor did not take it the last time, in its own words; empty otherwise."`
	// Proposal is for who may hand it in.
	Proposal *DisputeWords `json:"proposal,omitempty" doc:"While nothing is kept: what there is to say, out of what is known of the payment. What is not known is empty. Left out where nothing is known, and for who may not give money back or may not see bookings and customers."`
}

type keepAnswerBody struct {
	Words   DisputeWords `json:"words" doc:"All of what is to be said."`
	Version int64        `json:"version" minimum:"0" doc:"Of the answer that was read; 0 when nothing was kept."`
}

type keepAnswerIn struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
	Body      keepAnswerBody
}

type handInAnswerBody struct {
	Version int64 `json:"version" minimum:"0" doc:"Of the answer that was read: exactly that is handed in."`
}

type handInAnswerIn struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
	Body      handInAnswerBody
}

func (a *surface) disputeAnswers() {
	const at = "/businesses/{businessId}/disputes/{disputeId}/answer"
	declare(a, op.Spec{
		ID: "getDisputeAnswer", Method: "GET", Path: at, Tag: "commerce", Feature: "payment.view",
		Summary: "Get the answer to a dispute", Description: "What the studio says to the bank: a draft, or what was handed in. While nothing is kept, what it could say.",
	}, a.getDisputeAnswer)
	declare(a, op.Spec{
		ID: "keepDisputeAnswer", Method: "PUT", Path: at, Tag: "commerce", Feature: "payment.refund", Versioned: true,
		Summary: "Keep the answer to a dispute", Description: "Keeps what is to be said, all of it anew. Nothing is handed in.",
	}, func(ctx context.Context, sc tenancy.Scope, in *keepAnswerIn) (DisputeEvidence, error) {
		kept, err := a.Billing.SaveEvidence(ctx, sc, billing.SaveEvidenceInput{
			DisputeID: in.DisputeID, Words: billing.EvidenceWords(in.Body.Words), Version: in.Body.Version,
		})
		return showAnswer(kept), err
	})
	declare(a, op.Spec{
		ID: "handInDisputeAnswer", Method: "POST", Path: at + "/hand-in", Tag: "commerce", Feature: "payment.refund", Versioned: true,
		Summary:     "Hand in the answer to a dispute",
		Description: "Gives the bank what is kept, once and for all: it cannot be changed or added to afterwards, and the bank looks at it then.",
	}, func(ctx context.Context, sc tenancy.Scope, in *handInAnswerIn) (DisputeEvidence, error) {
		handed, err := a.Billing.SubmitEvidence(ctx, sc, billing.SubmitEvidenceInput{DisputeID: in.DisputeID, Version: in.Body.Version})
		return showAnswer(handed), err
	})
}

func (a *surface) getDisputeAnswer(ctx context.Context, sc tenancy.Scope, in *disputePath) (DisputeEvidence, error) {
	kept, err := a.Billing.Answer(ctx, sc, in.DisputeID)
	out := showAnswer(kept)
	if err != nil || kept.Version > 0 || sales.MaySubmitEvidence(sc) != nil {
		return out, err
	}
	known, err := a.Sales.DisputeFacts(ctx, sc, in.DisputeID)
	if words := DisputeWords(letters.EvidenceText(known)); words != (DisputeWords{}) {
		out.Proposal = &words
	}
	return out, err
}

func showAnswer(a billing.Evidence) DisputeEvidence {
	return DisputeEvidence{
		Words: DisputeWords(a.Words), Version: a.Version, SubmittedAt: wire.TimeOrNull(a.SubmittedAt), TakenAt: wire.TimeOrNull(a.TakenAt), Refused: a.Refused,
	}
}
