package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/billing"
)

// DisputeWords is what a studio says to a bank. All texts together can have 150,000 characters.
type DisputeWords struct {
	Product       string `json:"product" maxLength:"150000" doc:"What was sold."`
	CustomerName  string `json:"customerName" maxLength:"1000" doc:"Who bought it."`
	CustomerEmail string `json:"customerEmail" maxLength:"1000" doc:"Where the receipt went."`
	CustomerIP    string `json:"customerIp" maxLength:"1000" doc:"The network address from which they agreed."`
	ServiceDate   string `json:"serviceDate" maxLength:"1000" doc:"When it was to take place."`
	Attendance    string `json:"attendance" maxLength:"150000" doc:"What was done and when: booked, checked in, cancelled."`
	Policy        string `json:"policy" maxLength:"150000" doc:"What the customer was told about cancelling."`
	Refusal       string `json:"refusal" maxLength:"150000" doc:"Why nothing is given back."`
	Other         string `json:"other" maxLength:"150000" doc:"Anything else, such as what was agreed to, word for word."`
}

// DisputeAnswer is what a studio says about a dispute.
type DisputeAnswer struct {
	Words      DisputeWords `json:"words" doc:"What is said, or is to be."`
	Version    int64        `json:"version" doc:"0 while nothing is kept."`
	HandedInAt *time.Time   `json:"handedInAt" doc:"When the studio handed it in; null while it is a draft."`
	TakenAt    *time.Time   `json:"takenAt" doc:"When the processor took it; null until then."`
	Refused    string       `json:"refused" doc:"Why the processor did not take it the last time, in its own words; empty otherwise."`
}

type keepAnswerBody struct {
	Words   DisputeWords `json:"words" doc:"All of what is to be said."`
	Version int64        `json:"version" minimum:"0" doc:"Of the answer that was read; 0 when nothing was kept."`
}

type keepAnswerIn struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
	Body      keepAnswerBody
}

type handInBody struct {
	Version int64 `json:"version" minimum:"0" doc:"Of the answer that was read: exactly that is handed in."`
}

type handInIn struct {
	DisputeID uuid.UUID `path:"disputeId" doc:"The dispute."`
	Body      handInBody
}

func (a *surface) disputeAnswers() {
	op(a, web.Spec{
		ID: "getDisputeAnswer", Method: "GET", Path: "/businesses/{businessId}/disputes/{disputeId}/answer", Tag: "commerce", Feature: "payment.view",
		Summary: "Get the answer to a dispute", Description: "What the studio says to the bank: a draft, or what was handed in.",
	}, func(ctx context.Context, sc tenancy.Scope, in *disputePath) (DisputeAnswer, error) {
		got, err := a.Billing.Answer(ctx, sc, in.DisputeID)
		return showAnswer(got), err
	})
	op(a, web.Spec{
		ID: "keepDisputeAnswer", Method: "PUT", Path: "/businesses/{businessId}/disputes/{disputeId}/answer", Tag: "commerce", Feature: "payment.refund",
		Summary: "Keep the answer to a dispute", Description: "Keeps what is to be said, all of it anew. Nothing is handed in.", Errors: wire.ChangeErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *keepAnswerIn) (DisputeAnswer, error) {
		got, err := a.Billing.KeepAnswer(ctx, sc, billing.KeepAnswerInput{
			DisputeID: in.DisputeID, Words: billing.AnswerWords(in.Body.Words), Version: in.Body.Version,
		})
		return showAnswer(got), err
	})
	op(a, web.Spec{
		ID: "handInDisputeAnswer", Method: "POST", Path: "/businesses/{businessId}/disputes/{disputeId}/answer/hand-in", Tag: "commerce", Feature: "payment.refund",
		Summary: "Hand in the answer to a dispute", Errors: wire.ChangeErrors,
		Description: "Gives the bank what is kept, once and for all: it cannot be changed or added to afterwards, and the dispute is under review.",
	}, func(ctx context.Context, sc tenancy.Scope, in *handInIn) (DisputeAnswer, error) {
		got, err := a.Billing.HandIn(ctx, sc, billing.HandInInput{DisputeID: in.DisputeID, Version: in.Body.Version})
		return showAnswer(got), err
	})
}

func showAnswer(a billing.Answer) DisputeAnswer {
	return DisputeAnswer{
		Words: DisputeWords(a.Words), Version: a.Version, HandedInAt: wire.TimeOrNull(a.HandedInAt), TakenAt: wire.TimeOrNull(a.TakenAt), Refused: a.Refused,
	}
}
