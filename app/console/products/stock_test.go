package products_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/app/product"
	"foyer/policy"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// add makes a published product without options.
func add(t testing.TB, s *consoletest.Studio, name string, v product.CreateVariantInput) product.Product {
	t.Helper()
	p, err := s.Products.Create(t.Context(), s.Owner, product.CreateInput{Name: name})
	must(t, err)
	v.ProductID = p.ID
	_, err = s.Products.CreateVariant(t.Context(), s.Owner, v)
	must(t, err)
	p, err = s.Products.Update(t.Context(), s.Owner, product.UpdateInput{
		ID: p.ID, Version: p.Version, State: new(product.Published),
	})
	must(t, err)
	return p
}

func get(t testing.TB, s *consoletest.Studio, id uuid.UUID) product.Product {
	t.Helper()
	p, err := s.Products.Get(t.Context(), s.Owner, id)
	must(t, err)
	return p
}

// only is the one product of the studio.
func only(t testing.TB, s *consoletest.Studio) product.Product {
	t.Helper()
	return get(t, s, apptest.Value[uuid.UUID](t, s.World, "select id from products"))
}

// variants are those in use, with their stock.
func variants(t testing.TB, s *consoletest.Studio, p product.Product) []product.Variant {
	t.Helper()
	page, err := s.Products.Variants(t.Context(), s.Owner, product.VariantsInput{ProductID: p.ID})
	must(t, err)
	return page.Items
}

// receive adds stock at a location.
func receive(t testing.TB, s *consoletest.Studio, v product.Variant, location uuid.UUID, n int) {
	t.Helper()
	_, err := s.Products.Receive(t.Context(), s.Owner, product.ReceiveInput{
		StockInput: product.StockInput{ProductID: v.ProductID, VariantID: v.ID, LocationID: location}, Quantity: n,
	})
	must(t, err)
}

// TestVariants: options make a variant of each combination, and each is edited, archived and restored on its own.
func TestVariants(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/products/new").Form("/new")
	colour := []string{"name", "Shirt", "price", "20", "options[0].name", "Colour", "options[0].choices",
		"Blue\r\nRed\r\n"}
	owner.Send(form, append(colour, "sku", "SHIRT")...).Is(t, 400).Shows(t, "With options, each variant has its own.")
	owner.Send(form, append(colour, "options[1].choices", "S")...).Is(t, 400).Shows(t, "Give each option a name.")
	owner.Send(form, append(colour, "options[1].name", "Size", "options[1].choices", "S\nM", "then",
		"publish")...).Is(t, 200).
		Shows(t, "Published Shirt.", "Variants 4")
	p := only(t, s)
	at := "/products/" + p.ID.String()
	owner.Get("/products").Shows(t, "Shirt", "4 variants", "$20")
	list := owner.Get(at+"/variants").Is(t, 200).Shows(t, "Blue, S", "Blue, M", "Red, S", "Red, M", "Not tracked")
	list.Silent(t, "Add variant")
	v := variants(t, s, p)[0]
	one := at + "/variants/" + v.ID.String()
	owner.Sheet(one).Is(t, 200).Shows(t, "Blue, S", "frees its SKU and barcode", "Colour")
	edit := owner.Get(one).Form(one)
	owner.Send(edit, "price", "").Is(t, 400).Shows(t, "Enter a price. 0 is free.")
	owner.Send(edit, "choices[0]", "Red").Is(t, 409).Shows(t, "Another variant of this product has these options.")
	owner.Send(edit, "price", "22", "sku", "SHIRT-BS", "track", "1").Is(t, 200).
		Shows(t, "Saved Blue, S.", "SHIRT-BS", "$22")
	owner.Send(edit, "price", "23").Is(t, 409).Shows(t, "Another user changed this")
	owner.Get("/products").Shows(t, "$20.00 to $22.00")
	gone := owner.Send(owner.Get(one).Form("/archive")).Is(t, 200).
		Shows(t, "Archived Blue, S.", "Add variant", "Variants 3")
	owner.Get(at+"/variants?archived=1").Is(t, 200).Shows(t, "Blue, S")
	owner.Get(one).Is(t, 200).Shows(t, "Restore Blue, S").Silent(t, "Save")
	owner.Send(gone.Form("/restore")).Is(t, 200).Shows(t, "Restored Blue, S.", "Variants 4")
	owner.Send(owner.Get(one).Form("/archive")).Is(t, 200)
	again := owner.Get(at+"/variants/new").Is(t, 200).Form("/new")
	owner.Send(again, "price", "1", "choices[0]", "Red").Is(t, 409).
		Shows(t, "Another variant of this product has these options.")
	owner.Send(again, "price", "25", "track", "1", "choices[0]", "Blue", "choices[1]", "S").Is(t, 200).
		Shows(t, "Added Blue, S. It is on sale where you receive or count it.", "$25")
	owner.Send(owner.Get(at).Form(at), "options[1].choices", "S").Is(t, 400).
		Shows(t, "A variant has a choice that is missing here. Change or archive it first.")
	owner.Send(owner.Get(at).Form(at), "options[2].name", "Cut", "options[2].choices", "Slim\nWide").Is(t, 200)
	owner.Get(at+"/variants").Shows(t, "Red, M, Slim")
}

