package checkout_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// deposits has the studio require a deposit of so many percent.
func (s shop) deposits(t testing.TB, percent int, changes ...func(*catalog.Rules)) {
	t.Helper()
	s.SetPolicy(t, s.AddPolicy(t, append(changes, func(r *catalog.Rules) { r.Deposit.Percent = percent })...))
}

// taxed is a class of 22.00 and tax on top.
func (s shop) taxed(t testing.TB) (apptest.OccurrenceRow, business.TaxRate) {
	t.Helper()
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	return s.class(t, 2200, 3, func(r *apptest.OfferingRow) { r.TaxRate = &rate.ID }), rate
}

// withDeposit books a date and pays the deposit.
func (s shop) withDeposit(t testing.TB, who tenancy.Scope, o ...apptest.OccurrenceRow) checkout.Confirmed {
	t.Helper()
	token := s.Fill(t, o...)
	s.hold(t, who, token)
	c, err := s.Checkout.Cart(t.Context(), who, token)
	p := s.pay(t, who, token, must(t, c, err).Totals.DueNow())
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	return s.confirm(t, who, token)
}

func (s shop) moneyOf(t testing.TB, id uuid.UUID) order.Money {
	t.Helper()
	b, err := s.Booking.Get(t.Context(), s.Owner, id)
	m, err := s.Orders.MoneyOf(t.Context(), s.Business.ID, must(t, b, err).Booking)
	return must(t, m, err)
}

// A24, A28, A29. The deposit is paid by card with the fee on it, as the golden row of the books has it; the balance
// is due at the studio and paid there by two methods without one. Then nothing is due.
func TestDeposit(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	s.deposits(t, 30)
	ada := s.Customer(t, "Ada")
	o, rate := s.taxed(t)
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	c, err := s.Checkout.Cart(t.Context(), ada, token)
	if must(t, c, err); c.Totals.TotalAmount != 2410 || c.Totals.DueLaterAmount != 1676 || c.Deposit == nil || *c.Deposit != (checkout.CartDeposit{NowAmount: 734, FullAmount: 2444}) {
		t.Fatalf("%+v, %+v", c.Totals, c.Deposit)
	}
	_, err = s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 2410})
	refused(t, "the whole total", err, checkout.ErrPriceChanged)
	p := s.pay(t, ada, token, 734)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	if p.Amount != 734 || got.DueAmount != 1676 || got.Card == nil || got.Card.Amount != 734 || got.Totals.TotalAmount != 2410 || got.Totals.DueLaterAmount != 1676 {
		t.Errorf("paid %d: %+v, %+v", p.Amount, got.Totals, got.Card)
	}
	if st := got.CostBases()[0]; st.PriceAmount != 719 || st.FeeAmount != 15 || st.DueAmount != 1676 {
		t.Errorf("stake %+v", st)
	}
	s.jobs(t)
	books := func(want map[ledger.Account]int64) {
		t.Helper()
		for account, amount := range want {
			if n := s.holds(t, account); n != amount {
				t.Errorf("%s holds %d, want %d", account, n, amount)
			}
		}
	}
	if fee := apptest.Value[int64](t, s.w, "select fee_amount from payments"); fee != 15 {
		t.Errorf("a platform fee of %d", fee)
	}
	books(map[ledger.Account]int64{ledger.IncomeClass: -660, ledger.Tax(rate.ID): -59, ledger.IncomeBookingFee: -15})
	b := got.Lines[0].BookingID
	if m := s.moneyOf(t, b); m.Paid != 719 || m.Due != 1676 || m.PaidAtStudio != 0 || m.OrderTotal != 2410 {
		t.Errorf("%+v", m)
	}
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{b}, Tenders: []owed.Tender{{Method: tender.Other, Amount: 700}, {Method: tender.Cash}},
	})
	if must(t, sale, err); sale.Amount != 1676 || sale.BalanceDueAmount != 0 || len(sale.Payments) != 2 || sale.Payments[0].OrderID != got.OrderID {
		t.Errorf("%+v", sale)
	}
	books(map[ledger.Account]int64{ledger.IncomeClass: -2200, ledger.Tax(rate.ID): -195, ledger.IncomeBookingFee: -15})
	if m := s.moneyOf(t, b); m.Paid != 719 || m.Due != 0 || m.PaidAtStudio != 1676 {
		t.Errorf("%+v", m)
	}
	r := s.receipt(t, got.Receipt)
	if r.DueAmount != 0 || len(r.Payments) != 2 {
		t.Errorf("receipt %d due, %d payments at the studio", r.DueAmount, len(r.Payments))
	}
	if st := r.CostBases()[0]; st.PriceAmount != 2395 || st.FeeAmount != 15 || st.DueAmount != 0 {
		t.Errorf("stake %+v", st)
	}
	_, err = s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b}, Tenders: owed.Pays(tender.Cash)},
	)
	refused(t, "again", err, checkout.ErrNothingToPay)
	s.check(t)
}

