package product_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/discount"
)

// offer is a discount of 20 %, changed.
func (s shop) offer(t testing.TB, of discount.AppliesTo, changes ...func(*discount.CreateInput)) discount.Discount {
	t.Helper()
	in := discount.CreateInput{Name: "Offer", PPM: 200_000, AppliesTo: of, Combines: true}
	for _, change := range changes {
		change(&in)
	}
	d, err := s.Services.Discount.Create(t.Context(), s.Owner, in)
	return must(t, d, err)
}

func coded(in *discount.CreateInput) { in.Code = "SPRING" }

// both is a cart of a class at 22.00 and two mats at 24.00 together.
func (s shop) both(t testing.TB) string {
	t.Helper()
	_, variants := s.product(t, "Mat", 9)
	token := s.Fill(t, s.class(t))
	_, err := s.put(t, token, variants[0], 2)
	must(t, 0, err)
	return token
}

func (s shop) read(t testing.TB, token string) checkout.Cart {
	t.Helper()
	c, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
	return must(t, c, err)
}

// A discount is taken off the lines that it is for: bookings, goods, or both.
func TestDiscountAppliesTo(t *testing.T) {
	five := func(in *discount.CreateInput) { in.PPM, in.Amount = 0, 500 }
	percent := func(*discount.CreateInput) {}
	least := func(in *discount.CreateInput) { in.LeastAmount = 2300 }
	for _, c := range []struct {
		what   string
		change func(*discount.CreateInput)
		of     discount.AppliesTo
		class  int64
		mats   int64
	}{
		{"percent", percent, "", 440, 0}, // the default
		{"percent", percent, discount.Bookings, 440, 0},
		{"percent", percent, discount.Goods, 0, 480},
		{"percent", percent, discount.All, 440, 480},
		{"amount", five, discount.Bookings, 500, 0},
		{"amount", five, discount.Goods, 0, 500},
		{"amount", five, discount.All, 239, 261},
		{"minimum", least, discount.Bookings, 0, 0},
		{"minimum", least, discount.Goods, 0, 480},
		{"minimum", least, discount.All, 440, 480},
		{"offering and weekday", nil, discount.Bookings, 0, 0},
		{"offering and weekday", nil, discount.Goods, 0, 480},
		{"offering and weekday", nil, discount.All, 0, 480},
	} {
		for _, code := range []bool{false, true} {
			t.Run(fmt.Sprint(c.what, " ", c.of, " code ", code), func(t *testing.T) {
				s := open(t)
				token := s.both(t)
				change := c.change
				zone, err := time.LoadLocation(s.Location.Zone)
				must(t, zone, err)
				if c.what == "offering and weekday" {
					day := s.read(t, token).Lines[0].StartsAt.In(zone).Weekday()
					other := s.AddOffering(t).ID
					change = func(in *discount.CreateInput) {
						in.OfferingIDs, in.Weekdays = []uuid.UUID{other}, []time.Weekday{(day + 1) % 7}
					}
				}
				changes := []func(*discount.CreateInput){change}
				if code {
					changes = append(changes, coded)
				}
				s.offer(t, c.of, changes...)
				if code {
					want := discount.ErrNotThis
					if c.what == "minimum" {
						want = discount.ErrTooLittle
					}
					_, err := s.Checkout.ApplyCode(t.Context(), s.Visitor(), token, "spring")
					if none := c.class+c.mats == 0; none && !errors.Is(err, want) || !none && err != nil {
						t.Errorf("the code: %v", err)
					}
				}
				got := s.read(t, token)
				if got.Lines[0].DiscountAmount != c.class || got.Lines[1].DiscountAmount != c.mats ||
					got.Totals.DiscountAmount != c.class+c.mats || got.Totals.TotalAmount != 4600-c.class-c.mats {
					t.Errorf("%d off the class, %d off the mats, want %d and %d; total %d", got.Lines[0].DiscountAmount,
						got.Lines[1].DiscountAmount, c.class, c.mats, got.Totals.TotalAmount)
				}
			})
		}
	}
}

// A code for goods is nothing to a cart of bookings, and one for bookings nothing to a cart of goods.
func TestDiscountForOthers(t *testing.T) {
	s := open(t)
	_, variants := s.product(t, "Mat", 9)
	s.offer(t, discount.Goods, func(in *discount.CreateInput) { in.Code = "GOODS" })
	s.offer(t, discount.Bookings, func(in *discount.CreateInput) { in.Code = "CLASS" })
	_, err := s.Checkout.ApplyCode(t.Context(), s.Visitor(), s.Fill(t, s.class(t)), "GOODS")
	refused(t, "goods off a class", err, discount.ErrNotThis)
	_, err = s.Checkout.ApplyCode(t.Context(), s.Visitor(), s.cart(t, 1, variants[0]), "CLASS")
	refused(t, "classes off a mat", err, discount.ErrNotThis)
}

// Of a cart of both, a discount of goods lowers the card payment, the income of goods and no other, and the customer
// sees it at that line of the receipt.
func TestDiscountSold(t *testing.T) {
	s := open(t)
	token := s.both(t)
	d := s.offer(t, discount.Goods, coded)
	_, err := s.Checkout.ApplyCode(t.Context(), s.Visitor(), token, "spring")
	must(t, 0, err)
	r := s.buy(t, s.Customer(t, "Ada"), token, 4120)
	if r.Totals.DiscountAmount != 480 || r.Lines[0].DiscountAmount != 0 || r.Lines[1].DiscountAmount != 480 {
		t.Errorf("%+v", r.Receipt)
	}
	if got, err := s.Services.Discount.Get(t.Context(), s.Owner, d.ID); err != nil || got.Uses != 1 {
		t.Errorf("%d uses (%v)", got.Uses, err)
	}
	s.check(t)
	for account, want := range map[string]int64{"income.class": 2200, "income.product": 1920} {
		if got := apptest.Value[int64](t, s.w, `select -sum(g.amount)::bigint from ledger_postings g
			join ledger_accounts a on a.id = g.account_id where a.code = $1`, account); got != want {
			t.Errorf("%d of income in %s, want %d", got, account, want)
		}
	}
}
