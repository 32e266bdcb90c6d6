package products_test

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/product"
	"foyer/media"
	"foyer/policy"
)

// TestAddProduct: a product without options is made with its only variant, and published by the same form.
func TestAddProduct(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/products").Is(t, 200).Shows(t, "No products yet", "Add product")
	form := owner.Get(page.Link("/products/new")).Is(t, 200).Silent(t, "Currency").Form("/products/new")
	wrong := owner.Send(form, "name", "", "price", "abc").Is(t, 400).Shows(t, "Enter an amount such as 22.50.")
	if again := wrong.Form("/products/new"); again.Values.Get("price") != "abc" {
		t.Errorf("typed is gone: %v", again.Values)
	}
	owner.Send(form, "name", "Yoga mat").Is(t, 400).Shows(t, "Enter a price. 0 is free.")
	owner.Send(form, "name", "", "price", "24").Is(t, 400).Shows(t, "Give it a name.")
	made := owner.Send(form, "name", "Yoga mat", "description", "Cork.\r\nGreen.", "price", "24.50", "cost", "11",
		"sku", "MAT",
		"barcode", "4006381333931", "track", "1", "then", "publish").Is(t, 200)
	made.Shows(t, "Published Yoga mat. It is on sale now.", "Published", "Unpublish", "Stock")
	p := only(t, s)
	v := variants(t, s, p)[0]

	if p.State != product.Published || p.Description != "Cork.\nGreen." || v.PriceAmount != 2450 ||
		*v.CostAmount != 1100 || v.SKU != "MAT" || v.BarcodeKind != product.EAN13 || v.TrackedAt == nil || v.BelowZero {
		t.Fatalf("%+v, %+v", p, v)
	}
	owner.Get("/products").Shows(t, "Yoga mat", "$24.50", "Published").Silent(t, "variant")
	for _, q := range []string{"yoga", "mat", "4006381333931"} {
		owner.Get("/products?q="+q).Shows(t, "$24.50")
	}
	owner.Get("/products?q=towel").Is(t, 200).Shows(t, "No products match.", "Clear filters")
	owner.Get("/products?state=draft").Is(t, 200).Shows(t, "No products match.")
	owner.Get("/products?state=published").Is(t, 200).Shows(t, "$24.50")
}

// TestRefusedVariantOfANewProduct: the product is kept as a draft when its variant is refused, and the same form saves
// the rest. It is not made twice.
func TestRefusedVariantOfANewProduct(t *testing.T) {
	s := consoletest.Open(t)
	add(t, s, "Strap", product.CreateVariantInput{SKU: "STRAP", PriceAmount: 900})
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/products/new").Form("/new")
	page := owner.Send(form, "name", "Belt", "price", "9", "sku", "strap", "then", "publish").Is(t, 409)
	page.Shows(t, "Saved Belt as a draft, but not all of it", "Another product has this SKU.")
	belt := apptest.Value[uuid.UUID](t, s.World, "select id from products where name = 'Belt'")
	again := page.Form("/products/" + belt.String())
	if again.Values.Get("sku") != "strap" || again.Values.Get("price") != "9" {
		t.Errorf("typed is gone: %v", again.Values)
	}
	owner.Send(again, "sku", "BELT").Is(t, 200).Shows(t, "Saved Belt.", "Draft")
	if n := apptest.Value[int](t, s.World, "select count(*)::int from product_variants where product_id = $1",
		belt); n != 1 {
		t.Errorf("%d variants", n)
	}
	if n := apptest.Value[int](t, s.World, "select count(*)::int from products"); n != 2 {
		t.Errorf("%d products", n)
	}
}

