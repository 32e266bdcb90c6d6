package billing_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/app/fault"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

var cameAtNine = processor.Evidence{Product: "Morning Yoga", CustomerName: "Ada", Attendance: "Ada came at nine."}

// disputed is a payment that a bank wants back: the dispute, and its id at the processor.
func (s till) disputed(t *testing.T, begin func(account, payment, reason string) (string, error)) (dispute.Dispute, string) {
	t.Helper()
	p := s.paid(t)
	s.check(t)
	id := must(begin(s.Account, p.IntentID, "fraudulent"))(t)
	s.settle(t)
	all := must(s.Disputes.List(t.Context(), s.Owner, dispute.ListInput{}))(t)
	return all.Items[0], id
}

func (s till) saveEvidence(t *testing.T, d dispute.Dispute, version int64) dispute.Evidence {
	t.Helper()
	return must(s.Disputes.SaveEvidence(t.Context(), s.Owner, dispute.SaveEvidenceInput{DisputeID: d.ID, Words: cameAtNine, Version: version}))(t)
}

func (s till) submitEvidence(t *testing.T, d dispute.Dispute, version int64) dispute.Evidence {
	t.Helper()
	return must(s.Disputes.SubmitEvidence(t.Context(), s.Owner, dispute.SubmitEvidenceInput{DisputeID: d.ID, Version: version}))(t)
}

// cannotSubmit checks that a draft is neither saved nor submitted, with the reason.
func (s till) cannotSubmit(t *testing.T, d dispute.Dispute, version int64, why error) {
	t.Helper()
	_, kept := s.Disputes.SaveEvidence(t.Context(), s.Owner, dispute.SaveEvidenceInput{DisputeID: d.ID, Words: cameAtNine, Version: version})
	_, handed := s.Disputes.SubmitEvidence(t.Context(), s.Owner, dispute.SubmitEvidenceInput{DisputeID: d.ID, Version: version})
	if !errors.Is(kept, why) || !errors.Is(handed, why) {
		t.Errorf("%v and %v, want %v", kept, handed, why)
	}
}

func (s till) wantDispute(t *testing.T, d dispute.Dispute, status processor.DisputeStatus, taken bool) {
	t.Helper()
	now := must(s.Disputes.Get(t.Context(), s.Owner, d.ID))(t)
	if now.Status != status || now.AcceptedAt.IsZero() == taken {
		t.Errorf("the dispute is %s, taken %s", now.Status, now.AcceptedAt)
	}
}

// TestEvidenceIsSubmitted: a draft is saved and changed, and submitted once; the bank looks at it then, and decides.
func TestEvidenceIsSubmitted(t *testing.T) {
	s := openTill(t)
	d, id := s.disputed(t, s.Sim.Dispute)
	if a := must(s.Disputes.Evidence(t.Context(), s.Owner, d.ID))(t); a != (dispute.Evidence{}) {
		t.Errorf("before anything was saved: %+v", a)
	}
	_, err := s.Disputes.SubmitEvidence(t.Context(), s.Owner, dispute.SubmitEvidenceInput{DisputeID: d.ID})
	if !errors.Is(err, dispute.ErrEvidenceMissing) {
		t.Errorf("nothing was submitted: %v", err)
	}
	first := s.saveEvidence(t, d, 0)
	s.cannotSubmit(t, d, 0, fault.ErrStale)
	draft := s.saveEvidence(t, d, first.Version)
	if draft.Words != cameAtNine || !draft.SubmittedAt.IsZero() || draft.Version != 2 {
		t.Errorf("the draft is %+v", draft)
	}
	s.settle(t)
	s.wantDispute(t, d, processor.DisputeNeedsResponse, false)
	sent := s.submitEvidence(t, d, draft.Version)
	s.cannotSubmit(t, d, sent.Version, dispute.ErrEvidenceSubmitted)
	s.settle(t)
	s.wantDispute(t, d, processor.DisputeUnderReview, true)
	s.cannotSubmit(t, d, sent.Version+1, dispute.ErrEvidenceSubmitted)
	none(t, s.Sim.WinDispute(s.Account, id))
	s.settle(t)
	s.wantDispute(t, d, processor.DisputeWon, true)
	s.cannotSubmit(t, d, sent.Version+1, dispute.ErrDecided)
}

