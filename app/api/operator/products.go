package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/product"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Product is a product of a business. Its variants are sold.
type Product struct {
	ID                uuid.UUID            `json:"id"`
	Name              string               `json:"name" example:"Yoga mat"`
	Description       string               `json:"description"`
	State             product.State        `json:"state" doc:"State of the product. Only published products are sold."`
	Currency          string               `json:"currency" doc:"Currency of the prices. Locations with another one do not sell it." example:"USD"`
	TaxRateID         *uuid.UUID           `json:"taxRateId" doc:"The tax rate; null for untaxed."`
	RevenueCategoryID *uuid.UUID           `json:"revenueCategoryId" doc:"Revenue category of its sales; null for the one of products."`
	Options           []wire.ProductOption `json:"options" doc:"Properties in which its variants differ."`
	VariantCount      int                  `json:"variantCount" doc:"Number of variants that are not archived."`
	Version           int64                `json:"version"`
	CreatedAt         time.Time            `json:"createdAt"`
	UpdatedAt         time.Time            `json:"updatedAt"`
}

// ProductVariant is a product in one choice of each of its options.
type ProductVariant struct {
	ID            uuid.UUID            `json:"id"`
	ProductID     uuid.UUID            `json:"productId"`
	Choices       []string             `json:"choices" doc:"One choice of each option of the product, in their order."`
	SKU           string               `json:"sku" doc:"Stock keeping unit; empty if there is none." example:"MAT-BLUE"`
	Barcode       string               `json:"barcode" doc:"Barcode; empty if there is none." example:"4006381333931"`
	BarcodeKind   *product.BarcodeKind `json:"barcodeKind" doc:"Symbology of the barcode; null without one."`
	Price         int64                `json:"price" doc:"Price in minor units of the product's currency: 2200 is 22.00; 0 is free."`
	Cost          *int64               `json:"cost" doc:"Purchase price in minor units, for callers with report.finance in the whole business; null for others, and if it is unknown."`
	Track         bool                 `json:"track" doc:"Whether its stock is tracked."`
	SellBelowZero bool                 `json:"sellBelowZero" doc:"Whether it is sold although none is available."`
	Stock         []StockLevel         `json:"stock" doc:"Its stock at the locations of the caller."`
	ArchivedAt    *time.Time           `json:"archivedAt"`
	Version       int64                `json:"version"`
	CreatedAt     time.Time            `json:"createdAt"`
	UpdatedAt     time.Time            `json:"updatedAt"`
}

type createProductBody struct {
	Name              string               `json:"name" minLength:"1" maxLength:"120" example:"Yoga mat"`
	Description       string               `json:"description,omitempty" maxLength:"5000"`
	Currency          money.Currency       `json:"currency,omitempty" minLength:"3" maxLength:"3" doc:"Currency of the prices. The default is the business's; it cannot be changed." example:"USD"`
	TaxRateID         *uuid.UUID           `json:"taxRateId,omitempty" doc:"The tax rate. The default is untaxed."`
	RevenueCategoryID *uuid.UUID           `json:"revenueCategoryId,omitempty" doc:"Revenue category of its sales. The default is the one of products."`
	Options           []wire.ProductOption `json:"options,omitempty" maxItems:"3" doc:"Properties in which its variants differ. Without any it has one variant."`
}

// ProductPath is the path of a product.
type ProductPath struct {
	ProductID uuid.UUID `path:"productId" doc:"The product."`
}

func (p *ProductPath) id() uuid.UUID { return p.ProductID }

// VariantPath is the path of a variant of a product.
type VariantPath struct {
	ProductPath
	VariantID uuid.UUID `path:"variantId" doc:"The variant."`
}

type listProductsIn struct {
	op.Page
	State product.State `query:"state" json:",omitzero" doc:"Only products in this state. The default is drafts and published ones."`
	Q     string        `query:"q" json:",omitzero" maxLength:"120" doc:"Part of the name, or a whole SKU or barcode of a variant."`
}

type updateProductIn struct {
	ProductPath
	Body updateProductBody
}

type updateProductBody struct {
	Version           int64                  `json:"version" minimum:"1" doc:"Version of the product that was read."`
	Name              *string                `json:"name,omitempty" minLength:"1" maxLength:"120"`
	Description       *string                `json:"description,omitempty" maxLength:"5000"`
	State             *product.State         `json:"state,omitempty" enum:"draft,published" doc:"Publishes the product, or takes it out of sale. Restores an archived one."`
	TaxRateID         op.Nullable[uuid.UUID] `json:"taxRateId,omitzero" doc:"The tax rate; null for untaxed."`
	RevenueCategoryID op.Nullable[uuid.UUID] `json:"revenueCategoryId,omitzero" doc:"Revenue category of later sales; null for the one of products."`
	Options           *[]wire.ProductOption  `json:"options,omitempty" maxItems:"3" doc:"All options. An option added at the end begins with its first choice in every variant; one removed at the end is removed from every variant."`
}

