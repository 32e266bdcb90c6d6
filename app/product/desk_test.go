package product_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/product"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/billing/tender"
	"foyer/policy"
)

// goods are so many of each variant, sold at the studio's location for cash.
func (s shop) goods(n int, variants ...product.Variant) owed.PaymentInput {
	in := owed.PaymentInput{LocationID: s.Location.ID, Tenders: owed.Pays(tender.Cash)}
	for _, v := range variants {
		in.Goods = append(in.Goods, owed.Goods{VariantID: v.ID, Quantity: n})
	}
	return in
}

func (s shop) sells(t testing.TB, in owed.PaymentInput) owed.Sale {
	t.Helper()
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
	return must(t, sale, err)
}

// lines are those of an order, in their order.
func (s shop) lines(t testing.TB, order uuid.UUID) []uuid.UUID {
	t.Helper()
	ids, err := pg.All[uuid.UUID](t.Context(), s.w.DB.View(s.Business.ID),
		"select id from order_lines where business_id = $1 and order_id = $2 order by position", s.Business.ID, order)
	return must(t, ids, err)
}

// back is a return of so many of each line, refunded and for sale again.
func back(order uuid.UUID, n int, lines ...uuid.UUID) sales.ReturnInput {
	in := sales.ReturnInput{OrderID: order, Refund: true}
	for _, id := range lines {
		in.Lines = append(in.Lines, sales.ReturnLine{LineID: id, Quantity: n, Restock: true})
	}
	return in
}

func (s shop) returns(t testing.TB, in sales.ReturnInput) sales.Returned {
	t.Helper()
	got, err := s.Services.Sales.Return(t.Context(), s.Owner, in)
	return must(t, got, err)
}

func (s shop) balance(t testing.TB, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), a, s.Location.Currency)
	return must(t, n, err)
}

func (s shop) taxed(t testing.TB, ppm int) {
	t.Helper()
	s.w.SQL(t, "update products set tax_rate_id = $1", s.AddTaxRate(t, "Sales tax", ppm).ID)
}

// A walk-in buys goods for cash: they are taxed, leave the stock, and the answer says the change.
func TestSellAtDesk(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5, "Blue", "Red")
	s.taxed(t, 88_750)
	in := s.goods(3, variants[0])
	in.Goods = append(in.Goods, owed.Goods{VariantID: variants[1].ID, Quantity: 1})
	in.Tenders[0].Received = 6000
	sale := s.sells(t, in)
	if sale.Amount != 5226 || sale.ChangeAmount != 774 || !sale.Walkin || len(sale.Lines) != 0 ||
		sale.BalanceDueAmount != 0 {
		t.Errorf("sale: %+v", sale)
	}
	want := []owed.SoldGoods{
		{VariantID: variants[0].ID, Label: "Mat (Blue)", Quantity: 3, ListedAmount: 3600, TaxAmount: 320, Amount: 3920},
		{VariantID: variants[1].ID, Label: "Mat (Red)", Quantity: 1, ListedAmount: 1200, TaxAmount: 106, Amount: 1306},
	}
	if !slices.Equal(sale.Goods, want) {
		t.Errorf("goods: %+v", sale.Goods)
	}
	if got := s.ledger(t, variants[0]); got[0] != "sell -3: 2" {
		t.Errorf("ledger: %q", got)
	}
	blue := variants[0]
	page, err := s.Moves(t.Context(), s.Owner, product.MovesInput{ProductID: blue.ProductID, VariantID: blue.ID})
	if must(t, page, err); page.Items[0].ActorName != s.Owner.Actor.Name || *page.Items[0].OrderID != sale.OrderID {
		t.Errorf("moves: %+v", page.Items[0])
	}
	if n := apptest.Value[int](t, s.w, "select count(*)::int from customers where entered is null"); n != 1 {
		t.Errorf("%d walk-ins", n)
	}
	if cash, income := s.balance(t, ledger.Cash), s.balance(t, ledger.IncomeProduct); cash != 5226 || income != -4800 {
		t.Errorf("%d in cash, %d of income", cash, income)
	}
	s.check(t)
}

