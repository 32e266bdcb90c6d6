package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
)

// LiabilitySums is one liability in one currency, in minor units; a balance payable by the studio is positive.
type LiabilitySums struct {
	Category string    // SalesTax, or the account of the books: "stored_value.credit"
	RateID   uuid.UUID // of SalesTax
	PPM      int64     // of SalesTax
	Name     string    // of the tax rate, or of the account in English
	LiabilityTotal
}

// SalesTax is the Category of the tax payable at any rate.
const SalesTax = "liability.sales_tax"

// LiabilityTotal is the change of liabilities in one currency, in minor units.
type LiabilityTotal struct {
	Currency money.Currency
	Opening  int64 // balance before the first day
	Added    int64 // credit granted or refunded to; tax on sales
	Used     int64 // credit spent or removed; tax refunded
}

// Closing returns the balance at the end of the last day.
func (l LiabilityTotal) Closing() int64 { return l.Opening + l.Added - l.Used }

func (l *LiabilityTotal) add(o LiabilityTotal) {
	l.Opening, l.Added, l.Used = l.Opening+o.Opening, l.Added+o.Added, l.Used+o.Used
}

// LiabilityRow is one liability in a day or a month. A tax is payable for a location; account credit is valid at all.
type LiabilityRow struct {
	Date         civil.Date // the day, or the first of the month
	LocationID   uuid.UUID  // uuid.Nil: the whole business
	LocationName string
	LiabilitySums
}

// LiabilityReport is the report of a studio's liabilities.
type LiabilityReport struct {
	Range
	Rows     []LiabilityRow
	Accounts []LiabilitySums  // by currency and account, from the first day to the last
	Totals   []LiabilityTotal // by currency, from the first day to the last
}

// Liabilities reports the balances of account credit and sales tax at the end of each day or month, with a row for
// each, and those of all other accounts of value that the studio has yet to deliver. Those without a location are in
// reports of the whole business only. It needs report.finance, and covers the caller's locations with it. It returns
// a validation error and policy.ErrMissingFeature.
func (s *Service) Liabilities(ctx context.Context, sc tenancy.Scope, in Range) (LiabilityReport, error) {
	v, span, err := s.begin(sc, &in, ByDay, ByMonth)
	if err != nil {
		return LiabilityReport{}, err
	}
	accounts := []string{ledger.AllTaxes}
	if span.Everyone {
		accounts = append(accounts, ledger.AllStored, ledger.AllDeferred)
	}
	opening, err := ledger.Openings(ctx, v, span, accounts, s.sums+1)
	if err != nil {
		return LiabilityReport{}, err
	}
	moved, err := ledger.Turnovers(ctx, v, span, accounts, s.sums+1)
	if err != nil {
		return LiabilityReport{}, err
	}
	if err := bounded(len(opening)+len(moved), s.sums); err != nil {
		return LiabilityReport{}, err
	}
	names, err := readNames(ctx, v)
	if err != nil {
		return LiabilityReport{}, err
	}
	out := LiabilityReport{Range: in}
	all := liabilities(opening, moved, names)
	for _, l := range all {
		i := slices.IndexFunc(out.Accounts, func(a LiabilitySums) bool { return byLiability(a, l.LiabilitySums) == 0 })
		if i < 0 {
			i, out.Accounts = len(out.Accounts), append(out.Accounts, l.LiabilitySums)
			out.Accounts[i].LiabilityTotal = LiabilityTotal{Currency: l.Currency}
		}
		out.Accounts[i].add(l.over())
	}
	slices.SortFunc(out.Accounts, byLiability)
	for _, a := range out.Accounts {
		if n := len(out.Totals); n == 0 || out.Totals[n-1].Currency != a.Currency {
			out.Totals = append(out.Totals, LiabilityTotal{Currency: a.Currency})
		}
		out.Totals[len(out.Totals)-1].add(a.LiabilityTotal)
	}
	for _, date := range in.dates() {
		for _, l := range all {
			sums := l.LiabilitySums
			if sums.LiabilityTotal = l.next(date); sums.LiabilityTotal != (LiabilityTotal{Currency: l.Currency}) {
				out.Rows = append(out.Rows, LiabilityRow{
					Date: date, LocationID: l.location, LocationName: names.locations[l.location], LiabilitySums: sums,
				})
			}
		}
		if err := bounded(len(out.Rows), mostRows); err != nil {
			return LiabilityReport{}, err
		}
	}
	return out, nil
}