// TestTooManyCombinations: of more than a product may have, none becomes a variant.
func TestTooManyCombinations(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	many := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11"
	typed := []string{"name", "Shirt", "options[0].name", "A", "options[0].choices", many, "options[1].name", "B",
		"options[1].choices", many}
	form := owner.Get("/products/new").Form("/new")
	owner.Send(form, append(typed, "price", "20")...).Is(t, 200).Shows(t, "Saved Shirt as a draft.", "Add variant")
	if n := len(variants(t, s, only(t, s))); n != 0 {
		t.Errorf("%d variants", n)
	}
}

// twoPlaces is a studio with stock of a mat at two locations.
func twoPlaces(t testing.TB) (s *consoletest.Studio, v product.Variant, there business.Location) {
	t.Helper()
	s = consoletest.Open(t)
	there = s.AddLocation(t, "Riverside")
	p := add(t, s, "Yoga mat", product.CreateVariantInput{PriceAmount: 2400, Track: true})
	v = variants(t, s, p)[0]
	receive(t, s, v, s.Location.ID, 20)
	receive(t, s, v, there.ID, 7)
	return s, v, there
}

// stockOf is the address of a variant's stock.
func stockOf(v product.Variant) string {
	return "/products/" + v.ProductID.String() + "/variants/" + v.ID.String() + "/stock"
}

// TestStock: each change has its form, says what it has done, and is in the ledger.
func TestStock(t *testing.T) {
	s, v, there := twoPlaces(t)
	owner, at := s.As(t, consoletest.Owner), stockOf(v)
	here, far := at+"/"+s.Location.ID.String(), at+"/"+there.ID.String()
	owner.Get("/products").Shows(t, "27")
	owner.Get(at).Is(t, 200).
		Shows(t, "Stock by location", "On hand", "Held", "Available", "Stock ledger", "Received", "+20", "Riverside")

	form := owner.Get(here+"/receive").Is(t, 200).Form("/receive")
	owner.Send(form, "quantity", "ten").Is(t, 400).Shows(t, "Enter a whole number.")
	owner.Send(form, "quantity", "0").Is(t, 400).Shows(t, "Use 1 to 99999.")
	owner.Send(form, "quantity", "10", "reason", "Order 7").Is(t, 200).Shows(t, "Received 10.", "30.", "Order 7", "+10")

	form = owner.Get(here+"/adjust").Is(t, 200).Form("/adjust")
	owner.Send(form, "quantity", "2").Is(t, 400).Shows(t, "Say why.")
	owner.Send(form, "quantity", "-2", "reason", "Torn").Is(t, 400).Shows(t, "Enter a number from 1 to 99999.")
	owner.Send(form, "quantity", "31", "reason", "Torn").Is(t, 409).Shows(t, "There is not enough stock available.")
	owner.Send(form, "quantity", "2", "reason", "Torn").Is(t, 200).Shows(t, "Adjusted by -2.", "28.", "Torn")
	owner.Send(owner.Get(here+"/adjust").Form("/adjust"), "way", "more", "quantity", "1", "reason", "Found").Is(t, 200).
		Shows(t, "Adjusted by +1.")

	form = owner.Get(here+"/transfer").Is(t, 200).Form("/transfer")
	owner.Send(form, "quantity", "9999").Is(t, 409).Shows(t, "There is not enough stock available.")
	owner.Send(form, "quantity", "5").Is(t, 200).
		Shows(t, "Transferred 5 to Riverside.", "Transferred out", "Transferred in", "24", "12")

	owner.Get(far+"/count").Is(t, 200).Shows(t, "On hand when this form was opened", "12")
	if got := variants(t, s, product.Product{ID: v.ProductID})[0].Levels; got[0].OnHand+got[1].OnHand != 36 {
		t.Errorf("%+v", got)
	}
	owner.Get(at+"?at="+there.Slug).Is(t, 200).Shows(t, "+7").Silent(t, "+20")
	owner.Get("/products?at="+there.Slug).Shows(t, "12")
}

