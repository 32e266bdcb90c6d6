package accounting_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting"
	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/integrity"
	"foyer/app/paging"
	"foyer/billing/ledger"
)

// random is one event of the books, of any kind.
func (b *books) random(r *rand.Rand, rate uuid.UUID) ledger.Entry {
	at, amount := b.now(), 1+r.Int64N(5000)
	parts := []ledger.Posting{
		{Account: []ledger.Account{ledger.IncomeClass, ledger.IncomeSession, ledger.IncomeSpace}[r.IntN(3)], Amount: amount},
		{Account: ledger.Tax(rate), Amount: 1 + amount/10, Base: amount},
	}
	txn := fmt.Sprintf("txn_%d", r.Int64())
	switch r.IntN(16) {
	case 0:
		return ledger.CardRefund(at, uuid.New(), parts)
	case 1:
		return ledger.Fees(at, txn, 30+r.Int64N(50), 2+r.Int64N(9))
	case 2:
		return ledger.ManualPayment(at, uuid.New(), ledger.Cash, parts)
	case 3:
		return ledger.ManualVoid(at, uuid.New(), ledger.Cash, parts)
	case 4:
		return ledger.ManualPayment(at, uuid.New(), ledger.ClearingOther, parts)
	case 5:
		return ledger.Disputed(at, txn, -amount, 1500)
	case 6:
		return ledger.PaidOut(at, txn, -amount, r.Int64N(3))
	case 7:
		return ledger.PaidOut(at, txn, amount, 0) // a failed one
	case 8:
		return ledger.CashBanked(at, uuid.New(), amount)
	case 9:
		return ledger.SettlementEntry(at, uuid.New(), amount, r.Int64N(90))
	case 10:
		return ledger.Credited(at, uuid.New(), amount) // folds to nothing
	case 11:
		return ledger.Other(at, txn, -r.Int64N(500)-1)
	case 12:
		return ledger.Outside(at, txn, amount)
	case 13:
		return ledger.CashCounted(at, uuid.New(), r.Int64N(200)-100)
	}
	return ledger.CardSale(at, uuid.New(), parts)
}

// Batches of 90 days, with a change of the clock in them, partition the entries; each balances, and together they are
// the books up to the last closed day. A151, A152.
func TestA152_BatchesAreTheBooks(t *testing.T) {
	for zone, start := range map[string]string{
		"America/New_York": "2026-02-01T15:00:00Z", // forward on March 8
		"Europe/Berlin":    "2026-09-01T09:00:00Z", // back on October 25
		"Australia/Sydney": "2026-08-15T01:00:00Z", // forward on October 4
	} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			b := open(t, func(p *apptest.StudioPlan) { p.Zone = zone })
			begin, err := time.Parse(time.RFC3339, start)
			b.w.Clock.Set(must(t, begin, err))
			rate := b.AddTaxRate(t, "Sales tax", 88_750).ID
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 1))
			for range 90 {
				for range r.IntN(6) {
					b.post(t, b.random(r, rate))
					b.w.Clock.Advance(time.Duration(r.IntN(300)) * time.Minute)
				}
				b.w.Clock.Advance(24 * time.Hour)
				if r.IntN(4) == 0 { // now and then a day or more late
					b.batch(t)
				}
			}
			b.nextDay(t)
			b.checkBatches(t)
		})
	}
}

