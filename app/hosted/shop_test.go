package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/booking"
	"foyer/app/product"
	"foyer/media"
	"foyer/media/mediatest"
)

// sells makes a published product with a variant for each choice, at a price, and so many of each in stock.
func (s *shop) sells(t testing.TB, name string, price int64, stock int, choices ...string) product.Product {
	t.Helper()
	p := s.Services.Products
	in := product.CreateInput{Name: name, Description: "Made of cork."}
	if len(choices) > 0 {
		in.Options = []product.Option{{Name: "Colour", Choices: choices}}
	}
	made, err := p.Create(t.Context(), s.Owner, in)
	if err != nil {
		t.Fatal(err)
	}
	for i := range max(1, len(choices)) {
		v := product.CreateVariantInput{ProductID: made.ID, PriceAmount: price + int64(i)*100, Track: true}
		if len(choices) > 0 {
			v.Choices = []string{choices[i]}
		}
		variant, err := p.CreateVariant(t.Context(), s.Owner, v)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Receive(t.Context(), s.Owner, product.ReceiveInput{
			StockInput: product.StockInput{ProductID: made.ID, VariantID: variant.ID, LocationID: s.Location.ID},
			Quantity:   stock,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	to := product.Published
	now, err := p.Get(t.Context(), s.Owner, made.ID)
	if err == nil {
		_, err = p.Update(t.Context(), s.Owner, product.UpdateInput{ID: made.ID, Version: now.Version, State: &to})
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestShop buys a class and two mats without script: the shop, a product, the cart, the payment, the receipt, the mail.
func TestShop(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit(t)
	home := "/" + s.Location.Slug
	v.get("/shop"+home).want(200, "Nothing is for sale here at the moment.")
	v.get(home).want(200).lacks("Shop")
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	mat := s.sells(t, "Cork mat", 1200, 3, "Black", "Green")
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.choose(yoga, 0).wantTo("/cart/").follow().want(200, "Pay $22.00")
	list := ana.get(ana.get(home).want(200, "Also here: Shop").link("Shop")).
		want(200, "Cork mat", "from $12", "Show Cork mat")
	page := ana.get(list.link("Show Cork mat")).want(200, "Made of cork.", "Colour", "Black · $12", "Green · $13",
		"3 left", "Add to cart")
	f := page.form(mat.ID.String())
	cart := f.post("quantity", "2").wantTo("/cart/").follow().want(200, "Your booking", "Added: Cork mat",
		"Quantity: 2", "$24.00", "Sunrise Vinyasa",
		"2 items", "$46.00")
	f.post("quantity", "2").wantTo("/cart/")
	if n := s.count(t, "cart_items where kind = 'product'"); n != 1 {
		t.Errorf("the same form, sent twice, added %d items", n)
	}
	pay := cart.form(cart.url.Path).post().wantTo("/cart/").follow().want(200, "Pay $46.00", "Cork mat")
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Cork mat", "Quantity: 2",
		"Sunrise Vinyasa", "$46.00")
	if strings.Contains(receipt.text(), "January 1") {
		t.Error("goods have a time")
	}
	s.letter(t, "ana@example.com", "booked")
	v.get(list.link("Show Cork mat")).want(200, "Black · $12 1 left")
}

// TestShopAddsAgain: a form that was sent before adds once more after its item was removed from the cart.
func TestShopAddsAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	mat := s.sells(t, "Cork mat", 1200, 3)
	v := s.visit(t)
	f := v.get("/shop/" + s.Location.Slug + "/" + mat.ID.String()).form(mat.ID.String())
	cart := f.post("quantity", "2").wantTo("/cart/").follow().want(200, "Cork mat", "Quantity: 2")
	cart.form("/remove").post().follow().lacks("Quantity: 2")
	f.post("quantity", "2").wantTo("/cart/").follow().want(200, "Added: Cork mat", "Quantity: 2")
	if n := s.count(t, "cart_items where kind = 'product'"); n != 1 {
		t.Errorf("%d items", n)
	}
}

// TestShopRefuses what cannot be bought, at the form and in the cart, and keeps what was entered.
func TestShopRefuses(t *testing.T) {
	t.Parallel()
	s := open(t)
	mat := s.sells(t, "Cork mat", 1200, 2)
	path := "/shop/" + s.Location.Slug + "/" + mat.ID.String()
	ana, ben := s.signedIn(t, "ana@example.com", "Ana Ruiz"), s.signedIn(t, "ben@example.com", "Ben Ito")
	page := ana.get(path).want(200, "Cork mat")
	short := page.form(mat.ID.String()).post("quantity", "3").
		want(200, "This was not added to your cart", "This is sold out.")
	if !strings.Contains(short.Body, `value="3"`) {
		t.Error("the quantity is lost")
	}
	page.form(mat.ID.String()).post("quantity", "0").want(200, "This was not added to your cart", "Use 1 to 999.")
	page.form(mat.ID.String()).post("quantity", "two").want(200, "Use 1 to 999.")
	page.form(mat.ID.String()).post("quantity", "1", "variant", mat.ID.String()).
		want(200, "This product is no longer available.")
	shop := "/shop/" + s.Location.Slug
	for _, wrong := range []string{shop + "/x", shop + "/" + s.Location.ID.String(), "/shop/nowhere-here"} {
		ana.get(wrong).want(404)
	}
	cart := page.form(mat.ID.String()).post("quantity", "2").wantTo("/cart/").follow()
	first := ben.get(path).form(mat.ID.String()).post("quantity", "1").wantTo("/cart/").follow().
		want(200, "Your order", "Cork mat")
	first.form(first.url.Path).post().follow().want(200, "Pay $12.00")
	cart.form(cart.url.Path).post().wantTo("/cart/").follow().want(200, "This is sold out.")
	ana.get(path).want(200, "1 left")
}

// TestShopIsAccessible buys goods alone, from the list to the receipt.
func TestShopIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 1)
	mat := s.sells(t, "Cork mat", 1200, 3, "Black", "Green")
	gone := s.sells(t, "Water bottle", 900, 1)
	l := s.look(t, browser.Options{})
	l.at("/" + s.Location.Slug).see("shop-schedule")
	l.Click(".below a")
	l.see("shop")
	l.at("/shop/" + s.Location.Slug + "/" + mat.ID.String()).see("shop-product")
	l.Fill("#quantity", "2")
	l.Click(".pick form .acts button")
	l.see("shop-cart")
	l.Click("#go .btn, form#go button[type=submit]")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	l.see("shop-pay")
	l.pays(apptest.CardGood)
	l.see("shop-receipt")
	ben := s.signedIn(t, "ben@example.com", "Ben Ito")
	path := "/shop/" + s.Location.Slug + "/" + gone.ID.String()
	cart := ben.get(path).form(gone.ID.String()).post("quantity", "1").follow()
	cart.form(cart.url.Path).post()
	l.at(path).see("shop-sold-out")
}

// TestShopShowsPhotos: A208: the list shows the cover of a product and its page all of its photos, once their sizes
// are made, also when they were archived since, and not when they were deleted.
func TestShopShowsPhotos(t *testing.T) {
	t.Parallel()
	s := open(t)
	mat := s.sells(t, "Cork mat", 1200, 3)
	s.sells(t, "Strap", 900, 3)
	m := media.New(media.Options{DB: s.World.DB, Store: mediatest.Store(t)})
	of := media.Subject{Kind: media.OfProduct, ID: mat.ID}
	front := photoOf(t, s, m, of, "The mat from the front", true)
	photoOf(t, s, m, of, "Not made yet", false)
	back := photoOf(t, s, m, of, "The mat from behind", true)
	size := func(a media.Asset) string { return media.Path(s.Business.ID, a.ID, 320, media.WebP) + " 320w" }
	v := s.visit(t)
	list := "/shop/" + s.Location.Slug
	shows := func(path string, photos ...media.Asset) {
		t.Helper()
		p := v.get(path).want(200, "Cork mat")
		if n := strings.Count(p.Body, "<picture>"); n != len(photos) {
			t.Errorf("%s: %d photos, want %d", path, n, len(photos))
		}
		for _, a := range photos {
			if !strings.Contains(p.Body, size(a)) || !strings.Contains(p.Body, `alt="`+a.Alt+`"`) {
				t.Errorf("%s lacks %q", path, a.Alt)
			}
		}
	}
	page := list + "/" + mat.ID.String()
	shows(list, front)
	shows(page, front, back)
	if _, err := m.Archive(t.Context(), s.Owner, front.ID); err != nil {
		t.Fatal(err)
	}
	shows(list, front)
	if err := m.Delete(t.Context(), s.Owner, front.ID); err != nil {
		t.Fatal(err)
	}
	shows(list, back)
	shows(page, back)
}

// TestShopHasNoSpots: a cart of products alone has items and no spots, also when a card is declined and when its hold
// has ended.
func TestShopHasNoSpots(t *testing.T) {
	t.Parallel()
	s := open(t)
	mat := s.sells(t, "Cork mat", 1200, 3)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	f := ana.get("/shop/" + s.Location.Slug + "/" + mat.ID.String()).form(mat.ID.String())
	cart := f.post("quantity", "2").wantTo("/cart/").follow().want(200, "Your order")
	pay := cart.form(cart.url.Path).post().wantTo("/cart/").follow().want(200, "Pay $24.00")
	pay.pay(apptest.CardDeclined).follow().
		want(200, "Your bank declined the card", "Nothing was charged, and your items are still held").lacks("spot")
	s.World.Clock.Advance(booking.HoldLife + time.Second)
	ana.get(pay.url.Path).wantTo("/cart/").follow().want(200, "Your hold has expired",
		"Your items were released, and they are still available.", "Cork mat", "Quantity: 2", "Hold them again").lacks("spot")
}
