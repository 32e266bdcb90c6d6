package product_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/product"
	"foyer/app/tenancy"
)

// class is a date two days ahead at 22.00.
func (s shop) class(t testing.TB) apptest.OccurrenceRow {
	t.Helper()
	price := int64(2200)
	of := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = &price })
	return s.AddOccurrence(t, of, s.w.Clock.Now().Add(48*time.Hour))
}

// buy holds and pays a cart by card.
func (s shop) buy(t testing.TB, who tenancy.Scope, token string, amount int64) checkout.Confirmed {
	t.Helper()
	s.hold(t, who, token)
	p := s.pay(t, who, token, amount)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	return s.confirm(t, who, token)
}

// A class and two mats are paid by card together: the seat is booked, the stock has left by a move of that line, and
// the income is in the account of products, or of a revenue category.
func TestSell(t *testing.T) {
	for _, categorized := range []bool{false, true} {
		t.Run(fmt.Sprint("category ", categorized), func(t *testing.T) {
			s := open(t)
			p, variants := s.product(t, "Mat", 5, "Blue", "Red")
			rate, category := s.AddTaxRate(t, "Sales tax", 100_000), s.AddRevenueCategory(t, "Shop")
			account := "income.product"
			if categorized {
				account = "income.rc:" + category.ID.String()
				s.w.SQL(t, "update products set revenue_category_id = $1", category.ID)
			}
			s.w.SQL(t, "update products set tax_rate_id = $1 where id = $2", rate.ID, p.ID)
			token := s.Fill(t, s.class(t))
			c, err := s.put(t, token, variants[0], 2)
			must(t, c, err)
			if line := c.Lines[1]; line.Name != "Mat (Blue)" || line.ListedAmount != 2400 || line.TaxAmount != 240 ||
				c.Totals.TotalAmount != 4840 {
				t.Errorf("cart: %+v", c.Lines)
			}
			ada := s.Customer(t, "Ada")
			s.hold(t, ada, token)
			s.hasStock(t, "held", variants[0], "5 on hand, 2 held")
			s.w.CheckBooks(t)
			r := s.buy(t, ada, token, 4840)
			s.hasStock(t, "sold", variants[0], "3 on hand, 0 held")
			if l := r.Lines[1]; l.Kind != order.Product || l.Label != "Mat (Blue)" || l.Quantity != 2 || l.CardAmount != 2640 {
				t.Errorf("receipt: %+v", r.Lines)
			}
			page, err := s.Moves(t.Context(), s.Owner, product.MovesInput{ProductID: p.ID, VariantID: variants[0].ID})
			if must(t, page, err); page.Items[0].Kind != product.Sell || *page.Items[0].OrderID != r.OrderID {
				t.Errorf("moves: %+v", page.Items[0])
			}
			s.check(t)
			if got := apptest.Value[int64](t, s.w, `select -sum(g.amount)::bigint from ledger_postings g
				join ledger_accounts a on a.id = g.account_id where a.code = $1`, account); got != 2400 {
				t.Errorf("%d of income in %s", got, account)
			}
		})
	}
}

// Two lines of one variant and one of another are one sale, each line a move with the level after it.
func TestSellLines(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 9, "Blue", "Red")
	token := s.cart(t, 2, variants[0], variants[1], variants[0])
	ada := s.Customer(t, "Ada")
	s.hold(t, ada, token)
	s.hasStock(t, "held", variants[0], "9 on hand, 4 held")
	s.buy(t, ada, token, 7200)
	if got := s.ledger(t, variants[0]); len(got) != 3 || sorted(got)[1] != "sell -2: 5" || sorted(got)[2] != "sell -2: 7" {
		t.Errorf("ledger: %q", got)
	}
	s.hasStock(t, "sold", variants[1], "7 on hand, 0 held")
	s.check(t)
}

// A variant that is not tracked has no end, and one that may be sold below zero goes there.
func TestSellWithoutEnd(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 1, "Blue", "Red")
	blue, red := variants[0], variants[1]
	below, track := true, false
	_, err := s.edit(t, blue, func(in *product.UpdateVariantInput) { in.BelowZero = &below })
	must(t, 0, err)
	_, err = s.edit(t, red, func(in *product.UpdateVariantInput) { in.Track = &track })
	must(t, 0, err)
	s.buy(t, s.Customer(t, "Ada"), s.cart(t, 3, blue, red), 7200)
	s.hasStock(t, "below zero", blue, "-2 on hand, 0 held")
	s.hasStock(t, "not tracked", red, "1 on hand, 0 held")
	// What was put into a cart before its stock was tracked is held without it, or with it: either is right.
	early := s.cart(t, 1, red)
	held := s.cart(t, 1, red)
	ada := s.Customer(t, "Ada")
	s.hold(t, ada, held)
	track = true
	s.w.Clock.Advance(time.Second)
	_, err = s.edit(t, red, func(in *product.UpdateVariantInput) { in.Track = &track })
	must(t, 0, err)
	s.buy(t, ada, held, 1200)
	s.hasStock(t, "held before it was tracked", red, "1 on hand, 0 held")
	s.buy(t, s.Customer(t, "Ben"), early, 1200)
	s.hasStock(t, "held after that", red, "0 on hand, 0 held")
	s.check(t)
}

