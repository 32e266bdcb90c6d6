package checkout_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
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

// Credit pays all of a cart: no processor, no fee, one transaction; it comes back when the booking is cancelled.
func TestCreditPaysAll(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	ada, _ := s.credited(t, "Ada", 3000)
	o := s.class(t, 2200, 1, func(r *apptest.OfferingRow) { r.TaxRate = &rate.ID })
	token, c := s.useCredit(t, ada, o)
	if c.Totals.TotalAmount != 2395 || c.Totals.CreditAmount != 2395 || c.Totals.ServiceFeeAmount != 0 || c.Card || c.Credit.FreeAmount != 3000 {
		t.Fatalf("%+v", c.Totals)
	}
	if other, err := s.Checkout.Cart(t.Context(), s.Customer(t, "Bob"), token); err != nil || other.Credit != nil || other.Totals.CreditAmount != 0 ||
		other.Totals.TotalAmount != 2444 || !other.Card {
		t.Errorf("somebody else reads %+v, %v", other.Totals, err)
	}
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 0})
	refused(t, "by card", err, checkout.ErrNothingToPay)
	got := s.confirm(t, ada, token)
	if got.Card != nil || len(got.Takings) != 1 || got.Takings[0].Method != billing.MethodCredit || got.Takings[0].Amount != 2395 || got.Totals.CreditAmount != 2395 {
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

// A24, A28. Credit pays a part, and a card the rest with its fees: those are of the card's part alone. Cancelling gives each its own back.
func TestCreditAndCard(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	ada, _ := s.credited(t, "Ada", 1200)
	o, p := s.class(t, 2200, 1), s.class(t, 1000, 1)
	token, c := s.useCredit(t, ada, o, p)
	if c.Totals.ServiceFeeAmount != 41 || c.Totals.TotalAmount != 3241 || c.Totals.CreditAmount != 1200 || c.Totals.Rest() != 2041 {
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
	if got.Card.Amount != 2041 || got.Takings[0].Amount != 1200 || s.balance(t) != 0 {
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
		m, err := s.Checkout.MoneyOf(t.Context(), s.Business.ID, s.booked(t, b))
		if must(t, m, err); m.Paid+m.Taken != []int64{2200, 1000}[i] || m.Due != 0 {
			t.Errorf("money of line %d: %+v", i, m)
		}
		_, err = s.Booking.CancelMine(t.Context(), mine(ada), b)
		if must(t, 0, err); s.balance(t) != want {
			t.Errorf("after line %d: %d, want %d", i, s.balance(t), want)
		}
	}
	s.jobs(t)
	if back := apptest.Value[int64](t, s.w, "select sum(amount)::bigint from refunds"); back != 2000 {
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
		if c.Totals.Rest() != want[0] || c.Totals.CreditAmount != want[1] || c.Totals.ServiceFeeAmount != want[2] || !c.Card {
			t.Errorf("%s: %+v", mode, c.Totals)
		}
		pay := s.pay(t, ada, token, c.Totals.Rest())
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
	if c.Totals.CreditAmount != 0 || c.Card {
		t.Errorf("%+v", c.Totals)
	}
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "too little", err, checkout.ErrPaymentRequired)
	s.grant(t, customer, 200)
	if got := s.confirm(t, ada, token); got.Totals.CreditAmount != 2200 || s.balance(t) != 0 {
		t.Errorf("%+v", got.Totals)
	}
	s.w.CheckBooks(t)
}

// While a card pays the rest, the credit is kept: neither another cart, nor the desk, nor the studio's hand takes it. It is free again when
// the seats are let go, the choice changes or the hold is over; giving nothing back is what makes it so after a crash, too.
func TestCreditIsKept(t *testing.T) {
	s := open(t)
	ada, customer := s.credited(t, "Ada", 1200)
	token, c := s.useCredit(t, ada, s.class(t, 2200, 1))
	s.pay(t, ada, token, c.Totals.Rest())
	free := func(want int64) {
		t.Helper()
		got, err := s.Checkout.CreditOf(t.Context(), ada, c)
		if must(t, got, err); got != want {
			t.Errorf("%d are free, want %d", got, want)
		}
	}
	free(0)
	second, other := s.useCredit(t, ada, s.class(t, 2000, 1))
	if other.Credit != nil || other.Totals.CreditAmount != 0 {
		t.Errorf("a second cart: %+v", other.Totals)
	}
	_, err := credit.New(s.w.DB).Adjust(t.Context(), s.Owner, credit.AdjustInput{CustomerID: customer, LocationID: s.Location.ID, Amount: -1, Note: "back"})
	refused(t, "taking it away", err, credit.ErrShort)

	h, err := s.Checkout.Extend(t.Context(), ada, token)
	must(t, h, err)
	s.w.Clock.Set(h.ExpiresAt.Add(-time.Second))
	free(0)
	if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
		t.Fatal(err)
	}
	free(1200)
	s.hold(t, ada, second)
	if c, err := s.Checkout.Cart(t.Context(), ada, second); err != nil || c.Totals.CreditAmount != 1200 {
		t.Errorf("then it pays the second: %+v, %v", c.Totals, err)
	}
	s.pay(t, ada, second, 800)
	free(0)
	plain, err := s.Checkout.UseCredit(t.Context(), ada, second, false)
	if must(t, plain, err); plain.Totals.CreditAmount != 0 || plain.Order != nil {
		t.Errorf("without: %+v", plain.Totals)
	}
	free(1200)
	s.check(t)
}

// Money that comes when the hold is over: with the credit still there it is booked, and with the credit gone all of it goes back.
func TestCreditAndLateMoney(t *testing.T) {
	for name, spent := range map[string]bool{"the credit is there": false, "the credit is gone": true} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			ada, customer := s.credited(t, "Ada", 1200)
			o := s.class(t, 2200, 1)
			token, c := s.useCredit(t, ada, o)
			pay := s.pay(t, ada, token, c.Totals.Rest())
			s.w.Clock.Set(pay.ExpiresAt.Add(time.Second))
			if err := s.Booking.ExpireDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if spent {
				s.grant(t, customer, -700)
			}
			s.PayCard(t, pay.ClientSecret, apptest.CardGood)
			s.jobs(t)
			state, outcome := s.order(t)
			if want := map[bool]string{false: "settled", true: "refunded"}[spent]; state != want || outcome != want {
				t.Errorf("order is %s, payment %s", state, outcome)
			}
			if want := map[bool]int64{false: 0, true: 500}[spent]; s.balance(t) != want {
				t.Errorf("%d of credit", s.balance(t))
			}
			s.check(t)
		})
	}
}

