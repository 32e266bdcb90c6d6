package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/report"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// MembershipReport counts the memberships of a studio that renew; amounts in minor units.
type MembershipReport struct {
	From   civil.Date        `json:"from" format:"date" doc:"First day, the first of a month."`
	To     civil.Date        `json:"to" format:"date" doc:"Last day, the last of a month."`
	Rows   []MembershipRow   `json:"rows" doc:"Rows by month, location, currency and plan; at most 5000."`
	Months []MembershipMonth `json:"months" doc:"Totals of all rows, by month and currency."`
	Plans  []MembershipPlan  `json:"plans" doc:"Totals of all months, by currency and plan."`
	Totals []MembershipTotal `json:"totals" doc:"Totals of all months, by currency."`
}

// MembershipSums counts memberships, and the billing periods that were paid.
type MembershipSums struct {
	Currency       money.Currency `json:"currency"`
	OpeningMembers int            `json:"openingMembers" doc:"Active memberships before the first day."`
	Joined         int            `json:"joined" doc:"Memberships sold."`
	Canceled       int            `json:"canceled" doc:"Memberships that ended because they were canceled or refunded."`
	Unpaid         int            `json:"unpaid" doc:"Memberships that ended because a billing period was not paid."`
	Completed      int            `json:"completed" doc:"Memberships that ended by their terms."`
	ClosingMembers int            `json:"closingMembers" doc:"Active memberships at the end of the last day, or now."`
	ChurnPPM       int64          `json:"churnPpm" doc:"Ended memberships by openingMembers, in parts per million; 0 without any." example:"52000"`
	Payments       int            `json:"payments" doc:"Number of billing periods paid."`
	Income         int64          `json:"income" doc:"Sum of the prices of those billing periods, before discounts and refunds."`
}

// MembershipValue is the recurring value of memberships now.
type MembershipValue struct {
	Members        int   `json:"members" doc:"Memberships that are active and in a billing period now."`
	MonthlyValue   int64 `json:"monthlyValue" doc:"Their prices, each in proportion to a month: a year has 12 months, 52 weeks and 365 days."`
	AverageMonthly int64 `json:"averageMonthly" doc:"monthlyValue by members; 0 without any."`
}

// MembershipMonth is the memberships of a month.
type MembershipMonth struct {
	Date civil.Date `json:"date" format:"date" doc:"First of the month."`
	MembershipSums
}

// MembershipRow is the memberships of one plan at a location in a month.
type MembershipRow struct {
	Date         civil.Date `json:"date" format:"date" doc:"First of the month."`
	LocationID   uuid.UUID  `json:"locationId"`
	LocationName string     `json:"locationName"`
	PlanID       uuid.UUID  `json:"planId" doc:"Present plan of the members."`
	PlanName     string     `json:"planName" doc:"Present name of the plan." example:"Unlimited"`
	MembershipSums
}

// MembershipPlan is the memberships of a plan over all months, and their value now.
type MembershipPlan struct {
	PlanID   uuid.UUID `json:"planId"`
	PlanName string    `json:"planName" doc:"Present name of the plan." example:"Unlimited"`
	MembershipSums
	MembershipValue
}

// MembershipTotal is the memberships in a currency over all months, and their value now.
type MembershipTotal struct {
	MembershipSums
	MembershipValue
}

// membershipReportIn selects the months and the location of the report.
type membershipReportIn struct {
	From       civil.Date     `query:"from" json:",omitzero" format:"date" doc:"A day of the first month. The default is the month of the last day."`
	To         civil.Date     `query:"to" json:",omitzero" format:"date" doc:"A day of the last month, within two years. The default is today, in UTC."`
	LocationID uuid.UUID      `query:"locationId" doc:"The location that sold the memberships. The default is all locations with reports visible to the caller."`
	Currency   money.Currency `query:"currency" doc:"The currency. The default is all."`
}

func (in membershipReportIn) of() report.Range {
	return report.Range{From: in.From, To: in.To, LocationID: in.LocationID, Currency: in.Currency}
}

const ofMembers = " Only memberships that renew count, with their present plan, at the location that sold them. A " +
	"month is that of the location's clock. A membership has ended on the first day without it."

func (a *surface) membershipReport() {
	declare(a, op.Spec{
		ID: "getMembershipReport", Method: "GET", Path: "/businesses/{businessId}/reports/memberships",
		Tag: "commerce", Feature: "report.finance", Summary: "Get the membership report",
		Description: "Returns the members of each month, the memberships that were sold and that ended, the churn rate, " +
			"the billing periods paid, and the monthly recurring value of the memberships now." + ofMembers,
	}, func(ctx context.Context, sc tenancy.Scope, in *membershipReportIn) (MembershipReport, error) {
		r, err := a.Report.Memberships(ctx, sc, in.of())
		return showMembershipReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadMembershipReport", Method: "GET", Path: "/businesses/{businessId}/reports/memberships.csv",
		Tag: "commerce", Feature: "report.finance", Media: "text/csv; charset=utf-8",
		Summary:     "Export the membership report",
		Description: "Returns the rows of the membership report as a table; amounts in major units." + ofMembers,
	}, func(ctx context.Context, sc tenancy.Scope, in *membershipReportIn) (op.Raw, error) {
		r, err := a.Report.Memberships(ctx, sc, in.of())
		return reportFile("memberships", ReportRange{From: r.From, To: r.To}, r.CSV()), err
	})
}

func showMembershipReport(r report.MembershipReport) MembershipReport {
	return MembershipReport{
		From: r.From, To: r.To,
		Rows: wire.Show(r.Rows, func(m report.MembershipRow) MembershipRow {
			return MembershipRow{
				Date: m.Date, LocationID: m.LocationID, LocationName: m.LocationName, PlanID: m.PlanID, PlanName: m.PlanName,
				MembershipSums: showMembershipSums(m.MembershipSums),
			}
		}),
		Months: wire.Show(r.Months, func(m report.MembershipMonth) MembershipMonth {
			return MembershipMonth{Date: m.Date, MembershipSums: showMembershipSums(m.MembershipSums)}
		}),
		Plans: wire.Show(r.Plans, func(m report.MembershipPlan) MembershipPlan {
			return MembershipPlan{
				PlanID: m.PlanID, PlanName: m.PlanName, MembershipSums: showMembershipSums(m.MembershipSums),
				MembershipValue: showMembershipValue(m.Now),
			}
		}),
		Totals: wire.Show(r.Totals, func(m report.MembershipTotal) MembershipTotal {
			return MembershipTotal{
				MembershipSums: showMembershipSums(m.MembershipSums), MembershipValue: showMembershipValue(m.Now),
			}
		}),
	}
}

func showMembershipSums(m report.MembershipSums) MembershipSums {
	return MembershipSums{
		Currency: m.Currency, OpeningMembers: m.Opening, Joined: m.Joined, Canceled: m.Canceled, Unpaid: m.Unpaid,
		Completed: m.Completed, ClosingMembers: m.Closing(), ChurnPPM: m.ChurnPPM(), Payments: m.Payments, Income: m.Income,
	}
}

func showMembershipValue(v report.MembershipValue) MembershipValue {
	return MembershipValue{Members: v.Members, MonthlyValue: v.Monthly, AverageMonthly: v.Average()}
}
