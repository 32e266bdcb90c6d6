package report_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/report"
	"foyer/app/tenancy"
	"foyer/billing/processor"
	"foyer/policy"
)

// arrive has the available balance paid out and arrive at the bank.
func (s shop) arrive(t *testing.T) (payouts []string) {
	t.Helper()
	s.settled(t)
	s.w.Clock.Advance(49 * time.Hour) // it is available
	ids, err := s.Sim.PayOut(s.Account)
	must(t, ids, err)
	s.w.Clock.Advance(26 * time.Hour)
	s.settled(t)
	s.List(t)
	s.w.SQL(t, "update customers set name = 'Ada Lovelace'")
	return ids
}

func (s shop) payouts(t *testing.T, in report.Range) report.PayoutReport {
	t.Helper()
	r, err := s.Payouts(t.Context(), s.Owner, in)
	return must(t, r, err)
}

// adds fails the test if the lines of a payout do not add up to it.
func adds(t *testing.T, p report.PayoutRow) {
	t.Helper()
	var gross, fees, net int64
	for _, l := range p.Lines {
		gross, fees, net = gross+l.Gross, fees+l.ProcessorFee+l.PlatformFee, net+l.Net
	}
	if net+p.Other != p.Amount || p.Gross != gross || p.ProcessorFee+p.PlatformFee != fees || p.Net != net ||
		gross-fees != net {
		t.Errorf("the lines of a payout of %d are %d less %d, and it has %+v", p.Amount, gross, fees, p.PayoutSums)
	}
}

// TestPayoutReport: payments, refunds, disputes and charges made outside in a payout, each with its order, its customer
// and its fees; they add up to the amount, and to what the books have at the bank.
func TestPayoutReport(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "Sales tax", 88_750).ID
	first, second, third := s.sold(t, rate), s.sold(t, rate), s.sold(t, rate)
	s.settled(t)
	s.refund(t, first, 1000)
	intent := apptest.Value[string](t, s.w, "select intent from payments where id = '"+third.String()+"'")
	if _, err := s.Sim.Dispute(s.Account, intent, "fraudulent"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sim.ChargeOutside(s.Account, 9000, "usd"); err != nil {
		t.Fatal(err)
	}
	from := civil.DateOf(s.w.Clock.Now())
	s.arrive(t)
	r := s.payouts(t, s.around(""))
	if len(r.Payouts) != 1 || len(r.Payouts[0].Lines) != 6 || !r.Payouts[0].Known || r.Payouts[0].Other != 0 ||
		len(r.Totals) != 1 || r.Totals[0] != r.Payouts[0].PayoutSums {
		t.Fatalf("%+v", r)
	}
	p := r.Payouts[0]
	adds(t, p)
	if p.Status != processor.PayoutPaid || p.Amount != apptest.Value[int64](t, s.w, "select amount from payouts") ||
		!p.Date.After(from) {
		t.Errorf("%+v", p)
	}
	if bank := -s.books(t, "asset.bank", "true"); bank != p.Amount {
		t.Errorf("a payout of %d, the books have %d at the bank", p.Amount, bank)
	}
	of := map[uuid.UUID]map[processor.Category]int64{}
	for _, l := range p.Lines {
		if of[l.PaymentID] == nil {
			of[l.PaymentID] = map[processor.Category]int64{}
		}
		of[l.PaymentID][l.Category] += l.Gross
		ours := l.PaymentID != uuid.Nil
		if ours != (l.OrderID != uuid.Nil) || ours != (l.CustomerName == "Ada Lovelace") ||
			ours != (l.LocationName == s.Location.Name) || ours != (l.LineCount == 2 && l.Label != "") {
			t.Errorf("%+v", l)
		}
	}
	for payment, want := range map[uuid.UUID]map[processor.Category]int64{
		first: {processor.CategoryCharge: 3295, processor.CategoryRefund: -1000}, second: {processor.CategoryCharge: 3295},
		third: {processor.CategoryCharge: 3295, processor.CategoryDispute: -3295}, uuid.Nil: {processor.CategoryCharge: 9000},
	} {
		for category, amount := range want {
			if got := of[payment][category]; got != amount {
				t.Errorf("%s of %s: %d, want %d", category, payment, got, amount)
			}
		}
	}

	before := s.around("")
	before.To = p.Date.AddDays(-1)
	if r := s.payouts(t, before); len(r.Payouts) != 0 || len(r.Totals) != 0 {
		t.Errorf("the day before: %+v", r)
	}
	euro := s.around("")
	euro.Currency = "EUR"
	if r := s.payouts(t, euro); len(r.Payouts) != 0 {
		t.Errorf("in another currency: %+v", r)
	}
	rows, err := csv.NewReader(strings.NewReader(string(r.CSV()))).ReadAll()
	must(t, rows, err)
	paid := slices.IndexFunc(rows, func(row []string) bool { return row[11] == second.String() })
	want := []string{p.Date.String(), p.ExternalID, "paid", "USD", "122.43", "charge"}
	if len(rows) != 7 || paid < 0 || !slices.Equal(rows[paid][:6], want) || rows[paid][8] != "Ada Lovelace" ||
		strings.Join(rows[paid][13:], " ") != "32.95 1.26 0.66 31.03" {
		t.Errorf("%q", rows)
	}
}

