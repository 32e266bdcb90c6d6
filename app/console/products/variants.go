package products

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/policy"
)

// rack is the list of a product's variants.
type rack struct {
	product.Product
	desk.Leaf[product.Variant]
	Archived bool
	May      bool // the caller may change them
}

// variantsAPage is the number of variants on a page: all that are in use.
const variantsAPage = product.VariantsMax

func (s *screens) variants(c *desk.Call) (ui.Screen, error) {
	p, err := s.product(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := rack{Product: p, Archived: c.Value("archived") != "", May: may(c) && p.State != product.Archived}
	t := desk.TurnOnward[uuid.UUID](c, "product.variants", p.ID, v.Archived)
	page, err := s.Products.Variants(c.Context(), c.Scope, product.VariantsInput{
		In: t.In(variantsAPage), ProductID: p.ID, Archived: v.Archived,
	})
	if err != nil {
		return ui.Screen{}, err
	}
	v.Leaf = desk.LeafOf(c, t, page, func(x product.Variant) uuid.UUID { return x.ID })
	screen := s.about(c, p, nil, "variants")
	screen.Body = variantsBody(c, v)
	if v.May && !v.Archived && v.adds() {
		screen.Acts = ui.Open(of(c, p.ID, "/variants/new"), ui.Button{Text: c.UI.T("Add variant"), Icon: "plus"})
	}
	return screen, nil
}

// adds reports whether the product can have another variant.
func (v rack) adds() bool {
	all := combinations(v.Options)
	return v.Variants < product.VariantsMax && (all == nil || v.Variants < len(all))
}

// one is the data of a variant's form.
type one struct {
	product.Product
	Variant product.Variant
}

// sheetOf is a screen about a variant, or a new one.
func sheetOf(c *desk.Call, p product.Product, title string) ui.Screen {
	up := view.Link{Text: p.Name, Href: of(c, p.ID, "/variants")}
	return ui.Screen{Title: title, Lead: p.Name, Area: area, Up: &up, Sheet: true}
}

func (s *screens) newVariant(c *desk.Call) (ui.Screen, error) {
	p, err := s.product(c)
	if err == nil {
		err = policy.Require(c.Scope, policy.CatalogManage)
	}
	if err != nil {
		return ui.Screen{}, err
	}
	screen := sheetOf(c, p, c.UI.T("Add variant"))
	if p.State == product.Archived {
		screen.Body = ui.Nothing(c.UI, c.UI.Refusal(product.ErrArchived), "")
	} else {
		screen.Body = newVariantBody(c, one{Product: p})
	}
	return screen, nil
}

func (s *screens) addVariant(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.product(c)
	if err != nil {
		return desk.Done{}, err
	}
	g, err := readGoods(c, p.Currency)
	if err == nil {
		err = g.priced(c.UI)
	}
	if err != nil {
		return desk.Done{}, err
	}
	v, err := s.Products.CreateVariant(ctx, c.Scope, g.create(p.ID, chosen(c, p)))
	if err != nil {
		return desk.Done{}, atField(err)
	}
	said := c.UI.T("Added {name}.", "name", name(p, v))
	if p.State == product.Published && v.TrackedAt != nil {
		said = view.Joined(" ", said, c.UI.T("It is on sale where you receive or count it."))
	}
	return desk.Done{To: of(c, p.ID, "/variants"), Said: said}, nil
}

// chosen returns the choices of a variant in the form.
func chosen(c *desk.Call, p product.Product) []string {
	out := []string{}
	for i := range p.Options {
		out = append(out, c.Value(choiceOf(i)))
	}
	return out
}

func (s *screens) variant(c *desk.Call) (ui.Screen, error) {
	p, v, err := s.both(c)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := sheetOf(c, p, name(p, v))
	if may(c) && p.State != product.Archived {
		screen.Body = variantBody(c, one{p, v})
	} else {
		screen.Body = ui.Facts(variantFacts(c, v, p.Currency))
	}
	return screen, nil
}

// variantFacts are the fields of a variant for a caller who may not change it.
func variantFacts(c *desk.Call, v product.Variant, cur money.Currency) []ui.Fact {
	sh := c.UI
	list := []ui.Fact{{Name: sh.T("Price"), Text: price(sh, v.PriceAmount, cur)}}
	if v.CostAmount != nil {
		list = append(list, ui.Fact{Name: sh.T("Cost"), Text: sh.Cash(*v.CostAmount, cur)})
	}
	list = append(list, ui.Fact{Name: sh.T("SKU"), Text: v.SKU}, ui.Fact{Name: sh.T("Barcode"), Text: v.Barcode})
	stock := sh.T("Not tracked")
	if v.TrackedAt != nil {
		stock = sh.C("stock", "Tracked")
	}
	list = append(list, ui.Fact{Name: sh.T("Stock"), Text: stock})
	if v.BelowZero {
		list = append(list, ui.Fact{Name: sh.T("Sell below zero"), Text: sh.T("Yes")})
	}
	return list
}

func (s *screens) saveVariant(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, v, err := s.both(c)
	if err != nil {
		return desk.Done{}, err
	}
	g, err := readGoods(c, p.Currency)
	if err == nil {
		err = g.priced(c.UI)
	}
	if err != nil {
		return desk.Done{}, err
	}
	in := g.update(c, v, c.Version())
	in.Choices = new(chosen(c, p))
	v, err = s.Products.UpdateVariant(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, atField(belowZero(c, err))
	}
	return desk.Done{To: of(c, p.ID, "/variants"), Said: savedText(c, name(p, v))}, nil
}

// keep saves that a variant is archived or restored, whatever its version: no other field changes.
func (s *screens) keep(c *desk.Call, ctx context.Context, archived bool) (product.Product, product.Variant, error) {
	p, v, err := s.both(c)
	if err == nil {
		v, err = s.Products.UpdateVariant(ctx, c.Scope, product.UpdateVariantInput{
			ProductID: p.ID, ID: v.ID, Version: v.Version, Archived: &archived,
		})
	}
	return p, v, err
}

func (s *screens) archiveVariant(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, v, err := s.keep(c, ctx, true)
	return desk.Done{
		To: of(c, p.ID, "/variants"), Said: c.UI.T("Archived {name}.", "name", name(p, v)),
		Undo: &ui.Undo{Action: ofVariant(c, v, "/restore")},
	}, err
}

func (s *screens) restoreVariant(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, v, err := s.keep(c, ctx, false)
	return desk.Done{To: of(c, p.ID, "/variants"), Said: c.UI.T("Restored {name}.", "name", name(p, v))}, err
}

// belowZero puts the refusal to end selling below zero at its box.
func belowZero(c *desk.Call, err error) error {
	if f := fault.From(err); f != nil && f.Reason == product.ErrShort.Reason {
		return f.And("belowZero", c.UI.T("Its stock is below zero. Count it first."))
	}
	return err
}
