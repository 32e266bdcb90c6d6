package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Hold reserves seats for a cart for a while: a group of bookings in state held that already count. Confirming
// updates the same rows.
type Hold struct{ tenantTable }

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

func (Hold) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "cart_id").Unique().StorageKey("holds_one_live").
			Annotations(entsql.IndexWhere("state = 'live'")),
		index.Fields("business_id", "person_id").StorageKey("holds_of_person").
			Annotations(entsql.IndexWhere("state = 'live'")),
		index.Fields("expires_at").StorageKey("holds_due").
			Annotations(entsql.IndexWhere(expiresWhileLive + " is not null")),
		index.Fields("business_id", "cart_id").StorageKey("holds_of_cart"),
	}
}

// expiresWhileLive is the expiry of a live hold. A condition "state = 'live'" does not lead the planner to an index
// of it: it would search for one cart's hold among those of all businesses.
const expiresWhileLive = "(case when state = 'live' then expires_at end)"

func (Hold) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Expressions{"holds_due": {"expires_at": expiresWhileLive}},
		entsql.Annotation{Table: "holds", Checks: map[string]string{
			"holds_state": "state in ('live', 'confirmed', 'expired', 'released')",
			"holds_limit": "expires_at > created_at and expires_at <= created_at + interval '30 minutes'",
		}},
		References{
			To("carts", "cart_id"),
			To("persons", "person_id"),
			To("customers", "customer_id"),
		},
		Lookup{"id", "business_id", "state", "expires_at"},
	}
}

// Booking is one seat of one customer on one date.
type Booking struct{ editedTable }

func (Booking) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("occurrence_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("hold_id", uuid.UUID{}).Optional().Nillable(),  // the hold it began as
		field.UUID("order_id", uuid.UUID{}).Optional().Nillable(), // the order it was sold with
		field.String("state"),
		field.Bool("online"), // counts in taken_online
		field.String("attendee").Default(""),
		// names.Key of the attendee: equal keys are one person; null: written before there were keys
		field.String("attendee_key").Optional().Nillable(),
		field.Time("starts_at").SchemaType(instant),
		field.Time("ends_at").SchemaType(instant),
		field.Int64("price_amount"), // as listed when it was held
		field.String("currency"),
		field.Time("confirmed_at").SchemaType(instant).Optional().Nillable(),
		field.Int("party").SchemaType(integer).Default(1), // seats it takes
		// catalog.Rules as they were when it was made; null: made before there were any
		field.JSON("policy", json.RawMessage{}).Optional(),
		// bookings that were made together: services in a row, a course, a recurring booking
		field.UUID("group_id", uuid.UUID{}).Optional().Nillable(),
		field.String("note").Default(""), // the studio's
		field.Time("cancelled_at").SchemaType(instant).Optional().Nillable(),
		field.Time("checked_in_at").SchemaType(instant).Optional().Nillable(),
		field.Time("checked_out_at").SchemaType(instant).Optional().Nillable(), // a walk-in that left early
		field.Int("reschedules").SchemaType(integer).Default(0),                // number of reschedules by the customer
		field.Time("review_at").SchemaType(instant).Optional().Nillable(),      // deadline for reviewing the fee of a no-show
		// promoted late from the waitlist: cancelling is free until then
		field.Time("grace_until").SchemaType(instant).Optional().Nillable(),
		// time at which the balance due was charged to a saved card; for a course, that of its first date
		field.Time("balance_requested_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Booking) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "starts_at", "id").StorageKey("bookings_by_start").
			Annotations(entsql.DescColumns("starts_at", "id")),
		index.Fields("business_id", "occurrence_id", "created_at", "id").StorageKey("bookings_of_occurrence"),
		index.Fields("business_id", "customer_id", "starts_at", "id").StorageKey("bookings_of_customer").
			Annotations(entsql.DescColumns("starts_at", "id")),
		index.Fields("business_id", "hold_id").StorageKey("bookings_of_hold"),
		index.Fields("business_id", "order_id").StorageKey("bookings_of_order"),
		index.Fields("business_id", "group_id").StorageKey("bookings_of_group").
			Annotations(entsql.IndexWhere("group_id is not null")),
		index.Fields("ends_at").StorageKey("bookings_over").
			Annotations(entsql.IndexWhere("state = 'checked_in'")),
		index.Fields("starts_at").StorageKey("bookings_unanswered").
			Annotations(entsql.IndexWhere("state = 'requested'")),
		index.Fields("business_id", "created_at").StorageKey("bookings_left").
			Annotations(entsql.IndexWhere("state = 'expired' and order_id is null")),
		index.Fields("starts_at").StorageKey("bookings_balance").
			Annotations(entsql.IndexWhere("state = 'confirmed' and order_id is not null and balance_requested_at is null and policy -> 'deposit' ->> 'balanceMinutes' <> '0'")),
	}
}

