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

// LiabilityReport is the balances that a studio has yet to pay or to deliver, from its books; amounts in minor units.
type LiabilityReport struct {
	From     civil.Date       `json:"from" format:"date" doc:"First day."`
	To       civil.Date       `json:"to" format:"date" doc:"Last day."`
	By       report.Unit      `json:"by" doc:"Unit of a row."`
	Rows     []LiabilityRow   `json:"rows" doc:"Rows by day or month, location, currency and account; at most 5000. An account without a balance and without a change has no row."`
	Accounts []LiabilitySums  `json:"accounts" doc:"Changes from the first day to the last, by currency and account."`
	Totals   []LiabilityTotal `json:"totals" doc:"Changes from the first day to the last, by currency."`
}

// LiabilitySums is the change of one liability.
type LiabilitySums struct {
	Account        string         `json:"account" doc:"Account of the books, such as stored_value.credit for account credit; liability.sales_tax for a tax." example:"liability.sales_tax"`
	RateID         *uuid.UUID     `json:"rateId" doc:"The tax rate; null for other liabilities."`
	PPM            int64          `json:"ppm" doc:"Rate in parts per million; 0 for other liabilities."`
	Name           string         `json:"name" doc:"Name of the tax rate, or of the account in English." example:"Account credit"`
	Currency       money.Currency `json:"currency"`
	OpeningBalance int64          `json:"openingBalance" doc:"Balance before the first day."`
	Added          int64          `json:"added" doc:"Account credit granted or refunded to; tax on sales."`
	Used           int64          `json:"used" doc:"Account credit spent or removed; tax refunded."`
	ClosingBalance int64          `json:"closingBalance" doc:"Balance at the end of the last day."`
}

// LiabilityTotal is the change of all liabilities in one currency.
type LiabilityTotal struct {
	Currency       money.Currency `json:"currency"`
	OpeningBalance int64          `json:"openingBalance" doc:"Balance before the first day."`
	Added          int64          `json:"added" doc:"Amounts added."`
	Used           int64          `json:"used" doc:"Amounts used or refunded."`
	ClosingBalance int64          `json:"closingBalance" doc:"Balance at the end of the last day."`
}

// LiabilityRow is the change of one liability in a day or a month.
type LiabilityRow struct {
	Date         civil.Date `json:"date" format:"date" doc:"The day, or the first of the month."`
	LocationID   *uuid.UUID `json:"locationId" doc:"Location of a tax; null for the whole business."`
	LocationName string     `json:"locationName" doc:"Name of the location; empty for the whole business."`
	LiabilitySums
}

func (a *surface) liabilityReport() {
	declare(a, op.Spec{
		ID: "getLiabilityReport", Method: "GET", Path: "/businesses/{businessId}/reports/liabilities",
		Tag: "commerce", Feature: "report.finance", Summary: "Get the liability report",
		Description: "Returns the balances of account credit and of sales tax at the end of each day or month, with their " +
			"changes. Account credit is valid at all locations: it is part of the report of all locations only. " +
			"Tax paid to an authority is not in the books." + ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (LiabilityReport, error) {
		r, err := a.Report.Liabilities(ctx, sc, in.of(in.By))
		return showLiabilityReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadLiabilityReport", Method: "GET", Path: "/businesses/{businessId}/reports/liabilities.csv",
		Tag: "commerce", Feature: "report.finance", Media: "text/csv; charset=utf-8", Summary: "Export the liability report",
		Description: "Returns the rows of the liability report as a table; amounts in major units." + ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (op.Raw, error) {
		r, err := a.Report.Liabilities(ctx, sc, in.of(in.By))
		return reportFile("liabilities", in.ReportRange, r.CSV()), err
	})
}

func showLiabilityReport(r report.LiabilityReport) LiabilityReport {
	return LiabilityReport{
		From: r.From, To: r.To, By: r.By, Accounts: wire.Show(r.Accounts, showLiabilitySums),
		Totals: wire.Show(r.Totals, func(t report.LiabilityTotal) LiabilityTotal {
			return LiabilityTotal{
				Currency: t.Currency, OpeningBalance: t.Opening, Added: t.Added, Used: t.Used, ClosingBalance: t.Closing(),
			}
		}),
		Rows: wire.Show(r.Rows, func(l report.LiabilityRow) LiabilityRow {
			return LiabilityRow{
				Date: l.Date, LocationID: wire.Optional(l.LocationID), LocationName: l.LocationName,
				LiabilitySums: showLiabilitySums(l.LiabilitySums),
			}
		}),
	}
}

func showLiabilitySums(l report.LiabilitySums) LiabilitySums {
	return LiabilitySums{
		Account: l.Category, RateID: wire.Optional(l.RateID), PPM: l.PPM, Name: l.Name, Currency: l.Currency,
		OpeningBalance: l.Opening, Added: l.Added, Used: l.Used, ClosingBalance: l.Closing(),
	}
}
