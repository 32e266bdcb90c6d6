package checkout_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// credited is a customer who has credit.
func (s shop) credited(t testing.TB, name string, amount int64) (tenancy.Scope, uuid.UUID) {
	t.Helper()
	who := s.Customer(t, name)
	token := s.Fill(t, s.class(t, 0, 1))
	s.hold(t, who, token)
	if err := s.Checkout.Release(t.Context(), who, token); err != nil {
		t.Fatal(err)
	}
	id := apptest.Value[uuid.UUID](t, s.w, "select id from customers where person_id = $1", who.Person())
	s.grant(t, id, amount)
	return who, id
}

// grant gives a customer credit, or takes it away.
func (s shop) grant(t testing.TB, customer uuid.UUID, amount int64) {
	t.Helper()
	m, err := credit.New(s.w.DB).Adjust(t.Context(), s.Owner, credit.AdjustInput{
		CustomerID: customer, LocationID: s.Location.ID, Amount: amount, Note: "a gift",
	})
	must(t, m, err)
}

func (s shop) balance(t testing.TB) int64 {
	t.Helper()
	return apptest.Value[int64](t, s.w, "select coalesce(sum(balance), 0)::bigint from credits")
}

// useCredit holds a cart of these dates and has credit pay first.
func (s shop) useCredit(t testing.TB, who tenancy.Scope, o ...apptest.OccurrenceRow) (string, checkout.Cart) {
	t.Helper()
	token := s.Fill(t, o...)
	s.hold(t, who, token)
	c, err := s.Checkout.UseCredit(t.Context(), who, token, true)
	return token, must(t, c, err)
}

// For any amount of credit: a card pays nothing, or no less than it can, and its fees are those of its payment;
// credit pays no more than its balance and the amount due, and never so much that a card could not pay the remaining
// amount.
func TestCreditInThePrice(t *testing.T) {
	r := rand.New(rand.NewPCG(walks.Seed(t), 0))
	modes := []billing.Mode{billing.ModeAbsorb, billing.ModeSplit, billing.ModeCustomer}
	for range 50_000 {
		terms := order.Terms{Currency: "USD", TaxMode: business.TaxExclusive, FeeMode: modes[r.IntN(3)], FeePPM: r.Int64N(300_001), SplitPPM: 500_000}
		items := []order.Item{{ListedAmount: 1 + r.Int64N(5000), Tax: &order.Tax{PPM: 88_750}}, {ListedAmount: r.Int64N(300)}}
		if r.IntN(2) == 0 {
			terms.TaxMode = business.TaxInclusive
		}
		plain := order.Price(items, nil, terms).Totals
		has := r.Int64N(7000)
		terms.Prepaid = []tender.Prepaid{{Kind: tender.AccountCredit, Amount: has}}
		got := order.Price(items, nil, terms).Totals
		rest, due := got.DueNow(), got.TotalAmount-got.ServiceFeeAmount
		if terms.TaxMode == business.TaxExclusive && got.Taxes[0].Amount != plain.Taxes[0].Amount {
			t.Fatalf("tax %+v, without credit %+v", got, plain)
		}
		switch {
		case due != plain.TotalAmount-plain.ServiceFeeAmount:
			t.Fatalf("due %+v, without credit %+v", got, plain)
		case got.CreditAmount() > min(has, due), got.CreditAmount() < 0, got.ServiceFeeAmount > plain.ServiceFeeAmount:
			t.Fatalf("%d of credit: %+v, without %+v", has, got, plain)
		case rest == 0 && got.ServiceFeeAmount != 0, rest > 0 && rest < 50 && got.CreditAmount() > 0:
			t.Fatalf("%d of credit: %+v", has, got)
		// the fee of one unit more can be two with its tax
		case has >= due && rest != 0, got.CreditAmount() < has && rest > 55:
			t.Fatalf("%d of credit is not used: %+v, without %+v", has, got, plain)
		}
	}
}

