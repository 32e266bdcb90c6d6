package products

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/patch"
	"foyer/app/product"
)

// The fields of the forms. Those of an option are in the group of them all, as the verb refuses that.
var (
	goodsInputs   = []string{"price", "cost", "sku", "barcode", "belowZero"}
	variantInputs = append([]string{"options"}, goodsInputs...)
	productInputs = append([]string{
		"name", "description", "currency", "taxRateId", "revenueCategoryId", "variants",
	}, variantInputs...)
)

func optionName(i int) string    { return fmt.Sprintf("options[%d].name", i) }
func optionChoices(i int) string { return fmt.Sprintf("options[%d].choices", i) }
func choiceOf(i int) string      { return fmt.Sprintf("choices[%d]", i) }

// goods are the fields of a variant in a form.
type goods struct {
	Price, Cost      *int64 // nil: the field is empty
	SKU, Barcode     string
	Track, BelowZero bool
}

// empty reports whether nothing is filled in.
func (g goods) empty() bool { return g.Price == nil && g.Cost == nil && g.SKU == "" && g.Barcode == "" }

// readGoods reads a variant in the form. It refuses text that is no amount.
func readGoods(c *desk.Call, cur money.Currency) (g goods, err error) {
	g = goods{
		SKU: c.Value("sku"), Barcode: c.Value("barcode"), Track: c.Ticked("track"), BelowZero: c.Ticked("belowZero"),
	}
	if g.Price, err = c.Amount("price", cur); err == nil && costs(c) {
		g.Cost, err = c.Amount("cost", cur)
	}
	return g, err
}

// priced refuses a variant without a price.
func (g goods) priced(sh ui.Shell) error {
	if g.Price == nil {
		return fault.Invalid("price", sh.T("Enter a price. 0 is free."))
	}
	return nil
}

// create returns the input of a new variant.
func (g goods) create(id uuid.UUID, choices []string) product.CreateVariantInput {
	return product.CreateVariantInput{
		ProductID: id, Choices: choices, SKU: g.SKU, Barcode: g.Barcode, PriceAmount: *g.Price, CostAmount: g.Cost,
		Track: g.Track, BelowZero: g.BelowZero,
	}
}

// update returns the changes of a variant; its cost stays if the caller may not see it.
func (g goods) update(c *desk.Call, v product.Variant, version int64) product.UpdateVariantInput {
	in := product.UpdateVariantInput{
		ProductID: v.ProductID, ID: v.ID, Version: version, SKU: &g.SKU, Barcode: &g.Barcode, PriceAmount: g.Price,
		Track: &g.Track, BelowZero: &g.BelowZero,
	}
	if costs(c) {
		in.CostAmount = patch.Field[int64]{Set: true, Value: g.Cost}
	}
	return in
}

// readOptions returns the options in the form, without empty rows: a name, and a choice in each line.
func readOptions(c *desk.Call) []product.Option {
	out := []product.Option{}
	for i := range product.OptionsMax {
		o := product.Option{Name: c.Value(optionName(i))}
		for line := range strings.Lines(c.Value(optionChoices(i))) {
			if choice := strings.TrimSpace(line); choice != "" {
				o.Choices = append(o.Choices, choice)
			}
		}
		if o.Name != "" || len(o.Choices) > 0 {
			out = append(out, o)
		}
	}
	return out
}

// combinations returns every combination of the choices of options: one empty one of none, and nil of more than a
// product may have.
func combinations(options []product.Option) [][]string {
	out := [][]string{{}}
	for _, o := range options {
		var next [][]string
		for _, before := range out {
			for _, choice := range o.Choices {
				next = append(next, append(slices.Clone(before), choice))
			}
		}
		if out = next; len(out) > product.VariantsMax {
			return nil
		}
	}
	return out
}

// reference returns the value of a select whose empty option means none.
func reference(c *desk.Call, name string) patch.Field[uuid.UUID] {
	if id := c.UUID(name); id != uuid.Nil {
		return patch.Some(id)
	}
	return patch.None[uuid.UUID]()
}

// choices are the options of a product's form.
type choices struct {
	Rates      []business.TaxRate
	Categories []business.RevenueCategory
}

// everything is a list from its beginning, up to one page.
var everything = paging.In[uuid.UUID]{Limit: paging.Max}

func (s *screens) choices(c *desk.Call) (out choices, err error) {
	err = desk.Together(
		func() error {
			page, err := s.Business.TaxRates(c.Context(), c.Scope, everything)
			out.Rates = page.Items
			return err
		},
		func() error {
			page, err := s.Business.RevenueCategories(c.Context(), c.Scope, business.RevenueCategoriesInput{In: everything})
			out.Categories = page.Items
			return err
		},
	)
	return out, err
}

// rates returns the tax rates to choose from; an archived one stays until another is chosen.
func (l choices) rates(sh ui.Shell, now *uuid.UUID) []ui.Option {
	out := []ui.Option{{Text: sh.T("No tax")}}
	for _, r := range l.Rates {
		out = append(out, ui.Option{Value: r.ID.String(), Text: r.Name + " " + sh.Lang().Percent(int64(r.PPM))})
	}
	if now != nil && !slices.ContainsFunc(l.Rates, func(r business.TaxRate) bool { return r.ID == *now }) {
		out = append(out, ui.Option{Value: now.String(), Text: sh.T("Current rate (archived)")})
	}
	return out
}

// categories returns the revenue categories to choose from, in the same way.
func (l choices) categories(sh ui.Shell, now *uuid.UUID) []ui.Option {
	out := []ui.Option{{Text: sh.T("By kind: {income}", "income", sh.T("Product income"))}}
	for _, x := range l.Categories {
		out = append(out, ui.Option{Value: x.ID.String(), Text: x.Name})
	}
	if now != nil && !slices.ContainsFunc(l.Categories, func(x business.RevenueCategory) bool { return x.ID == *now }) {
		out = append(out, ui.Option{Value: now.String(), Text: sh.T("Current category (archived)")})
	}
	return out
}

// currencies returns those of the business and its locations, the business's first.
func currencies(c *desk.Call) []ui.Option {
	list := []money.Currency{c.Workspace.Business.Currency}
	for _, l := range c.Workspace.Locations {
		if !slices.Contains(list, l.Currency) {
			list = append(list, l.Currency)
		}
	}
	var out []ui.Option
	for _, cur := range list {
		out = append(out, ui.Option{Value: string(cur), Text: string(cur)})
	}
	return out
}