// What is not for sale is refused with its reason, in a cart and by a hold.
func TestUnsold(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Mat", 7, "Blue", "Red")
	blue, red := variants[0], variants[1]
	token := s.cart(t, 1, blue)
	ben := s.Customer(t, "Ben")
	holds := func() error {
		_, err := s.Checkout.Hold(t.Context(), ben, token, checkout.HoldInput{})
		return err
	}
	put := func(v product.Variant, n int) error {
		_, err := s.put(t, s.Fill(t), v, n)
		return err
	}
	both := func(what string, want *fault.Error) {
		t.Helper()
		refused(t, what+", in a cart", put(blue, 1), want)
		refused(t, what+", by a hold", holds(), want)
		c, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
		if must(t, c, err); c.Lines[0].Problem != want.Reason {
			t.Errorf("%s: the cart's problem is %q", what, c.Lines[0].Problem)
		}
	}
	for _, n := range []int{0, -1, 1000} {
		wrong(t, fmt.Sprint(n, " of them"), put(blue, n), "quantity")
	}
	if err := put(blue, 8); !errors.Is(err, order.ErrSoldOut) || fault.From(err).Details["available"] != nil {
		t.Errorf("eight of seven: %v", fault.From(err))
	}
	_, err := s.Adjust(t.Context(), s.Owner, product.AdjustInput{StockInput: s.at(blue), Quantity: -3, Reason: "Broken"})
	must(t, 0, err)
	if err := put(blue, 5); !errors.Is(err, order.ErrSoldOut) || fault.From(err).Details["available"] != 4 {
		t.Errorf("five of four: %v", fault.From(err))
	}
	_, err = s.put(t, s.Fill(t), product.Variant{ID: pg.NewID()}, 1)
	apptest.Refused(t, err, fault.NotFound)
	s.state(t, p.ID, product.Draft)
	both("a draft", product.ErrUnavailable)
	s.state(t, p.ID, product.Published)
	archived := true
	_, err = s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Archived = &archived })
	must(t, 0, err)
	both("an archived variant", product.ErrUnavailable)
	archived = false
	_, err = s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Archived = &archived })
	must(t, 0, err)
	s.w.SQL(t, "update products set currency = 'EUR'")
	both("another currency", product.ErrNotAtLocation)
	s.w.SQL(t, "update products set currency = 'USD'")
	annex := s.AddLocation(t, "Annex", func(*business.LocationInput) {})
	c, err := s.Checkout.Create(t.Context(), s.Visitor(), checkout.CreateInput{LocationID: annex.ID})
	must(t, c, err)
	_, err = s.put(t, c.Token, red, 1)
	refused(t, "a place without stock", err, product.ErrNotAtLocation)
	must(t, 0, holds())
	s.w.CheckBooks(t)
}

// A held variant keeps its price, and can be paid although it is archived meanwhile.
func TestArchivedWhileHeld(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Mat", 2)
	token := s.cart(t, 1, variants[0])
	ada := s.Customer(t, "Ada")
	s.hold(t, ada, token)
	price, archived := int64(9900), true
	_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) {
		in.PriceAmount, in.Archived = &price, &archived
	})
	must(t, 0, err)
	_, err = s.Archive(t.Context(), s.Owner, p.ID)
	must(t, 0, err)
	if r := s.buy(t, ada, token, 1200); r.Totals.TotalAmount != 1200 {
		t.Errorf("receipt: %+v", r.Totals)
	}
	s.hasStock(t, "sold", variants[0], "1 on hand, 0 held")
	s.check(t)
}