// dates returns the dates of rows: the days of the range, or the first of each month.
func (in Range) dates() []civil.Date {
	var out []civil.Date
	for d := range civil.Days(in.From, in.To) {
		if in.By == ByMonth {
			d = d.AddDays(1 - d.Day)
		}
		if n := len(out); n == 0 || out[n-1] != d {
			out = append(out, d)
		}
	}
	return out
}

// liability is an account in one currency, at a location if it has one, with its changes by the date of the row.
type liability struct {
	location uuid.UUID
	LiabilitySums
	changes map[civil.Date]*LiabilityTotal
}

// over returns the change of all dates.
func (l *liability) over() LiabilityTotal {
	out := l.LiabilityTotal
	for _, c := range l.changes {
		out.add(*c)
	}
	return out
}

// next returns the change of a date, and carries its closing balance forward.
func (l *liability) next(date civil.Date) LiabilityTotal {
	out := l.LiabilityTotal
	if c := l.changes[date]; c != nil {
		out.add(*c)
	}
	l.Opening = out.Closing()
	return out
}

// liabilities combines opening balances and postings, sorted by location and account.
func liabilities(opening []ledger.Opening, moved []ledger.Turnover, names names) []*liability {
	type key struct {
		account  ledger.Account
		location uuid.UUID
		currency money.Currency
	}
	all := map[key]*liability{}
	at := func(a ledger.Account, location uuid.UUID, cur money.Currency) *liability {
		if !a.Taxes() {
			location = uuid.Nil
		}
		k := key{a, location, cur}
		if all[k] == nil {
			all[k] = &liability{
				location: location, LiabilitySums: liabilityOf(a, cur, names), changes: map[civil.Date]*LiabilityTotal{},
			}
		}
		return all[k]
	}
	for _, o := range opening { // a liability is a credit: negative
		at(o.Account, o.LocationID, o.Currency).Opening -= o.Amount
	}
	for _, m := range moved {
		l, date := at(m.Account, m.LocationID, m.Currency), dateOf(m.Date)
		if l.changes[date] == nil {
			l.changes[date] = &LiabilityTotal{}
		}
		l.changes[date].add(LiabilityTotal{Added: m.Credit, Used: m.Amount + m.Credit})
	}
	out := make([]*liability, 0, len(all))
	for _, l := range all {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b *liability) int {
		return cmp.Or(cmp.Compare(names.locations[a.location], names.locations[b.location]),
			cmp.Compare(a.location.String(), b.location.String()), byLiability(a.LiabilitySums, b.LiabilitySums))
	})
	return out
}

// liabilityOf returns the name of an account: an unknown one has that of its code, "stored_value.gift_card".
func liabilityOf(a ledger.Account, cur money.Currency, names names) LiabilitySums {
	out := LiabilitySums{Category: string(a), LiabilityTotal: LiabilityTotal{Currency: cur}}
	switch {
	case a.Taxes():
		rate := names.rates[a.TaxRate()]
		out.Category, out.RateID, out.Name, out.PPM = SalesTax, a.TaxRate(), rate.Name, rate.Ppm
	case a == ledger.Credit:
		out.Name = "Account credit"
	case a == ledger.GiftCards:
		out.Name = "Gift cards"
	case a == ledger.DeferredPack:
		out.Name = "Unearned packs"
	case a == ledger.DeferredMembership:
		out.Name = "Unearned passes"
	default:
		_, name, _ := strings.Cut(string(a), ".")
		out.Name = strings.ReplaceAll(strings.ToUpper(name[:1])+name[1:], "_", " ")
	}
	return out
}

// byLiability sorts taxes last.
func byLiability(a, b LiabilitySums) int {
	last := func(l LiabilitySums) int {
		if l.Category == SalesTax {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(last(a), last(b)), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.PPM, b.PPM), cmp.Compare(a.Category, b.Category), cmp.Compare(a.RateID.String(), b.RateID.String()))
}
