package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"
)

// Customer is a studio's record of a person.
type Customer struct{ ent.Schema }

// Annotations name the table.
func (Customer) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "customers"}}
}

// Mixin of Customer.
func (Customer) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Customer.
func (Customer) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(),
		field.String("name").Default(""),
		field.String("email").Default(""),
		field.String("phone").Default(""),
	}
}

// Cart is what somebody is about to book.
type Cart struct{ ent.Schema }

// Annotations name the table.
func (Cart) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "carts"}}
}

// Mixin of Cart.
func (Cart) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Cart.
func (Cart) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.Bytes("token_hash"),
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(),
		field.String("ref").Default(""),
		field.String("state").Default("open"),
	}
}

// CartItem is one line of a cart.
type CartItem struct{ ent.Schema }

// Annotations name the table.
func (CartItem) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "cart_items"}}
}

// Mixin of CartItem.
func (CartItem) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of CartItem.
func (CartItem) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("cart_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("occurrence_id", uuid.UUID{}).Optional().Nillable(),
		field.Time("starts_at").SchemaType(instant).Optional().Nillable(),
		field.Int("minutes").SchemaType(integer).Optional().Nillable(),
		field.UUID("member_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("space_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("party").SchemaType(integer).Default(1),
		field.Int("position").SchemaType(integer).Default(0),
		field.String("attendee").Default(""),
		field.Int64("listed_amount"),
	}
}

// Hold is seats kept for a cart for a while.
type Hold struct{ ent.Schema }

// Annotations name the table.
func (Hold) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "holds"}}
}

// Mixin of Hold.
func (Hold) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of Hold.
func (Hold) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("cart_id", uuid.UUID{}),
		field.UUID("person_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.String("state").Default("live"),
		field.Time("expires_at").SchemaType(instant),
		field.Bool("extended").Default(false),
	}
}

// Order is what was sold.
type Order struct{ ent.Schema }

// Annotations name the table.
func (Order) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "orders"}}
}

// Mixin of Order.
func (Order) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of Order.
func (Order) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("cart_id", uuid.UUID{}),
		field.Bytes("receipt_hash"),
		field.String("state"),
		field.String("currency"),
		field.String("tax_mode"),
		field.Int64("subtotal_amount"),
		field.Int64("tax_amount"),
		field.Int64("service_fee_amount").Default(0),
		field.Int64("total_amount"),
		field.Time("settled_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Booking is one seat of one customer on one date.
type Booking struct{ ent.Schema }

// Annotations name the table.
func (Booking) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "bookings"}}
}

// Mixin of Booking.
func (Booking) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Booking.
func (Booking) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("occurrence_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("hold_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("order_id", uuid.UUID{}).Optional().Nillable(),
		field.String("state"),
		field.Bool("online"),
		field.String("attendee").Default(""),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.Int64("price_amount"),
		field.String("currency"),
		field.Time("confirmed_at").SchemaType(instant).Optional().Nillable(),
		field.Int("party").SchemaType(integer).Default(1),
		field.JSON("policy", json.RawMessage{}).Optional(),
		field.UUID("group_id", uuid.UUID{}).Optional().Nillable(),
		field.String("note").Default(""),
		field.Time("cancelled_at").SchemaType(instant).Optional().Nillable(),
		field.Time("checked_in_at").SchemaType(instant).Optional().Nillable(),
		field.Time("checked_out_at").SchemaType(instant).Optional().Nillable(),
		field.Int("reschedules").SchemaType(integer).Default(0),
		field.Time("review_at").SchemaType(instant).Optional().Nillable(),
		field.Time("grace_until").SchemaType(instant).Optional().Nillable(),
	}
}

// Payment is one try to take the money of an order.
type Payment struct{ ent.Schema }

// Annotations name the table.
func (Payment) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "payments"}}
}

// Mixin of Payment.
func (Payment) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of Payment.
func (Payment) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("order_id", uuid.UUID{}),
		field.String("env"),
		field.String("account"),
		field.Int("attempt").SchemaType(integer),
		field.String("intent").Optional().Nillable(),
		field.String("charge").Optional().Nillable(),
		field.Int64("amount"),
		field.String("currency"),
		field.Int64("fee_amount"),
		field.Int("fee_ppm").SchemaType(integer),
		field.String("status"),
		field.String("card_brand").Default(""),
		field.String("card_last4").Default(""),
		field.String("failure_code").Default(""),
		field.String("failure_message").Default(""),
		field.String("outcome").Default(""),
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),
		field.Time("updated_at").SchemaType(instant),
		field.Time("succeeded_at").SchemaType(instant).Optional().Nillable(),
	}
}

// Refund is money given back.
type Refund struct{ ent.Schema }

// Annotations name the table.
func (Refund) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "refunds"}}
}

// Mixin of Refund.
func (Refund) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }

// Fields of Refund.
func (Refund) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("payment_id", uuid.UUID{}),
		field.Int64("amount"),
		field.Int64("fee_amount"),
		field.String("state"),
		field.String("reason"),
		field.String("external_id").Optional().Nillable(),
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),
		field.Time("updated_at").SchemaType(instant),
	}
}

// Penalty is a fee for cancelling late or for not coming.
type Penalty struct{ ent.Schema }

// Annotations name the table.
func (Penalty) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "penalties"}}
}

// Mixin of Penalty.
func (Penalty) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of Penalty.
func (Penalty) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("booking_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.String("kind"),
		field.String("state"),
		field.Int64("amount"),
		field.String("currency"),
		field.String("reason").Default(""),
		field.Time("review_until").SchemaType(instant),
	}
}

// WaitlistEntry is somebody who waits for a date.
type WaitlistEntry struct{ ent.Schema }

// Annotations name the table.
func (WaitlistEntry) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "waitlist_entries"}}
}

// Mixin of WaitlistEntry.
func (WaitlistEntry) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }

// Fields of WaitlistEntry.
func (WaitlistEntry) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("occurrence_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(),
		field.Bytes("token_hash"),
		field.String("state"),
		field.Int64("rank"),
		field.Int("party").SchemaType(integer).Default(1),
		field.String("attendee").Default(""),
		field.String("payment_choice").Default("ask"),
		field.Time("consent_at").SchemaType(instant).Optional().Nillable(),
		field.Bool("drop_if_promoted").Default(false),
		field.Time("offered_at").SchemaType(instant).Optional().Nillable(),
		field.Time("offer_until").SchemaType(instant).Optional().Nillable(),
		field.UUID("booking_id", uuid.UUID{}).Optional().Nillable(),
	}
}
