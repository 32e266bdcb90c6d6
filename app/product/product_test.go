package product_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/product"
	"foyer/app/tenancy"
	"foyer/policy"
)

// A product begins as a draft in the business's currency, is published once it has a variant, and comes back from the
// archive as either. A97.
func TestProduct(t *testing.T) {
	s := open(t)
	rate, category := s.AddTaxRate(t, "Sales tax", 82_500), s.AddRevenueCategory(t, "Shop")
	p, err := s.Create(t.Context(), s.Owner, product.CreateInput{
		Name: "  Yoga  mat ", Description: "4 mm\nof cork", TaxRateID: &rate.ID, RevenueCategoryID: &category.ID,
		Options: []product.Option{{Name: "Colour", Choices: []string{"Blue", "Red"}}},
	})
	must(t, p, err)
	if p.Name != "Yoga mat" || p.State != product.Draft || p.Currency != "USD" || p.Version != 1 {
		t.Errorf("created: %+v", p)
	}
	publish := product.Published
	_, err = s.Update(t.Context(), s.Owner, product.UpdateInput{ID: p.ID, Version: 1, State: &publish})
	refused(t, "published without a variant", err, product.ErrIncomplete)
	s.variant(t, product.CreateVariantInput{ProductID: p.ID, Choices: []string{"Red"}, PriceAmount: 2400})
	p = s.state(t, p.ID, publish)
	if got, err := s.Get(t.Context(), s.Owner, p.ID); err != nil || got.Variants != 1 || got.State != publish ||
		len(got.Options) != 1 || got.Options[0].Choices[1] != "Red" || *got.TaxRateID != rate.ID {
		t.Errorf("read: %+v (%v)", got, err)
	}
	p, err = s.Archive(t.Context(), s.Owner, p.ID)
	if again, err := s.Archive(t.Context(), s.Owner, p.ID); err != nil || again.Version != p.Version {
		t.Errorf("archived again: %+v (%v)", again, err)
	}
	must(t, p, err)
	name := "Mat"
	_, err = s.Update(t.Context(), s.Owner, product.UpdateInput{ID: p.ID, Version: p.Version, Name: &name})
	refused(t, "an archived one is renamed", err, product.ErrArchived)
	p, err = s.Update(t.Context(), s.Owner, product.UpdateInput{
		ID: p.ID, Version: p.Version, State: &publish, TaxRateID: patch.None[uuid.UUID](),
	})
	if must(t, p, err); p.State != publish || p.TaxRateID != nil {
		t.Errorf("restored: %+v", p)
	}
	_, err = s.Update(t.Context(), s.Owner, product.UpdateInput{ID: p.ID, Version: 1, Name: &name})
	refused(t, "a version of before", err, fault.ErrStale)
	_, err = s.Update(t.Context(), s.Owner, product.UpdateInput{ID: pg.NewID(), Version: 1})
	apptest.Refused(t, err, fault.NotFound)
	s.w.CheckBooks(t)
}

// Wrong fields are named.
func TestProductInput(t *testing.T) {
	s := open(t)
	other := s.w.Studio(t).AddTaxRate(t, "Another's", 1)
	gone := pg.NewID()
	many := make([]string, product.ChoicesMax+1)
	for i := range many {
		many[i] = strings.Repeat("x", i%50+1) + string(rune('a'+i/50))
	}
	one := product.Option{Name: "Size", Choices: []string{"S"}}
	sized := func(choices ...string) []product.Option { return []product.Option{{Name: "Size", Choices: choices}} }
	four := []product.Option{one, {"B", one.Choices}, {"C", one.Choices}, {"D", one.Choices}}
	same := []product.Option{one, {"size", one.Choices}}
	for what, c := range map[string]struct {
		field string
		in    product.CreateInput
	}{
		"no name":          {"name", product.CreateInput{Name: " "}},
		"a long name":      {"name", product.CreateInput{Name: strings.Repeat("x", product.NameMax+1)}},
		"a long text":      {"description", product.CreateInput{Name: "Mat", Description: strings.Repeat("x", 5001)}},
		"a bell":           {"description", product.CreateInput{Name: "Mat", Description: "a\a"}},
		"a currency":       {"currency", product.CreateInput{Name: "Mat", Currency: "ABC"}},
		"another's rate":   {"taxRateId", product.CreateInput{Name: "Mat", TaxRateID: &other.ID}},
		"no such category": {"revenueCategoryId", product.CreateInput{Name: "Mat", RevenueCategoryID: &gone}},
		"four options":     {"options", product.CreateInput{Name: "Mat", Options: four}},
		"the same option":  {"options", product.CreateInput{Name: "Mat", Options: same}},
		"no choices":       {"options", product.CreateInput{Name: "Mat", Options: sized()}},
		"too many choices": {"options", product.CreateInput{Name: "Mat", Options: sized(many...)}},
		"the same choice":  {"options", product.CreateInput{Name: "Mat", Options: sized("S", "s")}},
		"an empty choice":  {"options", product.CreateInput{Name: "Mat", Options: sized("S", " ")}},
		"an unnamed one":   {"options", product.CreateInput{Name: "Mat", Options: []product.Option{{"", []string{"S"}}}}},
	} {
		_, err := s.Create(t.Context(), s.Owner, c.in)
		wrong(t, what, err, c.field)
	}
	archive := product.Archived
	p, _ := s.product(t, "Mat", 0)
	_, err := s.Update(t.Context(), s.Owner, product.UpdateInput{ID: p.ID, Version: p.Version, State: &archive})
	wrong(t, "archived by an update", err, "state")
}