// Goods are one sale with a booking and a fee due, by several tenders; the customer is that of the booking.
func TestSellBesideBooking(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5)
	o := s.class(t)
	made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: "ada@example.com", Name: "Ada"}, OccurrenceID: o.ID,
	})
	must(t, made, err)
	ada := made.Booking.CustomerID
	in := s.goods(1, variants[0])
	in.BookingIDs, in.LocationID = []uuid.UUID{made.Booking.ID}, uuid.Nil
	in.CustomerID = pg.NewID()
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, in)
	refused(t, "another customer", err, owed.ErrOneCustomer)
	in.CustomerID, in.LocationID = ada, s.AddLocation(t, "Annex").ID
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, in)
	refused(t, "another location", err, owed.ErrOneCustomer)
	in.LocationID = s.Location.ID
	in.Tenders = []owed.Tender{{Method: tender.AccountCredit, Amount: 1000}, {Method: tender.Other}}
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, in)
	refused(t, "no credit", err, credit.ErrShort)
	s.hasStock(t, "refused", variants[0], "5 on hand, 0 held")
	_, err = s.Services.Credit.Adjust(t.Context(), s.Owner, credit.AdjustInput{
		CustomerID: ada, LocationID: s.Location.ID, Amount: 1000, Note: "Welcome",
	})
	must(t, 0, err)
	sale := s.sells(t, in)
	if sale.Amount != 3400 || len(sale.Lines) != 1 || len(sale.Goods) != 1 || sale.CustomerID != ada ||
		len(sale.Payments) != 2 || sale.Payments[0].OrderID != sale.OrderID || sale.Payments[1].OrderID != sale.OrderID {
		t.Errorf("sale: %+v", sale)
	}
	lines := s.lines(t, sale.OrderID)
	got := s.returns(t, back(sale.OrderID, 1, lines[1]))
	if got.Amount != 1200 || len(got.Refunds) != 2 || got.Refunds[0].Method != sales.Other ||
		got.Refunds[1].Method != sales.Credit || got.Refunds[0].Refund.Amount+got.Refunds[1].Refund.Amount != 1200 {
		t.Errorf("returned: %+v", got)
	}
	_, err = s.Services.Sales.Return(t.Context(), s.Owner, back(sale.OrderID, 1, lines[0]))
	apptest.Refused(t, err, fault.NotFound)
	s.check(t)
}

// Goods that are free are sold without a payment, and come back without a refund.
func TestSellFree(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Sample", 2)
	free := int64(0)
	_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.PriceAmount = &free })
	must(t, 0, err)
	in := s.goods(2, variants[0])
	in.Tenders[0].Received = 100
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, in)
	refused(t, "money for nothing", err, owed.ErrMoreThanDue)
	in.Tenders = nil
	sale := s.sells(t, in)
	if sale.Amount != 0 || len(sale.Payments) != 0 || sale.OrderID == uuid.Nil {
		t.Errorf("sale: %+v", sale)
	}
	s.hasStock(t, "sold", variants[0], "0 on hand, 0 held")
	if got := s.returns(t, back(sale.OrderID, 1, s.lines(t, sale.OrderID)...)); got.Amount != 0 || len(got.Refunds) != 0 {
		t.Errorf("returned: %+v", got)
	}
	s.hasStock(t, "returned", variants[0], "1 on hand, 0 held")
	s.check(t)
}