// Credit pays all of a cart: no processor, no fee, one transaction; it is refunded as credit if the booking is
// cancelled.
func TestCreditPaysAll(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	ada, _ := s.credited(t, "Ada", 3000)
	o := s.class(t, 2200, 1, func(r *apptest.OfferingRow) { r.TaxRate = &rate.ID })
	token, c := s.useCredit(t, ada, o)
	if c.Totals.TotalAmount != 2395 || c.Totals.CreditAmount() != 2395 || c.Totals.ServiceFeeAmount != 0 || c.Card ||
		c.Credit.FreeAmount != 3000 {
		t.Fatalf("%+v", c.Totals)
	}
	if other, err := s.Checkout.Cart(t.Context(), s.Customer(t, "Bob"), token); err != nil || other.Credit != nil ||
		other.Totals.CreditAmount() != 0 ||
		other.Totals.TotalAmount != 2444 || !other.Card {
		t.Errorf("somebody else reads %+v, %v", other.Totals, err)
	}
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 0})
	refused(t, "by card", err, checkout.ErrNothingToPay)
	got := s.confirm(t, ada, token)
	if got.Card != nil || len(got.Payments) != 1 || got.Payments[0].Method != tender.AccountCredit ||
		got.Payments[0].Amount != 2395 || got.Totals.CreditAmount() != 2395 {
		t.Errorf("receipt %+v", got)
	}
	if again := s.confirm(t, ada, token); again.OrderID != got.OrderID || s.balance(t) != 605 {
		t.Errorf("again: %v, %d left", again.OrderID, s.balance(t))
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments"); n != 0 {
		t.Errorf("%d payments by card", n)
	}
	for account, want := range map[ledger.Account]int64{ledger.Credit: -605, ledger.IncomeClass: -2200, ledger.Tax(rate.ID): -195, ledger.Clearing: 0} {
		if n := s.holds(t, account); n != want {
			t.Errorf("%s holds %d, want %d", account, n, want)
		}
	}
	cost, err := s.Booking.CancelMine(t.Context(), mine(ada), got.Lines[0].BookingID)
	if must(t, cost, err); s.balance(t) != 3000 {
		t.Errorf("%d after cancelling: %+v", s.balance(t), cost)
	}
	s.check(t)
}

// A24, A28. Credit pays a part, and a card the remaining amount with its fees: those are of the card's part alone.
// Cancelling refunds each its own.
func TestCreditAndCard(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	ada, _ := s.credited(t, "Ada", 1200)
	o, p := s.class(t, 2200, 1), s.class(t, 1000, 1)
	token, c := s.useCredit(t, ada, o, p)
	if c.Totals.ServiceFeeAmount != 41 || c.Totals.TotalAmount != 3241 || c.Totals.CreditAmount() != 1200 ||
		c.Totals.DueNow() != 2041 {
		t.Fatalf("%+v", c.Totals)
	}
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 3241})
	refused(t, "all of it by card", err, checkout.ErrPriceChanged)
	pay := s.pay(t, ada, token, 2041)
	if pay.Amount != 2041 || s.balance(t) != 1200 {
		t.Errorf("the card pays %d, balance %d", pay.Amount, s.balance(t))
	}
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	got := s.confirm(t, ada, token)
	if got.Card.Amount != 2041 || got.Payments[0].Amount != 1200 || s.balance(t) != 0 {
		t.Errorf("receipt %+v", got)
	}
	if fee := apptest.Value[int64](t, s.w, "select fee_amount from payments"); fee != 41 {
		t.Errorf("platform fee %d", fee)
	}
	s.jobs(t)
	for account, want := range map[ledger.Account]int64{ledger.Credit: 0, ledger.IncomeClass: -3200, ledger.IncomeBookingFee: -41} {
		if n := s.holds(t, account); n != want {
			t.Errorf("%s holds %d, want %d", account, n, want)
		}
	}
	for i, want := range []int64{825, 1200} { // 22.00 of 32.00 is 8.25 of the credit
		b := got.Lines[i].BookingID
		m, err := s.Orders.MoneyOf(t.Context(), s.Business.ID, s.booked(t, b))
		if must(t, m, err); m.Paid+m.PaidAtStudio != []int64{2200, 1000}[i] || m.Due != 0 {
			t.Errorf("money of line %d: %+v", i, m)
		}
		_, err = s.Booking.CancelMine(t.Context(), mine(ada), b)
		if must(t, 0, err); s.balance(t) != want {
			t.Errorf("after line %d: %d, want %d", i, s.balance(t), want)
		}
	}
	s.jobs(t)
	if back := apptest.Value[int64](
		t, s.w, "select sum(amount)::bigint from refunds where payment_id is not null",
	); back != 2000 {
		t.Errorf("%d went back to the card, without the service fee", back)
	}
	s.check(t)
}

