package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Cart is a selection that is not booked yet.
type Cart struct{ editedTable }

func (Cart) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.Bytes("token_hash"),
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(), // person of the hold: from then on only they may pay
		field.String("ref").Default(""),                            // the page the customer came from, as sent; validated at each print
		field.String("state").Default("open"),
		field.String("code").Default(""),         // of a discount, as stored there; empty: none
		field.Bool("pay_in_full").Default(false), // pays the full price instead of a deposit
	}
}

func (Cart) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "id").Unique().StorageKey("carts_place_key"),
		index.Fields("token_hash").Unique().StorageKey("carts_token_hash_key"),
		index.Fields("business_id", "created_at").StorageKey("carts_left").
			Annotations(entsql.IndexWhere(createdWhileOpen + " is not null")),
	}
}

// createdWhileOpen is the creation time of an open cart, in a form that only the sweep's index matches: see
// expiresWhileLive.
const createdWhileOpen = "(case when state = 'open' then created_at end)"

func (Cart) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Expressions{"carts_left": {"created_at": createdWhileOpen}},
		entsql.Annotation{Table: "carts", Checks: map[string]string{
			"carts_state": "state in ('open', 'ordered')",
		}},
		References{To("locations", "location_id"), To("persons", "person_id")},
		Lookup{"id", "business_id", "location_id", "token_hash", "state", "created_at", "updated_at"},
	}
}

// paidFrom is the source of a tender, as a column with a foreign key for each kind that has one.
var paidFrom = Generated{"gift_card_id": {"source_id", "case when kind = 'gift_card' then source_id end"}}

// CartTender is the choice to pay a cart from something that its holder has with the studio.
type CartTender struct{ tenantTable }

func (CartTender) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("cart_id", uuid.UUID{}),
		field.String("kind"),
		field.UUID("source_id", uuid.UUID{}).Optional().Nillable(), // null: account credit
		field.Bool("used").Default(true),                           // false: account credit that is not to be used
	}
}

func (CartTender) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "cart_id", "source_id").Unique().StorageKey("cart_tenders_key"),
		index.Fields("business_id", "cart_id").Unique().StorageKey("cart_tenders_credit_key").
			Annotations(entsql.IndexWhere("source_id is null")),
	}
}

func (CartTender) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "cart_tenders", Checks: map[string]string{
			"cart_tenders_kind":   "kind in ('account_credit', 'gift_card')",
			"cart_tenders_source": "(source_id is null) = (kind = 'account_credit') and (used or source_id is null)",
		}},
		References{PartOf("carts", "cart_id"), To("gift_cards", "gift_card_id")},
		paidFrom,
	}
}

// ofSeats are the kinds of lines that sell seats: those of offerings.
const ofSeats = "kind in ('class', 'appointment', 'rental')"

// soldSubject is what an item or a line without a seat sells, as a column with a foreign key for each kind.
var soldSubject = Generated{
	"variant_id":   {"subject_id", "case when kind = 'product' then subject_id end"},
	"gift_card_id": {"subject_id", "case when kind = 'gift_card' then subject_id end"},
	"plan_id":      {"subject_id", "case when kind = 'plan' then subject_id end"},
}

// CartItem is one line of a cart. Its kind says which columns name what is sold.
type CartItem struct{ tenantTable }

func (CartItem) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("cart_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.String("kind"),
		field.Int("quantity").SchemaType(integer).Default(1),
		field.UUID("subject_id", uuid.UUID{}).Optional().Nillable(), // of a kind without a seat: what it sells
		// Of a kind without a seat, while a hold reserves it: that hold, and the price that stays meanwhile.
		field.UUID("hold_id", uuid.UUID{}).Optional().Nillable(),
		field.Int64("reserved_amount").Optional().Nillable(),
		field.UUID("offering_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("occurrence_id", uuid.UUID{}).Optional().Nillable(),
		field.String("attendee").Default(""), // name of the attendee, if it is not the customer
		field.Int64("listed_amount"),         // the price when it was added, to detect a rise
		field.Time("starts_at").SchemaType(instant).Optional().Nillable(),
		field.Int("minutes").SchemaType(integer).Optional().Nillable(),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(), // null: anyone
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),  // null: any of the offering's
		field.Int("party").SchemaType(integer).Default(1),
		field.Int("position").SchemaType(integer).Default(0), // order of services that follow each other
		// Of a seat: the grant that the customer chose to pay with, or that they pay the price although one would do.
		field.UUID("grant_id", uuid.UUID{}).Optional().Nillable(),
		field.Bool("pays_price").Default(false),
		// Of a plan that renews: what the customer agreed to; empty: they did not.
		field.String("consent_text").Default(""),
		field.Time("consented_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (CartItem) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "cart_id", "created_at", "id").StorageKey("cart_items_of_cart"),
		index.Fields("business_id", "occurrence_id").StorageKey("cart_items_of_occurrence").
			Annotations(entsql.IndexWhere("occurrence_id is not null")),
		index.Fields("business_id", "hold_id").StorageKey("cart_items_reserved").
			Annotations(entsql.IndexWhere("hold_id is not null")),
	}
}