// The customer may pay all of it at once, and change their mind: the payment that began with the other choice is
// given up.
func TestDepositInFull(t *testing.T) {
	s := open(t)
	s.deposits(t, 30)
	ada := s.Customer(t, "Ada")
	o, _ := s.taxed(t)
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	first := s.pay(t, ada, token, 719)
	all := true
	in := checkout.PayInput{QuotedAmount: 2395, InFull: &all}
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 719, InFull: &all})
	refused(t, "the deposit", err, checkout.ErrPriceChanged)
	p, err := s.Checkout.Pay(t.Context(), ada, token, in)
	if must(t, p, err); p.Amount != 2395 || p.ClientSecret == first.ClientSecret {
		t.Errorf("%d", p.Amount)
	}
	again, err := s.Checkout.Pay(t.Context(), ada, token, in)
	if must(t, again, err); again.ClientSecret != p.ClientSecret {
		t.Error("another payment for the same choice")
	}
	c, err := s.Checkout.Cart(t.Context(), ada, token)
	if must(t, c, err); c.Deposit == nil || *c.Deposit != (checkout.CartDeposit{InFull: true, NowAmount: 719, FullAmount: 2395}) || c.Totals.DueNow() != 2395 {
		t.Errorf("%+v %+v", c.Deposit, c.Totals)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	if got.DueAmount != 0 || got.Card.Amount != 2395 {
		t.Errorf("%+v", got.Receipt)
	}
	s.check(t)
}

// A customer who cancels has nothing more to pay: in time the deposit is refunded, late it is lost, as the message
// about it shows.
func TestDepositCancelled(t *testing.T) {
	for name, c := range map[string]struct {
		wait       time.Duration
		back, lost int64
	}{"in time": {0, 719, 0}, "late": {30 * time.Hour, 0, 719}} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.deposits(t, 30)
			ada := s.Customer(t, "Ada")
			o, _ := s.taxed(t)
			got := s.withDeposit(t, ada, o)
			b := got.Lines[0].BookingID
			s.w.Clock.Advance(c.wait)
			is, err := s.Booking.Get(t.Context(), s.Owner, b)
			must(t, is, err)
			costs := is.Costs(got.CostBases()[0], s.w.Clock.Now())
			cost, err := s.Booking.CancelMine(t.Context(), mine(ada), b)
			if must(t, cost, err); cost.Done.RefundAmount != c.back || cost.Done.ForfeitedAmount != c.lost || costs[0].LostAmount != c.lost {
				t.Errorf("%+v, told %+v", cost, costs)
			}
			if m := s.moneyOf(t, b); m.Due != 0 || m.OrderRefunded != c.back {
				t.Errorf("%+v", m)
			}
			if r := s.receipt(t, got.Receipt); r.DueAmount != 0 {
				t.Errorf("%d due", r.DueAmount)
			}
			_, err = s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b}, Tenders: owed.Pays(tender.Cash)},
			)
			refused(t, "at the desk", err, checkout.ErrNothingToPay)
			s.check(t)
		})
	}
}

// A payment at the desk besides the deposit is refunded there, if the studio cancels.
func TestRefundOfDepositAndBalance(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	s.deposits(t, 30)
	o, _ := s.taxed(t)
	got := s.withDeposit(t, s.Customer(t, "Ada"), o)
	b := got.Lines[0].BookingID
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{b}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: 1000}},
	})
	if must(t, sale, err); sale.BalanceDueAmount != 676 {
		t.Errorf("%+v", sale)
	}
	cost, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: b, By: booking.ByStudio, Reason: "ill"})
	if did := must(t, cost, err).Done; did.RefundAmount != 734 || did.DeskAmount != 1000 || s.moneyOf(t, b).Due != 0 {
		t.Errorf("%+v", cost)
	}
	s.check(t)
}