// A price that rose in the cart is told with both totals.
func TestPriceRose(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 2)
	token := s.cart(t, 2, variants[0])
	price := int64(1500)
	_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.PriceAmount = &price })
	must(t, 0, err)
	_, err = s.Checkout.Hold(t.Context(), s.Customer(t, "Ada"), token, checkout.HoldInput{})
	refused(t, "a higher price", err, checkout.ErrPriceChanged)
	if d := fault.From(err).Details; d["quotedAmount"] != int64(2400) || d["amount"] != int64(3000) {
		t.Errorf("details: %v", d)
	}
}

// What a hold keeps is released with an item, with the hold, and when it ends.
func TestReleased(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 9, "Blue", "Red")
	token := s.cart(t, 2, variants...)
	ada := s.Customer(t, "Ada")
	s.hold(t, ada, token)
	c, err := s.Checkout.Cart(t.Context(), ada, token)
	must(t, c, err)
	_, err = s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[0].ItemID)
	must(t, 0, err)
	s.hasStock(t, "without the first", variants[0], "9 on hand, 0 held")
	s.hasStock(t, "with the second", variants[1], "9 on hand, 2 held")
	must(t, 0, s.Checkout.Release(t.Context(), ada, token))
	s.hasStock(t, "released", variants[1], "9 on hand, 0 held")
	s.hold(t, ada, token)
	s.w.CheckBooks(t)
	s.w.Clock.Advance(11 * time.Minute)
	must(t, 0, errors.Join(s.Booking.ExpireDue(t.Context()), s.Checkout.ReleaseEnded(t.Context())))
	s.hasStock(t, "ended", variants[1], "9 on hand, 0 held")
	s.w.CheckBooks(t)
}

// A payment that comes after its hold has ended is for the mat if one is there, and else is refunded, with the seat.
func TestPaidLate(t *testing.T) {
	for _, gone := range []bool{false, true} {
		t.Run(fmt.Sprint("gone ", gone), func(t *testing.T) {
			s := open(t)
			_, variants := s.product(t, "Mat", 1)
			o := s.class(t)
			token := s.Fill(t, o)
			_, err := s.put(t, token, variants[0], 1)
			must(t, 0, err)
			ada := s.Customer(t, "Ada")
			s.hold(t, ada, token)
			p := s.pay(t, ada, token, 3400)
			s.w.Clock.Advance(11 * time.Minute)
			must(t, 0, errors.Join(s.Booking.ExpireDue(t.Context()), s.Checkout.ReleaseEnded(t.Context())))
			want := "0 on hand, 0 held"
			if gone {
				want = "1 on hand, 1 held"
				s.hold(t, s.Customer(t, "Ben"), s.cart(t, 1, variants[0]))
			}
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
			s.jobs(t)
			s.hasStock(t, "paid late", variants[0], want)
			seats := apptest.Value[int](t, s.w, "select taken from occurrences where id = $1", o.ID)
			if refunded := s.Refunded(t); gone != (refunded == 3400) || gone == (seats == 1) {
				t.Errorf("%d refunded, %d seats", refunded, seats)
			}
			s.check(t)
		})
	}
}

// Visitors see what is published and sold at the location, also when it is sold out, and the number when few are left.
func TestListed(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "Sales tax", 100_000)
	_, mats := s.product(t, "Mat", 5, "Blue", "Red")
	s.product(t, "Strap", 0)
	_, block := s.product(t, "Block", 6)
	s.w.SQL(t, "update products set tax_rate_id = $1", rate.ID)
	s.hold(t, s.Customer(t, "Ada"), s.cart(t, 5, mats[0]))
	draft, _ := s.product(t, "Hidden", 3)
	s.state(t, draft.ID, product.Draft)
	show := func(location tenancy.Scope, in product.ListedInput) (out []string) {
		t.Helper()
		for {
			page, err := s.Listed(t.Context(), location.Tenant, in)
			must(t, page, err)
			for _, l := range page.Items {
				for _, v := range l.Variants {
					left := "many"
					if n := v.Left(); n != nil {
						left = fmt.Sprint(*n)
					}
					out = append(out, fmt.Sprint(l.Name, v.Choices, v.Available(), " ", left, " ",
						order.FullPriceOf(v.PriceAmount, 1, l.Pricing, l.Currency)))
				}
			}
			if in.After = page.Next; in.After == nil {
				return out
			}
		}
	}
	want := "[Block[] true many 1320 Mat[Blue] false 0 1320 Mat[Red] true 5 1320]"
	for _, size := range []int{0, 1} {
		in := product.ListedInput{LocationID: s.Location.ID}
		in.Limit = size
		if got := fmt.Sprint(show(s.Visitor(), in)); got != want {
			t.Errorf("listed: %s, want %s", got, want)
		}
	}
	below := true
	_, err := s.edit(t, block[0], func(in *product.UpdateVariantInput) { in.BelowZero = &below })
	must(t, 0, err)
	annex := s.AddLocation(t, "Annex")
	if got := show(s.Visitor(), product.ListedInput{LocationID: annex.ID}); len(got) != 0 {
		t.Errorf("at the annex: %s", got)
	}
	s.w.SQL(t, "update locations set archived_at = now() where id = $1", annex.ID)
	_, err = s.Listed(t.Context(), s.Business.ID, product.ListedInput{LocationID: annex.ID})
	apptest.Refused(t, err, fault.NotFound)
}

