package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/billing/balance"
	"foyer/billing/processor"
	"foyer/policy"
)

// PayoutSums adds up balance transactions in one currency, in minor units.
type PayoutSums struct {
	Currency     money.Currency
	Gross        int64 // payments, less refunds and disputes
	ProcessorFee int64
	PlatformFee  int64
	Net          int64 // Gross less fees
	Other        int64 // Amount less Net: of other locations, or of unknown transactions
	Amount       int64 // of the payouts
}

func (p *PayoutSums) add(o PayoutSums) {
	p.Gross, p.Net = p.Gross+o.Gross, p.Net+o.Net
	p.ProcessorFee, p.PlatformFee = p.ProcessorFee+o.ProcessorFee, p.PlatformFee+o.PlatformFee
	p.Other, p.Amount = p.Other+o.Other, p.Amount+o.Amount
}

// PayoutLine is a payment, a refund, a dispute or another balance transaction in a payout, with its order.
type PayoutLine struct {
	balance.Transaction
	LocationName string
	CustomerName string // may be empty; also for a caller without booking.view
	Label        string // of the first line of the order; empty for a caller without booking.view
	LineCount    int    // number of lines of the order; 0: no order
}

// PayoutRow is a payout with its lines.
type PayoutRow struct {
	ID         uuid.UUID
	ExternalID string     // the processor's
	Date       civil.Date // of its arrival
	Status     processor.PayoutStatus
	Automatic  bool // on the account's schedule; a manual one has no known lines
	Known      bool // its lines are completely known
	PayoutSums
	Lines []PayoutLine // oldest first
}

// PayoutReport is the report of payouts with their orders.
type PayoutReport struct {
	Range
	Payouts []PayoutRow
	Totals  []PayoutSums // by currency, of payouts that the bank has not returned
}

// Payouts reports the payouts that arrived in a range of days, and those that the bank returned, with the payments,
// refunds, fees and other balance transactions in each. Range.By is ByPayment. At one location it has the
// transactions of that location, and their payouts. It needs report.finance in the whole business, as a payout is of
// all locations, and booking.view for the names of customers. It returns a validation error and
// policy.ErrMissingFeature.
func (s *Service) Payouts(ctx context.Context, sc tenancy.Scope, in Range) (PayoutReport, error) {
	if err := policy.Require(sc, policy.ReportFinance); err != nil {
		return PayoutReport{}, err
	}
	in.By = ByPayment
	v, _, err := s.begin(sc, &in, ByPayment)
	if err != nil {
		return PayoutReport{}, err
	}
	most, arrived := min(s.sums, mostRows), balance.Arrivals{From: in.From, To: in.To, Currency: in.Currency}
	payouts, err := balance.ArrivedPayouts(ctx, v, s.cards, arrived, most+1)
	if err != nil {
		return PayoutReport{}, err
	}
	lines, err := balance.ArrivedLines(ctx, v, s.cards, arrived, most+1)
	if err != nil {
		return PayoutReport{}, err
	}
	if err := bounded(max(len(payouts), len(lines)), most); err != nil {
		return PayoutReport{}, err
	}
	names, err := readNames(ctx, v)
	if err != nil {
		return PayoutReport{}, err
	}
	sold := map[uuid.UUID]orderRow{}
	if policy.Require(sc, policy.BookingView) == nil {
		if sold, err = readOrders(ctx, v, lines); err != nil {
			return PayoutReport{}, err
		}
	}
	of := map[uuid.UUID][]balance.PayoutLine{}
	for _, l := range lines {
		of[l.PayoutID] = append(of[l.PayoutID], l)
	}
	out := PayoutReport{Range: in}
	for _, p := range payouts {
		row := PayoutRow{
			ID: p.ID, ExternalID: p.ExternalID, Date: dateOf(p.ArrivesOn), Status: p.Status, Automatic: p.Automatic,
			Known: !p.ListedAt.IsZero(), PayoutSums: PayoutSums{Currency: p.Currency, Amount: p.Amount},
		}
		for _, l := range of[p.ID] {
			if !row.Known || in.LocationID != uuid.Nil && l.LocationID != in.LocationID {
				continue
			}
			o := sold[l.OrderID]
			row.Lines = append(row.Lines, PayoutLine{
				Transaction: l.Transaction, LocationName: names.locations[l.LocationID],
				CustomerName: o.CustomerName, Label: o.Label, LineCount: o.LineCount,
			})
			row.add(PayoutSums{Gross: l.Gross, ProcessorFee: l.ProcessorFee, PlatformFee: l.PlatformFee, Net: l.Net})
		}
		if row.Other = row.Amount - row.Net; in.LocationID != uuid.Nil && row.Known && len(row.Lines) == 0 {
			continue
		}
		out.Payouts = append(out.Payouts, row)
	}
	for _, p := range out.Payouts {
		if p.Status == processor.PayoutFailed {
			continue
		}
		i := slices.IndexFunc(out.Totals, func(t PayoutSums) bool { return t.Currency == p.Currency })
		if i < 0 {
			i, out.Totals = len(out.Totals), append(out.Totals, PayoutSums{Currency: p.Currency})
		}
		out.Totals[i].add(p.PayoutSums)
	}
	slices.SortFunc(out.Totals, func(a, b PayoutSums) int { return cmp.Compare(a.Currency, b.Currency) })
	return out, nil
}