// What cannot be sold at the desk is refused with its reason, and nothing is sold.
func TestSellAtDeskRefused(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Mat", 3, "Blue", "Red")
	blue := variants[0]
	sell := func(change func(*owed.PaymentInput)) error {
		in := s.goods(2, blue)
		change(&in)
		_, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
		return err
	}
	for field, change := range map[string]func(*owed.PaymentInput){
		"bookingIds":        func(in *owed.PaymentInput) { in.Goods = nil },
		"locationId":        func(in *owed.PaymentInput) { in.LocationID = uuid.Nil },
		"goods[0].quantity": func(in *owed.PaymentInput) { in.Goods[0].Quantity = 0 },
		"goods[1].quantity": func(in *owed.PaymentInput) {
			in.Goods = append(in.Goods, owed.Goods{VariantID: variants[1].ID, Quantity: 1000})
		},
		"goods[1].variantId":        func(in *owed.PaymentInput) { in.Goods = append(in.Goods, in.Goods[0]) },
		"tenders[0].receivedAmount": func(in *owed.PaymentInput) { in.Tenders[0].Received = 2399 },
		"tenders[1].receivedAmount": func(in *owed.PaymentInput) {
			in.Tenders = []owed.Tender{{Method: tender.Cash, Amount: 1}, {Method: tender.Other, Received: 5000}}
		},
		"goods": func(in *owed.PaymentInput) {
			in.Goods = nil
			for range 51 {
				in.Goods = append(in.Goods, owed.Goods{VariantID: pg.NewID(), Quantity: 1})
			}
		},
	} {
		wrong(t, field, sell(change), field)
	}
	apptest.Refused(t, sell(func(in *owed.PaymentInput) { in.Goods[0].VariantID = pg.NewID() }), fault.NotFound)
	apptest.Refused(t, sell(func(in *owed.PaymentInput) { in.LocationID = pg.NewID() }), fault.NotFound)
	apptest.Refused(t, sell(func(in *owed.PaymentInput) { in.CustomerID = pg.NewID() }), fault.NotFound)
	err := sell(func(in *owed.PaymentInput) { in.Goods[0].Quantity = 4 })
	refused(t, "four of three", err, order.ErrSoldOut)
	if d := fault.From(err).Details; d["available"] != 3 || d["itemId"] != blue.ID.String() {
		t.Errorf("details: %v", d)
	}
	s.hold(t, s.Customer(t, "Ada"), s.cart(t, 2, blue))
	refused(t, "held for a cart", sell(func(*owed.PaymentInput) {}), order.ErrSoldOut)
	refused(t, "in part", sell(func(in *owed.PaymentInput) { in.Goods[0].Quantity, in.Tenders[0].Amount = 1, 1199 }),
		owed.ErrGoodsInFull)
	refused(t, "without a method", sell(func(in *owed.PaymentInput) { in.Goods[0].Quantity, in.Tenders = 1, nil }),
		owed.ErrGoodsInFull)
	refused(t, "too much", sell(func(in *owed.PaymentInput) { in.Goods[0].Quantity, in.Tenders[0].Amount = 1, 1201 }),
		owed.ErrMoreThanDue)
	annex := s.AddLocation(t, "Annex")
	refused(t, "a place without stock", sell(func(in *owed.PaymentInput) { in.LocationID = annex.ID }),
		product.ErrNotAtLocation)
	s.w.SQL(t, "update locations set archived_at = now() where id = $1", annex.ID)
	refused(t, "an archived place", sell(func(in *owed.PaymentInput) { in.LocationID = annex.ID }),
		catalog.ErrLocationArchived)
	s.state(t, p.ID, product.Draft)
	refused(t, "a draft", sell(func(*owed.PaymentInput) {}), product.ErrUnavailable)
	desk := s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.AddLocation(t, "Barn").ID))
	_, err = s.Owed.RecordPayment(t.Context(), desk, s.goods(1, blue))
	apptest.Refused(t, err, fault.Forbidden)
	if n := apptest.Value[int](t, s.w, "select count(*)::int from orders where cart_id is null"); n != 0 {
		t.Errorf("%d orders", n)
	}
	s.hasStock(t, "refused", blue, "3 on hand, 2 held")
	s.w.CheckBooks(t)
}

// A variant that may be sold below zero goes there, and one that is not tracked moves nothing, in both directions.
func TestDeskWithoutEnd(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 1, "Blue", "Red")
	below, track := true, false
	_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.BelowZero = &below })
	must(t, 0, err)
	_, err = s.edit(t, variants[1], func(in *product.UpdateVariantInput) { in.Track = &track })
	must(t, 0, err)
	sale := s.sells(t, s.goods(3, variants...))
	s.hasStock(t, "below zero", variants[0], "-2 on hand, 0 held")
	s.hasStock(t, "not tracked", variants[1], "1 on hand, 0 held")
	s.returns(t, back(sale.OrderID, 2, s.lines(t, sale.OrderID)...))
	s.hasStock(t, "returned", variants[0], "0 on hand, 0 held")
	s.hasStock(t, "not tracked", variants[1], "1 on hand, 0 held")
	s.check(t)
}