// An item that is reserved already is left alone, beside one that is not.
func TestReserveTwice(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 5, "Blue", "Red")
	token := s.cart(t, 3, variants...)
	c, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
	must(t, c, err)
	var items []*order.CartItem
	for _, l := range c.Lines {
		items = append(items, &order.CartItem{
			ID: l.ItemID, LocationID: s.Location.ID, Kind: order.Product, Subject: l.Subject, Quantity: l.Quantity,
		})
	}
	for _, some := range [][]*order.CartItem{items[:1], items, items} {
		must(t, 0, pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
			b := tx.Batch()
			done := s.Reserve(b, tx, some)
			if err := b.Send(t.Context()); err != nil {
				return err
			}
			return done()
		}))
	}
	s.hasStock(t, "reserved", variants[0], "5 on hand, 3 held")
	s.hasStock(t, "reserved", variants[1], "5 on hand, 3 held")
}

// A refusal to add an item names none: it is not in the cart. The one of a hold names it.
func TestRefusedItem(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 1)
	token := s.cart(t, 1, variants[0])
	_, err := s.put(t, s.Fill(t), variants[0], 2)
	refused(t, "two of one", err, order.ErrSoldOut)
	if got := fault.From(err).Details; got["itemId"] != nil || got["available"] != 1 {
		t.Errorf("the refusal has %v", got)
	}
	s.hold(t, s.Customer(t, "Ada"), s.cart(t, 1, variants[0]))
	_, err = s.Checkout.Hold(t.Context(), s.Customer(t, "Ben"), token, checkout.HoldInput{})
	refused(t, "held by Ada", err, order.ErrSoldOut)
	if got := fault.From(err).Details["itemId"]; got != s.read(t, token).Lines[0].ItemID.String() {
		t.Errorf("the refusal names %v", got)
	}
}

// The customer of a hold that has ended can have the same again before the sweep has released it; to another it is
// available after that.
func TestOwnAgain(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 1)
	ada, token := s.Customer(t, "Ada"), s.cart(t, 1, variants[0])
	s.hold(t, ada, token)
	s.w.Clock.Advance(booking.HoldLife + time.Second)
	if got := s.read(t, token).Lines[0]; got.Reserved || got.Problem != "" {
		t.Errorf("after the hold: %+v", got)
	}
	s.hold(t, ada, token)
	s.hasStock(t, "held again", variants[0], "1 on hand, 1 held")
	must(t, 0, s.Checkout.ReleaseEnded(t.Context()))
	s.hasStock(t, "after the sweep", variants[0], "1 on hand, 1 held")
	s.buy(t, ada, token, 1200)
	s.hasStock(t, "sold", variants[0], "0 on hand, 0 held")
	s.check(t)
}

// An item whose payment was begun and given up is removed from its cart. A payment that succeeds all the same is
// refunded.
func TestRemovedAfterPayment(t *testing.T) {
	for _, late := range []bool{false, true} {
		s := open(t)
		_, variants := s.product(t, "Mat", 2)
		ada, token := s.Customer(t, "Ada"), s.cart(t, 2, variants[0])
		s.hold(t, ada, token)
		p := s.pay(t, ada, token, 2400)
		if late {
			s.PayCard(t, p.ClientSecret, apptest.CardGood)
		}
		must(t, 0, s.Checkout.Release(t.Context(), ada, token))
		c, err := s.Checkout.Cart(t.Context(), ada, token)
		must(t, c, err)
		c, err = s.Checkout.RemoveItem(t.Context(), ada, token, c.Lines[0].ItemID)
		if must(t, c, err); len(c.Lines) != 0 {
			t.Errorf("left: %+v", c.Lines)
		}
		s.jobs(t)
		if n, want := s.Refunded(t), map[bool]int64{true: 2400}[late]; n != want {
			t.Errorf("%d refunded, want %d", n, want)
		}
		s.hasStock(t, "removed", variants[0], "2 on hand, 0 held")
		s.check(t)
	}
}
