package checkout_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/processor"
)

// During a card payment of the remaining amount the credit is reserved: neither another cart, nor the desk, nor a
// removal by hand can use it. It is free again when the seats are released, the choice changes or the hold expires; a
// reservation that ends by itself survives a crash, too.
func TestCreditIsReserved(t *testing.T) {
	s := open(t)
	ada, customer := s.credited(t, "Ada", 1200)
	token, c := s.useCredit(t, ada, s.class(t, 2200, 1))
	s.pay(t, ada, token, c.Totals.DueNow())
	free := func(want int64) {
		t.Helper()
		got, err := s.Checkout.CreditOf(t.Context(), ada, c)
		if must(t, got, err); got != want {
			t.Errorf("%d are free, want %d", got, want)
		}
	}
	free(0)
	second, other := s.useCredit(t, ada, s.class(t, 2000, 1))
	if other.Credit != nil || other.Totals.CreditAmount() != 0 {
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
	if c, err := s.Checkout.Cart(t.Context(), ada, second); err != nil || c.Totals.CreditAmount() != 1200 {
		t.Errorf("then it pays the second: %+v, %v", c.Totals, err)
	}
	s.pay(t, ada, second, 800)
	free(0)
	plain, err := s.Checkout.UseCredit(t.Context(), ada, second, false)
	if must(t, plain, err); plain.Totals.CreditAmount() != 0 || plain.Order != nil {
		t.Errorf("without: %+v", plain.Totals)
	}
	free(1200)
	s.check(t)
}

// A payment after the hold expired: with the credit still there it is booked, and with the credit gone all of it is
// refunded.
func TestCreditAndLateMoney(t *testing.T) {
	for name, spent := range map[string]bool{"the credit is there": false, "the credit is gone": true} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			ada, customer := s.credited(t, "Ada", 1200)
			o := s.class(t, 2200, 1)
			token, c := s.useCredit(t, ada, o)
			pay := s.pay(t, ada, token, c.Totals.DueNow())
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
			if want := map[bool]string{false: "fulfilled", true: "refunded"}[spent]; state != want || outcome != want {
				t.Errorf("order is %s, payment %s", state, outcome)
			}
			if want := map[bool]int64{false: 0, true: 500}[spent]; s.balance(t) != want {
				t.Errorf("%d of credit", s.balance(t))
			}
			s.check(t)
		})
	}
}

// Fifty carts of one customer, as many at once as one person may hold, each of which the same credit could pay or
// begin to pay: in every round it goes into one order, and is never spent twice.
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
			tokens[i], rests[i] = token, c.Totals.DueNow()
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

// Hold, choose credit, pay and confirm, killed at every call to the database, before and after it; then the customer
// tries again. Each time there is one booking, and its credit is spent once.
func TestCreditKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	for _, mode := range []struct {
		after bool
		price int64
	}{{false, 2200}, {true, 2200}, {true, 900}} {
		n := 0
		for spared := false; !spared; {
			n++
			ada, customer := s.credited(t, "Ada", 1000)
			token := s.Fill(t, s.class(t, mode.price, 1))
			err := d.withCredit(t, k.arm(t.Context(), n, mode.after), ada, token)
			if spared = k.spared(); spared && err != nil {
				t.Fatalf("nobody was killed, and yet: %v", err)
			}
			if err := s.withCredit(t, t.Context(), ada, token); err != nil {
				t.Errorf("killed at call %d, %+v, then: %v", n, mode, err)
			}
			left := apptest.Value[int64](t, s.w, "select balance from credits where customer_id = $1", customer)
			sold := apptest.Value[int](t, s.w, `select count(*) from orders o join order_tenders t on t.order_id = o.id
				and t.kind = 'account_credit'
				where o.customer_id = $1 and o.state = 'fulfilled'`, customer)
			if left != 1000-min(mode.price, 1000) || sold != 1 {
				t.Errorf("killed at call %d, %+v: %d of credit left, sold %d times", n, mode, left, sold)
			}
		}
		t.Logf("%d calls to the database, %+v", n-1, mode)
	}
	s.check(t)
}

// withCredit holds a cart, has credit pay first and a card the remaining amount, and confirms, as far as it comes.
func (s shop) withCredit(t *testing.T, ctx context.Context, who tenancy.Scope, token string) error {
	t.Helper()
	_, err := s.Checkout.Hold(ctx, who, token, checkout.HoldInput{})
	var c checkout.Cart
	if err == nil {
		c, err = s.Checkout.UseCredit(ctx, who, token, true)
	}
	if err == nil && c.Totals.DueNow() > 0 {
		var p checkout.Payment
		if p, err = s.Checkout.Pay(ctx, who, token, checkout.PayInput{QuotedAmount: c.Totals.DueNow()}); err == nil && p.Status != processor.StatusSucceeded {
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
		}
	}
	if err != nil && !errors.Is(err, checkout.ErrOrdered) {
		return err
	}
	_, err = s.Checkout.Confirm(ctx, who, token)
	return err
}

// Credit that is agreed with an order is no payment until it is captured: it cannot be refunded, and once the cart is
// given up it cannot be spent.
func TestAgreedCreditIsNoPayment(t *testing.T) {
	s := open(t)
	ada, _ := s.credited(t, "Ada", 1200)
	token, c := s.useCredit(t, ada, s.class(t, 2200, 1))
	s.pay(t, ada, token, c.Totals.DueNow())
	agreed := apptest.Value[uuid.UUID](t, s.w, "select id from order_tenders where state = 'authorized'")
	order := apptest.Value[uuid.UUID](t, s.w, "select order_id from order_tenders where id = $1", agreed)
	within := func(fn func(tx *pg.Tx) error) error { return pg.Do(t.Context(), s.w.DB, s.Business.ID, fn) }
	refund := func(tx *pg.Tx) error {
		_, err := s.Billing.RefundTx(t.Context(), tx, billing.RefundInput{PaymentID: agreed, Amount: 1})
		return err
	}
	if err := within(refund); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("refunded while it is reserved: %v", err)
	}
	if err := s.Checkout.Release(t.Context(), ada, token); err != nil {
		t.Fatal(err)
	}
	spend := func(tx *pg.Tx) error { return s.Billing.CapturePrepaidTx(t.Context(), tx, s.Owner, order) }
	if err := within(spend); !fault.IsKind(err, fault.NotFound) || s.balance(t) != 1200 {
		t.Errorf("spent for a cart that was given up: %v, balance %d", err, s.balance(t))
	}
	if err := within(refund); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("refunded though it never paid: %v", err)
	}
	s.check(t)
}
