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

// TaxReport is the tax due from a studio, from its books; amounts in minor units.
type TaxReport struct {
	From   civil.Date  `json:"from" format:"date" doc:"First day."`
	To     civil.Date  `json:"to" format:"date" doc:"Last day."`
	By     report.Unit `json:"by" doc:"Unit of a row."`
	Rows   []TaxRow    `json:"rows" doc:"Rows by day or month, location, currency and rate; at most 5000."`
	Totals []TaxSums   `json:"totals" doc:"Totals of all rows, by currency and rate."`
}

// TaxSums are the sales and refunds at one tax rate.
type TaxSums struct {
	RateID          *uuid.UUID     `json:"rateId" doc:"The tax rate; null for untaxed."`
	Name            string         `json:"name" doc:"Name of the rate; empty for untaxed."`
	PPM             int64          `json:"ppm" doc:"Rate in parts per million."`
	Currency        money.Currency `json:"currency"`
	Taxable         int64          `json:"taxable" doc:"Sales without tax."`
	Tax             int64          `json:"tax" doc:"Tax on those sales."`
	TaxableRefunded int64          `json:"taxableRefunded" doc:"Refunds without tax, of sales in this or an earlier period."`
	TaxRefunded     int64          `json:"taxRefunded" doc:"Tax on those refunds."`
	TaxDue          int64          `json:"taxDue" doc:"Tax on sales less tax on refunds."`
}

// TaxRow is the tax of one rate for a day or a month at a location.
type TaxRow struct {
	Date         civil.Date `json:"date" format:"date" doc:"The day, or the first of the month."`
	LocationID   uuid.UUID  `json:"locationId"`
	LocationName string     `json:"locationName"`
	TaxSums
}

// FeeReport lists the payment fees of a studio, from its books; amounts in minor units.
type FeeReport struct {
	From   civil.Date  `json:"from" format:"date" doc:"First day."`
	To     civil.Date  `json:"to" format:"date" doc:"Last day."`
	By     report.Unit `json:"by" doc:"Unit of a row."`
	Rows   []FeeRow    `json:"rows" doc:"Rows by day, month or payment, location and currency; at most 5000."`
	Totals []FeeSums   `json:"totals" doc:"Totals of all rows, by currency."`
}

// FeeSums are the payment fees in one currency. Refunded fees are deducted, unless stated otherwise.
type FeeSums struct {
	Currency            money.Currency `json:"currency"`
	Payments            int            `json:"payments" doc:"Number of successful card payments."`
	CardAmount          int64          `json:"cardAmount" doc:"Sum of those payments."`
	ProcessorFee        int64          `json:"processorFee" doc:"Processor fees of payments."`
	PlatformFee         int64          `json:"platformFee" doc:"Platform fees, before refunds of them."`
	PlatformFeeRefunded int64          `json:"platformFeeRefunded" doc:"Refunded platform fees."`
	DisputeFee          int64          `json:"disputeFee" doc:"Dispute fees of the processor."`
	OtherFee            int64          `json:"otherFee" doc:"Processor fees without a payment."`
	ManualFee           int64          `json:"manualFee" doc:"Fees deducted from settlements of other payment methods."`
	Total               int64          `json:"total" doc:"Total of all fees."`
}

// FeeRow is the payment fees of a day, a month or a payment at a location.
type FeeRow struct {
	Date         civil.Date `json:"date" format:"date" doc:"Day on which the fee became known, or the first of the month."`
	LocationID   uuid.UUID  `json:"locationId"`
	LocationName string     `json:"locationName"`
	PaymentID    *uuid.UUID `json:"paymentId" doc:"The payment of a row by payment; null for fees without a payment, and in rows by day or month."`
	FeeSums
}

// ReportRange selects the days of the books and the location of a report.
type ReportRange struct {
	From       civil.Date     `query:"from" json:",omitzero" format:"date" doc:"First day of the books. The default is the first of the month of the last day."`
	To         civil.Date     `query:"to" json:",omitzero" format:"date" doc:"Last day. The default is today, in UTC."`
	LocationID uuid.UUID      `query:"locationId" doc:"The location. The default is all locations with reports visible to the caller."`
	Currency   money.Currency `query:"currency" doc:"The currency. The default is all."`
}

