package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
)

// FeeSums are the fees of payments in one currency, in minor units; refunded fees are subtracted, unless noted
// otherwise.
type FeeSums struct {
	Currency            money.Currency
	Payments            int   // by card, that succeeded
	CardAmount          int64 // the sum of them
	ProcessorFee        int64 // of payments: the processor's own fee. A30.
	PlatformFee         int64 // the platform's share. A24.
	PlatformFeeRefunded int64 // refunded of that
	DisputeFee          int64 // of the processor, for disputes
	OtherFee            int64 // of the processor, for no payment
	ManualFee           int64 // deducted from settlements of other payment methods
}

// Total returns the sum of all fees.
func (f FeeSums) Total() int64 {
	return f.ProcessorFee + f.PlatformFee - f.PlatformFeeRefunded + f.DisputeFee + f.OtherFee + f.ManualFee
}

func (f FeeSums) none() bool { c := f; c.Currency = ""; return c == FeeSums{} }

func (f *FeeSums) add(o FeeSums) {
	f.Payments, f.CardAmount = f.Payments+o.Payments, f.CardAmount+o.CardAmount
	f.ProcessorFee, f.PlatformFee, f.PlatformFeeRefunded = f.ProcessorFee+o.ProcessorFee, f.PlatformFee+o.PlatformFee, f.PlatformFeeRefunded+o.PlatformFeeRefunded
	f.DisputeFee, f.OtherFee, f.ManualFee = f.DisputeFee+o.DisputeFee, f.OtherFee+o.OtherFee, f.ManualFee+o.ManualFee
}

// FeeRow are the fees of a day, a month or a payment, at a location.
type FeeRow struct {
	Date         civil.Date // the day, or the first of the month
	LocationID   uuid.UUID
	LocationName string
	PaymentID    uuid.UUID // of a row by payment; uuid.Nil: none
	FeeSums
}

// FeeReport is the report of a studio's fees for payments.
type FeeReport struct {
	Range
	Rows   []FeeRow
	Totals []FeeSums // by currency, of all rows
}

// feeAccounts are the accounts of fees, and the account of card payments.
var feeAccounts = []string{
	string(ledger.Clearing), string(ledger.ProcessorFees), string(ledger.BookingFees), string(ledger.DisputeFees), string(ledger.ProcessorOther),
	string(ledger.TrxFees),
}

// Fees reports the fees of the processor and the platform, on the days on which they were known. By payment it
// assigns each fee to its payment. It needs report.finance, and covers the caller's locations with it. It returns a
// validation error and policy.ErrMissingFeature.
func (s *Service) Fees(ctx context.Context, sc tenancy.Scope, in Range) (FeeReport, error) {
	v, span, err := s.begin(sc, &in, ByDay, ByMonth, ByPayment)
	if err != nil {
		return FeeReport{}, err
	}
	var moved []paid
	if in.By == ByPayment {
		moved, err = readPaid(ctx, v, span, s.sums+1)
	} else {
		var sums []ledger.Turnover
		sums, err = ledger.Turnovers(ctx, v, span, feeAccounts, s.sums+1)
		for _, t := range sums {
			moved = append(moved, paid{Turnover: t})
		}
	}
	if err != nil {
		return FeeReport{}, err
	}
	if err := bounded(len(moved), s.sums); err != nil {
		return FeeReport{}, err
	}
	names, err := readNames(ctx, v)
	if err != nil {
		return FeeReport{}, err
	}
	out := FeeReport{Range: in, Rows: feeRows(moved, names)}
	for _, r := range out.Rows {
		i := slices.IndexFunc(out.Totals, func(t FeeSums) bool { return t.Currency == r.Currency })
		if i < 0 {
			i, out.Totals = len(out.Totals), append(out.Totals, FeeSums{Currency: r.Currency})
		}
		out.Totals[i].add(r.FeeSums)
	}
	slices.SortFunc(out.Totals, func(a, b FeeSums) int { return cmp.Compare(a.Currency, b.Currency) })
	return out, bounded(len(out.Rows), mostRows)
}

// paid is a posting to an account of fees, for a payment.
type paid struct {
	ledger.Turnover
	PaymentID uuid.UUID
}

// sums returns a posting's part of the report.
func (p paid) sums() (f FeeSums) {
	switch p.Account {
	case ledger.Clearing:
		if p.Event == ledger.EventSale {
			f.Payments, f.CardAmount = p.Count, p.Amount
		}
	case ledger.ProcessorFees:
		f.ProcessorFee = p.Amount
	case ledger.BookingFees:
		f.PlatformFee, f.PlatformFeeRefunded = p.Amount+p.Credit, p.Credit
	case ledger.DisputeFees:
		f.DisputeFee = p.Amount
	case ledger.ProcessorOther:
		f.OtherFee = p.Amount
	case ledger.TrxFees:
		f.ManualFee = p.Amount
	}
	return f
}

func feeRows(moved []paid, names names) []FeeRow {
	type key struct {
		date              civil.Date
		location, payment uuid.UUID
		currency          money.Currency
	}
	sums := map[key]*FeeSums{}
	for _, m := range moved {
		k := key{dateOf(m.Date), m.LocationID, m.PaymentID, m.Currency}
		if sums[k] == nil {
			sums[k] = &FeeSums{Currency: m.Currency}
		}
		sums[k].add(m.sums())
	}
	var rows []FeeRow
	for k, f := range sums {
		if !f.none() {
			rows = append(rows, FeeRow{Date: k.date, LocationID: k.location, LocationName: names.locations[k.location], PaymentID: k.payment, FeeSums: *f})
		}
	}
	slices.SortFunc(rows, func(a, b FeeRow) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.LocationName, b.LocationName), cmp.Compare(a.LocationID.String(), b.LocationID.String()),
			cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.PaymentID.String(), b.PaymentID.String()))
	})
	return rows
}