// balanceFrom is the time from which the balance due of a booking with a deposit is charged to a saved card, as UTC:
// catalog.DepositRules.BalanceDueFrom.
const balanceFrom = "((starts_at at time zone 'UTC') - make_interval(mins => (policy -> 'deposit' ->> 'balanceMinutes')::integer))"

func (Booking) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Expressions{"bookings_balance": {"starts_at": balanceFrom}},
		entsql.Annotation{Table: "bookings", Checks: map[string]string{
			"bookings_state": "state in ('held', 'expired', 'confirmed', 'requested', 'declined', 'cancelled', " +
				"'late_cancelled', 'studio_cancelled', 'checked_in', 'no_show', 'completed')",
			"bookings_price": "price_amount >= 0",
			"bookings_party": "party between 1 and 1000",
		}},
		References{
			To("occurrences", "location_id", "offering_id", "occurrence_id"),
			To("customers", "customer_id"),
			To("holds", "hold_id"),
			To("orders", "order_id"),
		},
		Lookup{"id", "business_id", "customer_id", "occurrence_id", "starts_at", "ends_at", "state", "order_id", "confirmed_at", "created_at", "policy", "balance_requested_at"},
		AuditedByHand{},
	}
}

// BookingTransition is one change of state of a booking, as a fact.
type BookingTransition struct{ tenantTable }

func (BookingTransition) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("booking_id", uuid.UUID{}),
		field.String("from_state"), // '' for the first
		field.String("to_state"),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
		field.String("surface"),
		field.String("reason").Default(""),
		field.String("note").Default(""),
		field.Time("from_starts_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (BookingTransition) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "booking_id", "created_at", "id").StorageKey("booking_transitions_of_booking"),
	}
}

func (BookingTransition) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "booking_transitions"},
		References{PartOf("bookings", "booking_id")},
		AppendOnly{},
	}
}

// Fee is a late-cancellation or no-show fee, as due. Charging it is the ledger's.
type Fee struct{ editedTable }

func (Fee) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("booking_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.String("kind"),
		field.String("state"),
		field.Int64("amount"), // minor units
		field.String("currency"),
		field.String("reason").Default(""),             // why it was waived, also by the grace rule
		field.Time("review_until").SchemaType(instant), // not charged before
		// time of the automatic charge to a saved card; null: none, or already tried
		field.Time("charge_at").SchemaType(instant).Optional().Nillable(),
		field.String("charge_failed").Default(""), // code of the last failed charge of a card
	}
}

func (Fee) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "booking_id", "kind").Unique().StorageKey("fees_one").
			Annotations(entsql.IndexWhere("state <> 'withdrawn'")),
		index.Fields("business_id", "booking_id").StorageKey("fees_of_booking"),
		index.Fields("business_id", "customer_id", "kind", "created_at").StorageKey("fees_of_customer"),
		index.Fields("business_id", "created_at", "id").StorageKey("fees_by_age").
			Annotations(entsql.DescColumns("created_at", "id")),
		index.Fields("charge_at").StorageKey("fees_charge").
			Annotations(entsql.IndexWhere("charge_at is not null")),
	}
}

func (Fee) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "fees", Checks: map[string]string{
			"fees_kind":   "kind in ('late_cancel', 'no_show')",
			"fees_state":  "state in ('due', 'paid', 'waived', 'grace_waived', 'withdrawn')",
			"fees_amount": "amount >= 0",
		}},
		References{
			To("locations", "location_id"),
			To("bookings", "booking_id"),
			To("customers", "customer_id"),
		},
		Lookup{"id", "business_id", "charge_at"},
		Audited{"charge_at"},
	}
}

// Reminder is a mail that reminds a customer of one date, so many minutes before it begins.
type Reminder struct{ tenantTable }

func (Reminder) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("occurrence_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		field.Time("starts_at").SchemaType(instant), // of the occurrence when it was due: another time gets a new reminder
		field.Int("minutes").SchemaType(integer),    // before starts_at
		field.Time("mailed_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Reminder) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "occurrence_id", "customer_id", "starts_at", "minutes").Unique().StorageKey("booking_reminders_one"),
		index.Fields("business_id", "starts_at").StorageKey("booking_reminders_by_start"),
	}
}

func (Reminder) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "booking_reminders", Checks: map[string]string{
			"booking_reminders_minutes": "minutes between 15 and 20160",
		}},
		References{
			PartOf("occurrences", "occurrence_id"),
			To("customers", "customer_id"),
		},
		Lookup{"business_id", "occurrence_id", "customer_id", "starts_at", "minutes"},
	}
}