// TestCountWhileSelling: what moved since the form was opened stays, also after the form came back with an error.
func TestCountWhileSelling(t *testing.T) {
	s, v, _ := twoPlaces(t)
	owner, at := s.As(t, consoletest.Owner), stockOf(v)
	here := at + "/" + s.Location.ID.String() + "/count"
	form := owner.Get(here).Is(t, 200).Shows(t, "On hand when this form was opened 20").Form("/count")
	receive(t, s, v, s.Location.ID, 3)
	back := owner.Send(form, "quantity", "many").Is(t, 400).
		Shows(t, "Enter a whole number.", "On hand when this form was opened 20")
	owner.Send(back.Form("/count"), "quantity", "18").Is(t, 200).Shows(t, "Counted. Difference: -2.", "21.")
	owner.Send(owner.Get(here).Form("/count"), "quantity", "21").Is(t, 200).Shows(t, "Counted. The count was as expected.")
	owner.Send(owner.Get(here).Form("/count"), "quantity", "1000000").Is(t, 400).Shows(t, "Use 0 to 999999.")
}

// TestLedgerPages: the ledger goes on by pages.
func TestLedgerPages(t *testing.T) {
	s, v, _ := twoPlaces(t)
	for range 60 {
		receive(t, s, v, s.Location.ID, 1)
	}
	owner := s.As(t, consoletest.Owner)
	page := owner.Get(stockOf(v)).Is(t, 200).Shows(t, "Next page").Silent(t, "Previous page")
	links := slices.DeleteFunc(page.Links(), func(to string) bool { return !strings.Contains(to, "after=") })
	owner.Get(links[0]).Is(t, 200).Shows(t, "+20", "+7", "Previous page").Silent(t, "Next page")
}

// TestUntrackedStock: it says what that means, and offers no change.
func TestUntrackedStock(t *testing.T) {
	s := consoletest.Open(t)
	v := variants(t, s, add(t, s, "Water", product.CreateVariantInput{PriceAmount: 200}))[0]
	owner, at := s.As(t, consoletest.Owner), stockOf(v)
	page := owner.Get(at).Is(t, 200).Shows(t, "Its stock is not tracked")
	if page.Has("/receive") {
		t.Error("untracked stock is offered a change")
	}
	path := at + "/" + s.Location.ID.String() + "/receive"
	owner.Get(path).Is(t, 200).Shows(t, "The stock of this variant is not tracked.")
	owner.Get(at+"/"+uuid.NewString()+"/receive").Is(t, 404)
	p := "/products/" + v.ProductID.String()
	owner.Send(owner.Get(p).Form(p), "track", "1").Is(t, 200)
	page = owner.Get(at).Shows(t, "Not sold here until you receive or count it")
	owner.Send(owner.Get(page.Link("/receive")).Form("/receive"), "quantity", "3").Is(t, 200).Shows(t, "Received 3.")
}

// TestStockOfALocation: a role at one location sees and changes the stock there alone; the front desk receives it, and
// others see it.
func TestStockOfALocation(t *testing.T) {
	s, v, there := twoPlaces(t)
	at := stockOf(v)
	here, far := at+"/"+s.Location.ID.String(), at+"/"+there.ID.String()
	forms := []string{"/receive", "/count", "/adjust", "/transfer"}
	for who, c := range map[string]struct {
		*consoletest.Client
		here, far []string // forms that are offered
		both      bool     // sees both locations
	}{
		"owner":      {s.As(t, consoletest.Owner), forms, forms, true},
		"front desk": {s.As(t, policy.FrontDesk), forms[:1], forms[:1], true},
		"instructor": {s.As(t, policy.Instructor), nil, nil, true},
		"manager of a location": {s.Member(t, "m@team.example.com", apptest.At(policy.Manager, s.Location.ID)),
			forms[:3], nil, false},
		"desk of a location": {s.Member(t, "d@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID)),
			forms[:1], nil, false},
		"manager here, viewer there": {s.Member(t, "v@team.example.com", apptest.At(policy.Manager, s.Location.ID),
			apptest.At(policy.Viewer, there.ID)), forms[:3], nil, true},
	} {
		page := c.Get(at).Is(t, 200).Shows(t, "+20")
		total := "20"
		if c.both {
			page.Shows(t, "Riverside", "+7")
			total = "27"
		} else {
			page.Silent(t, "Riverside", "+7")
		}
		c.Get("/products").Shows(t, total)
		for _, f := range forms {
			for base, offered := range map[string][]string{here: c.here, far: c.far} {
				want := slices.Contains(offered, f)
				if got := page.Has(base + f); got != want {
					t.Errorf("%s is offered %s: %t", who, f, got)
				}
				none := f == "/transfer" && slices.Contains(offered, "/adjust") // where to
				if status := c.Get(base + f).Status; (status == 200) != (want || none) || status != 200 && status != 403 {
					t.Errorf("%s opens %s with %d", who, f, status)
				}
			}
		}
	}
}
