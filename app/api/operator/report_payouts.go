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
	"foyer/billing/processor"
)

// PayoutReport is the payouts to a studio with their orders; amounts in minor units.
type PayoutReport struct {
	From    civil.Date       `json:"from" format:"date" doc:"First day."`
	To      civil.Date       `json:"to" format:"date" doc:"Last day."`
	Payouts []ReportedPayout `json:"payouts" doc:"Payouts by date of arrival. They have at most 5000 lines in total."`
	Totals  []PayoutTotal    `json:"totals" doc:"Totals by currency, without payouts returned by the bank."`
}

// PayoutTotal adds up balance transactions of payouts in one currency.
type PayoutTotal struct {
	Currency     money.Currency `json:"currency"`
	Gross        int64          `json:"gross" doc:"Payments, less refunds and disputes."`
	ProcessorFee int64          `json:"processorFee" doc:"Processor fees."`
	PlatformFee  int64          `json:"platformFee" doc:"Platform fees."`
	Net          int64          `json:"net" doc:"Net amount: gross less both fees."`
	Other        int64          `json:"other" doc:"Amount less net: transactions of other locations, and payouts whose contents are unknown."`
	Amount       int64          `json:"amount" doc:"Amount of the payouts; negative if the bank account was debited."`
}

// ReportedPayout is a payout with its balance transactions.
type ReportedPayout struct {
	PayoutID   uuid.UUID              `json:"payoutId" doc:"The payout."`
	ExternalID string                 `json:"externalId" doc:"The processor's id of the payout." example:"po_1N2b3C"`
	Date       civil.Date             `json:"date" format:"date" doc:"Arrival date, without a time zone."`
	Status     processor.PayoutStatus `json:"status" enum:"paid,failed" doc:"paid, or failed if the bank returned it. The amount of a failed payout is a line of a later one."`
	Automatic  bool                   `json:"automatic" doc:"Whether it follows the account's payout schedule. The contents of a manual payout are unknown."`
	Listed     bool                   `json:"listed" doc:"Whether its contents are completely known."`
	PayoutTotal
	Lines []ReportedLine `json:"lines" doc:"Its balance transactions, oldest first; none if they are not completely known."`
}

// ReportedLine is a balance transaction in a payout, with its order.
type ReportedLine struct {
	PayoutLine
	LocationID   *uuid.UUID `json:"locationId" doc:"Location of the payment; null for other transactions."`
	LocationName string     `json:"locationName" doc:"Name of the location; empty for other transactions."`
	CustomerName string     `json:"customerName" doc:"The customer's name; may be empty. Needs booking.view."`
	Label        string     `json:"label" doc:"Label of the first line of the order. Needs booking.view."`
	LineCount    int        `json:"lineCount" doc:"Number of lines of the order. Needs booking.view."`
}

// payoutReportIn selects payouts by their arrival.
type payoutReportIn struct {
	From       civil.Date     `query:"from" json:",omitzero" format:"date" doc:"First day of arrival. The default is the first of the month of the last day."`
	To         civil.Date     `query:"to" json:",omitzero" format:"date" doc:"Last day, at most 31 days in total. The default is today, in UTC."`
	LocationID uuid.UUID      `query:"locationId" doc:"Only balance transactions of this location, and payouts with any."`
	Currency   money.Currency `query:"currency" doc:"The currency. The default is all."`
}

func (in payoutReportIn) of() report.Range {
	return report.Range{From: in.From, To: in.To, LocationID: in.LocationID, Currency: in.Currency}
}

func (a *surface) payoutReport() {
	declare(a, op.Spec{
		ID: "getPayoutReport", Method: "GET", Path: "/businesses/{businessId}/reports/payouts",
		Tag: "commerce", Feature: "report.finance", Summary: "Get the payout report",
		Description: "Returns the payouts that arrived in a range of days, with the payments, refunds, disputes and fees " +
			"in each, and their orders. The lines of a payout and its `other` add up to its amount. The report is for " +
			"callers with report.finance in the whole business.",
	}, func(ctx context.Context, sc tenancy.Scope, in *payoutReportIn) (PayoutReport, error) {
		r, err := a.Report.Payouts(ctx, sc, in.of())
		return showPayoutReport(r), err
	})
	declare(a, op.Spec{
		ID: "downloadPayoutReport", Method: "GET", Path: "/businesses/{businessId}/reports/payouts.csv",
		Tag: "commerce", Feature: "report.finance", Media: "text/csv; charset=utf-8", Summary: "Export the payout report",
		Description: "Returns the lines of the payout report as a table; amounts in major units. The column net adds up to " +
			"the amount of each payout: a row of the type unlisted or other_locations has the amount without lines.",
	}, func(ctx context.Context, sc tenancy.Scope, in *payoutReportIn) (op.Raw, error) {
		r, err := a.Report.Payouts(ctx, sc, in.of())
		return op.Download(fmt.Sprintf("payouts-%s-%s.csv", r.From, r.To), r.CSV()), err
	})
}

func showPayoutReport(r report.PayoutReport) PayoutReport {
	return PayoutReport{
		From: r.From, To: r.To, Totals: wire.Show(r.Totals, func(t report.PayoutSums) PayoutTotal { return PayoutTotal(t) }),
		Payouts: wire.Show(r.Payouts, func(p report.PayoutRow) ReportedPayout {
			return ReportedPayout{
				PayoutID: p.ID, ExternalID: p.ExternalID, Date: p.Date, Status: p.Status, Automatic: p.Automatic, Listed: p.Known,
				PayoutTotal: PayoutTotal(p.PayoutSums), Lines: wire.Show(p.Lines, showReportedLine),
			}
		}),
	}
}

func showReportedLine(l report.PayoutLine) ReportedLine {
	return ReportedLine{
		PayoutLine: showLine(l.Transaction), LocationID: wire.Optional(l.LocationID),
		LocationName: l.LocationName, CustomerName: l.CustomerName, Label: l.Label, LineCount: l.LineCount,
	}
}