// Units of a line are returned one by one: their shares add up to its price and tax, to the cent.
func TestReturnShares(t *testing.T) {
	for _, c := range []struct {
		ppm    int
		price  int64
		shares string
	}{
		{88_750, 1200, "[1307 1306 1307]"}, {0, 1000, "[1000 1000 1000]"}, {200_000, 333, "[400 399 400]"},
	} {
		s := open(t)
		_, variants := s.product(t, "Mat", 3)
		s.w.SQL(t, "update product_variants set price_amount = $1", c.price)
		if c.ppm > 0 {
			s.taxed(t, c.ppm)
		}
		sale := s.sells(t, s.goods(3, variants[0]))
		lines := s.lines(t, sale.OrderID)
		var shares []int64
		for range 3 {
			got := s.returns(t, back(sale.OrderID, 1, lines...))
			if shares = append(shares, got.Amount); got.Lines[0].Amount != got.Amount {
				t.Errorf("lines: %+v", got)
			}
		}
		if got := fmt.Sprint(shares); got != c.shares || shares[0]+shares[1]+shares[2] != sale.Amount {
			t.Errorf("%s of %d, want %s", got, sale.Amount, c.shares)
		}
		if cash, income := s.balance(t, ledger.Cash), s.balance(t, ledger.IncomeProduct); cash != 0 || income != 0 {
			t.Errorf("%d in cash, %d of income", cash, income)
		}
		if got := s.ledger(t, variants[0]); got[0] != "return +1: 3" || len(got) != 5 {
			t.Errorf("ledger: %q", got)
		}
		_, err := s.Services.Sales.Return(t.Context(), s.Owner, back(sale.OrderID, 1, lines...))
		refused(t, "a fourth", err, order.ErrAlreadyReturned)
		s.check(t)
	}
}

// Goods that were bought online are refunded to the card, without the service fee; what is broken does not go back into
// the stock.
func TestReturnToCard(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5)
	s.w.SQL(t, "update businesses set fee_mode = 'customer'")
	token := s.cart(t, 2, variants[0])
	c, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
	must(t, c, err)
	r := s.buy(t, s.Customer(t, "Ada"), token, c.Totals.TotalAmount)
	s.jobs(t)
	in := back(r.OrderID, 1, s.lines(t, r.OrderID)...)
	in.Lines[0].Restock = false
	got := s.returns(t, in)
	if got.Amount != 1200 || got.Refunds[0].Method != sales.ByCard || got.Refunds[0].Refund.Amount != 1200 {
		t.Errorf("returned: %+v", got)
	}
	s.hasStock(t, "broken", variants[0], "3 on hand, 0 held")
	s.check(t)
	in = back(r.OrderID, 1, s.lines(t, r.OrderID)...)
	in.Destination = billing.ToCredit
	if got := s.returns(t, in); got.Amount != 1200 || got.Refunds[0].Refund.Destination != billing.ToCredit {
		t.Errorf("returned as credit: %+v", got)
	}
	s.hasStock(t, "whole", variants[0], "4 on hand, 0 held")
	if n := s.Refunded(t); n != 1200 {
		t.Errorf("%d refunded to the card", n)
	}
	s.check(t)
}

// Money that was refunded before is not refunded again: a return is refunded up to what is left, or without a refund.
func TestReturnRefundedGoods(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5)
	sale := s.sells(t, s.goods(2, variants[0]))
	lines := s.lines(t, sale.OrderID)
	amount := int64(1500)
	part := sales.RefundInput{PaymentID: sale.Payments[0].ID, Amount: &amount}
	_, err := s.Services.Sales.Refund(t.Context(), s.Owner, part)
	must(t, 0, err)
	if got := s.returns(t, back(sale.OrderID, 1, lines...)); got.Amount != 900 {
		t.Errorf("returned: %+v", got)
	}
	_, err = s.Services.Sales.Return(t.Context(), s.Owner, back(sale.OrderID, 1, lines...))
	refused(t, "all is refunded", err, sales.ErrNothingRefundable)
	in := back(sale.OrderID, 1, lines...)
	in.Refund = false
	if got := s.returns(t, in); got.Amount != 0 || len(got.Refunds) != 0 {
		t.Errorf("returned without a refund: %+v", got)
	}
	s.hasStock(t, "all of it", variants[0], "5 on hand, 0 held")
	s.check(t)
}