// Options can be renamed, and added and removed at the end, as long as they tell the variants apart.
func TestOptions(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Mat", 0, "Blue", "Red")
	set := func(options ...product.Option) error {
		q, err := s.Get(t.Context(), s.Owner, p.ID)
		must(t, q, err)
		_, err = s.Update(t.Context(), s.Owner, product.UpdateInput{ID: p.ID, Version: q.Version, Options: &options})
		return err
	}
	choices := func() []string {
		return apptest.Values[string](t, s.w, "select choices::text from product_variants order by id")
	}
	colour := product.Option{Name: "Color", Choices: []string{"Red", "Green", "Blue"}}
	size := product.Option{Name: "Size", Choices: []string{"M", "L"}}
	must(t, 0, set(colour, size))
	if got := choices(); !slices.Equal(got, []string{`["Blue", "M"]`, `["Red", "M"]`}) {
		t.Errorf("with a second option: %s", got)
	}
	must(t, 0, set(colour))
	wrong(t, "a choice is missing", set(product.Option{Name: "Color", Choices: []string{"Red"}}), "options")
	wrong(t, "nothing tells them apart", set(), "options")
	archived := true
	_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.Archived = &archived })
	must(t, 0, err)
	must(t, 0, set())
	if got := choices(); !slices.Equal(got, []string{`["Blue"]`, `[]`}) {
		t.Errorf("without options: %s", got)
	}
	archived = false
	_, err = s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.Archived = &archived })
	wrong(t, "a variant of other options is restored", err, "choices")
	none := []string{}
	_, err = s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.Archived, in.Choices = &archived, &none })
	refused(t, "a second variant without options", err, product.ErrVariantExists)
	s.w.CheckBooks(t)
}

// Lists are pages in the order of names, and find a part of a name, a SKU and a barcode, however that is scanned. A92.
func TestA92_Products(t *testing.T) {
	s := open(t)
	other := s.Beside(t)
	_, err := other.Services.Products.Create(t.Context(), other.Owner, product.CreateInput{Name: "Mat"})
	must(t, 0, err)
	for _, name := range []string{"yoga mat", "Block", "Strap 100%", "block"} {
		s.product(t, name, 0)
	}
	v := apptest.Value[string](t, s.w, `update product_variants
		set sku = 'Y-1', barcode = '036000291452', barcode_kind = 'upc_a'
		where product_id = (select id from products where name = 'yoga mat') returning id::text`)
	page := func(in product.ListInput) (out []string) {
		t.Helper()
		for {
			got, err := s.Service.List(t.Context(), s.Owner, in)
			must(t, got, err)
			for _, p := range got.Items {
				out = append(out, p.Name)
			}
			if in.After = got.Next; in.After == nil {
				return out
			}
		}
	}
	for what, want := range map[string][]string{
		"": {"Block", "block", "Strap 100%", "yoga mat"}, "MAT": {"yoga mat"}, "y-1": {"yoga mat"}, "0%": {"Strap 100%"},
		"036000291452": {"yoga mat"}, "0036000291452": {"yoga mat"}, "36000291452": nil,
	} {
		if got := page(product.ListInput{Query: what}); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q (%s)", what, got, want, v)
		}
	}
	for _, size := range []int{1, 2, 3} {
		if got := page(product.ListInput{In: paging.In[product.Key]{Limit: size}}); len(got) != 4 || got[3] != "yoga mat" {
			t.Errorf("pages of %d: %q", size, got)
		}
	}
	p, err := s.Service.List(t.Context(), s.Owner, product.ListInput{Query: "strap"})
	must(t, p, err)
	_, err = s.Archive(t.Context(), s.Owner, p.Items[0].ID)
	must(t, 0, err)
	if got := page(product.ListInput{State: product.Archived}); !slices.Equal(got, []string{"Strap 100%"}) {
		t.Errorf("archived: %q", got)
	}
	if got := page(product.ListInput{}); len(got) != 3 {
		t.Errorf("not archived: %q", got)
	}
	_, err = s.Service.List(t.Context(), s.Owner, product.ListInput{State: "gone"})
	wrong(t, "a state", err, "state")
}

