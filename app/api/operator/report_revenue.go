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

// RevenueReport is the income of a studio by category, from its books; amounts in minor units, without tax.
type RevenueReport struct {
	From       civil.Date     `json:"from" format:"date" doc:"First day."`
	To         civil.Date     `json:"to" format:"date" doc:"Last day."`
	By         report.Unit    `json:"by" doc:"Unit of a row."`
	Rows       []RevenueRow   `json:"rows" doc:"Rows by day or month, location, currency and category; at most 5000."`
	Categories []RevenueSums  `json:"categories" doc:"Totals of all rows, by currency and category."`
	Totals     []RevenueTotal `json:"totals" doc:"Totals of all rows, by currency."`
}

// RevenueSums is the income of one category.
type RevenueSums struct {
	Category          string         `json:"category" doc:"Account of the books, such as income.class; income.revenue_category for a revenue category." example:"income.class"`
	RevenueCategoryID *uuid.UUID     `json:"revenueCategoryId" doc:"The revenue category; null for income by kind."`
	Name              string         `json:"name" doc:"Name of the revenue category, or of the kind in English." example:"Classes"`
	Currency          money.Currency `json:"currency"`
	Payments          int            `json:"payments" doc:"Number of payments for items of the category, without void ones."`
	Gross             int64          `json:"gross" doc:"Sales without tax. In income.other, also cash over or short, and less account credit granted."`
	Refunds           int64          `json:"refunds" doc:"Refunds without tax, of sales in this or an earlier period."`
	Net               int64          `json:"net" doc:"Gross less refunds."`
}

// RevenueTotal is the income in one currency.
type RevenueTotal struct {
	Currency money.Currency `json:"currency"`
	Gross    int64          `json:"gross" doc:"Sales without tax."`
	Refunds  int64          `json:"refunds" doc:"Refunds without tax."`
	Net      int64          `json:"net" doc:"Gross less refunds."`
}

// RevenueRow is the income of one category for a day or a month at a location.
type RevenueRow struct {
	Date         civil.Date `json:"date" format:"date" doc:"The day, or the first of the month."`
	LocationID   uuid.UUID  `json:"locationId"`
	LocationName string     `json:"locationName"`
	RevenueSums
}

func (a *surface) revenueReport() {
	declare(a, op.Spec{
		ID: "getRevenueReport", Method: "GET", Path: "/businesses/{businessId}/reports/revenue",
		Tag: "commerce", Feature: "report.finance", Summary: "Get the revenue report",
		Description: "Returns sales and refunds by revenue category, and by kind for items without a revenue category." +
			ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (RevenueReport, error) {
		r, err := a.Report.Revenue(ctx, sc, in.of(in.By))
		return showRevenueReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadRevenueReport", Method: "GET", Path: "/businesses/{businessId}/reports/revenue.csv",
		Tag: "commerce", Feature: "report.finance", Media: "text/csv; charset=utf-8", Summary: "Export the revenue report",
		Description: "Returns the rows of the revenue report as a table; amounts in major units." + ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (op.Raw, error) {
		r, err := a.Report.Revenue(ctx, sc, in.of(in.By))
		return reportFile("revenue", in.ReportRange, r.CSV()), err
	})
}

func showRevenueReport(r report.RevenueReport) RevenueReport {
	return RevenueReport{
		From: r.From, To: r.To, By: r.By, Categories: wire.Show(r.Categories, showRevenueSums),
		Totals: wire.Show(r.Totals, func(t report.RevenueTotal) RevenueTotal {
			return RevenueTotal{Currency: t.Currency, Gross: t.Gross, Refunds: t.Refunds, Net: t.Net()}
		}),
		Rows: wire.Show(r.Rows, func(c report.RevenueRow) RevenueRow {
			return RevenueRow{
				Date: c.Date, LocationID: c.LocationID, LocationName: c.LocationName, RevenueSums: showRevenueSums(c.RevenueSums),
			}
		}),
	}
}

func showRevenueSums(c report.RevenueSums) RevenueSums {
	return RevenueSums{
		Category: c.Category, RevenueCategoryID: wire.Optional(c.CategoryID), Name: c.Name, Currency: c.Currency,
		Payments: c.Payments, Gross: c.Gross, Refunds: c.Refunds, Net: c.Net(),
	}
}
