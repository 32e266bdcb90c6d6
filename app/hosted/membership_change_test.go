package hosted_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	plans "foyer/app/plan"
	"foyer/app/plan/rules"
)

// TestFreezePlan: a customer freezes their membership for days that they choose, with what that does before, and ends
// it. Days that its rules do not allow, and bookings on them, are said at once.
func TestFreezePlan(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := monthly()
	in.Freeze = rules.Freeze{Allowed: true, MinDays: 7, MaxDays: 30, PerYear: 2}
	p := s.sellsPlan(t, in)
	s.visit(t).get("/shop/"+s.Location.Slug+"/plans/"+p.ID.String()).want(200, "You can freeze this plan.",
		"It lasts at least 7 days.", "It lasts at most 30 days.", "You can do that 2 times in twelve months.")
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.joins(p, apptest.CardGood)
	form := ana.get(ana.get("/my/plans").link("Freeze")).want(200, "Freeze your plan", "It lasts at most 30 days.",
		"First day", "Last day")
	at := form.path()
	ana.get(at+"?from=2026-06-20&last=2026-06-22").want(400, "It lasts at least 7 days.")
	ana.get(at+"?from=x").want(400, "Enter a date.")
	ana.get(at+"?from=2026-06-01&last=2026-06-20").want(400, "Choose days from today on.")
	ask := ana.get(at+"?from=2026-06-20&last=2026-06-29").want(200, "Freeze this plan?",
		"From Saturday, June 20 to Monday, June 29", "Next payment", "$80.00", "on Monday, July 20")
	done := ask.form("/freeze").post().wantTo("/my/plans/").follow().want(200, "The freeze is set.",
		"Frozen from 20 Jun to 29 Jun.", "Next payment: $80.00 on 20 Jul").lacks("Unlimited Freeze")
	ana.get(at+"?from=2026-06-25&last=2026-07-05").want(400, "The plan is frozen on some of these days already.")
	end := ana.get(done.link("End the freeze")).want(200, "End this freeze?",
		"The plan stays active, with its earlier dates.")
	end.form("/unfreeze").post().wantTo("/my/plans/").follow().want(200, "The freeze has ended.",
		"Next payment: $80.00 on 10 Jul").lacks("Frozen")
	s.CheckBooks(t)
}

// TestChangePlan: a customer changes to a better plan, which they pay for at once, and to a lesser one with the next
// payment, which they withdraw.
func TestChangePlan(t *testing.T) {
	t.Parallel()
	s := open(t)
	four := 4
	better := s.sellsPlan(t, monthly())
	in := monthly()
	in.Name, in.PriceAmount, in.ChangeIDs = "Basic", 4000, []uuid.UUID{better.ID}
	in.Benefits = []plans.Benefit{{Credits: &four}}
	basic := s.sellsPlan(t, in)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	cart := ana.get("/shop/"+s.Location.Slug+"/plans/"+basic.ID.String()).want(200, "Basic").form(basic.ID.String()).
		post().wantTo("/cart/").follow()
	cart.form(cart.url.Path).post().wantTo("/cart/").follow().pay(apptest.CardGood).follow().want(200, "Paid, thank you")
	list := ana.get(ana.get("/my/plans").link("Change plan")).want(200, "Change plan", "Unlimited", "$80 a month",
		"Unlimited bookings")
	ask := ana.get(list.link("Choose")).want(200, "Change to Unlimited?", "Now", "$40.00", "charged to Visa ending 4242",
		"Next payment", "on Friday, July 10", "$80.00 a month", "Your bookings stay, and stay paid.")
	ask.form("/change").post("amount", "1").want(400, "The details have changed")
	ask.form("/change").post().wantTo("/my/plans/").follow().want(200, "It changes to Unlimited once $40.00 is paid.")
	s.rest(t)
	ana.get("/my/plans").want(200, "Unlimited bookings", "Next payment: $80.00 on 10 Jul").lacks("Change plan")

	back := []uuid.UUID{basic.ID}
	if _, err := s.Services.Plans.Update(t.Context(), s.Owner, plans.UpdateInput{
		ID: better.ID, Version: better.Version, ChangeIDs: &back,
	}); err != nil {
		t.Fatal(err)
	}
	list = ana.get(ana.get("/my/plans").link("Change plan")).want(200, "Basic", "4 credits")
	ask = ana.get(list.link("Choose")).want(200, "Begins", "Until then your plan stays as it is.", "$40.00")
	ask.form("/change").post().wantTo("/my/plans/").follow().want(200, "It changes to Basic on 10 Jul.",
		"Next payment: $40.00 on 10 Jul")
	s.rest(t)
	s.letter(t, "ana@example.com", "plan changes")
	leave := ana.get(ana.get("/my/plans").link("Withdraw the change")).want(200, "Withdraw this change?",
		"does not change to Basic")
	leave.form("/withdraw").post().wantTo("/my/plans/").follow().want(200, "The change is withdrawn.").
		lacks("It changes to")
	s.CheckBooks(t)
}
