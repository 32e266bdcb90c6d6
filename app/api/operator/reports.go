package operator

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/report"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// TaxReport is the tax that a studio owes, from its books; amounts in minor units.
type TaxReport struct {
	From   civil.Date  `json:"from" format:"date" doc:"The first day."`
	To     civil.Date  `json:"to" format:"date" doc:"The last day."`
	By     report.Unit `json:"by" doc:"What a row is of."`
	Rows   []TaxRow    `json:"rows" doc:"By day or month, location, currency and rate; 5000 at most."`
	Totals []TaxSums   `json:"totals" doc:"By currency and rate, of all rows."`
}

// TaxSums are what was sold and refunded at one tax rate.
type TaxSums struct {
	RateID          *uuid.UUID     `json:"rateId" doc:"Null: not taxed."`
	Name            string         `json:"name" doc:"Of the rate; empty: not taxed."`
	PPM             int64          `json:"ppm" doc:"Of the rate, in parts per million."`
	Currency        money.Currency `json:"currency"`
	Taxable         int64          `json:"taxable" doc:"Sold, without the tax."`
	Tax             int64          `json:"tax" doc:"On that."`
	TaxableRefunded int64          `json:"taxableBack" doc:"Refunded of what was sold, then or before."`
	TaxRefunded     int64          `json:"taxBack" doc:"With that."`
	TaxDue          int64          `json:"taxDue" doc:"The tax on what was sold, less that on what was refunded."`
}

// TaxRow is what a day or a month, at a location, has of a rate.
type TaxRow struct {
	Date         civil.Date `json:"date" format:"date" doc:"The day, or the first of the month."`
	LocationID   uuid.UUID  `json:"locationId"`
	LocationName string     `json:"locationName"`
	TaxSums
}

// FeeReport is what a studio pays for being paid, from its books; amounts in minor units.
type FeeReport struct {
	From   civil.Date  `json:"from" format:"date" doc:"The first day."`
	To     civil.Date  `json:"to" format:"date" doc:"The last day."`
	By     report.Unit `json:"by" doc:"What a row is of."`
	Rows   []FeeRow    `json:"rows" doc:"By day, month or payment, location and currency; 5000 at most."`
	Totals []FeeSums   `json:"totals" doc:"By currency, of all rows."`
}

// FeeSums are what being paid cost in one currency; what came back is taken off, unless it says otherwise.
type FeeSums struct {
	Currency            money.Currency `json:"currency"`
	Payments            int            `json:"payments" doc:"By card, that succeeded."`
	CardAmount          int64          `json:"cardAmount" doc:"The sum of them."`
	ProcessorFee        int64          `json:"processorFee" doc:"Of payments: what the processor took for itself."`
	PlatformFee         int64          `json:"platformFee" doc:"The platform's share, without what came back."`
	PlatformFeeRefunded int64          `json:"platformFeeBack" doc:"Came back of it."`
	DisputeFee          int64          `json:"disputeFee" doc:"Of the processor, for disputes."`
	OtherFee            int64          `json:"otherFee" doc:"Of the processor, for no payment."`
	ManualFee           int64          `json:"elsewhereFee" doc:"What whoever carries money paid elsewhere kept of it."`
	Total               int64          `json:"total" doc:"All of it."`
}

// FeeRow is what a day, a month or a payment cost, at a location.
type FeeRow struct {
	Date         civil.Date `json:"date" format:"date" doc:"The day on which it was known, or the first of the month."`
	LocationID   uuid.UUID  `json:"locationId"`
	LocationName string     `json:"locationName"`
	PaymentID    *uuid.UUID `json:"paymentId" doc:"Of a row by payment; null: what belongs to none, and of a day or a month."`
	FeeSums
}

// ReportRange is which days of the books a report is of, and where.
type ReportRange struct {
	From       civil.Date     `query:"from" json:",omitzero" format:"date" doc:"The first day, of the books; left out: the first of the month of the last."`
	To         civil.Date     `query:"to" json:",omitzero" format:"date" doc:"The last day; left out: today, in UTC."`
	LocationID uuid.UUID      `query:"locationId" doc:"Left out: all of which the caller may see reports."`
	Currency   money.Currency `query:"currency" doc:"Left out: all."`
}

type taxReportIn struct {
	ReportRange
	By report.Unit `query:"by" enum:"day,month" default:"month" doc:"What a row is of: a day, in 93 days at most; a month, in two years at most."`
}

