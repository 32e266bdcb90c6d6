package report_test

import (
	"encoding/csv"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/policy"
)

// shop is a studio that sells, with its reports.
type shop struct {
	*apptest.Sales
	w     *apptest.World
	Money *sales.Service
	*report.Service
}

func open(t *testing.T) shop {
	t.Helper()
	w := apptest.Open(t)
	s := shop{Sales: w.Sales(t), w: w}
	s.Service = report.New(w.DB, s.Billing.Env())
	s.Money = sales.New(sales.Options{
		DB: w.DB, Billing: s.Billing, Disputes: s.Disputes, Orders: s.Orders,
	})
	s.jobs(t)
	return s
}

func must[T any](t *testing.T, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// jobs runs the jobs in the outbox, and delivers events until there are none.
func (s shop) jobs(t *testing.T) {
	t.Helper()
	for {
		s.Sim.Flush(t.Context())
		ran, err := s.RunJobs(t)
		if err != nil {
			t.Fatal(err)
		}
		if len(ran) == 0 {
			return
		}
	}
}

// settled lets the seconds pass until the processor reports the fees of payments.
func (s shop) settled(t *testing.T) {
	t.Helper()
	s.jobs(t)
	s.w.Clock.Advance(3 * time.Second)
	s.jobs(t)
}

// sold is a payment by card for a class of 22.00 that is taxed with 8.875 % and one of 9.00 that is not.
func (s shop) sold(t *testing.T, rate uuid.UUID) uuid.UUID {
	t.Helper()
	date := func(price int64, rate *uuid.UUID) apptest.OccurrenceRow {
		return s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) {
			o.Price, o.Capacity, o.Online, o.TaxRate = &price, 50, 50, rate
		}), s.w.Clock.Now().Add(48*time.Hour))
	}
	who := s.Customer(t, "Ada")
	token := s.Fill(t, date(2200, &rate), date(900, nil))
	if _, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	cart, err := s.Checkout.Cart(t.Context(), who, token)
	p, err2 := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: must(t, cart, err).Totals.TotalAmount})
	s.PayCard(t, must(t, p, err2).ClientSecret, apptest.CardGood)
	if _, err := s.Checkout.Confirm(t.Context(), who, token); err != nil {
		t.Fatal(err)
	}
	list, err := s.Money.List(t.Context(), s.Owner, sales.ListInput{})
	return must(t, list, err).Items[0].ID
}

func (s shop) refund(t *testing.T, payment uuid.UUID, amount int64) {
	t.Helper()
	_, err := s.Money.Refund(t.Context(), s.Owner, sales.RefundInput{PaymentID: payment, Amount: &amount, Reason: billing.ReasonRequested, Note: "ill"})
	if err != nil {
		t.Fatal(err)
	}
	s.settled(t)
}

// around is the days around today.
func (s shop) around(by report.Unit) report.Range {
	today := civil.DateOf(s.w.Clock.Now())
	return report.Range{From: today.AddDays(-5), To: today.AddDays(5), By: by}
}

func (s shop) balance(t *testing.T, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), a, "USD")
	return must(t, n, err)
}

// TestTaxReport: sales and refunds, by rate, with the untaxed ones, to the cent; and the tax due is the balance of
// the tax account.
func TestTaxReport(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "Sales tax", 88_750).ID
	p := s.sold(t, rate)
	s.settled(t)
	read := func(by report.Unit) report.TaxReport {
		r, err := s.Tax(t.Context(), s.Owner, s.around(by))
		return must(t, r, err)
	}
	r := read(report.ByDay)
	if len(r.Rows) != 2 || len(r.Totals) != 2 {
		t.Fatalf("%+v", r)
	}
	taxed, not := r.Rows[0], r.Rows[1]
	if taxed.RateID != rate || taxed.Name != "Sales tax" || taxed.PPM != 88_750 || taxed.Taxable != 2200 || taxed.Tax != 195 || taxed.TaxableRefunded != 0 || taxed.LocationID != s.Location.ID {
		t.Errorf("%+v", taxed)
	}
	if not.RateID != uuid.Nil || not.Taxable != 900 || not.Tax != 0 {
		t.Errorf("%+v", not)
	}
	s.refund(t, p, 1648) // about a half: 22.00, 1.95 and 9.00 in proportion
	r = read(report.ByMonth)
	got := r.Totals[0]
	if got.Taxable != 2200 || got.Tax != 195 || got.TaxableRefunded != 1100 || got.TaxRefunded != 98 || r.Totals[1].TaxableRefunded != 450 {
		t.Errorf("%+v", r.Totals)
	}
	if due := -s.balance(t, ledger.Tax(rate)); got.Due() != due || due == 0 {
		t.Errorf("%d is due, the books say %d", got.Due(), due)
	}
	if net := r.Totals[0].Net() + r.Totals[1].Net(); net != -s.balance(t, ledger.IncomeClass) {
		t.Errorf("%d is what was earned, the books say %d", net, -s.balance(t, ledger.IncomeClass))
	}
	rows, err := csv.NewReader(strings.NewReader(string(r.CSV()))).ReadAll()
	if len(must(t, rows, err)) != 3 || strings.Join(rows[1][2:], " ") != "USD Sales tax 8.875 22.00 1.95 11.00 0.98 11.00 0.97" {
		t.Errorf("%q", rows)
	}
	s.w.CheckBooks(t)
}