type listVariantsIn struct {
	ProductPath
	op.Page
	Archived bool `query:"archived" json:",omitzero" doc:"Only archived variants. The default is variants in use."`
}

type createVariantIn struct {
	ProductPath
	Body createVariantBody
}

type createVariantBody struct {
	Choices       []string `json:"choices,omitempty" maxItems:"3" maxLength:"60" doc:"One choice of each option of the product, in their order."`
	SKU           string   `json:"sku,omitempty" maxLength:"60" doc:"Stock keeping unit, unique in the business." example:"MAT-BLUE"`
	Barcode       string   `json:"barcode,omitempty" maxLength:"80" doc:"Barcode, unique in the business: an EAN-13, UPC-A or EAN-8 with its check digit, or other text for a Code 128." example:"4006381333931"`
	Price         int64    `json:"price" minimum:"0" maximum:"99999999" doc:"Price in minor units of the product's currency: 2200 is 22.00; 0 is free."`
	Cost          *int64   `json:"cost,omitempty" minimum:"0" maximum:"99999999" doc:"Purchase price in minor units. Requires report.finance in the whole business."`
	Track         bool     `json:"track,omitempty" doc:"Whether its stock is tracked. The default is no: it is sold everywhere, in any quantity."`
	SellBelowZero bool     `json:"sellBelowZero,omitempty" doc:"Whether it is sold although none is available. The default is no."`
}

type updateVariantIn struct {
	VariantPath
	Body updateVariantBody
}

type updateVariantBody struct {
	Version       int64              `json:"version" minimum:"1" doc:"Version of the variant that was read."`
	Choices       *[]string          `json:"choices,omitempty" maxItems:"3" maxLength:"60" doc:"One choice of each option of the product, in their order."`
	SKU           *string            `json:"sku,omitempty" maxLength:"60" doc:"Stock keeping unit, unique in the business; empty for none."`
	Barcode       *string            `json:"barcode,omitempty" maxLength:"80" doc:"Barcode, unique in the business; empty for none."`
	Price         *int64             `json:"price,omitempty" minimum:"0" maximum:"99999999" doc:"Price in minor units of the product's currency."`
	Cost          op.Nullable[int64] `json:"cost,omitzero" minimum:"0" maximum:"99999999" doc:"Purchase price in minor units; null for unknown. Requires report.finance in the whole business."`
	Track         *bool              `json:"track,omitempty" doc:"Whether its stock is tracked. Stock tracked again begins with the earlier levels: count it."`
	SellBelowZero *bool              `json:"sellBelowZero,omitempty" doc:"Whether it is sold although none is available."`
	Archived      *bool              `json:"archived,omitempty" doc:"Archives the variant and frees its SKU and barcode, or restores it."`
}

func (a *surface) products() {
	const list, one = "/businesses/{id}/products", "/products/{productId}"
	declare(a, op.Spec{
		ID: "listProducts", Method: "GET", Path: list, Tag: "catalog", Feature: "location.view", Frozen: true,
		Summary: "List products", Description: "Returns the products of the business in the order of their names.",
	}, wire.Filtered(a.Cursors, "products", a.Products.List, showProduct,
		func(_ tenancy.Scope, in *listProductsIn, page paging.In[product.Key]) product.ListInput {
			return product.ListInput{In: page, State: in.State, Query: in.Q}
		}))
	declare(a, op.Spec{
		ID: "createProduct", Method: "POST", Path: list, Tag: "catalog", Feature: "catalog.manage", Success: 201,
		Summary: "Create a product", Description: "Creates a draft. Add variants, then publish it.",
	}, a.createProduct)
	declare(a, op.Spec{
		ID: "getProduct", Method: "GET", Path: one, Tag: "catalog", Feature: "location.view",
		Summary: "Get a product", Description: "Returns a product in any state.",
	}, wire.ByName(a.Products.Get, (*ProductPath).id, showProduct))
	declare(a, op.Spec{
		ID: "updateProduct", Method: "PATCH", Path: one, Tag: "catalog", Feature: "catalog.manage", Versioned: true,
		Summary: "Update a product",
		Description: "Applies to carts that do not hold the product. Existing orders do not change. Publishing requires a " +
			"variant.",
	}, a.updateProduct)
	declare(a, op.Spec{
		ID: "archiveProduct", Method: "POST", Path: one + "/archive", Tag: "catalog", Feature: "catalog.manage",
		Summary:     "Archive a product",
		Description: "Takes it out of sale. Carts that hold it can still be paid.",
	}, wire.ByName(a.Products.Archive, (*ProductPath).id, showProduct))
	declare(a, op.Spec{
		ID: "listProductVariants", Method: "GET", Path: one + "/variants", Tag: "catalog", Feature: "location.view",
		Summary:     "List variants of a product",
		Description: "Returns the variants in use or, with archived, the archived ones, in the order of their creation.",
	}, wire.Filtered(a.Cursors, "variants", a.Products.Variants, showVariant,
		func(_ tenancy.Scope, in *listVariantsIn, page paging.In[uuid.UUID]) product.VariantsInput {
			return product.VariantsInput{In: page, ProductID: in.ProductID, Archived: in.Archived}
		}))
	declare(a, op.Spec{
		ID: "createProductVariant", Method: "POST", Path: one + "/variants", Tag: "catalog", Feature: "catalog.manage",
		Success: 201, Summary: "Create a variant of a product",
		Description: "Adds a variant, for sale at once if the product is published. A product has at most 100 variants in " +
			"use. A variant with tracked stock is sold at the locations that have received or counted it.",
	}, a.createVariant)
	declare(a, op.Spec{
		ID: "getProductVariant", Method: "GET", Path: one + "/variants/{variantId}", Tag: "catalog", Feature: "location.view",
		Summary: "Get a variant of a product", Description: "Returns a variant, archived or not, with its stock.",
	}, func(ctx context.Context, sc tenancy.Scope, in *VariantPath) (ProductVariant, error) {
		v, err := a.Products.Variant(ctx, sc, in.ProductID, in.VariantID)
		return showVariant(v), err
	})
	declare(a, op.Spec{
		ID: "updateProductVariant", Method: "PATCH", Path: one + "/variants/{variantId}", Tag: "catalog",
		Feature: "catalog.manage", Versioned: true, Summary: "Update a variant of a product",
		Description: "Applies to carts that do not hold the variant. Existing orders do not change.",
	}, a.updateVariant)
}