// Fifty carts of one customer, as many at once as one person may hold, each of which the same credit could pay or begin to pay: in every
// round it goes into one order, and is never spent twice.
func TestCreditRace(t *testing.T) {
	const rounds, carts = 10, booking.HoldsMax
	s := open(t)
	ada, customer := s.credited(t, "Ada", 2200)
	winners := map[string]int{}
	for range rounds {
		var tokens [carts]string
		var rests [carts]int64
		for i := range carts {
			token, c := s.useCredit(t, ada, s.class(t, []int64{2200, 3000}[i%2], 1))
			tokens[i], rests[i] = token, c.Totals.Rest()
		}
		var sold, begun atomic.Int64
		var wg sync.WaitGroup
		for i := range carts {
			wg.Go(func() {
				n, err := &sold, error(nil)
				if i%2 == 1 {
					n = &begun
					_, err = s.Checkout.Pay(t.Context(), ada, tokens[i], checkout.PayInput{QuotedAmount: rests[i]})
				} else {
					_, err = s.Checkout.Confirm(t.Context(), ada, tokens[i])
				}
				switch {
				case err == nil:
					n.Add(1)
				case !errors.Is(err, credit.ErrShort) && !errors.Is(err, checkout.ErrPaymentRequired) && !errors.Is(err, checkout.ErrPriceChanged):
					t.Errorf("cart %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		if sold.Load()+begun.Load() != 1 || s.balance(t) != 2200*begun.Load() {
			t.Errorf("%d sold and %d begun with the credit of one: %d left", sold.Load(), begun.Load(), s.balance(t))
		}
		winners["sold"] += int(sold.Load())
		for _, token := range tokens {
			if err := s.Checkout.Release(t.Context(), ada, token); err != nil && !errors.Is(err, checkout.ErrOrdered) {
				t.Fatal(err)
			}
		}
		s.grant(t, customer, 2200*sold.Load()+1)
		s.grant(t, customer, -1)
	}
	t.Logf("%d of %d rounds were sold at once", winners["sold"], rounds)
	s.check(t)
}

// booked reads a booking.
func (s shop) booked(t testing.TB, id uuid.UUID) booking.Booking {
	t.Helper()
	b, err := s.Booking.Get(t.Context(), s.Owner, id)
	return must(t, b.Booking, err)
}
