package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Credit is the account credit of a customer in one currency: the sum of its transactions, under one lock.
type Credit struct{ bareTable }

func (Credit) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("customer_id"),
		field.String("currency"),
		field.Int64("balance"),
		field.Time("updated_at").SchemaType(instant),
	}
}

func (Credit) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "credits", Checks: map[string]string{
			"credits_balance": "balance >= 0",
		}},
		References{To("customers", "customer_id")},
		Key{"business_id", "customer_id", "currency"},
		Lookup{"business_id", "customer_id", "balance"},
	}
}

// CreditTransaction is a change of a customer's account credit.
type CreditTransaction struct{ tenantTable }

func (CreditTransaction) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("customer_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}),
		field.String("currency"),
		field.String("kind"),
		field.Int64("amount"),                                      // negative if it was spent or removed
		field.Int64("balance"),                                     // balance after it
		field.UUID("tender_id", uuid.UUID{}).Optional().Nillable(), // paid with it
		field.UUID("refund_id", uuid.UUID{}).Optional().Nillable(), // as credit
		field.String("note").Default(""),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (CreditTransaction) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "customer_id", "created_at", "id").StorageKey("credit_transactions_of_customer"),
		index.Fields("business_id", "tender_id").Unique().StorageKey("credit_transactions_tender_key"),
		index.Fields("business_id", "refund_id").Unique().StorageKey("credit_transactions_refund_key"),
	}
}

func (CreditTransaction) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "credit_transactions", Checks: map[string]string{
			"credit_transactions_balance": "balance >= 0",
			"credit_transactions_kind": "case kind when 'granted' then amount > 0 and num_nonnulls(tender_id, refund_id) = 0 " +
				"when 'removed' then amount < 0 and num_nonnulls(tender_id, refund_id) = 0 " +
				"when 'spent' then amount < 0 and tender_id is not null and refund_id is null " +
				"when 'refunded' then amount > 0 and tender_id is null and refund_id is not null else false end",
		}},
		References{
			To("customers", "customer_id"), To("locations", "location_id"), To("order_tenders", "tender_id"),
			To("refunds", "refund_id"),
		},
		AppendOnly{},
		Audited{},
	}
}