// TestEditProduct: every field of the form is saved, a refusal stands at its field, and a product changed meanwhile is
// not overwritten unseen.
func TestEditProduct(t *testing.T) {
	s := consoletest.Open(t)
	rate, food := s.AddTaxRate(t, "Sales tax", 88_750), s.AddRevenueCategory(t, "Food")
	add(t, s, "Strap", product.CreateVariantInput{SKU: "STRAP", Barcode: "X1", PriceAmount: 900})
	p := add(t, s, "Tea", product.CreateVariantInput{PriceAmount: 300})
	at := "/products/" + p.ID.String()
	owner := s.As(t, consoletest.Owner)
	form := owner.Get(at).Is(t, 200).Shows(t, "By kind: Product income", "Food").Form(at)
	for field, c := range map[string]struct {
		typed, says string
		status      int
	}{
		"sku":     {"STRAP", "Another product has this SKU.", 409},
		"barcode": {"a1", "", 200},
		"price":   {"-1", "Enter an amount such as 22.50.", 400},
		"name":    {"", "Give it a name.", 400},
	} {
		page := owner.Send(owner.Get(at).Form(at), field, c.typed).Is(t, c.status)
		if c.says != "" {
			page.Shows(t, c.says)
		}
	}
	owner.Send(owner.Get(at).Form(at), "barcode", "X1").Is(t, 409).Shows(t, "Another product has this barcode.")
	owner.Send(owner.Get(at).Form(at), "barcode", "4006381333932").Is(t, 400).Shows(t, "The last digit does not match.")
	owner.Send(owner.Get(at).Form(at), "name", "Green tea", "price", "3.50", "taxRateId", rate.ID.String(),
		"revenueCategoryId", food.ID.String(), "belowZero", "1").Is(t, 200).
		Shows(t, "Saved Green tea. Carts that hold it and existing orders do not change.")
	if v := variants(t, s, p)[0]; v.PriceAmount != 350 || !v.BelowZero || v.TrackedAt != nil {
		t.Errorf("%+v", v)
	}
	if now := get(t, s, p.ID); *now.TaxRateID != rate.ID || *now.RevenueCategoryID != food.ID {
		t.Errorf("%+v", now)
	}
	stale := owner.Send(form, "name", "Black tea").Is(t, 409).
		Shows(t, "Another user changed this", "Current value:", "Green tea")
	owner.Send(stale.Form(at)).Is(t, 200).Shows(t, "Saved Black tea.")
	owner.Send(owner.Get(at).Form(at), "price", "").Is(t, 400).Shows(t, "Enter a price. 0 is free.")
}

// TestPublishAndArchive: every state says what it means, and has a way back.
func TestPublishAndArchive(t *testing.T) {
	s := consoletest.Open(t)
	p, err := s.Products.Create(t.Context(), s.Owner, product.CreateInput{Name: "Mat"})
	must(t, err)
	at := "/products/" + p.ID.String()
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200).Shows(t, "Draft", "It needs a variant with a price before you can publish it.")
	owner.Send(page.Form("/publish")).Is(t, 400).Shows(t, "Add a variant with a price.")
	owner.Send(page.Form(at), "price", "24").Is(t, 200).Shows(t, "Draft: not for sale until you publish it.")
	page = owner.Send(owner.Get(at).Form("/publish")).Is(t, 200).Shows(t, "Published Mat. It is on sale now.", "Undo")
	page = owner.Send(page.Form("/unpublish")).Is(t, 200).
		Shows(t, "Unpublished Mat. Carts that hold it can still be paid.", "Undo")
	owner.Send(page.Form("/publish")).Is(t, 200).Shows(t, "Published Mat.")
	ask := owner.Get(at+"/archive").Is(t, 200).
		Shows(t, "Archive Mat?", "It is no longer for sale. Carts that hold it can still be paid.", "SKUs and barcodes")
	owner.Send(ask.Form("/archive")).Is(t, 200).Shows(t, "Archived Mat.", "Restore")
	owner.Get("/products").Shows(t, "No products yet")
	owner.Get("/products?state=archived").Shows(t, "Mat", "Archived")
	page = owner.Get(at).Is(t, 200).Shows(t, "Archived: not for sale.").Silent(t, "Save")
	owner.Get(at+"/variants/new").Is(t, 200).Shows(t, "Restore it first.")
	owner.Send(page.Form("/restore")).Is(t, 200).Shows(t, "Restored Mat as a draft.")
}

// TestCurrencyOfAProduct: the form asks for it where locations have several, and publishing names it.
func TestCurrencyOfAProduct(t *testing.T) {
	s := consoletest.Open(t)
	s.AddLocation(t, "Lisboa")
	s.SQL(t, "update locations set currency = 'EUR' where name = 'Lisboa'")
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/products/new").Shows(t, "Only locations with this currency sell it.").Form("/new")
	owner.Send(form, "name", "Mat", "currency", "EUR", "price", "20", "then", "publish").Is(t, 200).
		Shows(t, "Published Mat. Locations with the currency EUR sell it now.")
	if p := only(t, s); p.Currency != "EUR" {
		t.Errorf("%+v", p)
	}
}