// A saved card pays the balance of a deposit, with the remainder of the line's tax, after cash paid a part of it. If
// the studio cancels, both payments are refunded to the card and the cash to the customer: nothing remains in the
// books.
func TestBalanceOfADepositByCard(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	income := s.holds(t, ledger.IncomeClass)
	s.deposits(t, 30)
	o, rate := s.taxed(t)
	got := s.withDeposit(t, ada, o)
	b := got.Lines[0].BookingID
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{b}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: 701}},
	})
	must(t, sale, err)
	for range 2 {
		debt, err := s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
		if must(t, debt, err); debt.Amount != 1676-701 || len(debt.Lines) != 1 {
			t.Fatalf("%+v", debt)
		}
	}
	s.jobs(t)
	if m := s.moneyOf(t, b); m.Due != 0 || m.Paid != 719+975 || m.PaidAtStudio != 701 {
		t.Errorf("%+v", m)
	}
	if tax, more := s.holds(t, ledger.Tax(rate.ID)), s.holds(t, ledger.IncomeClass)-income; tax != -195 || more != -2200 {
		t.Errorf("%d of tax, %d of income", tax, more)
	}
	r := s.receipt(t, got.Receipt)
	if st := r.CostBases()[0]; r.DueAmount != 0 || len(r.Later) != 1 || r.Later[0].Amount != 975 || st.PriceAmount != 2395 || st.DueAmount != 0 {
		t.Errorf("%d due, %+v, stake %+v", r.DueAmount, r.Later, st)
	}
	of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), []booking.Booking{s.bookingOf(t, ada, b)})
	if st := must(t, of, err)[b]; st.PriceAmount != 2395 || st.DueAmount != 0 {
		t.Errorf("at stake: %+v", st)
	}
	_, err = s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
	refused(t, "again", err, checkout.ErrNothingToPay)
	cost, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: b, By: booking.ByStudio, Reason: "ill"})
	if did := must(t, cost, err).Done; did.RefundAmount != 734+975 || did.DeskAmount != 701 {
		t.Errorf("%+v", did)
	}
	s.jobs(t)
	if m := s.moneyOf(t, b); m.Due != 0 || m.OrderRefunded != 734+975 {
		t.Errorf("refunds: %+v", m)
	}
	s.check(t)
}

// Credit pays the deposit first, or all of it; then no card is needed, and the balance is due at the studio all the
// same.
func TestDepositWithCredit(t *testing.T) {
	for name, c := range map[string]struct{ has, credit, card, left, tax int64 }{
		"a part": {300, 300, 419, 0, 34 + 24}, "all of it": {1000, 719, 0, 281, 59},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			ada, _ := s.credited(t, "Ada", c.has)
			s.deposits(t, 30)
			o, rate := s.taxed(t)
			token, cart := s.useCredit(t, ada, o)
			if cart.Totals.CreditAmount() != c.credit || cart.Totals.DueNow() != c.card || cart.Totals.DueLaterAmount != 1676 ||
				cart.Deposit.FullAmount != 2395-c.has {
				t.Fatalf("%+v %+v", cart.Totals, cart.Deposit)
			}
			if c.card > 0 {
				s.PayCard(t, s.pay(t, ada, token, c.card).ClientSecret, apptest.CardGood)
			}
			got := s.confirm(t, ada, token)
			if got.DueAmount != 1676 || s.balance(t) != c.left {
				t.Errorf("%d due, %d of credit left", got.DueAmount, s.balance(t))
			}
			b := got.Lines[0].BookingID
			if m := s.moneyOf(t, b); m.Paid != c.card || m.PaidAtStudio != c.credit || m.Due != 1676 {
				t.Errorf("%+v", m)
			}
			s.jobs(t)
			if n := s.holds(t, ledger.Tax(rate.ID)); n != -c.tax {
				t.Errorf("%d of tax", n)
			}
			sale, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b}, Tenders: owed.Pays(tender.Cash)},
			)
			if must(t, sale, err); sale.Amount != 1676 || s.moneyOf(t, b).Due != 0 || s.holds(t, ledger.Tax(rate.ID)) != -195 {
				t.Errorf("%+v", sale)
			}
			cost, err := s.Booking.CancelMine(t.Context(), mine(ada), b)
			if must(t, cost, err); cost.Done.RefundAmount != c.card || cost.Done.CreditAmount != c.credit || cost.Done.DeskAmount != 1676 || s.balance(t) != c.has {
				t.Errorf("%+v, %d of credit", cost, s.balance(t))
			}
			s.check(t)
		})
	}
}

// A request authorizes the deposit on the card, and the approval captures it.
func TestDepositAuthorized(t *testing.T) {
	s := open(t)
	s.deposits(t, 50)
	o := s.withApproval(t, 1)
	got := s.withDeposit(t, s.Customer(t, "Ada"), o)
	if got.Card.State != order.CardAuthorized || got.Card.Amount != 1100 || got.DueAmount != 1100 {
		t.Errorf("%+v, %d due", got.Card, got.DueAmount)
	}
	a, err := s.Booking.Approve(t.Context(), s.Owner, booking.ApproveInput{BookingID: got.Lines[0].BookingID})
	must(t, a, err)
	s.jobs(t)
	if r := s.receipt(t, got.Receipt); r.Card.State != order.CardCaptured || r.DueAmount != 1100 {
		t.Errorf("%+v, %d due", r.Card, r.DueAmount)
	}
	s.check(t)
}
