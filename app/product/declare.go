package product

import (
	"foyer/app/catalog"
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/product",
		Tables: []declare.Table{
			{Name: "product_options", Life: declare.Trade, Record: "Product option"},
			{Name: "product_variants", Life: declare.Trade, Record: "Product variant"},
			{Name: "products", Life: declare.Trade, Record: "Product", Readers: []string{"app/accounting", "media"}},
			{Name: "stock_levels", Life: declare.Trade},
			{Name: "stock_moves", Life: declare.Trade, Record: "Stock"},
			{Name: "stock_reservations", Life: declare.Trade},
		},
		Refuses: map[string][]*fault.Error{
			"updateProduct":        {ErrArchived, ErrIncomplete},
			"createProductVariant": {ErrArchived, ErrVariantExists, ErrSKUInUse, ErrBarcodeInUse, ErrTooManyVariants},
			"updateProductVariant": {
				ErrArchived, ErrVariantArchived, ErrVariantExists, ErrSKUInUse, ErrBarcodeInUse, ErrTooManyVariants, ErrShort,
			},
			"changeStock": {
				ErrUntracked, ErrVariantArchived, ErrOtherCurrency, ErrShort, ErrFull, catalog.ErrLocationArchived,
			},
			"addCartItem": {ErrUnavailable, ErrNotAtLocation, order.ErrSoldOut},
			"holdCart":    {ErrUnavailable, ErrNotAtLocation, order.ErrSoldOut},
			"createSale":  {ErrUnavailable, ErrNotAtLocation, order.ErrSoldOut},
			"returnGoods": {ErrFull},
		},
		Messages: []words.Text{"This product is no longer available.", "This product is not sold at this location."},
		Fields: map[string]words.Console{
			"barcode":     "barcode",
			"barcodeKind": "kind of barcode",
			"belowZero":   "sold below zero",
			"choices":     "options",
			"costAmount":  "cost",
			"counted":     "counted",
			"onHand":      "on hand",
			"orderLineId": "line of an order",
			"productId":   "product",
			"quantity":    "quantity",
			"restocked":   "for sale again",
			"returnId":    "return",
			"sku":         "SKU",
			"trackedAt":   "stock tracked since",
			"transferId":  "transfer",
			"variantId":   "variant",
		},
		Checks: checks,
	}
}