// TestProductPages: the list goes on by pages.
func TestProductPages(t *testing.T) {
	s := consoletest.Open(t)
	for range 51 {
		_, err := s.Products.Create(t.Context(), s.Owner, product.CreateInput{Name: "Mat " + uuid.NewString()})
		must(t, err)
	}
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/products").Is(t, 200).Shows(t, "Next page", "No price yet").Silent(t, "Previous page")
	links := slices.DeleteFunc(page.Links(), func(to string) bool { return !strings.Contains(to, "after=") })
	owner.Get(links[0]).Is(t, 200).Shows(t, "Previous page").Silent(t, "Next page")
}

// TestWhoMayChangeProducts: locations share products, so it needs the right in the whole business; what they cost is
// for those who see the finances.
func TestWhoMayChangeProducts(t *testing.T) {
	s := consoletest.Open(t)
	p := add(t, s, "Yoga mat", product.CreateVariantInput{PriceAmount: 2400, CostAmount: new(int64(1100)), SKU: "MAT"})
	at := "/products/" + p.ID.String()
	v := at + "/variants/" + variants(t, s, p)[0].ID.String()
	for who, c := range map[string]*consoletest.Client{
		"front desk":            s.As(t, policy.FrontDesk),
		"instructor":            s.As(t, policy.Instructor),
		"manager of a location": s.Member(t, "m@team.example.com", apptest.At(policy.Manager, s.Location.ID)),
	} {
		c.Get("/products").Is(t, 200).Shows(t, "Yoga mat", "$24").Silent(t, "Add product")
		page := c.Get(at).Is(t, 200).Shows(t, "$24", "MAT").Silent(t, "Save", "Cost", "$11", "Unpublish", "Archive…")
		if page.Has("/publish") || page.Has("/archive") {
			t.Errorf("%s is shown what they may not do", who)
		}
		c.Get(v).Is(t, 200).Silent(t, "Cost", "Save")
		for _, path := range []string{"/products/new", at + "/archive", at + "/variants/new"} {
			c.Get(path).Is(t, 403)
		}
	}
	s.As(t, consoletest.Owner).Get("/products/"+uuid.NewString()).Is(t, 404)
	admin := s.As(t, policy.Admin)
	admin.Send(admin.Get(at).Shows(t, "Save").Form(at), "price", "25").Is(t, 200)
	if got := variants(t, s, p)[0]; got.PriceAmount != 2500 || *got.CostAmount != 1100 {
		t.Errorf("%+v", got)
	}
}

// TestPhotosOfAProduct: a photo is uploaded on the product's page and chosen from the library, and its page leads back
// to the product. An archived product has no such form.
func TestPhotosOfAProduct(t *testing.T) {
	s := consoletest.Open(t)
	p := add(t, s, "Strap", product.CreateVariantInput{PriceAmount: 900})
	at, photos := "/products/"+p.ID.String(), "/catalog/photos/of/product/"+p.ID.String()
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(at).Is(t, 200).Shows(t, "Photos", "Add a photo")
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 300))))
	owner.SendFile(page.Form(photos+"/upload"), "strap.png", b.Bytes(), nil).Is(t, 200).Shows(t, "Added strap.")
	_, have, err := s.Media.Of(t.Context(), s.Owner, media.Subject{Kind: media.OfProduct, ID: p.ID})
	if must(t, err); len(have) != 1 {
		t.Fatalf("%+v", have)
	}
	owner.Get(page.Link(photos)).Is(t, 200).Shows(t, "Strap", "Cover")
	of := owner.Get("/catalog/photos/"+have[0].ID.String()).Is(t, 200).Shows(t, "Used on", "Strap")
	if of.Link(at) == "" {
		t.Error("the photo does not lead to its product")
	}
	if _, err = s.Products.Archive(t.Context(), s.Owner, p.ID); err != nil {
		t.Fatal(err)
	}
	owner.Get(at).Is(t, 200).Silent(t, "Add a photo")
}
