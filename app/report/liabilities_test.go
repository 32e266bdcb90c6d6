package report_test

import (
	"encoding/csv"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/owed"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/policy"
)

func (s shop) liabilities(t *testing.T, in report.Range) report.LiabilityReport {
	t.Helper()
	r, err := s.Liabilities(t.Context(), s.Owner, in)
	return must(t, r, err)
}

func (s shop) closeDays(t *testing.T) {
	t.Helper()
	if err := ledger.NewCloser(s.w.DB, slog.New(slog.DiscardHandler)).CloseDays(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func account(r report.LiabilityReport, name string) report.LiabilityTotal {
	i := slices.IndexFunc(r.Accounts, func(a report.LiabilitySums) bool { return a.Name == name })
	if i < 0 {
		return report.LiabilityTotal{}
	}
	return r.Accounts[i].LiabilityTotal
}

// TestLiabilityReport: credit that is granted, spent, refunded to and removed, and tax that is collected and
// refunded, to the cent; the closing balance of each day is the opening balance of the next, and that of the last is
// the balance of the books.
func TestLiabilityReport(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "+Sales tax", 88_750).ID
	from := civil.DateOf(s.w.Clock.Now())
	sold := s.sold(t, rate) // 1.95 of tax
	s.settled(t)
	cash, b := s.desk(t, 2200, tender.Cash)
	adjust := func(amount int64) {
		t.Helper()
		_, err := credit.New(s.w.DB).Adjust(t.Context(), s.Owner, credit.AdjustInput{
			CustomerID: b.CustomerID, LocationID: s.Location.ID, Amount: amount, Note: "a gift",
		})
		must(t, 0, err)
	}
	adjust(2500)

	s.w.Clock.Advance(24 * time.Hour)
	s.refund(t, sold, 1648) // 0.98 of tax
	refunded := int64(1500)
	_, err := s.Money.Refund(t.Context(), s.Owner, sales.RefundInput{
		PaymentID: cash.ID, Amount: &refunded, Reason: billing.ReasonRequested, Note: "ill", Destination: billing.ToCredit,
	})
	must(t, 0, err)

	s.w.Clock.Advance(2 * 24 * time.Hour) // a day without a change
	s.closeDays(t)
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{s.booked(t, booking.CustomerRef{CustomerID: b.CustomerID}, 2200).ID},
		Tenders:    []owed.Tender{{Method: tender.AccountCredit, Amount: 1200}},
	})
	must(t, 0, err)
	adjust(-300)
	s.w.CheckBooks(t)

	in := report.Range{From: from, To: from.AddDays(3), By: report.ByDay}
	all := in
	r := s.liabilities(t, in)
	usd := func(opening, added, used int64) report.LiabilityTotal {
		return report.LiabilityTotal{Currency: "USD", Opening: opening, Added: added, Used: used}
	}
	want := map[string][]report.LiabilityTotal{
		"Account credit": {usd(0, 2500, 0), usd(2500, 1500, 0), usd(4000, 0, 0), usd(4000, 0, 1500)},
		"+Sales tax":     {usd(0, 195, 0), usd(195, 0, 98), usd(97, 0, 0), usd(97, 0, 0)},
	}
	if len(r.Rows) != 8 {
		t.Fatalf("%d rows: %+v", len(r.Rows), r.Rows)
	}
	for _, row := range r.Rows {
		day := from.DaysUntil(row.Date)
		if got := row.LiabilityTotal; got != want[row.Name][day] {
			t.Errorf("%s of day %d: %+v, want %+v", row.Name, day, got, want[row.Name][day])
		}
		located := row.LocationID == s.Location.ID && row.LocationName != ""
		if located != (row.RateID == rate) || located != (row.Category == report.SalesTax) {
			t.Errorf("%+v", row)
		}
	}
	if account(r, "Account credit") != usd(0, 4000, 1500) || account(r, "+Sales tax") != usd(0, 195, 98) ||
		len(r.Totals) != 1 || r.Totals[0] != usd(0, 4195, 1598) {
		t.Errorf("%+v, %+v", r.Accounts, r.Totals)
	}
	if got := r.Totals[0].Closing(); got != -s.balance(t, ledger.Credit)-s.balance(t, ledger.Tax(rate)) || got == 0 {
		t.Errorf("%d at the end, the books have %d and %d", got, s.balance(t, ledger.Credit), s.balance(t, ledger.Tax(rate)))
	}
	rows, err := csv.NewReader(strings.NewReader(string(r.CSV()))).ReadAll()
	if len(must(t, rows, err)) != 9 ||
		strings.Join(rows[1], "|") != from.String()+"||USD|stored_value.credit|Account credit||0.00|25.00|0.00|25.00" ||
		strings.Join(rows[4][2:], "|") != "USD|liability.sales_tax|'+Sales tax|8.875|1.95|0.00|0.98|0.97" {
		t.Errorf("%q", rows)
	}

	in.LocationID = s.Location.ID
	if r := s.liabilities(t, in); len(r.Accounts) != 1 || account(r, "+Sales tax") != usd(0, 195, 98) {
		t.Errorf("at a location: %+v", r.Accounts)
	}
	in.LocationID, in.Currency = uuid.Nil, "EUR"
	if r := s.liabilities(t, in); len(r.Rows) != 0 || len(r.Totals) != 0 {
		t.Errorf("in another currency: %+v", r)
	}
	one, err := s.Liabilities(t.Context(), s.Sales.Holding(s.Location.ID, policy.ReportFinance), all)
	if must(t, one, err); len(one.Accounts) != 1 || one.Accounts[0].RateID != rate {
		t.Errorf("for an accountant of one location: %+v", one.Accounts)
	}
}

