// Package products is the screens of products: the list, the editor, variants, and the stock of a variant by location.
package products

import (
	"errors"
	"strconv"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/product"
	"foyer/app/view"
	"foyer/policy"
)

// at is the path of the list; area is the entry of the rail.
const (
	at   = "/products"
	area = "products"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	const one, variants = at + "/:product", at + "/:product/variants"
	d.Page("listProducts", at, s.list)
	d.Page("createProduct", at+"/new", s.newPage)
	d.Form("createProduct", at+"/new", desk.Form{Do: s.create, Show: s.newPage, Inputs: productInputs})
	s.scans()
	d.Page("getProduct", one, s.edit)
	d.Form("updateProduct", one, desk.Form{Do: s.save, Show: s.edit, Inputs: productInputs})
	d.Form("updateProduct", one+"/publish", desk.Form{Do: s.publish, Show: s.edit, Inputs: productInputs})
	d.Form("updateProduct", one+"/unpublish", desk.Form{Do: s.unpublish})
	d.Form("updateProduct", one+"/restore", desk.Form{Do: s.restore})
	d.Page("archiveProduct", one+"/archive", s.askArchive)
	d.Form("archiveProduct", one+"/archive", desk.Form{Do: s.archive, Show: s.askArchive})
	d.Page("listProductVariants", variants, s.variants)
	d.Page("createProductVariant", variants+"/new", s.newVariant)
	d.Form("createProductVariant", variants+"/new", desk.Form{Do: s.addVariant, Show: s.newVariant, Inputs: variantInputs})
	d.Page("getProductVariant", variants+"/:variant", s.variant)
	d.Form("updateProductVariant", variants+"/:variant", desk.Form{
		Do: s.saveVariant, Show: s.variant, Inputs: variantInputs,
	})
	d.Form("updateProductVariant", variants+"/:variant/archive", desk.Form{Do: s.archiveVariant})
	d.Form("updateProductVariant", variants+"/:variant/restore", desk.Form{Do: s.restoreVariant})
	s.stock(variants + "/:variant/stock")
}

// may reports whether the caller may change products. Locations share them, so it needs catalog.manage in the whole
// business.
func may(c *desk.Call) bool { return policy.Require(c.Scope, policy.CatalogManage) == nil }

// costs reports whether the caller may see and set what variants cost.
func costs(c *desk.Call) bool { return policy.Require(c.Scope, policy.ReportFinance) == nil }

// badge renders the state of a product.
func badge(sh ui.Shell, s product.State) (string, ui.Tone) {
	switch s {
	case product.Published:
		return sh.T("Published"), "ok"
	case product.Archived:
		return sh.T("Archived"), ""
	}
	return sh.T("Draft"), "warn"
}

// of returns the address of a product's page.
func of(c *desk.Call, id uuid.UUID, below string) string { return c.To(at + "/" + id.String() + below) }

// ofVariant returns the address of a variant's page.
func ofVariant(c *desk.Call, v product.Variant, below string) string {
	return of(c, v.ProductID, "/variants/"+v.ID.String()+below)
}

// product reads the one of the address.
func (s *screens) product(c *desk.Call) (product.Product, error) {
	id, err := c.ID("product")
	if err != nil {
		return product.Product{}, err
	}
	return s.Products.Get(c.Context(), c.Scope, id)
}

// both reads the variant of the address, with its product.
func (s *screens) both(c *desk.Call) (p product.Product, v product.Variant, err error) {
	id, err := c.ID("variant")
	if err != nil {
		return p, v, err
	}
	if p, err = s.product(c); err == nil {
		v, err = s.Products.Variant(c.Context(), c.Scope, p.ID, id)
	}
	return p, v, err
}

// aboutField are the refusals that are about one field each.
var aboutField = map[string][]*fault.Error{
	"sku":     {product.ErrSKUInUse},
	"barcode": {product.ErrBarcodeInUse},
	"options": {product.ErrVariantExists, product.ErrTooManyVariants},
}

// atField puts a refusal at the field that it is about.
func atField(err error) error {
	for field, list := range aboutField {
		for _, about := range list {
			if errors.Is(err, about) {
				return fault.From(err).And(field, about.Message)
			}
		}
	}
	return err
}

// name returns the name of a variant: its choices, or the name of a product without options.
func name(p product.Product, v product.Variant) string {
	if len(v.Choices) == 0 {
		return p.Name
	}
	return view.Joined(", ", v.Choices...)
}

// number renders a number of pieces.
func number(sh ui.Shell, n int) string { return sh.Lang().Number(n) }

// sum returns the stock of a variant at a location; uuid.Nil: at all that the caller sees.
func sum(v product.Variant, location uuid.UUID) (onHand int) {
	for _, l := range v.Levels {
		if location == uuid.Nil || l.LocationID == location {
			onHand += l.OnHand
		}
	}
	return onHand
}

// price renders one.
func price(sh ui.Shell, amount int64, cur money.Currency) string {
	return sh.MoneyShort(view.Price{Minor: amount, Currency: cur})
}

func version(name string, n int64) view.Param {
	return view.Param{Name: name, Value: strconv.FormatInt(n, 10)}
}

func idText(id *uuid.UUID) string {
	if id == nil {
		return ""
	}
	return id.String()
}
