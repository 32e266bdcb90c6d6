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

// TaxSums are the sales and refunds at one tax rate in one currency, in minor units. A void payment is no sale.
type TaxSums struct {
	RateID          uuid.UUID // uuid.Nil: untaxed
	Name            string
	PPM             int64
	Currency        money.Currency
	Taxable         int64 // sold, without the tax
	Tax             int64 // on Taxable
	TaxableRefunded int64 // refunded of sales, at any time; a refund that did not arrive is none
	TaxRefunded     int64 // on TaxableRefunded
}

// Net returns the net sales: sales less refunds.
func (t TaxSums) Net() int64 { return t.Taxable - t.TaxableRefunded }

// Due returns the tax on that.
func (t TaxSums) Due() int64 { return t.Tax - t.TaxRefunded }

func (t TaxSums) none() bool {
	return t.Taxable == 0 && t.Tax == 0 && t.TaxableRefunded == 0 && t.TaxRefunded == 0
}

func (t *TaxSums) add(o TaxSums) {
	t.Taxable, t.Tax = t.Taxable+o.Taxable, t.Tax+o.Tax
	t.TaxableRefunded, t.TaxRefunded = t.TaxableRefunded+o.TaxableRefunded, t.TaxRefunded+o.TaxRefunded
}

// TaxRow is the tax of a day or a month, at a location, at one rate.
type TaxRow struct {
	Date         civil.Date // the day, or the first of the month
	LocationID   uuid.UUID
	LocationName string
	TaxSums
}

// TaxReport is the report of the tax payable by a studio.
type TaxReport struct {
	Range
	Rows   []TaxRow
	Totals []TaxSums // by rate and currency, of all rows
}

// Tax reports sales and refunds by tax rate, with the untaxed ones. It needs report.finance, and covers the caller's
// locations with it. It returns a validation error and policy.ErrMissingFeature.
func (s *Service) Tax(ctx context.Context, sc tenancy.Scope, in Range) (TaxReport, error) {
	v, span, err := s.begin(sc, &in, ByDay, ByMonth)
	if err != nil {
		return TaxReport{}, err
	}
	moved, err := ledger.Turnovers(ctx, v, span, []string{ledger.AllIncome, ledger.AllTaxes}, s.sums+1)
	if err != nil {
		return TaxReport{}, err
	}
	if err := bounded(len(moved), s.sums); err != nil {
		return TaxReport{}, err
	}
	names, err := readNames(ctx, v)
	if err != nil {
		return TaxReport{}, err
	}
	out := TaxReport{Range: in, Rows: taxRows(moved, names)}
	out.Totals = taxTotals(out.Rows)
	return out, bounded(len(out.Rows), mostRows)
}

// taxRows combines postings. Income without a tax on it is untaxed.
func taxRows(moved []ledger.Turnover, names names) []TaxRow {
	type key struct {
		date           civil.Date
		location, rate uuid.UUID
		currency       money.Currency
	}
	sums := map[key]*TaxSums{}
	at := func(m ledger.Turnover, rate uuid.UUID) *TaxSums {
		k := key{dateOf(m.Date), m.LocationID, rate, m.Currency}
		if sums[k] == nil {
			sums[k] = &TaxSums{RateID: rate, Name: names.rates[rate].Name, PPM: names.rates[rate].Ppm, Currency: m.Currency}
		}
		return sums[k]
	}
	for _, m := range moved { // income is a credit: negative
		add := func(to *TaxSums, base, tax int64) {
			switch m.Event {
			case ledger.EventSale, ledger.EventVoid:
				to.add(TaxSums{Taxable: -base, Tax: -tax})
			case ledger.EventRefund, ledger.EventFailed:
				to.add(TaxSums{TaxableRefunded: base, TaxRefunded: tax})
			}
		}
		if !m.Account.Taxes() {
			add(at(m, uuid.Nil), m.Amount, 0)
			continue
		}
		add(at(m, m.Rate()), m.Base, m.Amount)
		add(at(m, uuid.Nil), -m.Base, 0)
	}
	var rows []TaxRow
	for k, t := range sums {
		if !t.none() {
			rows = append(rows, TaxRow{Date: k.date, LocationID: k.location, LocationName: names.locations[k.location], TaxSums: *t})
		}
	}
	slices.SortFunc(rows, func(a, b TaxRow) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.LocationName, b.LocationName), cmp.Compare(a.LocationID.String(), b.LocationID.String()),
			byRate(a.TaxSums, b.TaxSums))
	})
	return rows
}

// byRate sorts untaxed sums last.
func byRate(a, b TaxSums) int {
	last := func(t TaxSums) int {
		if t.RateID == uuid.Nil {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(last(a), last(b)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.PPM, b.PPM),
		cmp.Compare(a.RateID.String(), b.RateID.String()))
}

func taxTotals(rows []TaxRow) []TaxSums {
	var out []TaxSums
	for _, r := range rows {
		i := slices.IndexFunc(out, func(t TaxSums) bool { return t.RateID == r.RateID && t.Currency == r.Currency })
		if i < 0 {
			i, out = len(out), append(out, TaxSums{RateID: r.RateID, Name: r.Name, PPM: r.PPM, Currency: r.Currency})
		}
		out[i].add(r.TaxSums)
	}
	slices.SortFunc(out, byRate)
	return out
}