// TestLiabilitiesAreBalances: for any entries at any locations and any days, open and closed, every row has the
// balances of the books, by day and by month, also those of accounts that no code mentions.
func TestLiabilitiesAreBalances(t *testing.T) {
	s := open(t)
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	rates := []uuid.UUID{s.AddTaxRate(t, "State", 60_000).ID, s.AddTaxRate(t, "City", 20_000).ID}
	begun := civil.DateOf(s.w.Clock.Now())
	s.walk(t, r, rates, []uuid.UUID{s.Location.ID}, begun) // the only location
	s.walk(t, r, rates, []uuid.UUID{s.Location.ID, s.AddLocation(t, "South").ID, s.AddLocation(t, "West").ID}, begun)
	if n := apptest.Value[int](t, s.w, "select count(*) from ledger_snapshots"); n < 20 {
		t.Errorf("only %d snapshots", n)
	}
}

func (s shop) walk(t *testing.T, r *rand.Rand, rates, places []uuid.UUID, begun civil.Date) {
	t.Helper()
	const packs = ledger.Account("deferred.class_pack")
	for step := range walks.Steps(60, 1000) {
		at := s.now(places[r.IntN(len(places))])
		tax := ledger.Tax(rates[r.IntN(len(rates))])
		n := r.Int64N(5000) + 1
		parts := []ledger.Posting{{Account: ledger.IncomeClass, Amount: n}, {Account: tax, Amount: n/10 + 1, Base: n}}
		s.posted(t, []func() ledger.Entry{
			func() ledger.Entry { return ledger.ManualPayment(at, uuid.New(), ledger.Cash, parts) },
			func() ledger.Entry { return ledger.ManualPayment(at, uuid.New(), ledger.Credit, parts) },
			func() ledger.Entry { return ledger.CreditRefund(at, uuid.New(), parts) },
			func() ledger.Entry { return ledger.ManualRefund(at, uuid.New(), ledger.Cash, parts) },
			func() ledger.Entry { return ledger.Credited(at, uuid.New(), n-2500) },
			func() ledger.Entry {
				return ledger.ManualPayment(at, uuid.New(), ledger.Cash, []ledger.Posting{{Account: packs, Amount: n}})
			},
			func() ledger.Entry {
				return ledger.ManualPayment(at, uuid.New(), packs, []ledger.Posting{{Account: ledger.IncomeClass, Amount: n}})
			},
		}[r.IntN(7)]())
		s.w.Clock.Advance(time.Duration(r.IntN(30)) * time.Hour)
		if r.IntN(2) == 0 {
			s.closeDays(t)
		}
		if step%10 != 9 {
			continue
		}
		now := civil.DateOf(s.w.Clock.Now())
		in := report.Range{From: begun.AddDays(r.IntN(begun.DaysUntil(now) + 1)), By: report.ByMonth}
		in.To = in.From.AddDays(r.IntN(in.From.DaysUntil(now) + 1))
		if in.From.DaysUntil(in.To) < 93 && r.IntN(2) == 0 {
			in.By = report.ByDay
		}
		if r.IntN(3) == 0 {
			in.LocationID = places[r.IntN(len(places))]
		}
		s.checkLiabilities(t, in, begun)
	}
}

