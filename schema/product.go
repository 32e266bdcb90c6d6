package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Product is a product of a business. Its variants are sold, at the locations that stock them.
type Product struct{ editedTable }

func (Product) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.String("description").Default(""), // plain text
		field.String("state").Default("draft"),
		field.String("currency"), // of its prices; locations with another one do not sell it
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("revenue_category_id", uuid.UUID{}).Optional().Nillable(), // null: that of products
	}
}

func (Product) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("id").StorageKey("products_directory"),
	}
}

func (Product) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "products", Checks: map[string]string{
			"products_state": "state in ('draft', 'published', 'archived')",
			"products_name":  "name <> ''",
		}},
		References{
			To("businesses", "business_id"), To("tax_rates", "tax_rate_id"),
			To("revenue_categories", "revenue_category_id"),
		},
		Lookup{"id", "business_id"},
		Audited{},
	}
}

// ProductOption is a property in which the variants of a product differ, with its choices in their order.
type ProductOption struct{ tenantTable }

func (ProductOption) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("product_id", uuid.UUID{}),
		field.Int("position").SchemaType(integer),
		field.String("name"), // Size, Colour …
		field.JSON("choices", []string{}),
	}
}

func (ProductOption) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "product_id", "position").Unique().StorageKey("product_options_position_key"),
	}
}

func (ProductOption) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "product_options", Checks: map[string]string{
			"product_options_position": "position between 1 and 3",
			"product_options_choices":  "jsonb_array_length(choices) between 1 and 100",
		}},
		References{PartOf("products", "product_id")},
		Audited{},
	}
}

// ProductVariant is a product in one choice of each of its options.
type ProductVariant struct{ editedTable }

func (ProductVariant) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("product_id", uuid.UUID{}),
		field.JSON("choices", []string{}).Default([]string{}).Annotations(emptyList), // one of each option, in their order
		field.String("sku").Optional().Nillable(),
		field.String("barcode").Optional().Nillable(),
		field.String("barcode_kind").Optional().Nillable(),
		field.Int64("price_amount"), // minor units of the product's currency
		field.Int64("cost_amount").Optional().Nillable(),
		field.Time("tracked_at").SchemaType(instant).Optional().Nillable(), // of its stock; null: not tracked
		field.Bool("below_zero").Default(false),                            // sold although the stock is at zero
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

// gtin is a barcode as it is compared: the twelve digits of a UPC-A are the thirteen of an EAN-13 that begins with 0.
const gtin = "(case when barcode_kind = 'upc_a' then '0' || barcode else barcode end)"

func (ProductVariant) Indexes() []ent.Index {
	inUse := entsql.IndexWhere("archived_at is null")
	return []ent.Index{
		index.Fields("business_id", "product_id", "choices").Unique().StorageKey("product_variants_choices_key").
			Annotations(inUse),
		index.Fields("business_id", "sku").Unique().StorageKey("product_variants_sku_key").Annotations(inUse),
		index.Fields("business_id", "barcode").Unique().StorageKey("product_variants_barcode_key").Annotations(inUse),
		index.Fields("business_id", "product_id", "id").StorageKey("product_variants_of_product"),
	}
}

func (ProductVariant) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Expressions{
			"product_variants_sku_key":     {"sku": "lower(sku)"},
			"product_variants_barcode_key": {"barcode": gtin},
		},
		entsql.Annotation{Table: "product_variants", Checks: map[string]string{
			"product_variants_choices": "jsonb_array_length(choices) <= 3",
			"product_variants_barcode": "(barcode is null) = (barcode_kind is null) and case barcode_kind " +
				"when 'ean_13' then barcode ~ '^[0-9]{13}$' when 'upc_a' then barcode ~ '^[0-9]{12}$' " +
				"when 'ean_8' then barcode ~ '^[0-9]{8}$' else barcode_kind = 'code_128' and barcode <> '' end",
			"product_variants_amounts": "price_amount between 0 and 99999999 and cost_amount between 0 and 99999999",
			"product_variants_sku":     "sku <> ''",
		}},
		References{To("products", "product_id")},
		Audited{},
	}
}

// StockLevel is the stock of a variant at a location: the sum of its moves, under one lock.
type StockLevel struct{ bareTable }