type feeReportIn struct {
	ReportRange
	By report.Unit `query:"by" enum:"day,month,payment" default:"month" doc:"What a row is of: a day, in 93 days at most; a month, in two years at most; a payment, in 31 days at most."`
}

func (in ReportRange) of(by report.Unit) report.Range {
	return report.Range{From: in.From, To: in.To, LocationID: in.LocationID, Currency: in.Currency, By: by}
}

const ofTheBooks = " Days are those of the books: the day at the location, or the first that was not closed. So a report of closed days never changes."

func (a *surface) reports() {
	declare(a, op.Spec{
		ID: "getTaxReport", Method: "GET", Path: "/businesses/{businessId}/reports/tax", Tag: "commerce", Feature: "report.finance",
		Summary: "Report tax", Description: "What was sold and refunded by tax rate, with the tax, and what was not taxed." + ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (TaxReport, error) {
		r, err := a.Report.Tax(ctx, sc, in.of(in.By))
		return showTaxReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadTaxReport", Method: "GET", Path: "/businesses/{businessId}/reports/tax.csv", Tag: "commerce", Feature: "report.finance",
		Media: "text/csv; charset=utf-8", Summary: "Report tax as a table", Description: "The rows of the tax report; amounts in major units." + ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (op.Raw, error) {
		r, err := a.Report.Tax(ctx, sc, in.of(in.By))
		return reportFile("tax", in.ReportRange, r.CSV()), err
	})
	declare(a, op.Spec{
		ID: "getFeeReport", Method: "GET", Path: "/businesses/{businessId}/reports/fees", Tag: "commerce", Feature: "report.finance",
		Summary: "Report fees", Description: "What was paid to the processor and the platform, by day, month or payment." + ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *feeReportIn) (FeeReport, error) {
		r, err := a.Report.Fees(ctx, sc, in.of(in.By))
		return showFeeReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadFeeReport", Method: "GET", Path: "/businesses/{businessId}/reports/fees.csv", Tag: "commerce", Feature: "report.finance",
		Media: "text/csv; charset=utf-8", Summary: "Report fees as a table", Description: "The rows of the fee report; amounts in major units." + ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *feeReportIn) (op.Raw, error) {
		r, err := a.Report.Fees(ctx, sc, in.of(in.By))
		return reportFile("fees", in.ReportRange, r.CSV()), err
	})
}

func reportFile(name string, in ReportRange, body []byte) op.Raw {
	return op.Download(fmt.Sprintf("%s-%s-%s.csv", name, in.From, in.To), body)
}

func showTaxReport(r report.TaxReport) TaxReport {
	return TaxReport{
		From: r.From, To: r.To, By: r.By, Totals: wire.Show(r.Totals, showTaxSums),
		Rows: wire.Show(r.Rows, func(t report.TaxRow) TaxRow {
			return TaxRow{Date: t.Date, LocationID: t.LocationID, LocationName: t.LocationName, TaxSums: showTaxSums(t.TaxSums)}
		}),
	}
}

func showTaxSums(t report.TaxSums) TaxSums {
	return TaxSums{
		RateID: wire.AppointmentOptions(t.RateID), Name: t.Name, PPM: t.PPM, Currency: t.Currency, Taxable: t.Taxable, Tax: t.Tax, TaxableRefunded: t.TaxableRefunded,
		TaxRefunded: t.TaxRefunded, TaxDue: t.Due(),
	}
}

func showFeeReport(r report.FeeReport) FeeReport {
	return FeeReport{
		From: r.From, To: r.To, By: r.By, Totals: wire.Show(r.Totals, showFeeSums),
		Rows: wire.Show(r.Rows, func(f report.FeeRow) FeeRow {
			return FeeRow{Date: f.Date, LocationID: f.LocationID, LocationName: f.LocationName, PaymentID: wire.AppointmentOptions(f.PaymentID), FeeSums: showFeeSums(f.FeeSums)}
		}),
	}
}

func showFeeSums(f report.FeeSums) FeeSums {
	return FeeSums{
		Currency: f.Currency, Payments: f.Payments, CardAmount: f.CardAmount, ProcessorFee: f.ProcessorFee, PlatformFee: f.PlatformFee,
		PlatformFeeRefunded: f.PlatformFeeRefunded, DisputeFee: f.DisputeFee, OtherFee: f.OtherFee, ManualFee: f.ManualFee, Total: f.Total(),
	}
}