func (a *surface) createProduct(
	ctx context.Context, sc tenancy.Scope, in *wire.Body[createProductBody],
) (Product, error) {
	b := in.Body
	p, err := a.Products.Create(ctx, sc, product.CreateInput{
		Name: b.Name, Description: b.Description, Currency: b.Currency, TaxRateID: b.TaxRateID,
		RevenueCategoryID: b.RevenueCategoryID, Options: wire.Show(b.Options, wire.ProductOption.Option),
	})
	return showProduct(p), err
}

func (a *surface) updateProduct(ctx context.Context, sc tenancy.Scope, in *updateProductIn) (Product, error) {
	b := in.Body
	p, err := a.Products.Update(ctx, sc, product.UpdateInput{
		ID: in.ProductID, Version: b.Version, Name: b.Name, Description: b.Description, State: b.State,
		TaxRateID: b.TaxRateID.Field, RevenueCategoryID: b.RevenueCategoryID.Field,
		Options: wire.OrNil(b.Options, func(o []wire.ProductOption) []product.Option {
			return wire.Show(o, wire.ProductOption.Option)
		}),
	})
	return showProduct(p), err
}

func (a *surface) createVariant(ctx context.Context, sc tenancy.Scope, in *createVariantIn) (ProductVariant, error) {
	b := in.Body
	v, err := a.Products.CreateVariant(ctx, sc, product.CreateVariantInput{
		ProductID: in.ProductID, Choices: b.Choices, SKU: b.SKU, Barcode: b.Barcode, PriceAmount: b.Price, CostAmount: b.Cost,
		Track: b.Track, BelowZero: b.SellBelowZero,
	})
	return showVariant(v), err
}

func (a *surface) updateVariant(ctx context.Context, sc tenancy.Scope, in *updateVariantIn) (ProductVariant, error) {
	b := in.Body
	v, err := a.Products.UpdateVariant(ctx, sc, product.UpdateVariantInput{
		ProductID: in.ProductID, ID: in.VariantID, Version: b.Version, Choices: b.Choices, SKU: b.SKU, Barcode: b.Barcode,
		PriceAmount: b.Price, CostAmount: b.Cost.Field, Track: b.Track, BelowZero: b.SellBelowZero, Archived: b.Archived,
	})
	return showVariant(v), err
}

func showProduct(p product.Product) Product {
	return Product{
		ID: p.ID, Name: p.Name, Description: p.Description, State: p.State, Currency: string(p.Currency),
		TaxRateID: p.TaxRateID, RevenueCategoryID: p.RevenueCategoryID,
		Options: wire.Show(p.Options, wire.ShowProductOption), VariantCount: p.Variants,
		Version: p.Version, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

func showVariant(v product.Variant) ProductVariant {
	return ProductVariant{
		ID: v.ID, ProductID: v.ProductID, Choices: wire.Show(v.Choices, asIs), SKU: v.SKU, Barcode: v.Barcode,
		BarcodeKind: wire.Optional(v.BarcodeKind), Price: v.PriceAmount, Cost: v.CostAmount, Track: v.TrackedAt != nil,
		SellBelowZero: v.BelowZero, Stock: wire.Show(v.Levels, showLevel), ArchivedAt: v.ArchivedAt,
		Version: v.Version, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
	}
}

func asIs(text string) string { return text }
