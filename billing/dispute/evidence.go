package dispute

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/processor"
	"foyer/policy"
)

// Evidence is a studio's evidence about a dispute: a draft, or submitted.
type Evidence struct {
	Words       processor.Evidence
	Version     int64     // 0: no draft is saved
	SubmittedAt time.Time `db:",null"` // by the studio; zero: it is a draft
	AcceptedAt  time.Time `db:",null"` // received by the processor
	Refused     string    // the reason of the processor's last refusal, in its words
}

// Errors of saving and submitting evidence.
var (
	ErrDecided = fault.New(fault.Conflict, "dispute_decided",
		"The bank has decided this dispute. Evidence can no longer be submitted.")
	ErrEvidenceSubmitted = fault.New(fault.Conflict, "evidence_submitted",
		"The evidence was already submitted. It can be submitted once.")
	ErrLate            = fault.New(fault.Conflict, "dispute_late", "The deadline to submit evidence has passed.")
	ErrEvidenceMissing = fault.New(fault.Conflict, "evidence_missing",
		"Save the evidence first. The saved draft is submitted.")
)

// MaySubmit returns nil if evidence can be submitted for the dispute. Otherwise it returns ErrDecided,
// ErrEvidenceSubmitted or ErrLate.
func (d Dispute) MaySubmit(now time.Time) error {
	switch {
	case d.Status.Over():
		return ErrDecided
	case !d.SubmittedAt.IsZero() || !d.Status.Awaits():
		return ErrEvidenceSubmitted
	case !d.EvidenceDueBy.IsZero() && !now.Before(d.EvidenceDueBy):
		return ErrLate
	}
	return nil
}

// maySubmit requires payment.refund without a limit, in the whole business: a member who may refund may also submit
// evidence.
func maySubmit(sc tenancy.Scope) error { return policy.RequireFull(sc, policy.PaymentRefund) }

// Evidence returns the evidence of a dispute, with Version 0 if no draft is saved. It needs payment.view without a
// limit, in the whole business. It returns a not found error for an unknown dispute.
func (s *Service) Evidence(ctx context.Context, sc tenancy.Scope, dispute uuid.UUID) (Evidence, error) {
	if err := policy.RequireFull(sc, policy.PaymentView); err != nil {
		return Evidence{}, err
	}
	v := s.db.View(sc.Tenant)
	if _, err := readDispute(ctx, v, s.billing.Env(), dispute); err != nil {
		return Evidence{}, err
	}
	a, _, err := readEvidence(ctx, v, dispute)
	return a, err
}

// SaveEvidenceInput is a draft of evidence.
type SaveEvidenceInput struct {
	DisputeID uuid.UUID
	Words     processor.Evidence
	Version   int64 // of the draft that was read; 0 if there was none
}

// SaveEvidence replaces the draft of a dispute's evidence. It needs payment.refund without a limit, in the whole
// business. It returns:
//
//   - a validation error if all texts are empty or one is too long
//   - a not found error for an unknown dispute
//   - fault.Stale if the draft has another version
//   - ErrDecided, ErrEvidenceSubmitted or ErrLate if evidence can no longer be submitted
func (s *Service) SaveEvidence(ctx context.Context, sc tenancy.Scope, in SaveEvidenceInput) (Evidence, error) {
	if err := maySubmit(sc); err != nil {
		return Evidence{}, err
	}
	if err := in.Words.Validate(); err != nil {
		return Evidence{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Evidence, error) {
		if _, err := s.lockEvidence(ctx, tx, in.DisputeID, in.Version); err != nil {
			return Evidence{}, err
		}
		return saveEvidence(ctx, tx, in.DisputeID, in.Words)
	})
}

// SubmitEvidenceInput names the draft to submit.
type SubmitEvidenceInput struct {
	DisputeID uuid.UUID
	Version   int64 // of the draft that was read: exactly that one is submitted
}

