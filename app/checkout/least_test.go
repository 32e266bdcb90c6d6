package checkout_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/discount"
	"foyer/app/money"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
)

// with is a cart of one class at a price, with a code.
func (s shop) with(t testing.TB, who tenancy.Scope, price int64, code string) (string, checkout.Cart) {
	t.Helper()
	token := s.Fill(t, s.class(t, price, 5))
	c, err := s.Checkout.ApplyCode(t.Context(), who, token, code)
	return token, must(t, c, err)
}

// An amount after discounts that no card can pay is waived: the cart costs nothing, shows so, and is booked without a
// card.
func TestADiscountLeavesNothingThatNoCardCanPay(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	s.discount(t, "NEARLY", func(in *discount.CreateInput) { in.PPM = 990_000 })
	s.discount(t, "HALF", func(in *discount.CreateInput) { in.PPM = 975_000 })
	ada := s.Customer(t, "Ada")
	token, c := s.with(t, ada, 2000, "NEARLY")
	if c.Totals.TotalAmount != 0 || c.Totals.DiscountAmount != 2000 || c.Code.Amount != 2000 || c.Code.Problem != nil || c.Least != 0 {
		t.Errorf("99 %% of 20.00: %+v, the code %+v", c.Totals, c.Code)
	}
	h, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{QuotedAmount: &c.Totals.TotalAmount})
	must(t, h, err)
	if got := s.confirm(t, ada, token); got.Totals.TotalAmount != 0 || got.Totals.DiscountAmount != 2000 || got.State != order.Fulfilled {
		t.Errorf("booked as %+v", got.Totals)
	}
	token, c = s.with(t, ada, 2000, "HALF")
	if c.Totals.TotalAmount != 51 || c.Totals.DiscountAmount != 1950 || !c.Card {
		t.Errorf("97.5 %% of 20.00 is what a card can pay: %+v", c.Totals)
	}
	s.hold(t, ada, token)
	s.PayCard(t, s.pay(t, ada, token, 51).ClientSecret, "4242424242424242")
	s.confirm(t, ada, token)
	s.check(t)
}

// A price below the card minimum is refused with the minimum, and without a word about cards if none are accepted.
func TestBelowTheCardMinimum(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 49, 5))
	s.hold(t, ada, token)
	_, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 49})
	refused(t, "49 cents", err, billing.ErrBelowCardMinimum)
	if detail(err, "least") != int64(50) || detail(err, "amount") != int64(49) || detail(err, "currency") != "USD" {
		t.Errorf("%v", err)
	}
	if c := s.cart(t, token); c.Card || c.Least != 50 {
		t.Errorf("%+v", c)
	}
	s.w.SQL(t, "update processor_accounts set state = 'restricted'")
	_, err = s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: 49})
	refused(t, "no card is taken", err, processor.ErrCardUnavailable)
}

// Every currency of the table: the amount after discounts can be paid by card, or is nothing; and so can the balance
// of a deposit.
func TestTheLeastOfEveryCurrency(t *testing.T) {
	for _, info := range money.Currencies() {
		least := info.MinCharge
		if err := billing.Chargeable(max(least, info.ChargeMultiple), info.Code); err != nil {
			t.Errorf("%s: the least itself: %v", info.Code, err)
		}
		if least == 0 {
			continue
		}
		err := billing.Chargeable(least-1, info.Code)
		if refused(t, string(info.Code), err, billing.ErrBelowCardMinimum); detail(err, "least") != least {
			t.Errorf("%s: %v", info.Code, err)
		}
		terms := order.Terms{Currency: info.Code, TaxMode: business.TaxExclusive, FeeMode: billing.ModeAbsorb, WaiveRemainder: true}
		most := order.Off{ID: uuid.New(), PPM: 995_000, Lines: []bool{true}}
		q := order.Price([]order.Item{{ListedAmount: 100 * least}}, []order.Off{most}, terms)
		if q.Totals.TotalAmount != 0 || q.Totals.Discounts[0].Amount != 100*least || q.Lines[0].Discounts[0].Amount != 100*least {
			t.Errorf("%s: waived %+v", info.Code, q.Totals)
		}
		items := []order.Item{{ListedAmount: 10 * least, Deposit: catalog.DepositRules{Amount: 9*least + 1}}}
		if d := order.Price(items, nil, terms).Totals; d.DueLaterAmount != 0 || d.Now() != d.TotalAmount {
			t.Errorf("%s: a deposit leaves %d, which no card can pay", info.Code, d.DueLaterAmount)
		}
		items[0].Deposit.Amount = 9 * least
		if d := order.Price(items, nil, terms).Totals; d.DueLaterAmount != least {
			t.Errorf("%s: a deposit leaves %d", info.Code, d.DueLaterAmount)
		}
	}
}