// What cannot be returned is refused with its reason, and nothing is returned.
func TestReturnRefused(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5)
	sale := s.sells(t, s.goods(2, variants[0]))
	lines := s.lines(t, sale.OrderID)
	give := func(who tenancy.Scope, change func(*sales.ReturnInput)) error {
		in := back(sale.OrderID, 1, lines...)
		change(&in)
		_, err := s.Services.Sales.Return(t.Context(), who, in)
		return err
	}
	for field, change := range map[string]func(*sales.ReturnInput){
		"lines":             func(in *sales.ReturnInput) { in.Lines = nil },
		"lines[0].quantity": func(in *sales.ReturnInput) { in.Lines[0].Quantity = 0 },
		"lines[1].lineId":   func(in *sales.ReturnInput) { in.Lines = append(in.Lines, in.Lines[0]) },
		"destination":       func(in *sales.ReturnInput) { in.Destination = billing.ToCredit },
	} {
		wrong(t, field, give(s.Owner, change), field)
	}
	apptest.Refused(t, give(s.Owner, func(in *sales.ReturnInput) { in.OrderID = pg.NewID() }), fault.NotFound)
	apptest.Refused(t, give(s.Owner, func(in *sales.ReturnInput) { in.Lines[0].LineID = pg.NewID() }), fault.NotFound)
	err := give(s.Owner, func(in *sales.ReturnInput) { in.Lines[0].Quantity = 3 })
	refused(t, "three of two", err, order.ErrAlreadyReturned)
	if d := fault.From(err).Details; d["returnable"] != 2 || d["lineId"] != lines[0].String() {
		t.Errorf("details: %v", d)
	}
	same := func(*sales.ReturnInput) {}
	desk := s.Join(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	elsewhere := s.Join(t, "barn@team.example.com", apptest.At(policy.FrontDesk, s.AddLocation(t, "Barn").ID))
	apptest.Refused(t, give(elsewhere, same), fault.Forbidden)
	s.w.SQL(t, "update locations set refund_cap_amount = 1000")
	refused(t, "above the cap", give(desk, same), sales.ErrCap)
	s.w.SQL(t, "update stock_levels set on_hand = 999999 where variant_id = $1", variants[0].ID)
	refused(t, "a full shelf", give(s.Owner, same), product.ErrFull)
	s.w.SQL(t, "update stock_levels set on_hand = 3 where variant_id = $1", variants[0].ID)
	if n := apptest.Value[int](t, s.w, "select count(*)::int from refunds"); n != 0 {
		t.Errorf("%d refunds", n)
	}
	_, err = s.Services.Sales.Void(t.Context(), s.Owner, sales.VoidInput{PaymentID: sale.Payments[0].ID, Note: "Mistake"})
	refused(t, "a void", err, sales.ErrGoodsSold)
	s.w.SQL(t, "update locations set refund_cap_amount = 2400")
	must(t, 0, give(desk, same))
	s.check(t)
}

// A dry run of a return has the effects of the return, and changes nothing.
func TestReturnQuoted(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5)
	sale := s.sells(t, s.goods(2, variants[0]))
	in := back(sale.OrderID, 2, s.lines(t, sale.OrderID)...)
	quoted, _, err := pg.DryRun(t.Context(), pg.QuoteKey{}, func(ctx context.Context) (sales.Returned, error) {
		return s.Services.Sales.Return(ctx, s.Owner, in)
	})
	must(t, quoted, err)
	s.hasStock(t, "quoted", variants[0], "3 on hand, 0 held")
	got := s.returns(t, in)
	if a, b := fmt.Sprintf("%+v", quoted.Effects()), fmt.Sprintf("%+v", got.Effects()); a != b {
		t.Errorf("promised %s, did %s", a, b)
	}
	s.check(t)
}

