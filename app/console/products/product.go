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
	"foyer/media"
	"foyer/policy"
)

// sheet is the data of a product's page.
type sheet struct {
	product.Product
	Choices choices
	Only    *product.Variant // of a product without options; nil: it has none yet
	Photos  ui.PhotoList
	May     bool // the caller may change it
}

// plain reports whether the page has the fields of the only variant: the product has no options.
func (v sheet) plain() bool { return len(v.Options) == 0 }

func (s *screens) newPage(c *desk.Call) (ui.Screen, error) {
	if id, made := c.Locals(madeLocal).(uuid.UUID); made {
		p, err := s.Products.Get(c.Context(), c.Scope, id)
		if err != nil {
			return ui.Screen{}, err
		}
		c.UI.Trouble.Title = c.UI.T("Saved {name} as a draft, but not all of it", "name", p.Name)
		return s.page(c, p)
	}
	if err := policy.Require(c.Scope, policy.CatalogManage); err != nil {
		return ui.Screen{}, err
	}
	list, err := s.choices(c)
	p := product.Product{Currency: currencyOf(c)}
	up := view.Link{Text: c.UI.T("Products"), Href: c.To(at)}
	return ui.Screen{
		Title: c.UI.T("Add product"), Area: area, Up: &up, Body: newBody(c, sheet{Product: p, Choices: list, May: true}),
	}, err
}

// currencyOf returns the currency of a new product: the chosen one, else the business's.
func currencyOf(c *desk.Call) money.Currency {
	for _, o := range currencies(c) {
		if o.Value == c.Value("currency") {
			return money.Currency(o.Value)
		}
	}
	return c.Workspace.Business.Currency
}

// madeLocal keeps the product that a form has made before a later step of it was refused: the page then is the one of
// that product, with the typed values.
const madeLocal = "products.made"

// create makes the product with its variants: of one without options the only one, else every combination. It
// publishes it if that button was pressed. Each step is a verb of its own, and completed ones stay.
func (s *screens) create(c *desk.Call, ctx context.Context) (desk.Done, error) {
	in := product.CreateInput{
		Name: c.Value("name"), Description: text(c, "description"), Currency: currencyOf(c),
		TaxRateID: reference(c, "taxRateId").Value, RevenueCategoryID: reference(c, "revenueCategoryId").Value,
		Options: readOptions(c),
	}
	g, err := readGoods(c, in.Currency)
	if err == nil {
		err = fitsOptions(c.UI, in.Options, g)
	}
	if err != nil {
		return desk.Done{}, err
	}
	p, err := s.Products.Create(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, err
	}
	if err = s.firstVariants(c, ctx, p, g); err == nil && c.Value("then") == "publish" {
		p, err = s.Products.Update(ctx, c.Scope, product.UpdateInput{
			ID: p.ID, Version: p.Version, State: new(product.Published),
		})
	}
	if err != nil {
		c.Locals(madeLocal, p.ID)
		return desk.Done{}, atField(err)
	}
	done := desk.Done{To: of(c, p.ID, ""), Said: c.UI.T("Saved {name} as a draft.", "name", p.Name)}
	if p.State == product.Published {
		done.Said = publishedText(c, p)
	}
	return done, nil
}

// text returns a text of several lines, which a browser sends with carriage returns.
func text(c *desk.Call, name string) string { return plainLines(c.Value(name)) }

// fitsOptions refuses a new product without a price, and with options the fields that each variant has for itself.
func fitsOptions(sh ui.Shell, options []product.Option, g goods) error {
	if err := g.priced(sh); err != nil || len(options) == 0 {
		return err
	}
	var checks fault.Checks
	const each = "With options, each variant has its own. Leave this empty."
	checks.That(g.SKU == "", "sku", sh.T(each))
	checks.That(g.Barcode == "", "barcode", sh.T(each))
	return checks.Err()
}

// firstVariants adds the variants of a new product: none if its options have more combinations than it may have.
func (s *screens) firstVariants(c *desk.Call, ctx context.Context, p product.Product, g goods) error {
	for _, list := range combinations(p.Options) {
		if _, err := s.Products.CreateVariant(ctx, c.Scope, g.create(p.ID, list)); err != nil {
			return err
		}
	}
	return nil
}