func (CartItem) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "cart_items", Checks: map[string]string{
			"cart_items_kind": ofSeats + " or kind in ('product', 'gift_card', 'plan')",
			"cart_items_what": "case when " + ofSeats + " then offering_id is not null and quantity = 1 and " +
				"num_nonnulls(starts_at, minutes) in (0, 2) and num_nonnulls(occurrence_id, starts_at) > 0 and " +
				"num_nonnulls(subject_id, hold_id, reserved_amount) = 0 " +
				"else num_nonnulls(offering_id, occurrence_id, starts_at, minutes, member_id, space_id, grant_id) = 0 and " +
				"num_nonnulls(hold_id, reserved_amount) in (0, 2) and not pays_price and " +
				"(kind not in ('product', 'gift_card', 'plan') or subject_id is not null) end",
			"cart_items_quantity": "quantity between 1 and 999 and (kind not in ('gift_card', 'plan') or quantity = 1)",
			"cart_items_choice":   "grant_id is null or not pays_price",
			"cart_items_consent":  "(consented_at is null) = (consent_text = '') and (kind = 'plan' or consented_at is null)",
			"cart_items_minutes":  "minutes between 5 and 1440",
			"cart_items_party":    "party between 1 and 1000",
		}},
		References{
			To("carts", "location_id", "cart_id"),
			To("occurrences", "occurrence_id"),
			To("offerings", "location_id", "offering_id"),
			To("members", "member_id"),
			To("spaces", "location_id", "space_id"),
			To("holds", "hold_id"),
			To("product_variants", "variant_id"),
			To("gift_cards", "gift_card_id"),
			To("plans", "plan_id"),
			To("grants", "grant_id"),
		},
		soldSubject,
		Lookup{"business_id", "hold_id"},
	}
}

// Order is a sale.
type Order struct{ tenantTable }

func (Order) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("cart_id", uuid.UUID{}).Optional().Nillable(), // null: sold at the desk
		field.Bytes("receipt_hash"),
		field.String("state"),
		field.String("currency"),
		field.String("tax_mode"),
		field.Int64("subtotal_amount"),            // sum of the lines as listed
		field.Int64("discount_amount").Default(0), // deducted from them
		field.Int64("tax_amount"),                 // on top when exclusive, inside when inclusive
		field.Int64("total_amount"),               // the price; a service fee is beside it, of the tender by card
		field.Time("fulfilled_at").SchemaType(instant).Optional().Nillable(),
		// Code of a failed charge of a saved card. Empty: none was tried, or none was declined.
		field.String("charge_failed").Default(""),
	}
}

func (Order) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("receipt_hash").Unique().StorageKey("orders_receipt_hash_key"),
		index.Fields("business_id", "cart_id").Unique().StorageKey("orders_cart_key").
			Annotations(entsql.IndexWhere("state <> 'void'")),
		index.Fields("business_id", "cart_id").StorageKey("orders_of_cart"),
		index.Fields("business_id", "customer_id").StorageKey("orders_of_customer"),
		// The few that wait: what of a customer's plans is reserved is read with every cart.
		index.Fields("business_id", "customer_id").StorageKey("orders_open_of_customer").
			Annotations(entsql.IndexWhere("state = 'open'")),
	}
}

func (Order) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "orders", Checks: map[string]string{
			"orders_state": "state in ('open', 'fulfilled', 'refunded', 'void')",
			"orders_amounts": "discount_amount between 0 and subtotal_amount and tax_amount >= 0 and " +
				"total_amount = subtotal_amount - discount_amount + case tax_mode when 'exclusive' then tax_amount else 0 end",
			"orders_tax_mode":  "tax_mode in ('exclusive', 'inclusive')",
			"orders_fulfilled": "(state in ('fulfilled', 'refunded')) = (fulfilled_at is not null)",
		}},
		References{
			To("customers", "customer_id"),
			To("carts", "location_id", "cart_id"),
		},
		Lookup{"id", "business_id", "receipt_hash", "customer_id"},
		Audited{"receipt_hash"},
	}
}

// OrderLine is the cost of one item of an order, frozen: a later edit of a rate changes no old order. Its kind says
// which column names what is sold.
type OrderLine struct{ bareTable }