func (StockLevel) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("variant_id"),
		field.UUID("location_id", uuid.UUID{}),
		field.Int("on_hand").SchemaType(integer).Default(0),
		field.Int("held").SchemaType(integer).Default(0), // of it: reserved for items of carts
		field.Bool("below_zero"),                         // the variant's
		field.Int("moves").SchemaType(integer).Default(0),
		field.Time("updated_at").SchemaType(instant),
	}
}

func (StockLevel) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "stock_levels", Checks: map[string]string{
			"stock_levels_held":  "held >= 0",
			"stock_levels_least": "below_zero or held <= on_hand",
			"stock_levels_range": "on_hand between -999999 and 999999",
			"stock_levels_moves": "moves >= 0",
		}},
		References{To("product_variants", "variant_id"), To("locations", "location_id")},
		Key{"business_id", "variant_id", "location_id"},
	}
}

// StockMove is a change of the stock of a variant at a location, the number-th there.
type StockMove struct{ tenantTable }

func (StockMove) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("variant_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.Int("number").SchemaType(integer),
		field.String("kind"),
		field.Int("quantity").SchemaType(integer), // negative: less
		field.Int("on_hand").SchemaType(integer),  // after it
		field.UUID("order_line_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("return_id", uuid.UUID{}).Optional().Nillable(),   // of a return
		field.UUID("transfer_id", uuid.UUID{}).Optional().Nillable(), // of both moves of a transfer
		field.Int("counted").SchemaType(integer).Optional().Nillable(),
		field.String("reason").Default(""),
		field.String("actor_kind").Default(""), // empty: a sale
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (StockMove) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "variant_id", "location_id", "number").Unique().StorageKey("stock_moves_number_key"),
		index.Fields("business_id", "variant_id", "created_at", "id").StorageKey("stock_moves_of_variant"),
		index.Fields("business_id", "order_line_id").Unique().StorageKey("stock_moves_sold_once").
			Annotations(entsql.IndexWhere("kind = 'sell'")),
		index.Fields("business_id", "return_id").Unique().StorageKey("stock_moves_return_key"),
	}
}

func (StockMove) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "stock_moves", Checks: map[string]string{
			"stock_moves_kind": "(order_line_id is not null) = (kind in ('sell', 'return')) and " +
				"(return_id is not null) = (kind = 'return') and " +
				"(transfer_id is not null) = (kind in ('transfer_out', 'transfer_in')) and " +
				"(counted is not null) = (kind = 'count') and (kind <> 'adjust' or reason <> '') and " +
				"case kind when 'receive' then quantity > 0 when 'return' then quantity > 0 when 'transfer_in' then quantity > 0 " +
				"when 'sell' then quantity < 0 when 'transfer_out' then quantity < 0 when 'adjust' then quantity <> 0 " +
				"when 'count' then counted >= 0 else false end",
			"stock_moves_number": "number > 0",
		}},
		References{
			To("stock_levels", "variant_id", "location_id").Named("stock_moves_level_fkey"),
			To("order_lines", "order_line_id"),
			To("order_returns", "return_id"),
		},
		AppendOnly{},
		Audited{"number"},
	}
}

// reservedFor is what a reservation is for, as a column with a foreign key for each.
var reservedFor = Generated{
	"cart_item_id":  {"item_id", "case when not at_desk then item_id end"},
	"order_line_id": {"item_id", "case when at_desk then item_id end"},
}

// StockReservation is the stock of a variant that is kept for an item of a cart, as long as its hold, or at the desk
// for a line of an order, while a saved card is charged for it.
type StockReservation struct{ bareTable }

func (StockReservation) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("item_id"),
		field.UUID("variant_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.Int("quantity").SchemaType(integer),
		field.Bool("at_desk").Default(false), // it is for a line of an order
	}
}

func (StockReservation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "variant_id", "location_id").StorageKey("stock_reservations_of_level"),
	}
}

func (StockReservation) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "stock_reservations", Checks: map[string]string{
			"stock_reservations_quantity": "quantity between 1 and 999",
		}},
		References{
			To("cart_items", "cart_item_id"),
			To("order_lines", "order_line_id"),
			To("stock_levels", "variant_id", "location_id").Named("stock_reservations_level_fkey"),
		},
		reservedFor,
	}
}
