package today_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/billing"
	"foyer/policy"
)

// TestTroubleWithMoneyStandsOnToday: what is wrong with the account, for who can mend it, with the way there; nothing once it is well.
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
	page := owner.Get("").Shows(t, "Customers cannot pay you by card.", "See what is missing")
	owner.Get(page.Link("/settings/payments")).Is(t, 200).Shows(t, "external account")
	desk.Get("").Silent(t, "Customers cannot pay you by card.")
	if err := s.Sim.Activate(s.Account); err != nil {
		t.Fatal(err)
	}
	reread()
	owner.Get("").Silent(t, "Customers cannot pay you by card.")
}

// TestADisputeStandsOnToday: from seven days before its deadline on until it is answered, for who may answer it.
func TestADisputeStandsOnToday(t *testing.T) {
	s := consoletest.Open(t)
	p := s.Sell(t, "Ada Lovelace")
	if _, err := s.Sim.Dispute(s.Account, apptest.Value[string](t, s.World, "select intent from payments where id = $1", p.ID), "fraudulent"); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(24 * time.Hour)
	s.Sweep(t)
	all, err := s.Billing.Disputes(t.Context(), s.Owner, billing.DisputesInput{})
	if err != nil || len(all.Items) != 1 {
		t.Fatalf("%+v, %v", all.Items, err)
	}
	d := all.Items[0]
	const asks = "A bank wants $24.44 back."
	owner := s.As(t, consoletest.Owner)
	due := s.Clock.Now().Add(billing.AnswerSoon + time.Hour) // longer than the simulator gives
	s.SQL(t, "update disputes set evidence_due_by = $2 where id = $1", d.ID, due)
	owner.Get("").Silent(t, asks)
	s.Clock.Advance(time.Hour)
	page := owner.Get("").Shows(t, asks, "Answer by", "Answer the bank")
	page = owner.Get(page.Link("/sales/disputes/"+d.ID.String())).Is(t, 200)
	for _, role := range []policy.Role{policy.FrontDesk, policy.Accountant, policy.Instructor} {
		s.As(t, role).Get("").Silent(t, asks)
	}
	form := page.Form("/sales/disputes/" + d.ID.String())
	form.Values.Set("then", "hand-in")
	owner.Send(owner.Send(form).Form("/hand-in"))
	owner.Get("").Silent(t, asks)
}