func (s *screens) edit(c *desk.Call) (ui.Screen, error) {
	p, err := s.product(c)
	if err != nil {
		return ui.Screen{}, err
	}
	return s.page(c, p)
}

// page is a product's page.
func (s *screens) page(c *desk.Call, p product.Product) (ui.Screen, error) {
	v := sheet{Product: p, May: may(c)}
	err := desk.Together(
		func() (err error) {
			v.Choices, err = s.choices(c)
			return err
		},
		func() (err error) {
			v.Only, err = s.only(c, c.Context(), p)
			return err
		},
		func() (err error) {
			v.Photos, err = c.Photos(media.OfProduct, p.ID, v.May && p.State != product.Archived)
			return err
		},
	)
	screen := s.about(c, p, v.Only, "")
	screen.Acts, screen.Body = editActs(c, v), editBody(c, v)
	return screen, err
}

// only reads the variant of a product without options; nil: it has none, or options.
func (s *screens) only(c *desk.Call, ctx context.Context, p product.Product) (*product.Variant, error) {
	if len(p.Options) > 0 || p.Variants == 0 {
		return nil, nil
	}
	page, err := s.Products.Variants(ctx, c.Scope, product.VariantsInput{In: first, ProductID: p.ID})
	if err != nil || len(page.Items) == 0 {
		return nil, err
	}
	return &page.Items[0], nil
}

// about returns the common part of a product's screens. tab is "", "variants" or "stock".
func (s *screens) about(c *desk.Call, p product.Product, only *product.Variant, tab string) ui.Screen {
	up := view.Link{Text: c.UI.T("Products"), Href: c.To(at)}
	screen := ui.Screen{Title: p.Name, Area: area, Up: &up}
	details := ui.Tab{Text: c.UI.T("Details"), Href: of(c, p.ID, ""), Now: tab == ""}
	variants := ui.Tab{Text: c.UI.T("Variants"), Href: of(c, p.ID, "/variants"), Now: tab == "variants", Count: p.Variants}
	switch {
	case len(p.Options) > 0 || tab == "variants":
		screen.Tabs = []ui.Tab{details, variants}
	case only != nil:
		stock := ui.Tab{Text: c.UI.T("Stock"), Href: ofVariant(c, *only, "/stock"), Now: tab == "stock"}
		screen.Tabs = []ui.Tab{details, stock}
	}
	return screen
}

// save changes the only variant of a product without options, and then the product.
func (s *screens) save(c *desk.Call, ctx context.Context) (desk.Done, error) {
	p, err := s.product(c)
	if err != nil {
		return desk.Done{}, err
	}
	if err := fault.Stale(c.Version(), p.Version); err != nil {
		return desk.Done{}, err
	}
	options := readOptions(c)
	if len(p.Options) == 0 {
		if err := s.saveOnly(c, ctx, p); err != nil {
			return desk.Done{}, atField(belowZero(c, err))
		}
	}
	in := product.UpdateInput{
		ID: p.ID, Version: p.Version, Name: new(c.Value("name")), Description: new(text(c, "description")),
		TaxRateID: reference(c, "taxRateId"), RevenueCategoryID: reference(c, "revenueCategoryId"), Options: &options,
	}
	p, err = s.Products.Update(ctx, c.Scope, in)
	return desk.Done{To: of(c, p.ID, ""), Said: savedText(c, p.Name)}, err
}

func savedText(c *desk.Call, name string) string {
	return c.UI.T("Saved {name}. Carts that hold it and existing orders do not change.", "name", name)
}

// saveOnly changes the only variant of a product without options, or adds it.
func (s *screens) saveOnly(c *desk.Call, ctx context.Context, p product.Product) error {
	g, err := readGoods(c, p.Currency)
	if err != nil {
		return err
	}
	only, err := s.only(c, ctx, p)
	switch {
	case err != nil:
		return err
	case only == nil && g.empty():
		return nil
	}
	if err := g.priced(c.UI); err != nil {
		return err
	}
	if only == nil {
		_, err = s.Products.CreateVariant(ctx, c.Scope, g.create(p.ID, nil))
		return err
	}
	_, err = s.Products.UpdateVariant(ctx, c.Scope, g.update(c, *only, number64(c.Value("variantVersion"))))
	return err
}