// raceOf runs an act at once for each racer, and returns the number of successes; the others get that refusal.
func raceOf(t *testing.T, racers int, refusal *fault.Error, act func() error) int {
	t.Helper()
	var got atomic.Int64
	var start, done sync.WaitGroup
	start.Add(1)
	for range racers {
		done.Go(func() {
			start.Wait()
			switch err := act(); {
			case err == nil:
				got.Add(1)
			case !errors.Is(err, refusal):
				t.Errorf("a racer got %v", err)
			}
		})
	}
	start.Done()
	done.Wait()
	return int(got.Load())
}

// Two desks sell the last one, and two returns are of the same line: one succeeds.
func TestRacesAtDesk(t *testing.T) {
	s := open(t)
	oversold := 0
	for range walks.Steps(5, 50) {
		_, variants := s.product(t, "Mat", 1)
		in := s.goods(1, variants[0])
		got := raceOf(t, 2, order.ErrSoldOut, func() error {
			_, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
			return err
		})
		if oversold += max(0, got-1); !apptest.Guarded {
			continue
		}
		s.hasStock(t, "sold", variants[0], "0 on hand, 0 held")
		id := apptest.Value[uuid.UUID](t, s.w, "select order_id from order_lines where variant_id = $1", variants[0].ID)
		lines := s.lines(t, id)
		again := raceOf(t, 2, order.ErrAlreadyReturned, func() error {
			_, err := s.Services.Sales.Return(t.Context(), s.Owner, back(id, 1, lines...))
			return err
		})
		if s.hasStock(t, "returned", variants[0], "1 on hand, 0 held"); got != 1 || again != 1 {
			t.Errorf("%d sales, %d returns", got, again)
		}
	}
	if apptest.Guarded {
		s.check(t)
		if n := apptest.Deadlocks(t, s.w); n != 0 {
			t.Errorf("%d deadlocks", n)
		}
	}
}

// A desk and a cart want the last one.
func TestDeskAgainstCart(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastItem covers this case
	}
	s := open(t)
	for range walks.Steps(3, 50) {
		_, variants := s.product(t, "Mat", 1)
		token, ada := s.cart(t, 1, variants[0]), s.Customer(t, "Ada")
		var turn atomic.Int64
		got := raceOf(t, 2, order.ErrSoldOut, func() error {
			if turn.Add(1) == 1 {
				_, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
				return err
			}
			_, err := s.Owed.RecordPayment(t.Context(), s.Owner, s.goods(1, variants[0]))
			return err
		})
		if got != 1 {
			t.Errorf("%d got the last one", got)
		}
	}
	s.check(t)
}

// The desk finds what its location sells by a part of the name, or a whole SKU or barcode, which is exact.
func TestSellable(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Cork mat", 4)
	_, blocks := s.product(t, "Cork block", 0)
	_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) {
		sku, code := "MAT", "036000291452"
		in.SKU, in.Barcode = &sku, &code
	})
	must(t, 0, err)
	found := func(q string, named ...uuid.UUID) (out []string) {
		t.Helper()
		list, err := s.Sellable(t.Context(), s.Owner, product.SellableInput{
			LocationID: s.Location.ID, Query: q, VariantIDs: named,
		})
		must(t, list, err)
		for _, f := range list {
			out = append(out, fmt.Sprint(f.Label(), " ", f.Exact))
		}
		return out
	}
	for q, want := range map[string]string{
		"": "[]", "cork": "[Cork mat false]", " mat ": "[Cork mat true]", "0036000291452": "[Cork mat true]", "c%k": "[]",
	} {
		if got := fmt.Sprint(found(q)); got != want {
			t.Errorf("%q: %s, want %s", q, got, want)
		}
	}
	s.receive(t, blocks[0], 1)
	if got := fmt.Sprint(found("cork")); got != "[Cork block false Cork mat false]" {
		t.Errorf("with a block: %s", got)
	}
	if got := fmt.Sprint(found("", variants[0].ID)); got != "[Cork mat false]" {
		t.Errorf("by its id: %s", got)
	}
	s.state(t, p.ID, product.Draft)
	if got := fmt.Sprint(found("mat", variants[0].ID)); got != "[]" {
		t.Errorf("a draft: %s", got)
	}
	_, err = s.Sellable(t.Context(), s.Visitor(), product.SellableInput{LocationID: s.Location.ID, Query: "mat"})
	apptest.Refused(t, err, fault.Forbidden)
}