// The catalog is changed by those who may, in the whole business; all of the team sees it, and few what it costs.
func TestProductRights(t *testing.T) {
	s := open(t)
	p, variants := s.product(t, "Mat", 3)
	cost := int64(500)
	_, err := s.edit(t, variants[0], func(in *product.UpdateVariantInput) { in.CostAmount = patch.Some(cost) })
	must(t, 0, err)
	seller := s.Holding(s.Location.ID, policy.LocationView, policy.CatalogManage)
	_, err = s.Create(t.Context(), seller, product.CreateInput{Name: "Block"})
	apptest.Refused(t, err, fault.Forbidden)
	_, err = s.Archive(t.Context(), seller, p.ID)
	apptest.Refused(t, err, fault.Forbidden)
	_, err = s.CreateVariant(t.Context(), seller, product.CreateVariantInput{ProductID: p.ID})
	apptest.Refused(t, err, fault.Forbidden)
	sees := func(what string, who tenancy.Scope, want *int64, levels int) {
		t.Helper()
		page, err := s.Variants(t.Context(), who, product.VariantsInput{ProductID: p.ID})
		must(t, page, err)
		if got := page.Items[0]; (got.CostAmount == nil) != (want == nil) || len(got.Levels) != levels {
			t.Errorf("%s sees %+v", what, got)
		}
	}
	sees("the owner", s.Owner, &cost, 1)
	sees("a seller", seller, nil, 1)
	sees("another location's team", s.Holding(s.AddLocation(t, "Annex").ID, policy.LocationView), nil, 0)
	keeper := s.Holding(s.Location.ID)
	keeper.Grants.All = tenancy.NewFeatureSet(policy.CatalogManage, policy.LocationView)
	in := product.CreateVariantInput{ProductID: p.ID, CostAmount: &cost}
	_, err = s.CreateVariant(t.Context(), keeper, in)
	apptest.Refused(t, err, fault.Forbidden)
	price := int64(1300)
	v, err := s.UpdateVariant(t.Context(), keeper, product.UpdateVariantInput{
		ProductID: p.ID, ID: variants[0].ID, Version: 2, PriceAmount: &price,
	})
	if must(t, v, err); v.CostAmount != nil || v.PriceAmount != price {
		t.Errorf("without report.finance: %+v", v)
	}
	sees("the owner, afterwards", s.Owner, &cost, 1)
	got, err := s.Variant(t.Context(), seller, p.ID, variants[0].ID)
	if must(t, got, err); got.CostAmount != nil || len(got.Levels) != 1 || got.Version != 3 {
		t.Errorf("the seller reads %+v", got)
	}
	_, err = s.Variant(t.Context(), s.Owner, pg.NewID(), variants[0].ID)
	apptest.Refused(t, err, fault.NotFound)
	_, err = s.Get(t.Context(), s.Visitor(), p.ID)
	apptest.Refused(t, err, fault.Forbidden)
}

// A tax rate with another figure is that of products, too.
func TestProductTaxRate(t *testing.T) {
	s := open(t)
	rate := s.AddTaxRate(t, "Sales tax", 82_500)
	p, err := s.Create(t.Context(), s.Owner, product.CreateInput{Name: "Mat", TaxRateID: &rate.ID})
	must(t, p, err)
	ppm := 90_000
	successor, err := s.Services.Business.UpdateTaxRate(t.Context(), s.Owner, business.UpdateTaxRateInput{
		TaxRateID: rate.ID, Version: rate.Version, PPM: &ppm,
	})
	must(t, successor, err)
	got, err := s.Get(t.Context(), s.Owner, p.ID)
	if must(t, got, err); got.TaxRateID == nil || *got.TaxRateID != successor.ID || got.Version != 2 {
		t.Errorf("after the change: %+v, want rate %s", got, successor.ID)
	}
}
