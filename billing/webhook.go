package billing

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// WebhookJob reads again what an event was about.
type WebhookJob struct {
	Env   Env    `json:"env"`
	Event string `json:"event"`
}

// Kind names the job in the outbox.
func (WebhookJob) Kind() string { return "billing.webhook" }

// ReceiveWebhook takes an event in. body is the request's, byte for byte, and signature its Stripe-Signature header. The
// event is proven, kept once and left to a job, so the answer is quick; a repetition changes nothing. Events of another
// world are dropped, because test events also reach live endpoints.
//
// A nil error answers 200. Errors: ErrNotConfigured, and those of ConstructEvent: of them ErrEventVersion is a wrong
// setting of the endpoint and is logged as such.
func (s *Service) ReceiveWebhook(ctx context.Context, body []byte, signature string) error {
	if s.processor == nil {
		return ErrNotConfigured
	}
	e, err := s.processor.ConstructEvent(body, signature)
	if errors.Is(err, ErrEventVersion) {
		s.log.Error("the webhook endpoint is set up with another API version", "error", err)
	}
	if err != nil || !e.Of(s.Env()) {
		return err
	}
	_, err = pg.InTx(ctx, s.db, uuid.Nil, func(tx *pg.Tx) (bool, error) {
		fresh, err := insertEvent(ctx, tx, s.Env(), e, subject(e))
		if err != nil || !fresh {
			return false, err
		}
		return true, jobs.EnqueueTx(ctx, tx, WebhookJob{Env: s.Env(), Event: e.ID})
	})
	return err
}

// subject is the id of what has to be read again: for a charge its payment, because that is what we keep.
func subject(e Event) string {
	switch topicOf(e.Type) {
	case topicPayment:
		return e.PaymentID
	case topicAccount:
		return e.Account
	}
	return e.ObjectID
}
