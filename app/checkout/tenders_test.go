package checkout_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/owed"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// grants gives the customer of a booking credit.
func (s shop) grants(t testing.TB, b booking.Booking, amount int64) {
	t.Helper()
	m, err := credit.New(s.w.DB).Adjust(t.Context(), s.Owner, credit.AdjustInput{
		CustomerID: b.CustomerID, LocationID: s.Location.ID, Amount: amount, Note: "a gift",
	})
	must(t, m, err)
}

// hasCredit returns the account credit of a booking's customer.
func (s shop) hasCredit(t testing.TB, b booking.Booking) (sum int64) {
	t.Helper()
	list, err := credit.Of(t.Context(), s.w.DB.View(s.Business.ID), b.CustomerID)
	for _, k := range must(t, list, err) {
		sum += k.Balance
	}
	return sum
}

func (s shop) pays(t testing.TB, in owed.PaymentInput) (owed.Sale, error) {
	t.Helper()
	return s.Owed.RecordPayment(t.Context(), s.Owner, in)
}

// A price is paid in parts and by several methods: the amount of each is spread over the price and its tax, and the
// remaining amount stays due.
func TestTenders(t *testing.T) {
	s := desk(t)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	b := s.byDesk(t, s.Customer(t, "Ada"), s.class(t, 2200, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID }))
	s.grants(t, b, 700)
	in := owed.PaymentInput{BookingIDs: []uuid.UUID{b.ID}}

	in.Tenders = []owed.Tender{
		{Method: tender.AccountCredit, Amount: 500}, {Method: tender.Other, Amount: 1000, Note: "slip 7"},
	}
	sold, err := s.pays(t, in)
	if must(t, sold, err); sold.Amount != 1500 || sold.BalanceDueAmount != 895 || len(sold.Payments) != 2 || sold.Lines[0].Amount != 2395 {
		t.Fatalf("a part of it: %+v", sold)
	}
	if m := s.money(t, b); m.Due != 895 || m.PaidAtStudio != 1500 || s.hasCredit(t, b) != 200 {
		t.Errorf("a part of it: %+v, credit %d", m, s.hasCredit(t, b))
	}
	if income, tax := s.holds(t, ledger.IncomeClass), s.holds(t, ledger.Tax(rate.ID)); income+tax != -1500 || tax < -123 || tax > -121 {
		t.Errorf("income %d, tax %d", income, tax)
	}
	in.Tenders = []owed.Tender{{Method: tender.Cash, Amount: 896}}
	_, err = s.pays(t, in)
	refused(t, "more than is due", err, owed.ErrMoreThanDue)
	in.Tenders = []owed.Tender{{Method: tender.Cash, Amount: 895}, {Method: tender.Other}}
	_, err = s.pays(t, in)
	refused(t, "nothing left for the second", err, owed.ErrMoreThanDue)
	in.Tenders = owed.Pays(tender.AccountCredit)
	_, err = s.pays(t, in)
	refused(t, "more than there is credit", err, credit.ErrShort)

	in.Tenders = []owed.Tender{{Method: tender.AccountCredit, Amount: 200}, {Method: tender.Cash}}
	sold, err = s.pays(t, in)
	if must(t, sold, err); sold.Amount != 895 || sold.BalanceDueAmount != 0 || sold.Tenders[1].Amount != 695 {
		t.Errorf("the rest: %+v", sold)
	}
	if m := s.money(t, b); m.Due != 0 || m.PaidAtStudio != 2395 || s.hasCredit(t, b) != 0 {
		t.Errorf("the rest: %+v, credit %d", m, s.hasCredit(t, b))
	}
	if income, tax := s.holds(t, ledger.IncomeClass), s.holds(t, ledger.Tax(rate.ID)); income != -2200 || tax != -195 {
		t.Errorf("income %d, tax %d", income, tax)
	}
	_, err = s.pays(t, in)
	refused(t, "paid", err, checkout.ErrNothingToPay)
	s.check(t)
}

// A fee is paid as a whole: by several means, but not in part.
func TestFeesInFull(t *testing.T) {
	s := desk(t)
	ada := s.Customer(t, "Ada")
	b := s.byDesk(t, ada, s.class(t, 2200, 3))
	s.w.Clock.Set(b.StartsAt.Add(-time.Hour))
	_, err := s.Booking.CancelMine(t.Context(), mine(ada), b.ID)
	must(t, 0, err)
	in := owed.PaymentInput{FeeIDs: []uuid.UUID{apptest.Value[uuid.UUID](t, s.w, "select id from fees")}}
	in.Tenders = []owed.Tender{{Method: tender.Cash, Amount: 499}}
	_, err = s.pays(t, in)
	refused(t, "a part of a fee", err, owed.ErrFeesInFull)
	s.grants(t, b, 1000)
	in.Tenders = []owed.Tender{{Method: tender.AccountCredit, Amount: 200}, {Method: tender.Cash}}
	sold, err := s.pays(t, in)
	if must(t, sold, err); sold.Amount != 500 || s.money(t, b).FeesDue != 0 || s.hasCredit(t, b) != 800 || s.holds(t, ledger.Cash) != 300 {
		t.Errorf("%+v, credit %d", sold, s.hasCredit(t, b))
	}
	s.check(t)
}

// A customer who pays two things with the same credit at once pays one of them.
func TestCreditIsSpentOnce(t *testing.T) {
	s := desk(t)
	ada := s.Customer(t, "Ada")
	all := []booking.Booking{s.byDesk(t, ada, s.class(t, 2200, 3)), s.byDesk(t, ada, s.class(t, 2200, 3)), s.byDesk(t, ada, s.class(t, 2200, 3))}
	s.grants(t, all[0], 5000)
	var wg sync.WaitGroup
	errs := make([]error, len(all))
	for i, b := range all {
		wg.Go(func() {
			_, errs[i] = s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.ID}, Tenders: owed.Pays(tender.AccountCredit)},
			)
		})
	}
	wg.Wait()
	paid := 0
	for _, err := range errs {
		switch {
		case err == nil:
			paid++
		case !errors.Is(err, credit.ErrShort):
			t.Error(err)
		}
	}
	if paid != 2 || s.hasCredit(t, all[0]) != 600 {
		t.Errorf("%d were paid, %d left", paid, s.hasCredit(t, all[0]))
	}
	s.check(t)
}