// checkLiabilities compares a report with the books.
func (s shop) checkLiabilities(t *testing.T, in report.Range, begun civil.Date) {
	t.Helper()
	got := s.liabilities(t, in)
	type key struct {
		date     civil.Date
		category string
		rate, at uuid.UUID
	}
	rows := map[key]report.LiabilityTotal{}
	for _, row := range got.Rows {
		rows[key{row.Date, row.Category, row.RateID, row.LocationID}] = row.LiabilityTotal
	}
	accounts := apptest.Values[string](t, s.w, `select distinct
			concat_ws(' ', a.code, case when a.code like 'tax:%' then e.location_id end)
		from ledger_accounts a join ledger_postings p on p.account_id = a.id join ledger_entries e on e.id = p.entry_id
		where a.code similar to '(tax:|stored_value.|deferred.)%'`)
	var total int64
	seen := 0
	for _, a := range accounts {
		code, location, located := strings.Cut(a, " ")
		if in.LocationID != uuid.Nil && location != in.LocationID.String() {
			continue
		}
		of := key{category: code}
		here := "true"
		if located {
			of.category, of.at, here = report.SalesTax, uuid.MustParse(location), "e.location_id = '"+location+"'"
			of.rate = uuid.MustParse(strings.TrimPrefix(code, "tax:"))
		}
		sum := func(condition, day string, d civil.Date) int64 {
			return s.books(t, code, fmt.Sprintf("%s and %s and p.local_date %s '%s'", here, condition, day, d))
		}
		for d := in.From; !d.After(in.To); {
			end := d
			of.date = d
			if in.By == report.ByMonth {
				of.date = d.AddDays(1 - d.Day)
				for end.AddDays(1).Month == d.Month && end.Before(in.To) {
					end = end.AddDays(1)
				}
			}
			want := report.LiabilityTotal{Currency: "USD", Opening: sum("true", "<", d)}
			want.Added = sum("p.amount < 0", "<=", end) - sum("p.amount < 0", "<", d)
			want.Used = want.Opening + want.Added - sum("true", "<=", end)
			row, found := rows[of]
			if want == (report.LiabilityTotal{Currency: "USD"}) {
				if found {
					t.Fatalf("%+v: %s on %s has no balance and no change, and is a row", in, a, of.date)
				}
			} else if seen++; row != want {
				t.Fatalf("%+v: %s on %s: %+v, want %+v", in, a, of.date, row, want)
			}
			d = end.AddDays(1)
		}
		total += sum("true", "<=", in.To)
	}
	if seen != len(got.Rows) {
		t.Fatalf("%+v: %d rows, want %d", in, len(got.Rows), seen)
	}
	var closing int64
	for _, sum := range got.Totals {
		closing += sum.Closing()
	}
	if closing != total {
		t.Fatalf("%+v: %d in total, want %d", in, closing, total)
	}
	if len(got.Rows) > 0 && begun == in.From && got.Rows[0].Opening != 0 {
		t.Fatalf("%+v begins with a balance", got.Rows[0])
	}
}
