package hosted_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/civil"
	plans "foyer/app/plan"
)

// TestNewPrice: My plans names a new price before it is paid, the consent to later payments has it, and a customer whom
// the least number of payments binds can cancel before it.
func TestNewPrice(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := monthly()
	in.MinPeriods = 6
	p := s.sellsPlan(t, in)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.joins(p, apptest.CardGood)
	if _, err := s.Services.Plans.SchedulePrice(t.Context(), s.Owner, plans.PriceInput{
		PlanID: p.ID, PriceAmount: 9500, StartsOn: civil.NewDate(2026, 7, 20), ForSales: true,
	}); err != nil {
		t.Fatal(err)
	}
	s.rest(t)
	s.letter(t, "ana@example.com", "plan price")
	mine := ana.get("/my/plans").want(200, "Next payment: $80.00 on 10 Jul",
		"For billing periods that begin on Monday 20 July or later, the price is $95.00 a month.",
		"You can cancel until Sunday 9 August: it then ends before you pay that")
	ana.get(planOf(mine)+"/agree").want(200, "The price is $80.00 a month.",
		"For billing periods that begin on Monday, July 20 or later, the price is $95.00 a month.")
	ask := ana.get(mine.link("Cancel membership")).want(200, "Sunday, August 9", "$80.00", "1 more payment is due")
	ask.form("/cancel").post().wantTo("/my/plans/").follow().want(200, "Your membership is cancelled.").
		lacks("the price is $95.00")
	s.CheckBooks(t)
}

// planOf returns the address of the only plan of a page of My plans.
func planOf(p *page) string {
	at := p.link("Cancel membership")
	return at[:len(at)-len("/cancel")]
}
