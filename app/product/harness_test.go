package product_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/product"
	"foyer/app/tenancy"
)

// shop is a studio that sells products.
type shop struct {
	*apptest.Sales
	*product.Service
	w *apptest.World
}

func open(t testing.TB, changes ...func(*apptest.StudioPlan)) shop {
	t.Helper()
	w := apptest.Open(t)
	s := w.Sales(t, changes...)
	out := shop{s, s.Services.Products, w}
	out.jobs(t) // the processor's events about the new account
	return out
}

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func refused(t testing.TB, what string, err error, want *fault.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Reason)
	}
}

// wrong fails the test unless err is about that field alone.
func wrong(t testing.TB, what string, err error, field string) {
	t.Helper()
	if got := apptest.Wrong(err); got != field {
		t.Errorf("%s: wrong are %q (%v), want %s", what, got, err, field)
	}
}

// product is a published product with one variant for each of these choices, at 12.00 and tracked, so many in stock.
func (s shop) product(t testing.TB, name string, stock int, choices ...string) (product.Product, []product.Variant) {
	t.Helper()
	in := product.CreateInput{Name: name}
	if len(choices) > 0 {
		in.Options = []product.Option{{Name: "Colour", Choices: choices}}
	}
	p, err := s.Create(t.Context(), s.Owner, in)
	must(t, p, err)
	var variants []product.Variant
	for i := range max(1, len(choices)) {
		v := product.CreateVariantInput{ProductID: p.ID, PriceAmount: 1200, Track: true}
		if len(choices) > 0 {
			v.Choices = []string{choices[i]}
		}
		variants = append(variants, s.variant(t, v))
		if stock > 0 {
			s.receive(t, variants[i], stock)
		}
	}
	return s.state(t, p.ID, product.Published), variants
}

func (s shop) variant(t testing.TB, in product.CreateVariantInput) product.Variant {
	t.Helper()
	v, err := s.CreateVariant(t.Context(), s.Owner, in)
	return must(t, v, err)
}

// state sets the state of a product.
func (s shop) state(t testing.TB, id uuid.UUID, to product.State) product.Product {
	t.Helper()
	p, err := s.Get(t.Context(), s.Owner, id)
	must(t, p, err)
	if p, err = s.Update(t.Context(), s.Owner, product.UpdateInput{ID: id, Version: p.Version, State: &to}); err != nil {
		t.Fatal(err)
	}
	return p
}

// at names a variant at the studio's location, or at another one.
func (s shop) at(v product.Variant, location ...uuid.UUID) product.StockInput {
	return product.StockInput{ProductID: v.ProductID, VariantID: v.ID, LocationID: append(location, s.Location.ID)[0]}
}

func (s shop) receive(t testing.TB, v product.Variant, n int) {
	t.Helper()
	_, err := s.Receive(t.Context(), s.Owner, product.ReceiveInput{StockInput: s.at(v), Quantity: n})
	must(t, 0, err)
}

// edit changes a variant.
func (s shop) edit(t testing.TB, v product.Variant, change func(*product.UpdateVariantInput)) (product.Variant, error) {
	t.Helper()
	in := product.UpdateVariantInput{ProductID: v.ProductID, ID: v.ID}
	in.Version = apptest.Value[int64](t, s.w, "select version from product_variants where id = $1", v.ID)
	change(&in)
	return s.UpdateVariant(t.Context(), s.Owner, in)
}

// hasStock fails the test unless the stock of a variant at the location is that.
func (s shop) hasStock(t testing.TB, when string, v product.Variant, want string) {
	t.Helper()
	got := apptest.Value[string](t, s.w, `select coalesce((
		select on_hand || ' on hand, ' || held || ' held' from stock_levels
		where variant_id = $1 and location_id = $2), 'none')`, v.ID, s.Location.ID)
	if got != want {
		t.Errorf("%s: %s, want %s", when, got, want)
	}
}

// put adds a variant to a cart.
func (s shop) put(t testing.TB, token string, v product.Variant, n int) (checkout.Cart, error) {
	t.Helper()
	it := order.CartItem{Kind: order.Product, Subject: v.ID, Quantity: n}
	return s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, it)
}

// cart is a cart of variants, so many of each.
func (s shop) cart(t testing.TB, n int, variants ...product.Variant) string {
	t.Helper()
	token := s.Fill(t)
	for _, v := range variants {
		_, err := s.put(t, token, v, n)
		must(t, 0, err)
	}
	return token
}

func (s shop) hold(t testing.TB, who tenancy.Scope, token string) {
	t.Helper()
	_, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{})
	must(t, 0, err)
}

func (s shop) pay(t testing.TB, who tenancy.Scope, token string, quoted int64) checkout.Payment {
	t.Helper()
	p, err := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: quoted})
	return must(t, p, err)
}

func (s shop) confirm(t testing.TB, who tenancy.Scope, token string) checkout.Confirmed {
	t.Helper()
	c, err := s.Checkout.Confirm(t.Context(), who, token)
	return must(t, c, err)
}

// jobs runs the jobs in the outbox, and delivers events until there are none.
func (s shop) jobs(t testing.TB) {
	t.Helper()
	for ran := []string{""}; len(ran) > 0; {
		var err error
		s.Sim.Flush(t.Context())
		ran, err = s.RunJobs(t)
		must(t, 0, err)
	}
}

// check ends a story: the books are right and the processor agrees.
func (s shop) check(t testing.TB) {
	t.Helper()
	s.jobs(t)
	s.CheckProcessor(t)
	s.jobs(t)
	s.CheckLedger(t)
	s.w.CheckBooks(t)
}

// ledger is the stock ledger of a variant, the latest first: kind, quantity, and on hand after it.
func (s shop) ledger(t testing.TB, v product.Variant) (out []string) {
	t.Helper()
	page, err := s.Moves(t.Context(), s.Owner, product.MovesInput{ProductID: v.ProductID, VariantID: v.ID})
	must(t, page, err)
	for _, m := range page.Items {
		out = append(out, fmt.Sprintf("%s %+d: %d", m.Kind, m.Quantity, m.OnHand))
	}
	return out
}
