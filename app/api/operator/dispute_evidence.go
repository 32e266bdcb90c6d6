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
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// DisputeStatement is the evidence text of a dispute. All texts together can have 150,000 characters.
type DisputeStatement struct {
	Product       string `json:"product" maxLength:"150000" doc:"Product description." example:"Morning Yoga"`
	CustomerName  string `json:"customerName" maxLength:"1000" doc:"Name of the customer." example:"Ada Byron"`
	CustomerEmail string `json:"customerEmail" maxLength:"1000" doc:"Email address the receipt was sent to." example:"ada@example.com"`
	CustomerIP    string `json:"customerIp" maxLength:"1000" doc:"IP address of the customer at the time of acceptance." example:"192.0.2.17"`
	ServiceDate   string `json:"serviceDate" maxLength:"1000" doc:"Date of the service." example:"2026-07-04"`
	Attendance    string `json:"attendance" maxLength:"150000" doc:"Activity with times: booked, checked in, cancelled."`
	Policy        string `json:"policy" maxLength:"150000" doc:"Cancellation policy as disclosed to the customer."`
	Refusal       string `json:"refusal" maxLength:"150000" doc:"Explanation why no refund is given."`
	Other         string `json:"other" maxLength:"150000" doc:"Additional evidence, such as the exact text of signed agreements."`
}

// DisputeEvidence is the evidence of a studio for a dispute.
type DisputeEvidence struct {
	Words       DisputeStatement `json:"words" doc:"The draft, or the submitted evidence."`
	Version     int64            `json:"version" doc:"Version of the draft; 0 if none is saved."`
	SubmittedAt *time.Time       `json:"submittedAt" doc:"When the studio submitted the evidence; null for a draft."`
	AcceptedAt  *time.Time       `json:"acceptedAt" doc:"When the processor accepted the evidence; null before."`
	Refused     string           `json:"refused" doc:"The processor's reason for its latest rejection of the evidence; empty if there is none."`
	// Proposal is present only for callers with permission to submit evidence.
	Proposal *DisputeStatement `json:"proposal,omitempty" doc:"Proposed evidence from the records of the payment, while no draft is saved. Unknown parts are empty. Absent if nothing is known, and for callers without permission to refund or to view bookings and customers."`
}

type keepAnswerBody struct {
	Words   DisputeStatement `json:"words" doc:"The complete evidence."`
	Version int64            `json:"version" minimum:"0" doc:"Version of the draft that was read; 0 if none was saved."`
}

type keepAnswerIn struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
	Body      keepAnswerBody
}

type handInAnswerBody struct {
	Version int64 `json:"version" minimum:"0" doc:"Version of the draft that was read. Exactly this draft is submitted."`
}

type handInAnswerIn struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
	Body      handInAnswerBody
}

func (a *surface) disputeAnswers() {
	const at = "/businesses/{businessId}/disputes/{disputeId}/evidence"
	declare(a, op.Spec{
		ID: "getDisputeEvidence", Method: "GET", Path: at, Tag: "commerce", Feature: "payment.view",
		Summary: "Get dispute evidence", Description: "Returns the evidence: a draft, or the submitted text. While no draft is saved, it contains a proposal.",
	}, a.getDisputeEvidence)
	declare(a, op.Spec{
		ID: "saveDisputeEvidence", Method: "PUT", Path: at, Tag: "commerce", Feature: "payment.refund", Versioned: true,
		Summary: "Save dispute evidence", Description: "Replaces the draft. Nothing is submitted.",
	}, func(ctx context.Context, sc tenancy.Scope, in *keepAnswerIn) (DisputeEvidence, error) {
		kept, err := a.Disputes.SaveEvidence(ctx, sc, dispute.SaveEvidenceInput{
			DisputeID: in.DisputeID, Words: processor.Evidence(in.Body.Words), Version: in.Body.Version,
		})
		return showAnswer(kept), err
	})
	declare(a, op.Spec{
		ID: "submitDisputeEvidence", Method: "POST", Path: at + "/submit", Tag: "commerce", Feature: "payment.refund", Versioned: true,
		Summary:     "Submit dispute evidence",
		Description: "Submits the saved draft to the bank. Evidence can be submitted once, and not changed afterwards.",
	}, func(ctx context.Context, sc tenancy.Scope, in *handInAnswerIn) (DisputeEvidence, error) {
		handed, err := a.Disputes.SubmitEvidence(ctx, sc, dispute.SubmitEvidenceInput{DisputeID: in.DisputeID, Version: in.Body.Version})
		return showAnswer(handed), err
	})
}

func (a *surface) getDisputeEvidence(ctx context.Context, sc tenancy.Scope, in *disputePath) (DisputeEvidence, error) {
	kept, err := a.Disputes.Evidence(ctx, sc, in.DisputeID)
	out := showAnswer(kept)
	if err != nil || kept.Version > 0 || sales.MaySubmitEvidence(sc) != nil {
		return out, err
	}
	known, err := a.Sales.DisputeFacts(ctx, sc, in.DisputeID)
	if words := DisputeStatement(letters.EvidenceText(known)); words != (DisputeStatement{}) {
		out.Proposal = &words
	}
	return out, err
}

func showAnswer(a dispute.Evidence) DisputeEvidence {
	return DisputeEvidence{
		Words: DisputeStatement(a.Words), Version: a.Version, SubmittedAt: wire.TimeOrNull(a.SubmittedAt),
		AcceptedAt: wire.TimeOrNull(a.AcceptedAt), Refused: a.Refused,
	}
}