func (OrderLine) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}),
		field.UUID("order_id", uuid.UUID{}),
		field.UUID("booking_id", uuid.UUID{}).Optional().Nillable(), // of a seat
		field.UUID("fee_id", uuid.UUID{}).Optional().Nillable(),     // of a fee
		// Of other kinds: what is sold, and the item of the cart that reserved it.
		field.UUID("subject_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("cart_item_id", uuid.UUID{}).Optional().Nillable(),
		// The line of another order with an amount due at the studio, paid by card with this one. It sells nothing
		// new.
		field.UUID("of_line_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("position").SchemaType(integer),
		field.String("kind"),
		field.Int("quantity").SchemaType(integer).Default(1),
		field.String("label"),
		field.Int64("listed_amount"),              // as listed, of all of the quantity: with tax inside when inclusive
		field.Int64("discount_amount").Default(0), // deducted from it, before tax
		field.Int64("tax_amount"),
		field.Int64("non_refundable_amount").Default(0), // a deposit: not refunded when its customer cancels
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),
		field.String("tax_name").Default(""), // frozen: a later edit of the rate changes no old order
		field.Int("tax_ppm").SchemaType(integer).Default(0),
		field.String("income_account"), // frozen: the account of its income in the books
		// Of a seat that a plan pays: the grant, and the credits that it costs; 0: the grant is unlimited.
		field.UUID("grant_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("credits").SchemaType(integer).Default(0),
	}
}

func (OrderLine) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "order_id", "position").Unique().StorageKey("order_lines_position_key"),
		index.Fields("business_id", "booking_id").StorageKey("order_lines_of_booking"),
		index.Fields("business_id", "of_line_id").StorageKey("order_lines_paying").
			Annotations(entsql.IndexWhere("of_line_id is not null")),
		// The delete of an item of a cart looks for its lines.
		index.Fields("business_id", "cart_item_id").StorageKey("order_lines_of_cart_item").
			Annotations(entsql.IndexWhere("cart_item_id is not null")),
		index.Fields("business_id", "fee_id").StorageKey("order_lines_of_fee").
			Annotations(entsql.IndexWhere("fee_id is not null")),
		index.Fields("business_id", "grant_id").StorageKey("order_lines_of_grant").
			Annotations(entsql.IndexWhere("grant_id is not null")),
	}
}

func (OrderLine) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "order_lines", Checks: map[string]string{
			"order_lines_amounts":        "discount_amount between 0 and listed_amount and tax_amount >= 0",
			"order_lines_non_refundable": "non_refundable_amount between 0 and listed_amount - discount_amount + tax_amount",
			"order_lines_kind":           ofSeats + " or kind in ('fee', 'product', 'gift_card', 'plan')",
			"order_lines_subject": "(booking_id is not null) = (" + ofSeats + ") " +
				"and (fee_id is not null) = (kind = 'fee') and " +
				"(of_line_id is null or booking_id is not null) and " +
				"(num_nonnulls(subject_id, cart_item_id) = 0 or num_nonnulls(booking_id, fee_id) = 0) and " +
				"(kind not in ('product', 'gift_card', 'plan') or subject_id is not null)",
			"order_lines_quantity": "quantity between 1 and 999 and (kind not in ('gift_card', 'plan') or quantity = 1)",
			"order_lines_income": "case kind when 'gift_card' then income_account = 'stored_value.gift' " +
				"when 'plan' then income_account in ('deferred.pack', 'deferred.membership') " +
				"else income_account like 'income.%' end",
			"order_lines_credits": "credits >= 0 and (grant_id is not null or credits = 0) and " +
				"(grant_id is null or booking_id is not null and of_line_id is null and discount_amount = listed_amount)",
		}},
		References{
			To("orders", "order_id"),
			To("bookings", "booking_id"),
			To("fees", "fee_id"),
			WeakTo("cart_items", "cart_item_id"), // of an order that was given up, whose cart goes on
			To("order_lines", "of_line_id"),
			To("tax_rates", "tax_rate_id"),
			To("product_variants", "variant_id"),
			To("gift_cards", "gift_card_id"),
			To("plans", "plan_id"),
			To("grants", "grant_id"),
		},
		soldSubject,
		AppendOnly{},
	}
}

// OrderReturn is the return of goods of a line of an order.
type OrderReturn struct{ tenantTable }

func (OrderReturn) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("order_line_id", uuid.UUID{}),
		field.Int("quantity").SchemaType(integer),
		field.Bool("restocked"),                                    // it is for sale again
		field.UUID("refund_id", uuid.UUID{}).Optional().Nillable(), // the refund with it; null: none
		field.String("note").Default(""),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (OrderReturn) Indexes() []ent.Index {
	return []ent.Index{index.Fields("business_id", "order_line_id").StorageKey("order_returns_of_line")}
}

func (OrderReturn) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "order_returns", Checks: map[string]string{
			"order_returns_quantity": "quantity between 1 and 999",
		}},
		References{To("order_lines", "order_line_id"), To("refunds", "refund_id")},
		AppendOnly{},
		Audited{},
	}
}
