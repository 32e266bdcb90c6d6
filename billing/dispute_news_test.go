package billing_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/billing"
)

// told are the subjects of the mails to the owner of one kind, the oldest first.
func (s till) told(t *testing.T, kind string) (subjects []string, last string) {
	t.Helper()
	for _, m := range slices.Backward(s.Mail.List("")) {
		if what, ok := strings.CutPrefix(m.Subject, kind+" "); ok {
			subjects, last = append(subjects, what), m.Text
		}
	}
	return subjects, last
}

func (s till) wantTold(t *testing.T, kind string, want ...string) string {
	t.Helper()
	s.settle(t)
	got, last := s.told(t, kind)
	if !slices.Equal(got, want) {
		t.Errorf("the owner was told %q of the %s, want %q", got, kind, want)
	}
	return last
}

// again has all of it read and looked at twice more, as events that repeat and sweeps do.
func (s till) again(t *testing.T) {
	t.Helper()
	for range 2 {
		none(t, s.Disputes.RemindDue(t.Context()))
		s.List(t)
	}
}

// TestOwnersAreToldOfDisputes: that one was opened, seven, three and one days before its deadline, and how it ended:
// once each, whatever is read again.
func TestOwnersAreToldOfDisputes(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	s.check(t)
	id := must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)
	s.again(t)
	if last := s.wantTold(t, "dispute", "opened"); !strings.Contains(last, " for Morning Yoga, ") {
		t.Errorf("the mail says %q", last)
	}
	for _, step := range []struct {
		days int
		want []string
	}{
		{3, []string{"opened"}}, // four days are left
		{1, []string{"opened", "due_soon"}},
		{1, []string{"opened", "due_soon"}},
		{1, []string{"opened", "due_soon", "due_soon"}},
	} {
		s.w.Clock.Advance(time.Duration(step.days) * 24 * time.Hour)
		s.again(t)
		s.wantTold(t, "dispute", step.want...)
	}
	none(t, s.Sim.LoseDispute(s.Account, id))
	s.again(t)
	if last := s.wantTold(t, "dispute", "opened", "due_soon", "due_soon", "closed"); !strings.Contains(last, "lost 2200") || !strings.Contains(last, "fee back 44") {
		t.Errorf("the mail says %q", last)
	}
	s.w.Clock.Advance(10 * 24 * time.Hour)
	s.again(t)
	s.wantTold(t, "dispute", "opened", "due_soon", "due_soon", "closed")
}

// An inquiry is notified, and again when the bank withdraws the money.
func TestOwnersAreToldOfInquiries(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	id := must(s.Sim.Inquire(s.Account, p.IntentID, "general"))(t)
	s.again(t)
	s.wantTold(t, "dispute", "opened")
	none(t, s.Sim.Escalate(s.Account, id))
	s.again(t)
	s.wantTold(t, "dispute", "opened", "opened")
	none(t, s.Sim.WinDispute(s.Account, id))
	s.again(t)
	s.wantTold(t, "dispute", "opened", "opened", "closed")
}

// A late mail has no outdated request: evidence is not requested for a decided dispute.
func TestALateNoticeOfADisputeIsDropped(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	s.check(t)
	id := must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)
	none(t, s.Sim.WinDispute(s.Account, id)) // before any job runs
	s.again(t)
	s.wantTold(t, "dispute", "closed")
}

// TestOwnersAreToldOfTheirAccount: each change for the worse once, and that all is well again.
func TestOwnersAreToldOfTheirAccount(t *testing.T) {
	s := openTill(t)
	s.wantTold(t, "account")
	twice := func(err error) {
		t.Helper()
		none(t, err)
		s.settle(t)
		_, err = s.Billing.Refresh(t.Context(), s.Owner)
		none(t, err)
	}
	by := s.w.Clock.Now().Add(14 * 24 * time.Hour)
	twice(s.Sim.RequireInfo(s.Account, by, "individual.id_number"))
	if last := s.wantTold(t, "account", "active"); last != "due [individual.id_number]" {
		t.Errorf("the mail says %q", last)
	}
	twice(s.Sim.PausePayouts(s.Account, by, "external_account"))
	twice(s.Sim.Restrict(s.Account, "external_account"))
	s.wantTold(t, "account", "active", "active_payouts_paused", "restricted")
	twice(s.Sim.Verify(s.Account)) // the processor looks at it: nothing to tell
	s.wantTold(t, "account", "active", "active_payouts_paused", "restricted")
	twice(s.Sim.Activate(s.Account))
	twice(s.Sim.Disconnect(s.Account))
	if last := s.wantTold(t, "account", "active", "active_payouts_paused", "restricted", "active", "disconnected"); !strings.HasPrefix(last, string(billing.TroubleDisconnected)) {
		t.Errorf("the mail says %q", last)
	}
}

// An event that was lost is made good in the night.
func TestAnAccountIsReadInTheNight(t *testing.T) {
	s := openTill(t)
	s.List(t)
	none(t, s.Sim.Restrict(s.Account, "external_account"))
	s.w.SQL(t, "delete from webhook_events") // none arrives
	s.Sim.Flush(t.Context())
	s.w.SQL(t, "delete from webhook_events")
	s.w.Clock.Advance(25 * time.Hour)
	s.List(t)
	s.wantTold(t, "account", "restricted")
}
