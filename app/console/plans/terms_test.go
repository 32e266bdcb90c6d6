package plans_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/console/consoletest"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/policy"
)

// named returns the plan of the studio with a name.
func named(t *testing.T, s *consoletest.Studio, name string) plan.Plan {
	t.Helper()
	page, err := s.Plans.List(t.Context(), s.Owner, plan.ListInput{})
	i := slices.IndexFunc(page.Items, func(p plan.Plan) bool { return p.Name == name })
	if err != nil || i < 0 {
		t.Fatalf("no plan %s: %v", name, err)
	}
	return page.Items[i]
}

// TestMembershipTerms: the billing day, the rules for freezes and changes and the credits that carry over are saved,
// with their errors at the fields and their sentences in the preview. None of them is set in a new plan.
func TestMembershipTerms(t *testing.T) {
	s := consoletest.Open(t)
	month := plan.Validity{Count: 1, Unit: rules.Month}
	more := add(t, s, plan.CreateInput{Name: "Premium", Kind: plan.Renewing, PriceAmount: 16000, Validity: month,
		Benefits: []plan.Benefit{{}}})
	add(t, s, plan.CreateInput{Name: "Yen", Kind: plan.Renewing, PriceAmount: 16000, Currency: "JPY", Validity: month,
		Benefits: []plan.Benefit{{}}})
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/plans/new?kind=membership").Is(t, 200).
		Shows(t, "Billing day", "Freezing", "Customers can freeze it", "Members can change to", "Premium").
		Silent(t, "Yen", "Payments are due on day", "Customers can freeze it.").Form("/plans/new")
	typed := func(typed ...string) []string {
		return append([]string{"name", "Monthly", "priceAmount", "80", "benefits[0].gives", "credits",
			"benefits[0].credits", "8"}, typed...)
	}
	for _, x := range []struct {
		shows string
		typed []string
	}{
		{"Use 1 to 28.", []string{"renewal.billingDay", "29"}},
		{"Only a membership by the month or the year is billed on a day of the month.",
			[]string{"renewal.billingDay", "1", "validUnit", "week"}},
		{"Use 0 to 120.", []string{"renewal.downgradePeriods", "121"}},
		{"Allow customers to freeze it, or leave out the rules.", []string{"freeze.maxDays", "30"}},
		{"Use at least the minimum.", []string{"freeze.minDays", "30", "freeze.maxDays", "7", "freeze.allowed", "1"}},
		{"Use 0 to 366.", []string{"freeze.noticeDays", "367", "freeze.allowed", "1"}},
		{"Enter a whole number.", []string{"freeze.apart", "a week", "freeze.allowed", "1"}},
		{"Use 0 to 12.", []string{"freeze.perYear", "13", "freeze.allowed", "1"}},
		{"is frozen for whole billing periods.", []string{"renewal.billingDay", "1", "freeze.allowed", "1"}},
		{"Use 0 to 10000.", []string{"benefits[0].rolloverMax", "10001"}},
		{"Enter a whole number.", []string{"benefits[0].rolloverMax", "some"}},
		{"Customers can freeze it.", []string{"freeze.allowed", "1", "then", "preview"}},
		{"Customers can freeze it for at most 30 days.",
			[]string{"freeze.maxDays", "30", "freeze.allowed", "1", "then", "preview"}},
		{"Payments are due on day 1 of the month.", []string{"renewal.billingDay", "1", "then", "preview"}},
		{"Customers can change to Premium.", []string{"changeIds", more.ID.String(), "then", "preview"}},
		{"At most 3 credits that are not used carry over into the next one.",
			[]string{"benefits[0].rolloverMax", "3", "then", "preview"}},
	} {
		again := owner.Send(form, typed(x.typed...)...).Shows(t, x.shows)
		if again.Status != 400 && again.Status != 422 {
			t.Errorf("%q answers %d", x.typed, again.Status)
		}
		if got := again.Form("/plans/new").Values.Get(x.typed[0]); got != x.typed[1] {
			t.Errorf("%s is %q again, and was typed as %q", x.typed[0], got, x.typed[1])
		}
	}
	owner.Send(form, typed()...).Is(t, 200).Shows(t, "Saved Monthly as a draft.")
	p := named(t, s, "Monthly")
	if p.Freeze != (rules.Freeze{}) || p.Renewal != (plan.Renewal{}) || len(p.ChangeIDs) > 0 {
		t.Fatalf("%+v", p)
	}

	at := "/plans/" + p.ID.String()
	form = owner.Get(at).Is(t, 200).Form(at)
	owner.Send(form, "renewal.billingDay", "1", "renewal.downgradePeriods", "2", "changeIds", more.ID.String(),
		"freeze.allowed", "1", "freeze.minDays", "28", "freeze.maxDays", "62", "freeze.wholePeriods", "1",
		"freeze.onFirst", "1", "freeze.perYear", "2", "freeze.apart", "30", "freeze.paidPeriods", "1",
		"freeze.noticeDays", "7", "benefits[0].rolloverMax", "2").Is(t, 200).
		Shows(t, "Saved Monthly.", "Payments are due on day 1 of the month.", "Customers can freeze it for 28 to 62 days.",
			"A freeze begins and ends with billing periods.", "At most 2 freezes in twelve months.",
			"There are at least 30 days between two freezes.", "The first freeze needs 1 paid billing period.",
			"A freeze needs 7 days of notice.", "Customers can change to Premium.",
			"A change to a lower price needs 2 paid billing periods.",
			"At most 2 credits that are not used carry over into the next one.")
	got := named(t, s, "Monthly")
	if got.Freeze != (rules.Freeze{Allowed: true, MinDays: 28, MaxDays: 62, WholePeriods: true, OnFirst: true, PerYear: 2,
		Apart: 30, PaidPeriods: 1, NoticeDays: 7}) || got.BillingDay != 1 || got.DowngradePeriods != 2 ||
		!slices.Equal(got.ChangeIDs, []uuid.UUID{more.ID}) || got.Benefits[0].RolloverMax != 2 {
		t.Errorf("%+v", got)
	}
	s.As(t, policy.FrontDesk).Get(at).Is(t, 200).Shows(t, "Customers can freeze it for 28 to 62 days.").Silent(t, "Save")
	if _, err := s.Plans.Archive(t.Context(), s.Owner, more.ID); err != nil {
		t.Fatal(err)
	}
	form = owner.Get(at).Is(t, 200).Shows(t, "Premium Archived").Form(at)
	owner.Send(form, "name", "Monthly").Is(t, 200) // as it is
	if again := named(t, s, "Monthly"); again.Freeze != got.Freeze || again.Renewal != got.Renewal ||
		!slices.Equal(again.ChangeIDs, got.ChangeIDs) {
		t.Errorf("%+v, was %+v", again, got)
	}
}

// TestFreezeOfPack: customers can freeze a pack with an end, and it has no rules of billing periods.
func TestFreezeOfPack(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/plans/new?kind=pack").Is(t, 200).Shows(t, "Freezing").
		Silent(t, "Whole billing periods", "Paid periods before the first freeze", "Billing day", "Members can change to",
			"Credits to carry over").Form("/plans/new")
	owner.Send(form, "name", "Ten", "priceAmount", "180", "validCount", "", "freeze.allowed", "1").Is(t, 400).
		Shows(t, "A plan without an end needs no freeze.")
	owner.Send(form, "name", "Ten", "priceAmount", "180", "freeze.allowed", "1", "freeze.maxDays", "30").Is(t, 200).
		Shows(t, "Customers can freeze it for at most 30 days.")
	if got := only(t, s).Freeze; got != (rules.Freeze{Allowed: true, MaxDays: 30}) {
		t.Errorf("%+v", got)
	}
}