// TestFeeReport: the fees of payments, by day and by payment: the rows add up to the accounts of the books, and each
// fee belongs to its payment, in its refund and in its dispute, too.
func TestFeeReport(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "Sales tax", 88_750).ID
	first := s.sold(t, rate)
	s.settled(t)
	second := s.sold(t, rate)
	s.settled(t)
	s.refund(t, first, 1000)
	byDay, err := s.Fees(t.Context(), s.Owner, s.around(report.ByDay))
	byPayment, err2 := s.Fees(t.Context(), s.Owner, s.around(report.ByPayment))
	all := must(t, byDay, err).Totals
	if len(all) != 1 || len(must(t, byPayment, err2).Totals) != 1 || all[0] != byPayment.Totals[0] {
		t.Fatalf("by day %+v, by payment %+v", all, byPayment.Totals)
	}
	if f := all[0]; f.Payments != 2 || f.CardAmount != 2*3295 || f.ProcessorFee != s.balance(t, ledger.ProcessorFees) || f.PlatformFee != 2*66 ||
		f.PlatformFee-f.PlatformFeeRefunded != s.balance(t, ledger.BookingFees) || f.PlatformFeeRefunded != billing.FeeRefund(66, 3295, 1000) {
		t.Errorf("%+v", f)
	}
	of := map[uuid.UUID]report.FeeSums{}
	for _, r := range byPayment.Rows {
		of[r.PaymentID] = r.FeeSums
	}
	for _, id := range []uuid.UUID{first, second} {
		d, err := s.Money.Get(t.Context(), s.Owner, id)
		p := must(t, d, err)
		f := of[id]
		if f.Payments != 1 || f.CardAmount != p.Amount || f.PlatformFee != p.FeeAmount || f.PlatformFeeRefunded != p.FeeRefunded || p.ProcessorFee == nil || f.ProcessorFee != *p.ProcessorFee {
			t.Errorf("the report says %+v, the payment %+v", f, p.Payment)
		}
	}
	if len(of) != 2 {
		t.Errorf("%d payments", len(of))
	}
	rows, err := csv.NewReader(strings.NewReader(string(byPayment.CSV()))).ReadAll()
	if len(must(t, rows, err)) != 3 || rows[0][3] != "payment" || rows[1][3] == "" {
		t.Errorf("%q", rows)
	}
}

// TestA224_SharesOfThePlatformFee: the one fee of a payment is allocated to its bookings, by the price of each, and
// the shares add up to it.
func TestA224_SharesOfThePlatformFee(t *testing.T) {
	s := open(t)
	id := s.sold(t, s.AddTaxRate(t, "Sales tax", 88_750).ID)
	d, err := s.Money.Get(t.Context(), s.Owner, id)
	var shares []int64
	var sum int64
	for _, l := range must(t, d, err).Lines {
		shares, sum = append(shares, l.FeeShare), sum+l.FeeShare
	}
	// 66 by 23.95 and 9.00
	if len(shares) != 2 || shares[0] != 48 || shares[1] != 18 || sum != d.FeeAmount || d.FeeAmount != 66 {
		t.Errorf("%d of %d", shares, d.FeeAmount)
	}
}

