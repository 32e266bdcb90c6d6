package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// GiftCard is a gift card: an amount that whoever has its code can pay with. Its balance is the sum of its
// transactions, under one lock. In a cart it is a draft, without a code.
type GiftCard struct{ editedTable }

func (GiftCard) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}), // that sells it
		field.String("currency"),
		field.String("state").Default("draft"),
		field.Int64("amount"), // it is sold for, in minor units
		field.Int64("balance").Default(0),
		field.Bytes("code_hash").Optional().Nillable(), // keyed
		field.String("last4").Default(""),
		field.Bytes("sealed_code").Optional().Nillable(), // until it is sent
		field.String("recipient_name").Default(""),
		field.String("recipient_email").Default(""), // trimmed, lower case; empty: it is handed over
		field.String("sender_name").Default(""),
		field.String("message").Default(""),
		field.String("locale").Default(""), // of its mail
		// When it can be used and is sent; null: at once.
		field.Time("deliver_at").SchemaType(instant).Optional().Nillable(),
		field.Time("issued_at").SchemaType(instant).Optional().Nillable(),
		field.Time("due_at").SchemaType(instant).Optional().Nillable(), // of its mail; null: none
		field.Time("sent_at").SchemaType(instant).Optional().Nillable(),
		field.Time("expires_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (GiftCard) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "code_hash").Unique().StorageKey("gift_cards_code_key"),
		index.Fields("business_id", "issued_at", "id").StorageKey("gift_cards_by_age").
			Annotations(entsql.IndexWhere("issued_at is not null")),
		index.Fields("created_at").StorageKey("gift_cards_drafts").Annotations(entsql.IndexWhere("state = 'draft'")),
		index.Fields("due_at").StorageKey("gift_cards_due").Annotations(entsql.IndexWhere("due_at is not null")),
		index.Fields("expires_at").StorageKey("gift_cards_expiring").
			Annotations(entsql.IndexWhere("expires_at is not null and balance > 0")),
	}
}

func (GiftCard) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "gift_cards", Checks: map[string]string{
			"gift_cards_amount":  "amount between 1 and 99999999",
			"gift_cards_balance": "balance >= 0 and (balance = 0 or state = 'active')",
			"gift_cards_state": "state in ('draft', 'active') and " +
				"(state = 'active') = (code_hash is not null) and (state = 'active') = (issued_at is not null)",
		}},
		References{To("locations", "location_id")},
		Lookup{"id", "business_id", "state", "created_at", "due_at", "expires_at", "balance"},
		Audited{"code_hash", "sealed_code", "due_at"},
	}
}

// GiftCardTransaction is a change of the balance of a gift card.
type GiftCardTransaction struct{ tenantTable }

func (GiftCardTransaction) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("gift_card_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.String("kind"),
		field.Int64("amount"),                                          // negative: less
		field.Int64("balance"),                                         // after it
		field.UUID("order_line_id", uuid.UUID{}).Optional().Nillable(), // that sold it
		field.UUID("tender_id", uuid.UUID{}).Optional().Nillable(),     // paid with it
		field.UUID("refund_id", uuid.UUID{}).Optional().Nillable(),
		field.String("note").Default(""),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (GiftCardTransaction) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "gift_card_id", "created_at", "id").StorageKey("gift_card_transactions_of_card"),
		index.Fields("business_id", "order_line_id").Unique().StorageKey("gift_card_transactions_line_key"),
		index.Fields("business_id", "tender_id").Unique().StorageKey("gift_card_transactions_tender_key"),
		index.Fields("business_id", "refund_id", "gift_card_id", "kind").Unique().
			StorageKey("gift_card_transactions_refund_key"),
	}
}

func (GiftCardTransaction) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "gift_card_transactions", Checks: map[string]string{
			"gift_card_transactions_balance": "balance >= 0",
			"gift_card_transactions_kind": "(order_line_id is not null) = (kind = 'sold') and " +
				"(tender_id is not null) = (kind = 'spent') and " +
				"(refund_id is not null) = (kind in ('refunded', 'returned', 'restored')) and " +
				"case when kind in ('sold', 'refunded', 'restored') then amount > 0 " +
				"when kind in ('spent', 'returned', 'expired') then amount < 0 " +
				"else kind = 'adjusted' and amount <> 0 and note <> '' end",
		}},
		References{
			To("gift_cards", "gift_card_id"), To("locations", "location_id"), To("order_lines", "order_line_id"),
			To("order_tenders", "tender_id"), To("refunds", "refund_id"),
		},
		AppendOnly{},
		Audited{},
	}
}

// GiftCardTerms are the terms of the gift cards that a location sells online. A location without a row sells none
// there.
type GiftCardTerms struct{ editedTable }

func (GiftCardTerms) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.Bool("sold_online").Default(false),
		field.JSON("amounts", []int64{}).Default([]int64{}).Annotations(emptyList), // to choose from
		field.Int64("least_amount"),
		field.Int64("most_amount"),
		field.Int("expires_months").SchemaType(integer).Optional().Nillable(), // null: never
	}
}

func (GiftCardTerms) Indexes() []ent.Index {
	return []ent.Index{index.Fields("business_id", "location_id").Unique().StorageKey("gift_card_terms_key")}
}

func (GiftCardTerms) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "gift_card_terms", Checks: map[string]string{
			"gift_card_terms_amounts": "1 <= least_amount and least_amount <= most_amount and most_amount <= 99999999 and " +
				"jsonb_array_length(amounts) <= 12",
			"gift_card_terms_expires": "expires_months between 1 and 240",
		}},
		References{To("locations", "location_id")},
		Audited{},
	}
}