// A card pays no less than it can: then credit pays less.
func TestCreditLeavesTheLeast(t *testing.T) {
	for mode, want := range map[billing.Mode][3]int64{billing.ModeAbsorb: {50, 2150, 0}, billing.ModeCustomer: {50, 2151, 1}} {
		s := open(t)
		s.feeMode(t, mode)
		ada, _ := s.credited(t, "Ada", 2190)
		token, c := s.useCredit(t, ada, s.class(t, 2200, 1))
		if c.Totals.DueNow() != want[0] || c.Totals.CreditAmount() != want[1] || c.Totals.ServiceFeeAmount != want[2] ||
			!c.Card {
			t.Errorf("%s: %+v", mode, c.Totals)
		}
		pay := s.pay(t, ada, token, c.Totals.DueNow())
		s.PayCard(t, pay.ClientSecret, apptest.CardGood)
		s.confirm(t, ada, token)
		s.check(t)
	}
}

// Where no card can pay, credit pays all or nothing.
func TestCreditWithoutCards(t *testing.T) {
	w := apptest.Open(t)
	s := shop{w.SalesWithoutCards(t), w}
	ada, customer := s.credited(t, "Ada", 2000)
	token, c := s.useCredit(t, ada, s.class(t, 2200, 1))
	if c.Totals.CreditAmount() != 0 || c.Card {
		t.Errorf("%+v", c.Totals)
	}
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "too little", err, checkout.ErrPaymentRequired)
	s.grant(t, customer, 200)
	if got := s.confirm(t, ada, token); got.Totals.CreditAmount() != 2200 || s.balance(t) != 0 {
		t.Errorf("%+v", got.Totals)
	}
	s.w.CheckBooks(t)
}

// A payment with credit, or in cash, is at stake like a card payment: the receipt and the booking agree on the amount
// kept after a late cancellation, and a refunded amount is at stake no more.
func TestCostBasisOfEveryTender(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	ada, _ := s.credited(t, "Ada", 1200)
	late := s.class(t, 2200, 2)
	token, c := s.useCredit(t, ada, late)
	s.PayCard(t, s.pay(t, ada, token, c.Totals.DueNow()).ClientSecret, apptest.CardGood)
	bought := s.confirm(t, ada, token)
	byDesk := s.byDesk(t, ada, s.class(t, 3000, 2))
	s.jobs(t)
	taken, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{byDesk.ID}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: 1000}},
	})
	must(t, taken, err)
	stakes := func() (booking.CostBasis, booking.CostBasis) {
		t.Helper()
		of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), []booking.Booking{s.booked(t, bought.Lines[0].BookingID), byDesk})
		return must(t, of, err)[bought.Lines[0].BookingID], of[byDesk.ID]
	}
	mixed, cash := stakes()
	if paid := bought.CostBases()[0]; mixed.PriceAmount != 2200 || mixed.FeeAmount != c.Totals.ServiceFeeAmount || !same(mixed, paid) {
		t.Errorf("%+v, by the receipt %+v", mixed, paid)
	}
	if cash.PriceAmount != 1000 || cash.FeeAmount != 0 {
		t.Errorf("in cash: %+v", cash)
	}
	s.w.Clock.Set(late.StartsAt.Add(-time.Hour))
	done, err := s.Booking.CancelMine(t.Context(), mine(ada), bought.Lines[0].BookingID)
	if got := must(t, done, err).Done; got.ForfeitedAmount != mixed.PriceAmount || got.ServiceFeeAmount != mixed.FeeAmount {
		t.Errorf("late: %+v, at stake were %+v", got, mixed)
	}
	s.check(t)
}

// booked reads a booking.
func (s shop) booked(t testing.TB, id uuid.UUID) booking.Booking {
	t.Helper()
	b, err := s.Booking.Get(t.Context(), s.Owner, id)
	return must(t, b.Booking, err)
}
