package checkout_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/billing"
	"foyer/billing/ledger"
)

// A28, A30: the income of a class of 22.00 with a service fee, its fees, and its refund are in the books, each in its
// account, and the processor has the same balance.
func TestA30_BooksOfASale(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	who := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 5))
	s.hold(t, who, token)
	p := s.pay(t, who, token, 2245)
	s.PayCard(t, p.ClientSecret, "4242424242424242")
	c := s.confirm(t, who, token)
	s.accounts(t, map[ledger.Account]int64{ledger.Clearing: 2245, ledger.IncomeClass: -2200, ledger.IncomeBookingFee: -45})

	s.check(t) // the processor has reported its fee: 2.9 % and 30
	s.accounts(t, map[ledger.Account]int64{
		ledger.Clearing: 2105, ledger.IncomeClass: -2200, ledger.IncomeBookingFee: -45, ledger.ProcessorFees: 95, ledger.BookingFees: 45,
	})

	if _, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: c.Lines[0].BookingID, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}
	s.check(t)
	// The processor keeps its own fee and gives the platform's back.
	s.accounts(t, map[ledger.Account]int64{
		ledger.Clearing: -95, ledger.IncomeClass: 0, ledger.IncomeBookingFee: 0, ledger.ProcessorFees: 95, ledger.BookingFees: 0,
	})
}

// The refund of one of two lines is taken from that line's accounts: the tax of the other stays payable.
func TestBooksOfARefundedLine(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	rate := s.AddTaxRate(t, "Sales tax", 100_000).ID
	taxed := s.class(t, 2000, 5, func(o *apptest.OfferingRow) { o.TaxRate = &rate })
	token := s.Fill(t, taxed, s.class(t, 900, 5))
	s.hold(t, ada, token)
	p := s.pay(t, ada, token, 3100)
	s.PayCard(t, p.ClientSecret, "4242424242424242")
	c := s.confirm(t, ada, token)
	for _, l := range c.Lines {
		if l.ListedAmount == 900 {
			if _, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: l.BookingID, By: booking.ByStudio}); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.check(t)
	s.accounts(t, map[ledger.Account]int64{ledger.IncomeClass: -2000, ledger.Tax(rate): -200})
}

func (s shop) account(t *testing.T, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), a, s.Location.Currency)
	return must(t, n, err)
}

func (s shop) accounts(t *testing.T, want map[ledger.Account]int64) {
	t.Helper()
	for a, n := range want {
		if got := s.account(t, a); got != n {
			t.Errorf("%s is %d, want %d", a, got, n)
		}
	}
}