// SubmitEvidence submits the saved draft. It can be done once. A job sends it to the processor, and the dispute is
// then under review. It needs payment.refund without a limit, in the whole business. It returns:
//
//   - a not found error for an unknown dispute
//   - fault.Stale if the draft has another version
//   - ErrEvidenceMissing if there is no draft
//   - ErrDecided, ErrEvidenceSubmitted or ErrLate if evidence can no longer be submitted
func (s *Service) SubmitEvidence(ctx context.Context, sc tenancy.Scope, in SubmitEvidenceInput) (Evidence, error) {
	if err := maySubmit(sc); err != nil {
		return Evidence{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Evidence, error) {
		was, err := s.lockEvidence(ctx, tx, in.DisputeID, in.Version)
		if err != nil {
			return Evidence{}, err
		}
		if was.Version == 0 {
			return Evidence{}, ErrEvidenceMissing
		}
		a, err := submitEvidence(ctx, tx, in.DisputeID)
		if err != nil {
			return Evidence{}, err
		}
		return a, jobs.EnqueueTx(ctx, tx, EvidenceJob{Business: sc.Tenant, Dispute: in.DisputeID})
	})
}

// lockEvidence locks a dispute that accepts evidence, and reads its draft of the given version.
func (s *Service) lockEvidence(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, version int64) (Evidence, error) {
	if err := lockDispute(ctx, tx, dispute); err != nil {
		return Evidence{}, err
	}
	d, err := readDispute(ctx, tx, s.billing.Env(), dispute)
	if err == nil {
		err = d.MaySubmit(tx.Now())
	}
	if err != nil {
		return Evidence{}, err
	}
	a, _, err := readEvidence(ctx, tx, dispute)
	if err == nil && a.Version != version {
		err = fault.Stale(version, a.Version)
	}
	return a, err
}

// EvidenceJob sends submitted evidence to the processor.
type EvidenceJob struct {
	Business uuid.UUID `json:"business"`
	Dispute  uuid.UUID `json:"dispute"`
}

// Kind returns the job's name in the outbox.
func (EvidenceJob) Kind() string { return "dispute.evidence" }

// Terms returns the terms of the job's kind.
func (EvidenceJob) Terms() jobs.Terms { return jobs.Money() }

// SendEvidence is the job dispute.evidence. Evidence that the processor refuses becomes a draft again, with the reason.
// If the processor has it already, it arrived with an earlier try.
func (s *Service) SendEvidence(ctx context.Context, job EvidenceJob) error {
	if s.processor == nil {
		return nil
	}
	v := s.db.View(job.Business)
	d, err := readDispute(ctx, v, s.billing.Env(), job.Dispute)
	if fault.IsKind(err, fault.NotFound) {
		return nil
	}
	a, found, readErr := readEvidence(ctx, v, job.Dispute)
	if err := errors.Join(err, readErr); err != nil || !found || a.SubmittedAt.IsZero() || !a.AcceptedAt.IsZero() {
		return err
	}
	got, err := s.processor.SubmitEvidence(ctx, processor.EvidenceSubmission{
		Account: d.AccountID, Dispute: d.ExternalID, Words: a.Words, Key: "answer:" + job.Dispute.String() + ":" + strconv.FormatInt(a.Version, 10),
	})
	if processor.Retryable(err) {
		return err
	}
	if err != nil {
		s.log.Error("the processor refused the evidence of a dispute", "business", job.Business, "dispute", job.Dispute, "error", err)
		var readErr error
		if got, readErr = s.processor.GetDispute(ctx, d.AccountID, d.ExternalID); readErr != nil {
			return errors.Join(err, readErr)
		}
		if !got.EvidenceSubmitted || got.Status.Awaits() {
			refused := pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error {
				return evidenceRefused(ctx, tx, job.Dispute, said(err))
			})
			return errors.Join(refused, s.keepDispute(ctx, job.Business, d.AccountID, got))
		}
	}
	if err := s.keepDispute(ctx, job.Business, d.AccountID, got); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, job.Business, func(tx *pg.Tx) error { return evidenceAccepted(ctx, tx, job.Dispute) })
}

// said returns the processor's words of a refusal.
func said(err error) string {
	if e := new(processor.Error); errors.As(err, &e) && e.Detail != "" {
		return e.Detail
	}
	return "refused"
}

// resendEvidence enqueues the submitted evidence again that the jobs gave up on.
func (s *Service) resendEvidence(ctx context.Context, business uuid.UUID, account string) error {
	ids, err := unsentEvidence(ctx, s.db.View(business), s.billing.Env(), account)
	for _, id := range ids {
		err = errors.Join(err, s.SendEvidence(ctx, EvidenceJob{Business: business, Dispute: id}))
	}
	return err
}