// TestPayoutOfALocation: at one location a payout has the transactions there, and the amount of the others.
func TestPayoutOfALocation(t *testing.T) {
	s := open(t)
	first, second := s.sold(t, s.AddTaxRate(t, "Sales tax", 88_750).ID), s.sold(t, s.AddTaxRate(t, "Another", 10_000).ID)
	south := s.AddLocation(t, "South")
	s.arrive(t)
	s.w.SQL(t, "update customers set name = '=1+2'")
	s.w.SQL(t, "alter table payments disable trigger user; alter table payments disable trigger all")
	s.w.SQL(t, "update payments set location_id = $2 where id = $1", second, south.ID)
	in := s.around("")
	in.LocationID = s.Location.ID
	r := s.payouts(t, in)
	if len(r.Payouts) != 1 || len(r.Payouts[0].Lines) != 1 || r.Payouts[0].Lines[0].PaymentID != first ||
		r.Payouts[0].Other == 0 {
		t.Fatalf("%+v", r)
	}
	adds(t, r.Payouts[0])
	rows, err := csv.NewReader(strings.NewReader(string(r.CSV()))).ReadAll()
	if len(must(t, rows, err)) != 3 || rows[1][8] != "'=1+2" || rows[2][5] != "other_locations" || rows[2][16] == "0.00" {
		t.Errorf("%q", rows)
	}
	in.LocationID = uuid.New()
	if r := s.payouts(t, in); len(r.Payouts) != 0 {
		t.Errorf("a place without payments: %+v", r)
	}
}

// TestPayoutsWithoutLines: a manual payout has no known lines, one on its way has not arrived, and one that the bank
// returned keeps its lines, is in no total, and is a line of the next.
func TestPayoutsWithoutLines(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "Sales tax", 88_750).ID
	s.sold(t, rate)
	returned := s.arrive(t)
	if err := s.Sim.FailPayout(s.Account, returned[0]); err != nil {
		t.Fatal(err)
	}
	s.sold(t, rate)
	s.arrive(t)
	s.w.SQL(t, `insert into payouts (id, business_id, env, account, external_id, amount, currency, status, arrives_on,
			automatic, happened_at, created_at, updated_at)
		select gen_random_uuid(), business_id, env, account, external_id || x.status, 500, 'USD', x.status, arrives_on,
			false, happened_at, created_at, updated_at
		from payouts, (values ('paid'), ('pending'), ('in_transit'), ('canceled')) as x (status)
		where payouts.status = 'failed'`)
	in := s.around("")
	in.From = in.From.AddDays(-10)
	r := s.payouts(t, in)
	if len(r.Payouts) != 3 || len(r.Totals) != 1 {
		t.Fatalf("%+v", r)
	}
	var arrived int64
	for _, p := range r.Payouts {
		adds(t, p)
		switch {
		case !p.Automatic:
			if p.Known || len(p.Lines) != 0 || p.Other != 500 {
				t.Errorf("a manual payout: %+v", p)
			}
		case p.Status == processor.PayoutFailed:
			if len(p.Lines) != 1 || p.ExternalID != returned[0] || p.Lines[0].CustomerName != "Ada Lovelace" {
				t.Errorf("one that the bank returned: %+v", p)
			}
			continue
		default:
			if len(p.Lines) != 2 || !slices.ContainsFunc(p.Lines, func(l report.PayoutLine) bool {
				return l.Category == processor.CategoryPayoutReversal && l.Gross == 3103
			}) {
				t.Errorf("the next: %+v", p)
			}
		}
		arrived += p.Amount
	}
	if r.Totals[0].Amount != arrived || r.Totals[0].Other != 500 {
		t.Errorf("%d arrived: %+v", arrived, r.Totals)
	}
	if table := string(r.CSV()); strings.Count(table, ",unlisted,") != 1 || !strings.Contains(table, ",failed,USD,") {
		t.Error(table)
	}
}

// TestWhoSeesCustomersOfPayouts: callers with booking.view. A payout is of the whole business, and so is the right to
// see it.
func TestWhoSeesCustomersOfPayouts(t *testing.T) {
	s := open(t)
	s.sold(t, s.AddTaxRate(t, "Sales tax", 88_750).ID)
	s.arrive(t)
	_, books := s.Key(t, policy.ReportFinance)
	_, both := s.Key(t, policy.ReportFinance, policy.BookingView)
	for sees, sc := range map[bool]tenancy.Scope{false: books, true: both} {
		r, err := s.Payouts(t.Context(), sc, s.around(""))
		if must(t, r, err); len(r.Payouts) != 1 || len(r.Payouts[0].Lines) != 1 {
			t.Fatalf("%+v", r)
		}
		l := r.Payouts[0].Lines[0]
		if (l.CustomerName == "Ada Lovelace") != sees || (l.Label != "") != sees || l.OrderID == uuid.Nil {
			t.Errorf("with booking.view %t: %+v", sees, l)
		}
	}
	if _, err := s.Payouts(t.Context(), s.Sales.Holding(s.Location.ID, policy.ReportFinance), s.around("")); err == nil {
		t.Error("an accountant of one location sees a payout of all")
	}
	in := s.around("")
	in.To = in.From.AddDays(31)
	if _, err := s.Payouts(t.Context(), s.Owner, in); err == nil {
		t.Error("32 days")
	}
}
