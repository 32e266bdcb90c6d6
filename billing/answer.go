package billing

import (
	"context"
	"errors"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EvidenceWords is what a studio says to a bank: each is a text, and may be empty.
type EvidenceWords struct {
	Product       string `json:"product"`       // what was sold
	CustomerName  string `json:"customerName"`  // who bought it
	CustomerEmail string `json:"customerEmail"` // where the receipt went
	CustomerIP    string `json:"customerIp"`    // from where they agreed
	ServiceDate   string `json:"serviceDate"`   // when it was to take place
	Attendance    string `json:"attendance"`    // what was done: booked, checked in, cancelled
	Policy        string `json:"policy"`        // what they were told about cancelling
	Refusal       string `json:"refusal"`       // why nothing is given back
	Other         string `json:"other"`         // anything else: what was agreed to, word for word
}

// The limits of an answer.
const (
	AnswerMost     = 150_000 // characters of all texts together: the processor's limit
	AnswerLineMost = 1000    // characters of a name, an address or a date
)

// each calls f with every text and its name.
func (w EvidenceWords) each(f func(name, text string, most int)) {
	f("product", w.Product, AnswerMost)
	f("customerName", w.CustomerName, AnswerLineMost)
	f("customerEmail", w.CustomerEmail, AnswerLineMost)
	f("customerIp", w.CustomerIP, AnswerLineMost)
	f("serviceDate", w.ServiceDate, AnswerLineMost)
	f("attendance", w.Attendance, AnswerMost)
	f("policy", w.Policy, AnswerMost)
	f("refusal", w.Refusal, AnswerMost)
	f("other", w.Other, AnswerMost)
}

func (w EvidenceWords) validate() error {
	var c fault.Checks
	total := 0
	w.each(func(name, text string, most int) {
		n := utf8.RuneCountInString(text)
		total += n
		c.That(n <= most, name, "This is too long.")
	})
	c.That(total > 0, "other", "Write something to the bank.")
	c.That(total <= AnswerMost, "other", "All texts together can have 150,000 characters.")
	return c.Err()
}

// Evidence is what a studio says about a dispute.
type Evidence struct {
	Words       EvidenceWords
	Version     int64     // 0: nothing is kept yet
	SubmittedAt time.Time `db:",null"` // by the studio; zero: it is a draft
	TakenAt     time.Time `db:",null"` // by the processor
	Refused     string    // why the processor did not take it the last time, in its words
}

// What stands against answering a dispute.
var (
	ErrDisputeDecided  = fault.New(fault.Conflict, "dispute_decided", "The bank has decided. Nothing can be said any more.")
	ErrDisputeAnswered = fault.New(fault.Conflict, "dispute_answered", "The answer was handed in. It can be given once.")
	ErrDisputeLate     = fault.New(fault.Conflict, "dispute_late", "The time to answer is over.")
	ErrAnswerMissing   = fault.New(fault.Conflict, "answer_missing", "Keep the answer first. What is kept is handed in.")
)

// MayAnswer says why a dispute cannot be answered; nil when it can.
func (d Dispute) MayAnswer(now time.Time) error {
	switch {
	case d.Status.Over():
		return ErrDisputeDecided
	case !d.SubmittedAt.IsZero() || !d.Status.Awaits():
		return ErrDisputeAnswered
	case !d.EvidenceDueBy.IsZero() && !now.Before(d.EvidenceDueBy):
		return ErrDisputeLate
	}
	return nil
}

// mayAnswer is payment.refund without a limit, in the whole business: who may give money back may also defend it.
func mayAnswer(sc tenancy.Scope) error { return policy.RequireFull(sc, policy.PaymentRefund) }

// Answer returns what the studio keeps to say about a dispute; Version 0 when that is nothing yet. It needs payment.view without a limit, in
// the whole business. Errors: not found.
func (s *Service) Answer(ctx context.Context, sc tenancy.Scope, dispute uuid.UUID) (Evidence, error) {
	if err := mayView(sc); err != nil {
		return Evidence{}, err
	}
	v := s.db.View(sc.Tenant)
	if _, err := readDispute(ctx, v, s.Env(), dispute); err != nil {
		return Evidence{}, err
	}
	a, _, err := readAnswer(ctx, v, dispute)
	return a, err
}

// SaveEvidenceInput is a draft.
type SaveEvidenceInput struct {
	DisputeID uuid.UUID
	Words     EvidenceWords
	Version   int64 // of the answer that was read; 0 when nothing was kept
}

// SaveEvidence keeps what is to be said, all of it anew. It needs payment.refund without a limit, in the whole business. Errors: Validation,
// not found, fault.Stale, ErrDisputeDecided, ErrDisputeAnswered, ErrDisputeLate.
func (s *Service) SaveEvidence(ctx context.Context, sc tenancy.Scope, in SaveEvidenceInput) (Evidence, error) {
	if err := mayAnswer(sc); err != nil {
		return Evidence{}, err
	}
	if err := in.Words.validate(); err != nil {
		return Evidence{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Evidence, error) {
		if _, err := s.answering(ctx, tx, in.DisputeID, in.Version); err != nil {
			return Evidence{}, err
		}
		return keepAnswer(ctx, tx, in.DisputeID, in.Words)
	})
}

// SubmitEvidenceInput names the answer that is handed in.
type SubmitEvidenceInput struct {
	DisputeID uuid.UUID
	Version   int64 // of the answer that was read: exactly that is handed in
}

// SubmitEvidence hands the kept answer in, once and for all. A job gives it to the processor, and the dispute is under review then. It needs
// payment.refund without a limit, in the whole business. Errors: not found, fault.Stale, ErrAnswerMissing, ErrDisputeDecided,
// ErrDisputeAnswered, ErrDisputeLate.
func (s *Service) SubmitEvidence(ctx context.Context, sc tenancy.Scope, in SubmitEvidenceInput) (Evidence, error) {
	if err := mayAnswer(sc); err != nil {
		return Evidence{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Evidence, error) {
		was, err := s.answering(ctx, tx, in.DisputeID, in.Version)
		if err != nil {
			return Evidence{}, err
		}
		if was.Version == 0 {
			return Evidence{}, ErrAnswerMissing
		}
		a, err := handIn(ctx, tx, in.DisputeID)
		if err != nil {
			return Evidence{}, err
		}
		return a, jobs.EnqueueTx(ctx, tx, EvidenceJob{Business: sc.Tenant, Dispute: in.DisputeID})
	})
}

// answering locks a dispute that can be answered, and reads the answer that is kept, which has to be of a version.
func (s *Service) answering(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, version int64) (Evidence, error) {
	if err := lockDispute(ctx, tx, dispute); err != nil {
		return Evidence{}, err
	}
	d, err := readDispute(ctx, tx, s.Env(), dispute)
	if err == nil {
		err = d.MayAnswer(tx.Now())
	}
	if err != nil {
		return Evidence{}, err
	}
	a, _, err := readAnswer(ctx, tx, dispute)
	if err == nil && a.Version != version {
		err = fault.Stale(version, a.Version)
	}
	return a, err
}

// EvidenceJob gives the processor what was handed in.
type EvidenceJob struct {
	Business uuid.UUID `json:"business"`
	Dispute  uuid.UUID `json:"dispute"`
}

// Kind names the job in the outbox.
func (EvidenceJob) Kind() string { return "billing.answer" }

// Terms are those of the kind.
func (EvidenceJob) Terms() jobs.Terms { return jobs.Money() }

// SendEvidence is the job billing.answer. What the processor does not take is a draft again, with its reason; but one that it
// has when it is asked has arrived with an earlier try.
func (s *Service) SendEvidence(ctx context.Context, job EvidenceJob) error {
	if s.processor == nil {
		return nil
	}
	v := s.db.View(job.Business)
	d, err := readDispute(ctx, v, s.Env(), job.Dispute)
	if fault.IsKind(err, fault.NotFound) {
		return nil
	}
	a, found, readErr := readAnswer(ctx, v, job.Dispute)
	if err := errors.Join(err, readErr); err != nil || !found || a.SubmittedAt.IsZero() || !a.TakenAt.IsZero() {
		return err
	}
	got, err := s.processor.AnswerDispute(ctx, DisputeAnswer{
		Account: d.AccountID, Dispute: d.ExternalID, Words: a.Words, Key: "answer:" + job.Dispute.String() + ":" + strconv.FormatInt(a.Version, 10),
	})
	if Retryable(err) {
		return err
	}
	if err != nil {
		s.log.Error("the processor did not take an answer to a dispute", "business", job.Business, "dispute", job.Dispute, "error", err)
		var readErr error
		if got, readErr = s.processor.GetDispute(ctx, d.AccountID, d.ExternalID); readErr != nil {
			return errors.Join(err, readErr)
		}
		if !got.Answered || got.Status.Awaits() {
			return errors.Join(pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return answerRefused(ctx, tx, job.Dispute, said(err)) }),
				s.keepDispute(ctx, job.Business, d.AccountID, got))
		}
	}
	if err := s.keepDispute(ctx, job.Business, d.AccountID, got); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return answerTaken(ctx, tx, job.Dispute) })
}

// said is what the processor says about a refusal.
func said(err error) string {
	if e := new(ProcessorError); errors.As(err, &e) && e.Detail != "" {
		return e.Detail
	}
	return "refused"
}

// answersWaiting gives what the jobs have given up to give.
func (s *Service) answersWaiting(ctx context.Context, business uuid.UUID, account string) error {
	ids, err := waitingAnswers(ctx, s.db.View(business), s.Env(), account)
	for _, id := range ids {
		err = errors.Join(err, s.SendEvidence(ctx, EvidenceJob{Business: business, Dispute: id}))
	}
	return err
}