func (b *books) batch(t *testing.T) {
	t.Helper()
	if err := b.closer.CloseDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.BatchDays(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// checkBatches compares the batches with the entries of closed days.
func (b *books) checkBatches(t *testing.T) {
	t.Helper()
	const closed = ` from ledger_entries e
		join ledger_closings c on c.business_id = e.business_id and c.location_id = e.location_id
			and e.local_date <= c.closed_through`
	n := apptest.Value[int](t, b.w, "select count(*)"+closed)
	if got := apptest.Value[int](t, b.w, "select count(*) from accounting_batch_entries"); got != n || n == 0 {
		t.Errorf("%d entries are in batches, %d are of closed days", got, n)
	}
	// by row of the map: the batches, and the ledger
	batches := sums(t, b, `select x.line->>'category' || coalesce(':' || (x.line->>'taxRateId'), '') as row,
			sum((x.line->>'amount')::bigint)::bigint as amount
		from accounting_batches b cross join lateral jsonb_array_elements(b.lines) as x (line) group by 1`)
	want := map[string]int64{}
	for code, amount := range sums(t, b, `select a.code as row, sum(p.amount)::bigint as amount`+closed+`
		join ledger_postings p on p.business_id = e.business_id and p.entry_id = e.id
		join ledger_accounts a on a.business_id = e.business_id and a.id = p.account_id group by 1`) {
		row, ok := accounting.Fold(ledger.Account(code))
		if !ok {
			t.Fatalf("%s folds to nothing", code)
		}
		want[row.Key()] += amount
	}
	for row, amount := range want {
		if batches[row] != amount {
			t.Errorf("%s: the batches have %d, the books %d", row, batches[row], amount)
		}
	}
	for row := range batches {
		if _, ok := want[row]; !ok {
			t.Errorf("%s is in no book", row)
		}
	}
	if bad := apptest.Values[string](t, b.w, `select b.id::text from accounting_batches b
		where (select coalesce(sum((l->>'amount')::bigint), 0) from jsonb_array_elements(b.lines) l) <> 0`); len(bad) > 0 {
		t.Errorf("batches do not balance: %s", bad)
	}
	report, err := integrity.CheckBusiness(t.Context(), b.w.DB.View(b.Business.ID), b.Declare().Checks...)
	for _, d := range must(t, report, err).Differences {
		if strings.HasPrefix(d.Check, "accounting") {
			t.Errorf("%+v", d)
		}
	}
}

// sums reads sums by row: "income.class 2200".
func sums(t *testing.T, b *books, sql string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for _, line := range apptest.Values[string](t, b.w, `select x.row || ' ' || x.amount from (`+sql+`) x`) {
		row, amount, _ := strings.Cut(line, " ")
		n, err := strconv.ParseInt(amount, 10, 64)
		out[row] = must(t, n, err)
	}
	return out
}

// Refunds have lines of their own, a payout is a deposit on the day of its arrival, and money taken from the bank is a
// journal entry. A145, A151.
func TestA151_DaysAndDeposits(t *testing.T) {
	b := open(t)
	day := func(h, m int) { // on the day of the start in New York
		b.w.Clock.Set(time.Date(2026, 6, 10, h, m, 0, 0, time.FixedZone("EDT", -4*3600)))
	}
	day(12, 0)
	b.sell(t, 2200)
	b.post(t, ledger.CardRefund(b.now(), uuid.New(), []ledger.Posting{{Account: ledger.IncomeClass, Amount: 700}}))
	day(23, 30)
	b.sell(t, 300)
	b.post(t, ledger.PaidOut(b.now(), "txn_out", -1500, 0), ledger.PaidOut(b.now(), "txn_failed", 400, 0),
		ledger.SettlementEntry(b.now(), uuid.New(), 2335, 60), ledger.Credited(b.now(), uuid.New(), 500))
	b.nextDay(t)
	page, err := b.Batches(t.Context(), b.Owner, accounting.BatchFilter{})
	got := map[string]accounting.OpenBatch{}
	for _, x := range must(t, page, err).Items {
		open, err := b.BatchOf(t.Context(), b.Owner, x.ID)
		got[x.DepositRef] = must(t, open, err)
	}
	if len(got) != 4 {
		t.Fatalf("%d batches: %+v", len(got), got)
	}
	daily := got[""]
	if daily.Kind != accounting.JournalEntry || daily.LocalDate != civil.NewDate(2026, 6, 10) || daily.Amount != 2500+700 {
		t.Errorf("the day: %+v", daily)
	}
	lines := map[string]int64{}
	for _, l := range daily.Lines {
		lines[fmt.Sprint(l.Category, l.Refund)] = l.Amount
	}
	if want := map[string]int64{
		"clearing.processorfalse": 2500, "clearing.processortrue": -700, "income.classfalse": -2500, "income.classtrue": 700,
	}; fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
	if p := got["balance:txn_out"]; p.Kind != accounting.DepositKind || p.Amount != 1500 {
		t.Errorf("the payout: %+v", p)
	}
	if p := got["balance:txn_failed"]; p.Kind != accounting.JournalEntry || p.Amount != 400 {
		t.Errorf("the failed payout: %+v", p)
	}
	for ref, x := range got {
		if len(ref) > 11 && ref[:11] == "settlement:" &&
			(x.Kind != accounting.DepositKind || x.Amount != 2335 || len(x.Lines) != 3) {
			t.Errorf("the settlement: %+v", x)
		}
	}
	all, err := b.Entries(t.Context(), b.Owner, daily.ID, accounting.AllLines, paging.In[paging.Moment]{Limit: 2})
	if len(must(t, all, err).Items) != 2 || all.Next == nil {
		t.Fatalf("%+v", all)
	}
	rest, err := b.Entries(t.Context(), b.Owner, daily.ID, accounting.AllLines,
		paging.In[paging.Moment]{Limit: 2, After: all.Next})
	if len(must(t, rest, err).Items) != 2 || rest.Next != nil { // two sales, a refund and the credit that folds to nothing
		t.Errorf("%+v", rest)
	}
	b.checkBatches(t)
}

// An entry that comes late is in the batch of the first open day, and no closed one changes.
func TestLateEntries(t *testing.T) {
	b := open(t)
	b.sell(t, 2200)
	at := b.now()
	b.nextDay(t)
	first, err := b.Batches(t.Context(), b.Owner, accounting.BatchFilter{})
	b.post(t, ledger.Fees(at, "txn_late", 94, 44))
	b.batch(t)
	again, err2 := b.Batches(t.Context(), b.Owner, accounting.BatchFilter{})
	if len(must(t, first, err).Items) != 1 || len(must(t, again, err2).Items) != 1 || first.Items[0] != again.Items[0] {
		t.Fatalf("%+v, then %+v", first, again)
	}
	b.nextDay(t)
	later, err := b.Batches(t.Context(), b.Owner, accounting.BatchFilter{})
	if len(must(t, later, err).Items) != 2 || later.Items[0].Amount != 94+44 {
		t.Errorf("%+v", later.Items)
	}
	b.checkBatches(t)
}
