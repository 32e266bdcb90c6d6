package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// WaitlistEntry is a customer waiting for a date. An offered one counts in occurrences.offered.
type WaitlistEntry struct{ editedTable }

func (WaitlistEntry) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("offering_id", uuid.UUID{}),
		field.UUID("occurrence_id", uuid.UUID{}),
		field.UUID("customer_id", uuid.UUID{}),
		// person that may accept it; null: the studio added the entry and the customer has no login yet
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(),
		field.Bytes("token_hash"), // of the link that accepts, declines and leaves
		field.String("state"),
		field.Int64("rank"), // lower is sooner
		field.Int("party").SchemaType(integer).Default(1),
		field.String("attendee").Default(""),
		field.String("attendee_key").Optional().Nillable(), // as that of a booking
		field.String("payment_choice").Default("choose_later"),
		field.Time("consent_at").SchemaType(instant).Optional().Nillable(), // consent to charging a saved card
		field.Bool("drop_if_promoted").Default(false),
		field.Time("offered_at").SchemaType(instant).Optional().Nillable(),
		field.Time("offer_until").SchemaType(instant).Optional().Nillable(),
		field.UUID("booking_id", uuid.UUID{}).Optional().Nillable(), // the resulting booking
	}
}

func (WaitlistEntry) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("token_hash").Unique().StorageKey("waitlist_entries_token_key"),
		index.Fields("business_id", "occurrence_id", "customer_id", "attendee_key").Unique().StorageKey("waitlist_entries_once").
			Annotations(entsql.IndexWhere("state in ('waiting', 'offered')")),
		index.Fields("business_id", "occurrence_id", "rank", "id").StorageKey("waitlist_entries_in_order"),
		index.Fields("business_id", "customer_id", "created_at").StorageKey("waitlist_entries_of_customer").
			Annotations(entsql.DescColumns("created_at")),
		index.Fields("offer_until").StorageKey("waitlist_entries_due").
			Annotations(entsql.IndexWhere("state = 'offered'")),
		index.Fields("business_id", "booking_id").StorageKey("waitlist_entries_of_booking").
			Annotations(entsql.IndexWhere("booking_id is not null")),
	}
}

func (WaitlistEntry) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "waitlist_entries", Checks: map[string]string{
			"waitlist_entries_state": "state in ('waiting', 'offered', 'promoted', 'declined', 'offer_expired', 'skipped_payment', " +
				"'left', 'closed')",
			"waitlist_entries_offered":  "(state = 'offered') = (offer_until is not null)",
			"waitlist_entries_promoted": "(state = 'promoted') = (booking_id is not null)",
			"waitlist_entries_payment":  "payment_choice in ('choose_later', 'plan', 'best_plan', 'card')",
			"waitlist_entries_party":    "party between 1 and 100",
		}},
		References{
			To("occurrences", "location_id", "offering_id", "occurrence_id"),
			To("customers", "customer_id"),
			To("persons", "person_id"),
			To("bookings", "booking_id"),
		},
		Lookup{"id", "business_id", "customer_id", "token_hash", "state", "offer_until", "created_at"},
		Expressions{"waitlist_entries_once": {"attendee_key": "coalesce(attendee_key, attendee)"}},
		Audited{"token_hash", "attendee_key"},
	}
}

// WaitlistTransition is a change of an entry with its reason: the log that explains the order of the offers.
type WaitlistTransition struct{ tenantTable }

func (WaitlistTransition) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("entry_id", uuid.UUID{}),
		field.String("from_state"), // '' for the first
		field.String("to_state"),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
		field.String("surface"),
		field.String("reason").Default(""),
	}
}

func (WaitlistTransition) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "entry_id", "created_at", "id").StorageKey("waitlist_transitions_of_entry"),
	}
}

func (WaitlistTransition) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "waitlist_transitions"},
		References{To("waitlist_entries", "entry_id")},
		AppendOnly{},
	}
}

// WaitlistRound is a date with free seats to be offered. It is written by each act that frees a seat, in its own
// transaction, and deleted by the round that finds no further entry.
type WaitlistRound struct{ bareTable }

func (WaitlistRound) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("occurrence_id"),
		field.Time("due_at").SchemaType(instant),
	}
}

func (WaitlistRound) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("due_at").StorageKey("waitlist_rounds_due"),
	}
}

func (WaitlistRound) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "waitlist_rounds"},
		References{To("occurrences", "occurrence_id")},
		Lookup{"occurrence_id", "business_id", "due_at"},
	}
}
