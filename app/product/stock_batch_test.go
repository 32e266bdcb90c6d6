package product_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/product"
	"foyer/policy"
)

// batch is a count or a delivery of variants, by quantity.
func (s shop) batch(kind product.MoveKind, quantities []int, variants ...product.Variant) product.BatchInput {
	in := product.BatchInput{LocationID: s.Location.ID, Kind: kind}
	for i, v := range variants {
		in.Items = append(in.Items, product.BatchItem{ProductID: v.ProductID, VariantID: v.ID, Quantity: quantities[i]})
	}
	return in
}

// names fails the test unless a refusal is about that field.
func names(t testing.TB, err error, field string) {
	t.Helper()
	if f := fault.From(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Field != field {
		t.Errorf("%v names %+v, want %s", err, f, field)
	}
}

// A code finds its variant: a SKU in any letter case, a barcode as scanners read it, and no archived variant.
func TestLookup(t *testing.T) {
	s := open(t)
	_, mats := s.product(t, "Mat", 7, "Blue", "Red")
	blue, red := mats[0], mats[1]
	upc, sku := "036000291452", "RED-1"
	_, err := s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Barcode = &upc })
	must(t, 0, err)
	_, err = s.edit(t, red, func(in *product.UpdateVariantInput) { in.SKU = &sku })
	must(t, 0, err)
	find := func(code string) []product.Stocked {
		t.Helper()
		list, err := s.Lookup(t.Context(), s.Owner, product.LookupInput{LocationID: s.Location.ID, Code: code})
		return must(t, list, err)
	}
	for code, want := range map[string]uuid.UUID{
		upc: blue.ID, "0" + upc: blue.ID, " " + upc + " ": blue.ID, "red-1": red.ID, "RED-1": red.ID,
	} {
		got := find(code)
		if len(got) != 1 || got[0].ID != want || got[0].Name != "Mat" || !got[0].Tracked || got[0].OnHand != 7 ||
			got[0].LastNumber != 1 || got[0].ProductID != blue.ProductID {
			t.Errorf("%q: %+v", code, got)
		}
	}
	// A SKU that is the barcode of another variant: the barcode decides.
	_, err = s.edit(t, red, func(in *product.UpdateVariantInput) { in.SKU = &upc })
	must(t, 0, err)
	if got := find(upc); len(got) != 1 || got[0].ID != blue.ID {
		t.Errorf("%+v", got)
	}
	yes := true
	_, err = s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Archived = &yes })
	must(t, 0, err)
	for _, code := range []string{"0" + upc, "", "%", "blue"} {
		if got := find(code); len(got) != 0 {
			t.Errorf("%q: %+v", code, got)
		}
	}
	_, err = s.Lookup(t.Context(), s.Holding(uuid.New(), policy.LocationView), product.LookupInput{
		LocationID: s.Location.ID,
	})
	if err == nil {
		t.Error("the shelf of another location is shown")
	}
}

// A delivery of several variants is one change, and none of it is made if one is refused, which is named.
func TestChangeStock(t *testing.T) {
	s := open(t)
	_, mats := s.product(t, "Mat", 2, "Blue", "Red")
	change := func(in product.BatchInput) error {
		_, err := s.ChangeStock(t.Context(), s.Owner, in)
		return err
	}
	must(t, 0, change(s.batch(product.Receive, []int{3, 4}, mats[1], mats[0])))
	s.hasStock(t, "received", mats[0], "6 on hand, 0 held")
	s.hasStock(t, "received", mats[1], "5 on hand, 0 held")
	_, straps := s.product(t, "Strap", 1)
	no := false
	_, err := s.edit(t, straps[0], func(in *product.UpdateVariantInput) { in.Track = &no })
	must(t, 0, err)
	err = change(s.batch(product.Receive, []int{1, 1}, mats[0], straps[0]))
	refused(t, "without stock", err, product.ErrUntracked)
	names(t, err, "items[1]")
	wrong(t, "0 received", change(s.batch(product.Receive, []int{1, 0}, mats...)), "items[1].quantity")
	wrong(t, "twice", change(s.batch(product.Receive, []int{1, 1}, mats[0], mats[0])), "items[1].variantId")
	wrong(t, "none", change(s.batch(product.Receive, nil)), "items")
	wrong(t, "sold", change(s.batch(product.Sell, []int{1}, mats[0])), "kind")
	s.hasStock(t, "refused", mats[0], "6 on hand, 0 held")

	// What was sold while the shelf was counted stays sold, and more held than counted is refused.
	seen := 2
	in := s.batch(product.Count, []int{5, 5}, mats...)
	in.Items[0].LastNumber = &seen
	s.buy(t, s.Customer(t, "Ada"), s.cart(t, 2, mats[0]), 2400)
	got, err := s.ChangeStock(t.Context(), s.Owner, in)
	if must(t, got, err); got[0].Moves[0].Quantity != -1 || got[1].Moves[0].Quantity != 0 || got[0].Levels[0].OnHand != 3 {
		t.Errorf("%+v", got)
	}
	s.hold(t, s.Customer(t, "Ben"), s.cart(t, 2, mats[1]))
	err = change(s.batch(product.Count, []int{3, 1}, mats...))
	refused(t, "held", err, product.ErrShort)
	names(t, err, "items[1]")
	in.Items[1].LastNumber = new(99)
	wrong(t, "no such move", change(in), "items[1].lastNumber")
	limited := s.Holding(s.Location.ID, policy.LocationView)
	if _, err := s.ChangeStock(t.Context(), limited, in); err == nil {
		t.Error("stock is counted without the feature")
	}
	s.check(t)
}