// TestWhoReadsReports: callers with report.finance, and no others; a range has an end.
func TestWhoReadsReports(t *testing.T) {
	s := open(t)
	for role, may := range map[policy.Role]bool{policy.Accountant: true, policy.Admin: true, policy.Manager: false, policy.FrontDesk: false, policy.Marketer: false} {
		at := business.RoleAt{Role: role}
		if role == policy.Manager || role == policy.FrontDesk {
			at = apptest.At(role, s.Location.ID)
		}
		sc := s.Join(t, string(role)+"@example.com", at)
		_, err := s.Tax(t.Context(), sc, s.around(report.ByDay))
		_, err2 := s.Fees(t.Context(), sc, s.around(report.ByDay))
		_, err3 := s.Revenue(t.Context(), sc, s.around(report.ByDay))
		_, err4 := s.Payouts(t.Context(), sc, s.around(""))
		_, err5 := s.Liabilities(t.Context(), sc, s.around(report.ByDay))
		for i, err := range []error{err, err2, err3, err4, err5} {
			if (err == nil) != may || err != nil && !errors.Is(err, policy.ErrMissingFeature) {
				t.Errorf("%s, report %d: %v", role, i, err)
			}
		}
	}
	in := s.around(report.ByDay)
	for what, c := range map[string]struct {
		by   report.Unit
		days int
		ok   bool
	}{
		"93 days": {report.ByDay, 92, true}, "94 days": {report.ByDay, 93, false}, "two years": {report.ByMonth, 731, true},
		"longer": {report.ByMonth, 732, false}, "backwards": {report.ByDay, -1, false}, "a month by payment": {report.ByPayment, 31, false},
	} {
		in.By, in.To = c.by, in.From.AddDays(c.days)
		if _, err := s.Fees(t.Context(), s.Owner, in); (err == nil) != c.ok || err != nil && !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", what, err)
		}
	}
	in = s.around(report.ByDay)
	in.LocationID = uuid.New()
	if _, err := s.Tax(t.Context(), s.Join(t, "m@example.com", apptest.At(policy.Manager, s.Location.ID)), in); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("a manager asks for a place: %v", err)
	}
	if r, err := s.Tax(t.Context(), s.Owner, in); err != nil || len(r.Rows) != 0 {
		t.Errorf("a place that is not there: %v %v", r.Rows, err)
	}
}

// A report is complete or refused: its rows are not cut off.
func TestReportsAreWhole(t *testing.T) {
	s := open(t)
	first := s.sold(t, s.AddTaxRate(t, "Sales tax", 88750).ID)
	s.settled(t)
	s.refund(t, first, 1000)
	s.sold(t, s.AddTaxRate(t, "Another tax", 10_000).ID)
	s.settled(t)
	s.arrive(t)
	reports := map[string]func(*report.Service) error{
		"revenue": func(r *report.Service) error {
			_, err := r.Revenue(t.Context(), s.Owner, s.around(report.ByDay))
			return err
		},
		"payouts": func(r *report.Service) error {
			_, err := r.Payouts(t.Context(), s.Owner, s.around(""))
			return err
		},
		"liabilities": func(r *report.Service) error {
			_, err := r.Liabilities(t.Context(), s.Owner, s.around(report.ByDay))
			return err
		},
		"tax": func(r *report.Service) error {
			_, err := r.Tax(t.Context(), s.Owner, s.around(report.ByDay))
			return err
		},
		"fees": func(r *report.Service) error {
			_, err := r.Fees(t.Context(), s.Owner, s.around(report.ByDay))
			return err
		},
		"fees by payment": func(r *report.Service) error {
			_, err := r.Fees(t.Context(), s.Owner, s.around(report.ByPayment))
			return err
		},
	}
	for name, ask := range reports {
		most := 0
		for ask(s.Holding(most)) != nil {
			if most++; most > 20 {
				t.Fatalf("%s: one sale does not fit into %d sums", name, most)
			}
		}
		if most < 2 {
			t.Fatalf("%s: %d sums are all that there is", name, most)
		}
		if f := fault.From(ask(s.Holding(most - 1))); f == nil || f.Kind != fault.Validation {
			t.Errorf("%s: of %d sums one too few is read, and that is %v", name, most, f)
		}
	}
}
