package today_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/billing/tender"
	"foyer/policy"
)

// TestRenewalsOnToday: the payments of memberships that are due soon, with their amount, and those that were not paid
// with a link to the membership; for roles with memberships, at the selected location, and only while there are any.
func TestRenewalsOnToday(t *testing.T) {
	s := consoletest.Open(t)
	date := s.AddOccurrence(t, s.AddOffering(t), apptest.Start.Add(26*time.Hour))
	s.Seat(t, date.ID, "Ada Lovelace", "")
	s.AddLocation(t, "Riverside")
	owner := s.As(t, consoletest.Owner)
	owner.Get("").Silent(t, "Renewals")
	p, err := s.Plans.Create(t.Context(), s.Owner, plan.CreateInput{
		Name: "Monthly", Kind: plan.Renewing, PriceAmount: 8000, Benefits: []plan.Benefit{{}},
		Validity: plan.Validity{Count: 1, Unit: rules.Month},
	})
	if err == nil {
		_, err = s.Plans.Publish(t.Context(), s.Owner, p.ID)
	}
	if err == nil {
		_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
			Plans: []uuid.UUID{p.ID}, LocationID: s.Location.ID, Tenders: owed.Pays(tender.Cash),
			CustomerID: apptest.Value[uuid.UUID](t, s.World, "select id from customers"),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(29 * 24 * time.Hour)
	owner.Get("").Shows(t, "Renewals", "1 due in the next 7 days: $80.00").Silent(t, "due today", "Due since")
	s.Clock.Advance(24 * time.Hour)
	owner.Get("").Shows(t, "Renewals", "1 due today: $80.00").Silent(t, "in the next 7 days", "Due since")
	renew := func(d time.Duration) {
		t.Helper()
		s.Clock.Advance(d)
		if err := s.Owed.RenewDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	renew(3 * time.Hour)
	const due = "Due since"
	page := owner.Get("").Shows(t, "Renewals", "Ada Lovelace", "Monthly · "+due, "$80.00", "Pays by link or at the desk",
		"Next reminder")
	at := "/plans/" + apptest.Value[string](t, s.World, "select id::text from memberships")
	owner.Get(page.Link(at)).Is(t, 200).Shows(t, "Monthly", "Ada Lovelace")
	s.As(t, consoletest.Owner).Get("?at=riverside").Silent(t, due)
	for role, sees := range map[policy.Role]bool{
		policy.FrontDesk: true, policy.Instructor: false, policy.Accountant: false,
	} {
		if page := s.As(t, role).Get("").Is(t, 200); sees {
			page.Shows(t, due, "due today")
		} else {
			page.Silent(t, due, "due today", "Ada Lovelace")
		}
	}
	renew(4 * 24 * time.Hour)
	renew(4 * 24 * time.Hour)
	owner.Get("").Shows(t, "unless paid").Silent(t, "due today", "Next reminder")
}
