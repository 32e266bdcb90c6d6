package customers_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/policy"
)

// monthly puts a membership on sale.
func monthly(
	t *testing.T, s *consoletest.Studio, name string, price int64, changes ...func(*plan.CreateInput),
) plan.Plan {
	t.Helper()
	in := plan.CreateInput{
		Name: name, Kind: plan.Renewing, PriceAmount: price, Benefits: []plan.Benefit{{Credits: new(12)}},
		Validity: plan.Validity{Count: 1, Unit: rules.Month},
	}
	for _, change := range changes {
		change(&in)
	}
	return published(t, s, in)
}

// TestUpgrade: a change to a higher price has its amount before it is made, waits for its payment, and is paid in cash
// at the desk; the membership is the new one then.
func TestUpgrade(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	at := "/customers/" + ids["Ada"].String()
	m := joined(t, s, ids["Ada"])
	one := at + "/plans/" + m.ID.String()
	page := owner.Get(one).Is(t, 200).Shows(t, "Change plan…")
	owner.Get(page.Link(one+"/change")).Is(t, 200).Shows(t, "No other membership is sold at")
	more := monthly(t, s, "Premium", 16000)
	monthly(t, s, "Short", 9000, func(in *plan.CreateInput) { in.MinPeriods, in.Ends = 3, true })
	owner.Get(one+"/change").Is(t, 200).
		Shows(t, "Premium · $160.00 a month", "Choose a plan to preview the change.").
		Silent(t, "Short", "Monthly · $80.00", "Keep it")
	to := one + "/change?planId=" + more.ID.String()
	owner.Get(to+"&atPeriodEnd=1").Is(t, 200).Shows(t, "Premium begins on", "with the next billing period",
		"There is no payment now.", "$160.00", "Change to Premium")
	ask := owner.Get(to).Is(t, 200).Shows(t, "Premium begins today, once it is paid.",
		"The customer gets a payment link now.", "$80.00", "Until the next payment: 12 credits left",
		"The next payment is on", "$160.00")
	form := ask.Posts("/change")
	others := []*consoletest.Client{s.As(t, policy.Marketer), away(t, s)}
	for _, c := range others {
		c.Get(one).Is(t, 200).Silent(t, "Change plan…")
		c.Get(one+"/change").Is(t, 403)
		c.Send(form).Is(t, 403)
	}
	owner.Send(form, "amount", "1").Is(t, 409).Shows(t, "Another user changed this", "Change to Premium")
	owner.Send(form, "amount", "").Is(t, 409)
	owner.Send(form, "version", "0").Is(t, 409)
	page = owner.Send(form).Is(t, 200).Shows(t, "The change to Premium waits for its payment of $80.00.", "Take payment",
		"Withdraw change", "Monthly").Silent(t, "Freeze…")
	owner.Send(form).Is(t, 200) // sent twice
	owner.Get(one+"/freeze").Is(t, 409).Shows(t, "Withdraw the change of this membership first.")
	withdraw := page.Posts("/withdraw")
	for _, c := range others {
		c.Get(one).Is(t, 200).Shows(t, "waits for its payment").Silent(t, "Withdraw change", "Take payment")
		c.Send(withdraw).Is(t, 403)
	}

	front := s.Member(t, "harbour@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	page = front.Get(one).Is(t, 200).Shows(t, "waits for its payment of $80.00.")
	pay := front.Get(page.Link("/till/sell")).Is(t, 200).
		Shows(t, "Take payment", "Ada", "Change to Premium", "Charge $80.00")
	front.Send(pay.Posts("/till/sell")).Is(t, 200).Shows(t, "Recorded a payment of $80.00.", "Premium")
	page = owner.Get(one).Is(t, 200).Shows(t, "Premium", "12 credits left", "Plan changed", "Change plan…", "Freeze…").
		Silent(t, "waits for its payment", "Withdraw change")
	owner.Send(withdraw).Is(t, 409).Shows(t, "Another user changed this")
	owner.Send(page.Posts("/credits")).Is(t, 400)
	if got := latest(t, s, ids["Ada"]); got.PlanID != more.ID || got.Change != nil || got.Next.Amount != 16000 {
		t.Errorf("%+v", got)
	}
	s.CheckBooks(t)
}

// TestDowngrade: a change to a lower price begins with the next billing period; it is withdrawn, and made again with
// another plan in its place.
func TestDowngrade(t *testing.T) {
	s, ids, _ := owing(t)
	owner := s.As(t, consoletest.Owner)
	m := joined(t, s, ids["Ben"])
	one := "/customers/" + ids["Ben"].String() + "/plans/" + m.ID.String()
	less, least := monthly(t, s, "Basic", 5000), monthly(t, s, "Mini", 2000)
	form := owner.Get(one+"/change?planId="+less.ID.String()).Is(t, 200).Shows(t, "Basic begins on",
		"There is no payment now.", "$50.00").Posts("/change")
	page := owner.Send(form).Is(t, 200).Shows(t, "It changes to Basic on", "Withdraw change", "$50.00 ·", "Freeze…").
		Silent(t, "Take payment")
	owner.Send(page.Posts("/withdraw")).Is(t, 200).Shows(t, "Withdrew the change of Monthly.", "Take payment").
		Silent(t, "It changes to", "Withdraw change")
	if got := latest(t, s, ids["Ben"]); got.Change != nil || got.Next.Amount != 8000 {
		t.Errorf("%+v", got)
	}
	owner.Send(owner.Get(one+"/change?planId="+less.ID.String()).Is(t, 200).Posts("/change")).Is(t, 200)
	ask := owner.Get(one+"/change?planId="+least.ID.String()).Is(t, 200).Shows(t, "The change to Basic is withdrawn.")
	owner.Send(ask.Posts("/change")).Is(t, 200).Shows(t, "It changes to Mini on")
	goes(t, s, 31)
	owner = s.As(t, consoletest.Owner) // the session is over
	got := latest(t, s, ids["Ben"])
	owner.Get(one).Is(t, 200).Shows(t, "Mini", "Payment due since", "$20.00", "Take payment").Silent(t, "It changes to")
	if got.PlanID != least.ID || got.Next.Amount != 2000 {
		t.Errorf("%+v", got)
	}
	owner.Get(one+"/change?planId="+m.PlanID.String()).Is(t, 409).
		Shows(t, "Pay the billing period that is due first.")
	s.CheckBooks(t)
}

// TestUpgradeByCard: the saved card of a customer who agreed to renewals is charged for a change; a declined card
// leaves the change to be paid otherwise. A manager of the location makes it.
func TestUpgradeByCard(t *testing.T) {
	s := consoletest.Open(t)
	s.SaveCard(t, "ada@example.com", "Ada Lovelace")
	s.SaveCard(t, "ben@example.com", "Ben", "4000000000000341")
	manager := s.Member(t, "manager@team.example.com", apptest.At(policy.Manager, s.Location.ID))
	more := monthly(t, s, "Premium", 16000)
	for name, declined := range map[string]bool{"Ada Lovelace": false, "Ben": true} {
		id := apptest.Value[uuid.UUID](t, s.World, "select id from customers where name = $1", name)
		m := joined(t, s, id)
		s.SQL(t, "update memberships set consented_at = now(), consent_text = 'yes'")
		one := "/customers/" + id.String() + "/plans/" + m.ID.String()
		ask := manager.Get(manager.Get(one).Is(t, 200).Link(one+"/change")+"?planId="+more.ID.String()).Is(t, 200).
			Shows(t, "The saved card is charged now.", "$80.00",
				"The saved card is charged for the new price once the customer agrees to it.")
		manager.Send(ask.Posts("/change")).Is(t, 200)
		s.Sweep(t)
		page := manager.Get(one).Is(t, 200)
		if declined {
			page.Shows(t, "The change to Premium waits for its payment of $80.00.", "The card could not be charged:",
				"Take payment")
		} else {
			page.Shows(t, "Premium", "Pays by link or at the desk").Silent(t, "waits for its payment")
		}
	}
	s.CheckBooks(t)
}
