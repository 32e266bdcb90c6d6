package billing

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// WebhookJob reads the object of an event again.
type WebhookJob struct {
	Env   processor.Env `json:"env"`
	Event string        `json:"event"`
}

// Kind returns the job's name in the outbox.
func (WebhookJob) Kind() string { return "billing.webhook" }

// Terms returns the terms of the job's kind.
func (WebhookJob) Terms() jobs.Terms { return jobs.Webhook() }

// ReceiveWebhook receives an event at an endpoint. body is the request's, byte for byte, and signature its
// Stripe-Signature header. The event is verified, stored once and left to a job, so the answer is quick; a repetition
// changes nothing. Events of another world are dropped, because test events also reach live endpoints.
//
// A nil error answers 200. It returns ErrNotConfigured, and the errors of ConstructEvent: of them processor.ErrEventVersion and
// processor.ErrEventEndpoint are wrong settings at the processor and are logged as such.
func (s *Service) ReceiveWebhook(ctx context.Context, at processor.Endpoint, body []byte, signature string) error {
	if s.processor == nil {
		return ErrNotConfigured
	}
	e, err := s.processor.ConstructEvent(at, body, signature)
	if errors.Is(err, processor.ErrEventVersion) || errors.Is(err, processor.ErrEventEndpoint) {
		s.log.Error("the webhook endpoint has wrong settings at the processor", "endpoint", at, "error", err)
	}
	if err != nil || !e.Of(s.Env()) {
		return err
	}
	return pg.Do(ctx, s.db, uuid.Nil, func(tx *pg.Tx) error { return insertEvent(ctx, tx, s.Env(), e, subject(e)) })
}

// subject returns the id of the object to read again: for a charge its payment, because we store that.
func subject(e processor.Event) string {
	switch topicOf(e.Type) {
	case topicPayment:
		return e.PaymentID
	case topicAccount:
		return e.Account
	}
	return e.ObjectID
}

// topic is the kind of object to read again after an event.
type topic int

const (
	topicNone topic = iota
	topicPayment
	topicRefund
	topicAccount
	topicDispute
	topicPayout
	topicCard
)

func topicOf(kind string) topic {
	family, _, _ := strings.Cut(kind, ".")
	switch {
	case strings.HasPrefix(kind, "charge.refund.") || family == "refund":
		return topicRefund
	case strings.HasPrefix(kind, "charge.dispute."):
		return topicDispute
	case family == "payout":
		return topicPayout
	case family == "payment_method":
		return topicCard
	case family == "payment_intent" || family == "charge":
		return topicPayment
	case family == "account" || family == "capability":
		return topicAccount
	}
	return topicNone
}

// ProcessWebhook is the job billing.webhook. Only the event's object is used: it is read again with the header of the
// account that sent the event, and the account determines the business. An event of an unknown account, or about an
// object that is not ours, is marked as processed and dropped.
func (s *Service) ProcessWebhook(ctx context.Context, job WebhookJob) error {
	if s.processor == nil || job.Env != s.Env() {
		return nil
	}
	e, found, err := readEvent(ctx, s.db, job.Env, job.Event)
	if err != nil || !found || e.Processed {
		return err
	}
	if e.Account != "" && e.Object != "" && e.Business != uuid.Nil {
		if marked, err := s.process(ctx, e); marked || err != nil {
			return err
		}
	}
	return markEvent(ctx, s.db, job.Env, job.Event)
}

// process reads the object of an event, and reports whether the event was marked in the same transaction.
func (s *Service) process(ctx context.Context, e storedEvent) (marked bool, err error) {
	switch topicOf(e.Type) {
	case topicPayment:
		return s.processPayment(ctx, e)
	case topicRefund:
		return false, s.processRefund(ctx, e.Business, e)
	case topicDispute:
		err = s.Ports().Dispute(ctx, e.Business, e.Account, e.Object)
	case topicPayout:
		err = s.Ports().Payout(ctx, e.Business, e.Account, e.Object)
	case topicCard:
		return false, s.readCard(ctx, e.Business, e.Account, e.Object)
	case topicAccount:
		_, err = s.refresh(ctx, e.Business)
		return false, err
	}
	if err != nil {
		return false, err
	}
	return false, s.wake(ctx, e.Business, e.Account) // the list has its effect on the balance
}

func (s *Service) processPayment(ctx context.Context, e storedEvent) (marked bool, err error) {
	in, err := s.processor.GetPayment(ctx, e.Account, e.Object)
	if processor.Gone(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if p, ok := named(in); ok && e.Type == "payment_intent.succeeded" {
		if marked, err = s.applyEvent(ctx, e, p, in); !errors.Is(err, errNamesAnother) && !fault.IsKind(err, fault.NotFound) {
			return marked, err
		}
	}
	p, ours, err := paymentOfIntent(ctx, s.db.View(e.Business), s.Env(), in)
	if err != nil {
		return false, err
	}
	if !ours { // the studio's own charges come here too
		if in.Status != processor.StatusSucceeded {
			return false, nil
		}
		return false, s.wake(ctx, e.Business, e.Account)
	}
	return s.applyEvent(ctx, e, p, in)
}

// applyEvent applies the object of an event, and reports whether the event was marked in the same transaction.
func (s *Service) applyEvent(ctx context.Context, e storedEvent, p Payment, in processor.Intent) (marked bool, err error) {
	_, err = pg.InTx(pg.WithoutClaim(ctx), s.db, e.Business, func(tx *pg.Tx) (Payment, error) {
		marked = false
		return s.applyTx(ctx, tx, p, in, func(b *pg.Batch) {
			markEventIn(b, tx, s.Env(), e.ID)
			marked = true
		})
	})
	return marked, err
}

func (s *Service) processRefund(ctx context.Context, business uuid.UUID, e storedEvent) error {
	got, err := s.processor.GetRefund(ctx, e.Account, e.Object)
	if processor.Gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	ours, err := s.takeRefund(ctx, business, e.Account, got)
	if err != nil || ours {
		return err
	}
	return s.wake(ctx, business, e.Account) // of a charge of the studio's own
}
