package today_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/billing/dispute"
	"foyer/policy"
)

// TestTroubleWithMoneyStandsOnToday: a problem of the account, with the right to resolve it and a link; none once
// resolved.
func TestTroubleWithMoneyStandsOnToday(t *testing.T) {
	s := consoletest.Open(t)
	owner, desk := s.As(t, consoletest.Owner), s.As(t, policy.FrontDesk)
	reread := func() {
		t.Helper()
		if _, err := s.Billing.Refresh(t.Context(), s.Owner); err != nil {
			t.Fatal(err)
		}
	}
	owner.Get("").Silent(t, "Customers cannot pay you by card.")
	if err := s.Sim.Restrict(s.Account, "external_account"); err != nil {
		t.Fatal(err)
	}
	reread()
	page := owner.Get("").Shows(t, "Customers cannot pay you by card.", "See missing details")
	owner.Get(page.Link("/settings/payments")).Is(t, 200).Shows(t, "external account")
	desk.Get("").Silent(t, "Customers cannot pay you by card.")
	if err := s.Sim.Activate(s.Account); err != nil {
		t.Fatal(err)
	}
	reread()
	owner.Get("").Silent(t, "Customers cannot pay you by card.")
}

// TestADisputeStandsOnToday: from seven days before its deadline until evidence is submitted, with the right to do
// so.
func TestADisputeStandsOnToday(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	if _, err := s.Sim.Dispute(s.Account, apptest.Value[string](t, s.World, "select intent from payments where id = $1", p.ID), "fraudulent"); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(24 * time.Hour)
	s.Sweep(t)
	all, err := s.Disputes.List(t.Context(), s.Owner, dispute.ListInput{})
	if err != nil || len(all.Items) != 1 {
		t.Fatalf("%+v, %v", all.Items, err)
	}
	d := all.Items[0]
	const asks = "A payment of $24.44 is disputed."
	owner := s.As(t, consoletest.Owner)
	due := s.Clock.Now().Add(dispute.EvidenceSoon + time.Hour) // longer than the simulator's
	s.SQL(t, "update disputes set evidence_due_by = $2 where id = $1", d.ID, due)
	owner.Get("").Silent(t, asks)
	s.Clock.Advance(time.Hour)
	page := owner.Get("").Shows(t, asks, "Submit evidence by", "Submit evidence")
	page = owner.Get(page.Link("/sales/disputes/"+d.ID.String())).Is(t, 200)
	for _, role := range []policy.Role{policy.FrontDesk, policy.Accountant, policy.Instructor} {
		s.As(t, role).Get("").Silent(t, asks)
	}
	form := page.Form("/sales/disputes/" + d.ID.String())
	form.Values.Set("then", "submit")
	owner.Send(owner.Send(form).Form("/submit"))
	owner.Get("").Silent(t, asks)
}
