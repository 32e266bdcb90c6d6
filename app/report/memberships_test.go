package report_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/billing/tender"
	"foyer/policy"
)

// renewing puts a membership of some billing period on sale.
func (s shop) renewing(t *testing.T, name string, price int64, unit rules.Unit, terms plan.Renewal) plan.Plan {
	t.Helper()
	p, err := s.Services.Plans.Create(t.Context(), s.Owner, plan.CreateInput{
		Name: name, Kind: plan.Renewing, PriceAmount: price, Validity: plan.Validity{Count: 1, Unit: unit}, Renewal: terms,
		Benefits: []plan.Benefit{{}},
	})
	must(t, p, err)
	p, err = s.Services.Plans.Publish(t.Context(), s.Owner, p.ID)
	return must(t, p, err)
}

// joins sells a membership to a new customer at a location, for cash.
func (s shop) joins(t *testing.T, location uuid.UUID, name string, p plan.Plan) plan.Membership {
	t.Helper()
	who, err := s.Services.CRM.Create(t.Context(), s.Owner, crm.CreateInput{Name: name, Email: name + "@example.com"})
	must(t, who, err)
	s.pays(t, owed.PaymentInput{Plans: []uuid.UUID{p.ID}, LocationID: location, CustomerID: who.ID})
	return s.held(t, who.ID)
}

func (s shop) pays(t *testing.T, in owed.PaymentInput) {
	t.Helper()
	in.Tenders = owed.Pays(tender.Cash)
	_, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
	must(t, 0, err)
}

// held is the membership of a customer.
func (s shop) held(t *testing.T, customer uuid.UUID) plan.Membership {
	t.Helper()
	list, err := s.Services.Plans.OfCustomer(t.Context(), s.Owner, customer)
	return must(t, list, err)[0]
}

// days lets days go by, with the sweeps of memberships of each.
func (s shop) days(t *testing.T, n int) {
	t.Helper()
	for range n {
		s.w.Clock.Advance(24 * time.Hour)
		must(t, 0, s.Owed.RenewDue(t.Context()))
		must(t, 0, s.Services.Plans.ExpireDue(t.Context()))
	}
	s.jobs(t)
}

// members reads the report of summer.
func (s shop) members(t *testing.T, changes ...func(*report.Range)) report.MembershipReport {
	t.Helper()
	in := report.Range{From: apptest.Day("2026-06-15"), To: apptest.Day("2026-07-02")}
	for _, change := range changes {
		change(&in)
	}
	r, err := s.Memberships(t.Context(), s.Owner, in)
	return must(t, r, err)
}