type taxReportIn struct {
	ReportRange
	By report.Unit `query:"by" enum:"day,month" default:"month" doc:"Unit of a row: day (at most 93 days) or month (at most two years)."`
}

type feeReportIn struct {
	ReportRange
	By report.Unit `query:"by" enum:"day,month,payment" default:"month" doc:"Unit of a row: day (at most 93 days), month (at most two years) or payment (at most 31 days)."`
}

func (in ReportRange) of(by report.Unit) report.Range {
	return report.Range{From: in.From, To: in.To, LocationID: in.LocationID, Currency: in.Currency, By: by}
}

const ofTheBooks = " Days are days of the books: the day at the location, or the first open day after it. A report " +
	"of closed days therefore never changes."

func (a *surface) reports() {
	declare(a, op.Spec{
		ID: "getTaxReport", Method: "GET", Path: "/businesses/{businessId}/reports/tax", Tag: "commerce", Feature: "report.finance",
		Summary: "Get the tax report", Description: "Returns sales and refunds by tax rate, with the tax, and untaxed ones." +
			ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (TaxReport, error) {
		r, err := a.Report.Tax(ctx, sc, in.of(in.By))
		return showTaxReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadTaxReport", Method: "GET", Path: "/businesses/{businessId}/reports/tax.csv", Tag: "commerce", Feature: "report.finance",
		Media: "text/csv; charset=utf-8", Summary: "Export the tax report",
		Description: "Returns the rows of the tax report as a table; amounts in major units." +
			ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *taxReportIn) (op.Raw, error) {
		r, err := a.Report.Tax(ctx, sc, in.of(in.By))
		return reportFile("tax", in.ReportRange, r.CSV()), err
	})
	declare(a, op.Spec{
		ID: "getFeeReport", Method: "GET", Path: "/businesses/{businessId}/reports/fees", Tag: "commerce", Feature: "report.finance",
		Summary: "Get the fee report",
		Description: "Returns the fees of the processor and the platform, by day, month or payment." +
			ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *feeReportIn) (FeeReport, error) {
		r, err := a.Report.Fees(ctx, sc, in.of(in.By))
		return showFeeReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadFeeReport", Method: "GET", Path: "/businesses/{businessId}/reports/fees.csv", Tag: "commerce", Feature: "report.finance",
		Media: "text/csv; charset=utf-8", Summary: "Export the fee report",
		Description: "Returns the rows of the fee report as a table; amounts in major units." +
			ofTheBooks,
	}, func(ctx context.Context, sc tenancy.Scope, in *feeReportIn) (op.Raw, error) {
		r, err := a.Report.Fees(ctx, sc, in.of(in.By))
		return reportFile("fees", in.ReportRange, r.CSV()), err
	})
	a.revenueReport()
	a.payoutReport()
	a.liabilityReport()
	a.membershipReport()
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
		RateID: wire.Optional(t.RateID), Name: t.Name, PPM: t.PPM, Currency: t.Currency, Taxable: t.Taxable, Tax: t.Tax,
		TaxableRefunded: t.TaxableRefunded,
		TaxRefunded:     t.TaxRefunded, TaxDue: t.Due(),
	}
}

func showFeeReport(r report.FeeReport) FeeReport {
	return FeeReport{
		From: r.From, To: r.To, By: r.By, Totals: wire.Show(r.Totals, showFeeSums),
		Rows: wire.Show(r.Rows, func(f report.FeeRow) FeeRow {
			return FeeRow{Date: f.Date, LocationID: f.LocationID, LocationName: f.LocationName,
				PaymentID: wire.Optional(f.PaymentID), FeeSums: showFeeSums(f.FeeSums)}
		}),
	}
}

func showFeeSums(f report.FeeSums) FeeSums {
	return FeeSums{
		Currency: f.Currency, Payments: f.Payments, CardAmount: f.CardAmount, ProcessorFee: f.ProcessorFee, PlatformFee: f.PlatformFee,
		PlatformFeeRefunded: f.PlatformFeeRefunded, DisputeFee: f.DisputeFee, OtherFee: f.OtherFee, ManualFee: f.ManualFee, Total: f.Total(),
	}
}
