package storefront

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/product"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/media"
)

// ListedProduct is the public view of a published product at a location.
type ListedProduct struct {
	ID          uuid.UUID            `json:"id"`
	Name        string               `json:"name" example:"Yoga mat"`
	Description string               `json:"description" doc:"Description, plain text."`
	Currency    string               `json:"currency" example:"USD"`
	Options     []wire.ProductOption `json:"options" doc:"Properties in which its variants differ."`
	Variants    []ListedVariant      `json:"variants" doc:"Its variants at the location, including those that are sold out."`
	Photos      []ListedPhoto        `json:"photos" doc:"Its photos; the first one is the cover."`
}

// ListedPhoto is the public view of a photo.
type ListedPhoto struct {
	ID       uuid.UUID           `json:"id"`
	Alt      string              `json:"alt" doc:"Alternative text; may be empty."`
	Width    int                 `json:"width" doc:"Upright width in pixels."`
	Height   int                 `json:"height" doc:"Upright height in pixels."`
	Color    string              `json:"color" doc:"Dominant color." example:"#a1b2c3"`
	Variants []wire.AssetVariant `json:"variants" doc:"Available widths, smallest first."`
}

// ListedVariant is the public view of a variant of a product.
type ListedVariant struct {
	ID        uuid.UUID `json:"id" doc:"The variant, for the cart item."`
	Choices   []string  `json:"choices" doc:"One choice of each option of the product, in their order."`
	Price     int64     `json:"price" doc:"Price in minor units: 2200 is 22.00; 0 is free."`
	FullPrice int64     `json:"fullPrice" doc:"Price by card in minor units, with tax and service fee, if the studio accepts cards."`
	Available bool      `json:"available" doc:"Whether it can be bought now."`
	Left      *int      `json:"left" doc:"Number available, if it is five or fewer; null otherwise."`
}

func (a *surface) products() {
	op.Declare(a.Ops, op.Spec{
		ID: "listStorefrontProducts", Method: "GET", Path: "/storefront/locations/{id}/products", Tag: "storefront",
		Compact: true, Summary: "List products of a location",
		Description: "Returns the published products that the location sells, with their variants, in the order of their " +
			"names.",
		Access: op.Public, Target: op.InLocation("id"), Rate: op.RateStorefront, Errors: []int{400, 404},
	}, wire.Filtered(a.Cursors, "storefront-products", func(
		ctx context.Context, sc tenancy.Scope, in product.ListedInput,
	) (paging.Page[product.Listing, product.Key], error) {
		return a.Products.Listed(ctx, sc.Tenant, in)
	}, a.showProduct, func(sc tenancy.Scope, _ *wire.ListIn, page paging.In[product.Key]) product.ListedInput {
		return product.ListedInput{In: page, LocationID: sc.Location}
	}))
}

func (a *surface) showProduct(l product.Listing) ListedProduct {
	return ListedProduct{
		ID: l.ID, Name: l.Name, Description: l.Description, Currency: string(l.Currency),
		Options: wire.Show(l.Options, wire.ShowProductOption),
		Variants: wire.Show(l.Variants, func(v product.ListedVariant) ListedVariant {
			return ListedVariant{
				ID: v.ID, Choices: v.Choices, Price: v.PriceAmount, Available: v.Available(), Left: v.Left(),
				FullPrice: order.FullPriceOf(v.PriceAmount, 1, l.Pricing, l.Currency),
			}
		}),
		Photos: wire.Show(l.Photos, func(p media.Photo) ListedPhoto {
			return ListedPhoto{
				ID: p.Asset, Alt: p.Alt, Width: p.Width, Height: p.Height, Color: p.Color,
				Variants: wire.ShowAssetVariants(a.Base, p),
			}
		}),
	}
}