// TestMembershipReport: who joined and who left in each month, for each of the ways to leave, with the payments and the
// recurring value; a month that is over stays as it was. The last hour of a month is that of the location.
func TestMembershipReport(t *testing.T) {
	s := open(t)
	here, far := s.Location.ID, s.AddLocation(t, "Riverside").ID
	monthly := s.renewing(t, "Monthly", 6000, rules.Month, plan.Renewal{})
	yearly := s.renewing(t, "Yearly", 120000, rules.Year, plan.Renewal{})
	course := s.renewing(t, "One month", 5000, rules.Month, plan.Renewal{MinPeriods: 1, Ends: true})
	ada := s.joins(t, here, "Ada", monthly)
	s.joins(t, here, "Ben", monthly) // will not pay
	cleo := s.joins(t, here, "Cleo", monthly)
	s.joins(t, far, "Dan", yearly)
	s.joins(t, here, "Eve", course)
	s.joins(t, here, "Fay", monthly)
	_, err := s.Owed.CancelPlan(t.Context(), s.Owner, owed.CancelInput{CustomerID: cleo.CustomerID, MembershipID: cleo.ID})
	must(t, 0, err)
	s.days(t, 10)
	all, err := s.Money.List(t.Context(), s.Owner, sales.ListInput{}) // the latest first
	s.refund(t, must(t, all, err).Items[0].ID, 6000)
	s.w.Clock.Set(time.Date(2026, 7, 1, 2, 0, 0, 0, time.UTC)) // it is June in New York
	s.joins(t, here, "Gus", monthly)

	want := report.MembershipSums{Currency: "USD", Joined: 7, Canceled: 1, Payments: 7, Income: 5*6000 + 120000 + 5000}
	june := s.members(t)
	if len(june.Months) != 1 || june.Months[0].MembershipSums != want || june.Months[0].Closing() != 6 {
		t.Errorf("June: %+v, want %+v", june.Months, want)
	}
	if now := june.Totals[0].Now; now != (report.MembershipValue{Members: 6, Monthly: 4*6000 + 10000 + 5000}) {
		t.Errorf("the value: %+v", now)
	}
	s.days(t, 15)
	s.pays(t, owed.PaymentInput{PeriodID: s.held(t, ada.CustomerID).Next.ID})
	s.days(t, 15) // until the 31st
	r := s.members(t)
	if r.Months[0] != june.Months[0] || len(r.Months) != 2 {
		t.Errorf("June is %+v a month later, and was %+v", r.Months, june.Months)
	}
	want = report.MembershipSums{
		Currency: "USD", Opening: 6, Canceled: 1, Unpaid: 1, Completed: 1, Payments: 1, Income: 6000,
	}
	if july := r.Months[1]; july.MembershipSums != want || july.Closing() != 3 || july.ChurnPPM() != 500_000 ||
		july.Date != apptest.Day("2026-07-01") {
		t.Errorf("July: %+v, want %+v", july, want)
	}
	if now := r.Totals[0].Now; now.Average() != 7333 ||
		now != (report.MembershipValue{Members: 3, Monthly: 2*6000 + 10000}) {
		t.Errorf("the value: %+v, %d each", now, now.Average())
	}
	var plans []string
	for _, p := range r.Plans {
		plans = append(plans, fmt.Sprintf("%s %d+%d-%d %d %d", p.PlanName, p.Opening, p.Joined, p.Ended(), p.Income,
			p.Now.Monthly))
	}
	if got := strings.Join(plans, ", "); got !=
		"Monthly 0+5-3 36000 12000, One month 0+1-1 5000 0, Yearly 0+1-0 120000 10000" {
		t.Errorf("by plan: %s", got)
	}
	if table := string(r.CSV()); !strings.HasPrefix(table, "month,location,currency,plan,active_at_start,") ||
		!strings.Contains(table, "2026-07,"+s.Location.Name+",USD,Monthly,4,0,1,1,0,2,50,1,60.00\r\n") {
		t.Error(table)
	}
	if away := s.members(t, func(in *report.Range) { in.LocationID = far }); away.Totals[0].Joined != 1 ||
		away.Totals[0].Income != 120000 || away.Totals[0].Now.Members != 1 || len(away.Plans) != 1 {
		t.Errorf("Riverside: %+v", away.Totals)
	}
	if euros := s.members(t, func(in *report.Range) { in.Currency = "EUR" }); len(euros.Rows)+len(euros.Totals) != 0 {
		t.Errorf("euros: %+v", euros)
	}
}

// TestMembershipReportRoles: as other reports about money it is for report.finance, and of months.
func TestMembershipReportRoles(t *testing.T) {
	s := open(t)
	for role, want := range map[policy.Role]error{policy.Accountant: nil, policy.Manager: policy.ErrMissingFeature} {
		who := s.Join(t, string(role)+"@example.com", apptest.Everywhere(role))
		if r, err := s.Memberships(t.Context(), who, report.Range{}); !errors.Is(err, want) || len(r.Rows) > 0 {
			t.Errorf("%s: %v, want %v", role, err, want)
		}
	}
	for _, in := range []report.Range{
		{By: report.ByDay}, {From: apptest.Day("2020-01-01"), To: apptest.Day("2026-01-01")},
		{From: apptest.Day("2026-02-01"), To: apptest.Day("2026-01-01")},
	} {
		if _, err := s.Memberships(t.Context(), s.Owner, in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%+v: %v", in, err)
		}
	}
	r, err := s.Memberships(t.Context(), s.Owner, report.Range{})
	if err != nil || r.From != apptest.Day("2026-06-01") || r.To != apptest.Day("2026-06-30") || len(r.Rows) != 0 {
		t.Errorf("the default: %+v, %v", r, err)
	}
}