// TestEvidenceIsNotSubmittedLate: after the deadline nothing is saved or submitted, and neither are texts of a member
// without the permission, or too long ones.
func TestEvidenceIsNotSubmittedLate(t *testing.T) {
	s := openTill(t)
	d, _ := s.disputed(t, s.Sim.Dispute)
	for _, w := range []processor.Evidence{{}, {CustomerName: strings.Repeat("a", 1001)}, {Product: strings.Repeat("a", 90_000), Other: strings.Repeat("ä", 60_001)}} {
		if _, err := s.Disputes.SaveEvidence(t.Context(), s.Owner, dispute.SaveEvidenceInput{DisputeID: d.ID, Words: w}); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%v", err)
		}
	}
	customer := s.Customer(t, "Eve")
	if _, err := s.Disputes.SaveEvidence(t.Context(), customer, dispute.SaveEvidenceInput{DisputeID: d.ID, Words: cameAtNine}); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("a customer: %v", err)
	}
	a := s.saveEvidence(t, d, 0)
	s.w.Clock.Advance(d.EvidenceDueBy.Sub(s.w.Clock.Now()))
	s.cannotSubmit(t, d, a.Version, dispute.ErrLate)
}

// TestEvidenceArrivesOnce: the processor took it and its answer was lost, or the program was killed before it kept
// that; it is not said again and counts as taken, even when the processor has forgotten the key.
func TestEvidenceArrivesOnce(t *testing.T) {
	s := openTill(t)
	d, _ := s.disputed(t, s.Sim.Dispute)
	tries := 0
	s.Answered = func(r *http.Request) error {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/v1/disputes/") {
			if tries++; tries == 1 {
				return errors.New("the answer is lost")
			}
		}
		return nil
	}
	s.submitEvidence(t, d, s.saveEvidence(t, d, 0).Version)
	_, _ = s.RunJobs(t) // the try that fails is left to its next
	s.wantDispute(t, d, processor.DisputeNeedsResponse, false)
	s.w.Clock.Advance(25 * time.Hour)
	s.List(t) // the night finds it, if the job did not
	s.wantDispute(t, d, processor.DisputeUnderReview, true)
	if tries != 2 {
		t.Errorf("it was said %d times", tries)
	}
	none(t, s.Disputes.SendEvidence(t.Context(), dispute.EvidenceJob{Business: s.Business.ID, Dispute: d.ID}))
	if tries != 2 {
		t.Error("what is taken was said again")
	}
}

// TestEvidenceThatIsRefused: evidence that the processor refuses is a draft again, with its reason.
func TestEvidenceThatIsRefused(t *testing.T) {
	s := openTill(t)
	d, id := s.disputed(t, s.Sim.Dispute)
	s.submitEvidence(t, d, s.saveEvidence(t, d, 0).Version)
	none(t, s.Sim.LoseDispute(s.Account, id)) // decided on the way there
	s.settle(t)
	a := must(s.Disputes.Evidence(t.Context(), s.Owner, d.ID))(t)
	if !a.SubmittedAt.IsZero() || !a.AcceptedAt.IsZero() || !strings.Contains(a.Refused, "closed") {
		t.Errorf("the answer is %+v", a)
	}
	s.wantDispute(t, d, processor.DisputeLost, false)
}

// TestAnInquiryThatGoesOn: the evidence of an inquiry can be changed and submitted again when the bank withdraws the
// money.
func TestAnInquiryThatGoesOn(t *testing.T) {
	s := openTill(t)
	d, id := s.disputed(t, s.Sim.Inquire)
	s.submitEvidence(t, d, s.saveEvidence(t, d, 0).Version)
	s.settle(t)
	s.wantDispute(t, d, processor.DisputeWarningReview, true)
	none(t, s.Sim.Escalate(s.Account, id))
	s.settle(t)
	s.wantDispute(t, d, processor.DisputeNeedsResponse, false)
	a := must(s.Disputes.Evidence(t.Context(), s.Owner, d.ID))(t)
	s.submitEvidence(t, d, s.saveEvidence(t, d, a.Version).Version)
	s.settle(t)
	s.wantDispute(t, d, processor.DisputeUnderReview, true)
}
