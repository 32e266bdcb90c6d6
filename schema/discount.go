package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Discount reduces the price of a cart, automatically or with a code.
type Discount struct{ editedTable }

func (Discount) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),                                           // as customers read it
		field.String("code").Optional().Nillable(),                     // upper case; null: automatic
		field.Int64("ppm").Default(0),                                  // of the eligible subtotal; 0: an amount
		field.Int64("amount").Default(0),                               // minor units of currency; 0: a percentage
		field.String("currency"),                                       // of its amounts
		field.Int64("least_amount").Default(0),                         // minimum total of the eligible lines, as listed
		field.Time("first_day").SchemaType(date).Optional().Nillable(), // on which it can be used, at the location
		field.Time("last_day").SchemaType(date).Optional().Nillable(),
		// Locations with reduced prices; empty: all of them.
		field.JSON("location_ids", []uuid.UUID{}).Default([]uuid.UUID{}).Annotations(emptyList),
		field.JSON("offering_ids", []uuid.UUID{}).Default([]uuid.UUID{}).Annotations(emptyList),
		// Only for customers with an active plan of these; empty: for everybody.
		field.JSON("plan_ids", []uuid.UUID{}).Default([]uuid.UUID{}).Annotations(emptyList),
		field.String("applies_to").Default("bookings"),                          // bookings, goods, or all
		field.JSON("weekdays", []int{}).Default([]int{}).Annotations(emptyList), // of the booked date, 0 is Sunday; empty: every
		field.Int("uses_max").SchemaType(integer).Default(0),                    // maximum number of orders; 0: unlimited
		field.Int("customer_uses_max").SchemaType(integer).Default(0),           // maximum per customer; 0: unlimited
		field.Bool("first_time").Default(false),                                 // only for the first order of a customer
		field.Int("position").SchemaType(integer).Default(0),
		field.Bool("combines").Default(true),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Discount) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "code").Unique().StorageKey("discounts_code_key").
			Annotations(entsql.IndexWhere("archived_at is null")),
	}
}

func (Discount) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "discounts", Checks: map[string]string{
			"discounts_code":   "code ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'",
			"discounts_worth":  "ppm between 0 and 1000000 and amount between 0 and 99999999 and (ppm = 0) <> (amount = 0)",
			"discounts_limits": "least_amount >= 0 and uses_max >= 0 and customer_uses_max >= 0",
			"discounts_days":   "first_day <= last_day",
			"discounts_of":     "applies_to in ('bookings', 'goods', 'all')",
		}},
		References{To("businesses", "business_id")},
		Audited{},
	}
}

// OrderDiscount is the amount of one discount on an order, frozen. The uses of a discount are counted by its rows.
type OrderDiscount struct{ bareTable }

func (OrderDiscount) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("order_id", uuid.UUID{}),
		field.UUID("discount_id", uuid.UUID{}),
		field.Int("position").SchemaType(integer),
		field.String("name"), // as it was at the sale
		field.String("code").Default(""),
		field.Int64("amount"),
	}
}

func (OrderDiscount) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "order_id", "discount_id").Unique().StorageKey("order_discounts_once"),
		index.Fields("business_id", "discount_id").StorageKey("order_discounts_of_discount"),
	}
}

func (OrderDiscount) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "order_discounts", Checks: map[string]string{
			"order_discounts_amount": "amount > 0",
		}},
		References{To("orders", "order_id"), To("discounts", "discount_id")},
		AppendOnly{},
	}
}
