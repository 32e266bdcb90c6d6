package checkout_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/order"
	"foyer/app/product"
)

// mat makes a published variant with one in stock.
func (s shop) mat(t testing.TB, price int64) uuid.UUID {
	t.Helper()
	goods, published := s.Services.Products, product.Published
	p, err := goods.Create(t.Context(), s.Owner, product.CreateInput{Name: "Mat"})
	must(t, p, err)
	v, err := goods.CreateVariant(t.Context(), s.Owner, product.CreateVariantInput{
		ProductID: p.ID, PriceAmount: price, Track: true,
	})
	must(t, v, err)
	_, err = goods.Receive(t.Context(), s.Owner, product.ReceiveInput{
		StockInput: product.StockInput{ProductID: p.ID, VariantID: v.ID, LocationID: s.Location.ID}, Quantity: 1,
	})
	must(t, 0, err)
	_, err = goods.Update(t.Context(), s.Owner, product.UpdateInput{ID: p.ID, Version: p.Version, State: &published})
	must(t, 0, err)
	return v.ID
}

// Hold, pay and confirm of a cart with the last one of a product, alone or beside a class, killed at every call to the
// database, before and after it; then the customer tries again. Each time the product has left the stock once, for one
// order that is paid once.
func TestKilledWithGoods(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	for _, mode := range []struct {
		after bool
		key   byte
		class bool
		price int64
	}{
		{false, 0, true, 1200}, {true, 1, true, 1200}, {false, 1, false, 1200}, {true, 0, false, 1200},
		{false, 1, true, 0}, {true, 0, false, 0},
	} {
		n := 0
		for spared := false; !spared; {
			n++
			v, total, token := s.mat(t, mode.price), mode.price, ""
			if mode.class {
				classPrice := min(mode.price, 1) * 2200
				token, total = s.Fill(t, s.class(t, classPrice, 1)), total+classPrice
			} else {
				token = s.Fill(t)
			}
			_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, order.CartItem{
				Kind: order.Product, Subject: v, Quantity: 1,
			})
			must(t, 0, err)
			who := s.Customer(t, "Ada")
			err = d.story(t, k.arm(t.Context(), n, mode.after), who, token, total, mode.key)
			if spared = k.spared(); spared && err != nil {
				t.Fatalf("nobody was killed, and yet: %v", err)
			}
			if err := s.story(t, t.Context(), who, token, total, mode.key); err != nil {
				t.Errorf("killed at call %d, %+v, then: %v", n, mode, err)
			}
			got := apptest.Value[string](t, s.w, `select s.on_hand || ' on hand, ' || s.held || ' held, ' ||
					(select count(*) from stock_moves m where m.variant_id = $1 and m.kind = 'sell') || ' sold, ' ||
					(select string_agg(o.state, ' ') from order_lines x join orders o on o.id = x.order_id
						where x.subject_id = $1 and o.state <> 'cancelled')
				from stock_levels s where s.variant_id = $1`, v)
			if got != "0 on hand, 0 held, 1 sold, fulfilled" {
				t.Errorf("killed at call %d, %+v: %s", n, mode, got)
			}
		}
		t.Logf("%d calls to the database, %+v", n-1, mode)
	}
	most := "select max(n)::int from (select count(*) n from payments group by order_id) x"
	if n := apptest.Value[int](t, s.w, most); n != 1 {
		t.Errorf("an order has %d payments", n)
	}
	s.check(t)
}

// The event of a payment of goods that came too late, when the last one is sold to another customer: the money goes
// back, and nothing is sold twice, however often the work is killed.
func TestGoodsJobsKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	for _, after := range []bool{false, true} {
		for n, alive := 1, true; alive; n++ {
			v := s.mat(t, 1200)
			late, token := s.Customer(t, "Ada"), s.Fill(t)
			add := func(token string) {
				_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, order.CartItem{
					Kind: order.Product, Subject: v, Quantity: 1,
				})
				must(t, 0, err)
			}
			add(token)
			s.hold(t, late, token)
			p := s.pay(t, late, token, 1200)
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
			s.w.Clock.Advance(booking.HoldLife)
			must(t, 0, s.Checkout.ReleaseEnded(t.Context()))
			other, second := s.Customer(t, "Bob"), s.Fill(t)
			add(second)
			must(t, 0, s.story(t, t.Context(), other, second, 1200, 0))
			s.Sim.Flush(t.Context())
			_ = d.processEvents(k.arm(t.Context(), n, after))
			alive = !k.spared()
			must(t, 0, s.processEvents(t.Context()))
			s.jobs(t)
			got := apptest.Value[string](t, s.w, `select s.on_hand || ' on hand, ' || s.held || ' held, ' ||
					(select count(*) from stock_moves m where m.variant_id = $1 and m.kind = 'sell') || ' sold, ' ||
					(select string_agg(o.state, ' ' order by o.state) from order_lines x join orders o on o.id = x.order_id
						where x.subject_id = $1)
				from stock_levels s where s.variant_id = $1`, v)
			if got != "0 on hand, 0 held, 1 sold, fulfilled refunded" {
				t.Errorf("killed at call %d (after: %v): %s", n, after, got)
			}
		}
	}
	s.check(t)
}
