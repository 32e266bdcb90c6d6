package plan_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/policy"
)

// renewals reads the renewals that a caller attends to.
func (s studio) renewals(t testing.TB, sc tenancy.Scope, location uuid.UUID) (r plan.Renewals) {
	t.Helper()
	v := s.w.DB.View(s.Business.ID)
	b := v.Batch()
	s.Plans.QueueRenewals(sc, plan.RenewalsInput{LocationID: location, Env: s.Billing.Env()}, &r)(b, v)
	must(t, 0, b.Send(t.Context()))
	return r
}

// A renewal is counted a week before its day and on it. One that was declined is listed with its next attempt, which is
// the time of the next charge indeed, until the last one: then with the day on which the membership ends.
func TestRenewalsAhead(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	seen := func() plan.Renewals { return s.renewals(t, s.Owner, uuid.Nil) }
	expect(t, "a month before", len(seen().Sums), 0)
	s.goes(t, 23)
	expect(t, "a week before", seen().Sums[0], plan.RenewalSum{Currency: "USD", Coming: 1, ComingAmount: 6000})
	s.goes(t, 6)
	s.pass(t, 24*time.Hour)
	expect(t, "on the day", seen().Sums[0], plan.RenewalSum{Currency: "USD", Today: 1, TodayAmount: 6000})
	expect(t, "not tried", len(seen().Unpaid), 0)
	s.w.Clock.Advance(7 * time.Hour) // so late that the next morning is too soon
	s.renews(t)
	u := seen().Unpaid[0]
	expect(t, "customer", u.CustomerID, m.CustomerID)
	expect(t, "customer", u.CustomerEmail, ada.Email)
	expect(t, "what", u.Name+" "+u.Failed, "Monthly generic_decline")
	expect(t, "of all", seen().UnpaidCount(), 1)

	for tries := 1; tries < 5; tries++ {
		next := owed.NextAttempt(u, s.w.Clock.Now())
		expect(t, "by card", next.Card, true)
		s.w.Clock.Set(next.At.Add(-time.Minute))
		s.renews(t)
		expect(t, "before the attempt", seen().Unpaid[0].Tries, tries)
		s.w.Clock.Set(next.At)
		s.renews(t)
		u = seen().Unpaid[0]
		expect(t, "after it", u.Tries, tries+1)
	}
	expect(t, "no more attempts", owed.NextAttempt(u, s.w.Clock.Now()).At.IsZero(), true)
	s.w.Clock.Set(u.LapsesOn().Utc().Add(-time.Hour))
	s.renews(t)
	expect(t, "the day before", s.mine(t, ada)[0].State, plan.Active)
	s.w.Clock.Advance(24 * time.Hour)
	s.renews(t)
	expect(t, "on the day", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "nothing is due", len(seen().Unpaid)+len(seen().Sums), 0)
}

// A membership without an agreement is asked for by links; another location, and a role without memberships, sees
// neither the renewals nor the customer.
func TestRenewalsInReach(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.booked(t, ada, s.class(t, 0)) // the customer has a record
	customer := apptest.Value[uuid.UUID](t, s.w, "select id from customers")
	s.sold(t, customer, s.published(t, monthly(2, 6000)))
	s.goes(t, 30)
	far := s.AddLocation(t, "Riverside").ID
	away := s.Join(t, "b@example.com", apptest.At(policy.FrontDesk, far))
	now := s.w.Clock.Now()
	u := s.renewals(t, s.Owner, s.Location.ID).Unpaid[0]
	next := owed.NextAttempt(u, now)
	expect(t, "without a card", u.CardSavedAt == nil && !next.Card, true)
	expect(t, "the next link", next.At.After(now) && next.At.Before(now.Add(4*24*time.Hour)), true)
	for name, c := range map[string]struct {
		who   tenancy.Scope
		at    uuid.UUID
		found int
	}{
		"owner":            {s.Owner, uuid.Nil, 1},
		"owner elsewhere":  {s.Owner, far, 0},
		"front desk":       {s.Join(t, "a@example.com", apptest.At(policy.FrontDesk, s.Location.ID)), uuid.Nil, 1},
		"another location": {away, uuid.Nil, 0},
		"its selection":    {away, s.Location.ID, 0},
		"instructor":       {s.Join(t, "c@example.com", apptest.Everywhere(policy.Instructor)), uuid.Nil, 0},
		"marketer":         {s.Join(t, "d@example.com", apptest.Everywhere(policy.Marketer)), uuid.Nil, 0},
		"accountant":       {s.Join(t, "e@example.com", apptest.Everywhere(policy.Accountant)), uuid.Nil, 0},
	} {
		r := s.renewals(t, c.who, c.at)
		expect(t, name, len(r.Unpaid), c.found)
		expect(t, name+", sums", len(r.Sums), c.found)
	}
}
