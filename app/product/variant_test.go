package product_test

import (
	"fmt"
	"testing"

	"foyer/app/apptest"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/product"
)

// Variants differ in their choices; a SKU and a barcode are of one variant of the business, until that is archived.
func TestVariants(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Mat", 0, "Blue", "Red")
	blue, red := variants[0], variants[1]
	add := func(in product.CreateVariantInput) error {
		in.ProductID = p.ID
		_, err := s.CreateVariant(t.Context(), s.Owner, in)
		return err
	}
	refused(t, "the same choices", add(product.CreateVariantInput{Choices: []string{"Red"}}), product.ErrVariantExists)
	for what, choices := range map[string][]string{
		"no choice": nil, "one too many": {"Blue", "M"}, "another one": {"Green"}, "another spelling": {"blue"},
	} {
		wrong(t, what, add(product.CreateVariantInput{Choices: choices}), "choices")
	}
	code := func(v product.Variant, sku, barcode string) error {
		_, err := s.edit(t, v, func(in *product.UpdateVariantInput) { in.SKU, in.Barcode = &sku, &barcode })
		return err
	}
	must(t, 0, code(blue, " Mat-1 ", "036000291452"))
	refused(t, "the same SKU", code(red, "mat-1", ""), product.ErrSKUInUse)
	refused(t, "the same barcode", code(red, "MAT-2", "036000291452"), product.ErrBarcodeInUse)
	refused(t, "the same barcode as an EAN-13", code(red, "MAT-2", "0036000291452"), product.ErrBarcodeInUse)
	wrong(t, "a wrong check digit", code(red, "MAT-2", "036000291453"), "barcode")
	wrong(t, "no barcode", code(red, "MAT-2", "mätte"), "barcode")
	must(t, 0, code(red, "MAT-2", "any text"))
	got := apptest.Values[string](t, s.w,
		"select concat_ws(' ', sku, barcode, barcode_kind) from product_variants order by id")
	if got[0] != "Mat-1 036000291452 upc_a" || got[1] != "MAT-2 any text code_128" {
		t.Errorf("codes: %q", got)
	}
	other := s.Beside(t)
	q, err := other.Services.Products.Create(t.Context(), other.Owner, product.CreateInput{Name: "Mat"})
	must(t, q, err)
	_, err = other.Services.Products.CreateVariant(t.Context(), other.Owner,
		product.CreateVariantInput{ProductID: q.ID, SKU: "MAT-1", Barcode: "036000291452"})
	must(t, 0, err)
	archived := true
	_, err = s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Archived = &archived })
	must(t, 0, err)
	must(t, 0, code(red, "mat-1", "036000291452"))
	refused(t, "an archived one", code(blue, "", ""), product.ErrVariantArchived)
	archived = false
	_, err = s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Archived = &archived })
	if err == nil || !fault.IsKind(err, fault.Conflict) {
		t.Errorf("restored with the codes of another: %v", err)
	}
	must(t, 0, code(red, "", ""))
	_, err = s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Archived = &archived })
	must(t, 0, err)
	_, err = s.edit(t, blue, func(in *product.UpdateVariantInput) { in.Version = 1 })
	refused(t, "a version of before", err, fault.ErrStale)
	_, err = s.UpdateVariant(t.Context(), s.Owner, product.UpdateVariantInput{ProductID: q.ID, ID: blue.ID, Version: 1})
	apptest.Refused(t, err, fault.NotFound)
	_, err = s.Archive(t.Context(), s.Owner, p.ID)
	must(t, 0, err)
	refused(t, "of an archived product", code(red, "X", ""), product.ErrArchived)
	refused(t, "a new one of an archived product", add(product.CreateVariantInput{Choices: []string{"Red"}}),
		product.ErrArchived)
	s.w.CheckBooks(t)
}

// Amounts have bounds, and a product a hundred variants.
func TestVariantLimits(t *testing.T) {
	s := open(t)
	choices := make([]string, product.VariantsMax)
	for i := range choices {
		choices[i] = fmt.Sprint("No. ", i)
	}
	p, variants := s.product(t, "Sticker", 0, choices...)
	options := []product.Option{{Name: "Number", Choices: choices}, {Name: "Size", Choices: []string{"M", "L"}}}
	_, err := s.Update(t.Context(), s.Owner, product.UpdateInput{ID: p.ID, Version: p.Version, Options: &options})
	must(t, 0, err)
	one := product.CreateVariantInput{ProductID: p.ID, Choices: []string{"No. 0", "L"}}
	_, err = s.CreateVariant(t.Context(), s.Owner, one)
	refused(t, "one more", err, product.ErrTooManyVariants)
	archived := true
	_, err = s.edit(t, variants[7], func(in *product.UpdateVariantInput) { in.Archived = &archived })
	must(t, 0, err)
	s.variant(t, one)
	archived = false
	_, err = s.edit(t, variants[7], func(in *product.UpdateVariantInput) { in.Archived = &archived })
	refused(t, "restored as one more", err, product.ErrTooManyVariants)
	for _, price := range []int64{-1, 100_000_000} {
		_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.PriceAmount = &price })
		wrong(t, fmt.Sprint("a price of ", price), err, "price")
		_, err = s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.CostAmount = patch.Some(price) })
		wrong(t, fmt.Sprint("a cost of ", price), err, "cost")
	}
	_, err = s.Variants(t.Context(), s.Owner, product.VariantsInput{ProductID: pg.NewID()})
	apptest.Refused(t, err, fault.NotFound)
	in := product.VariantsInput{ProductID: p.ID}
	in.Limit = 30
	n := 0
	for {
		page, err := s.Variants(t.Context(), s.Owner, in)
		must(t, page, err)
		if n += len(page.Items); page.Next == nil {
			break
		}
		in.After = page.Next
	}
	if n != product.VariantsMax {
		t.Errorf("%d variants on pages", n)
	}
}
