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

// RevenueSums is the income of one category in one currency, without tax, in minor units.
type RevenueSums struct {
	Category   string    // account of the books, "income.class"; of a revenue category ByRevenueCategory
	CategoryID uuid.UUID // the revenue category; uuid.Nil: none
	Name       string    // in English, or as entered for the revenue category
	RevenueTotal
	Payments int // with sales of the category; a void payment is none
}

// ByRevenueCategory is the Category of the income of any revenue category.
const ByRevenueCategory = "income.revenue_category"

// RevenueTotal is the income in one currency, without tax, in minor units.
type RevenueTotal struct {
	Currency money.Currency
	Gross    int64 // sales, less void ones; cash over, less short; less credit granted
	Refunds  int64 // of sales, at any time; a refund that did not arrive is none
}

// Net returns gross less refunds.
func (r RevenueTotal) Net() int64 { return r.Gross - r.Refunds }

func (r *RevenueTotal) add(o RevenueTotal) { r.Gross, r.Refunds = r.Gross+o.Gross, r.Refunds+o.Refunds }

func (r *RevenueSums) add(o RevenueSums) {
	r.RevenueTotal.add(o.RevenueTotal)
	r.Payments += o.Payments
}

// RevenueRow is the income of a day or a month, at a location, of one category.
type RevenueRow struct {
	Date         civil.Date // the day, or the first of the month
	LocationID   uuid.UUID
	LocationName string
	RevenueSums
}

// RevenueReport is the report of a studio's income by category.
type RevenueReport struct {
	Range
	Rows       []RevenueRow
	Categories []RevenueSums  // by currency and category, of all rows
	Totals     []RevenueTotal // by currency, of all rows
}

// Revenue reports sales and refunds by revenue category, and by kind for items without one. It needs report.finance,
// and covers the caller's locations with it. It returns a validation error and policy.ErrMissingFeature.
func (s *Service) Revenue(ctx context.Context, sc tenancy.Scope, in Range) (RevenueReport, error) {
	v, span, err := s.begin(sc, &in, ByDay, ByMonth)
	if err != nil {
		return RevenueReport{}, err
	}
	moved, err := ledger.Turnovers(ctx, v, span, []string{ledger.AllIncome}, s.sums+1)
	if err != nil {
		return RevenueReport{}, err
	}
	if err := bounded(len(moved), s.sums); err != nil {
		return RevenueReport{}, err
	}
	names, err := readNames(ctx, v)
	if err != nil {
		return RevenueReport{}, err
	}
	out := RevenueReport{Range: in, Rows: revenueRows(moved, names)}
	for _, r := range out.Rows {
		i := slices.IndexFunc(out.Categories, func(c RevenueSums) bool {
			return c.Currency == r.Currency && c.Category == r.Category && c.CategoryID == r.CategoryID
		})
		if i < 0 {
			i, out.Categories = len(out.Categories), append(out.Categories, r.RevenueSums)
			out.Categories[i].Gross, out.Categories[i].Refunds, out.Categories[i].Payments = 0, 0, 0
		}
		out.Categories[i].add(r.RevenueSums)
	}
	slices.SortFunc(out.Categories, byCategory)
	for _, c := range out.Categories {
		if n := len(out.Totals); n == 0 || out.Totals[n-1].Currency != c.Currency {
			out.Totals = append(out.Totals, RevenueTotal{Currency: c.Currency})
		}
		out.Totals[len(out.Totals)-1].add(c.RevenueTotal)
	}
	return out, bounded(len(out.Rows), mostRows)
}

// revenueOf returns the part of a turnover in the report. Income is a credit: negative.
func revenueOf(m ledger.Turnover) (r RevenueSums) {
	switch m.Event {
	case ledger.EventRefund, ledger.EventFailed:
		r.Refunds = m.Amount
	case ledger.EventOutside: // a debit refunds a charge made without the product
		r.Gross, r.Refunds, r.Payments = m.Credit, m.Amount+m.Credit, m.Credits
	case ledger.EventSale, ledger.EventVoid: // a debit is a void payment
		r.Gross, r.Payments = -m.Amount, 2*m.Credits-m.Count
	default:
		r.Gross = -m.Amount
	}
	return r
}

func revenueRows(moved []ledger.Turnover, names names) []RevenueRow {
	type key struct {
		date     civil.Date
		location uuid.UUID
		account  ledger.Account
		currency money.Currency
	}
	sums := map[key]*RevenueSums{}
	for _, m := range moved {
		k := key{dateOf(m.Date), m.LocationID, m.Account, m.Currency}
		if sums[k] == nil {
			sums[k] = &RevenueSums{
				Category: string(m.Account), Name: incomeNames[m.Account],
				RevenueTotal: RevenueTotal{Currency: m.Currency},
			}
			if id := m.Account.RevenueCategory(); id != uuid.Nil {
				sums[k].Category, sums[k].CategoryID, sums[k].Name = ByRevenueCategory, id, names.categories[id]
			}
			sums[k].Name = cmp.Or(sums[k].Name, string(m.Account))
		}
		sums[k].add(revenueOf(m))
	}
	var rows []RevenueRow
	for k, r := range sums {
		if r.Gross != 0 || r.Refunds != 0 || r.Payments != 0 {
			rows = append(rows, RevenueRow{
				Date: k.date, LocationID: k.location, LocationName: names.locations[k.location], RevenueSums: *r,
			})
		}
	}
	slices.SortFunc(rows, func(a, b RevenueRow) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.LocationName, b.LocationName),
			cmp.Compare(a.LocationID.String(), b.LocationID.String()), byCategory(a.RevenueSums, b.RevenueSums))
	})
	return rows
}

// incomeNames are the names of income by kind.
var incomeNames = map[ledger.Account]string{
	ledger.IncomeClass: "Classes", ledger.IncomeSession: "Appointments", ledger.IncomeSpace: "Rentals",
	ledger.IncomeProduct: "Products", ledger.IncomePack: "Packs", ledger.IncomeMembership: "Passes",
	ledger.IncomeBookingFee: "Booking fees",
	ledger.IncomeOther:      "Other income", ledger.Uncategorized: "Uncategorized",
}

func byCategory(a, b RevenueSums) int {
	return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Category, b.Category),
		cmp.Compare(a.CategoryID.String(), b.CategoryID.String()))
}
