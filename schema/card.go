package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// ProcessorCustomer is the processor's record of a customer with saved cards, on the studio's account.
type ProcessorCustomer struct{ tenantTable }

func (ProcessorCustomer) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("customer_id", uuid.UUID{}),
		field.String("env"),
		field.String("account"),
		field.String("external_id"), // the processor's
	}
}

func (ProcessorCustomer) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env", "account", "customer_id").Unique().StorageKey("processor_customers_customer_key"),
	}
}

func (ProcessorCustomer) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "processor_customers", Checks: map[string]string{
			"processor_customers_env": "env in ('live', 'test', 'simulated')",
			"processor_customers_sim": "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
		}},
		References{To("customers", "customer_id")},
	}
}

// SavedCard is a saved card of a customer with their consent. The row stays after removal as a proof of it.
type SavedCard struct{ tenantTable }

func (SavedCard) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("customer_id", uuid.UUID{}),
		field.String("env"),
		field.String("account"),
		field.String("method"), // the processor's id
		field.String("brand"),
		field.String("last4"),
		field.String("wallet").Default(""), // apple_pay, google_pay, link: source wallet; empty: entered
		field.Int("exp_month").SchemaType(integer),
		field.Int("exp_year").SchemaType(integer),
		field.String("fingerprint"), // a hash of the processor's: one number is saved once
		field.String("consent_text"),
		field.String("consent_version"),
		field.Time("consented_at").SchemaType(instant),
		field.Time("removed_at").SchemaType(instant).Optional().Nillable(),
		field.String("removed_by").Default(""),
		// when it was detached at the processor too; null: not yet, or it is still saved
		field.Time("detached_at").SchemaType(instant).Optional().Nillable(),
		field.Time("updated_at").SchemaType(instant),
	}
}

func (SavedCard) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env", "account", "method").Unique().StorageKey("saved_cards_method_key"),
		index.Fields("business_id", "env", "account", "customer_id", "fingerprint").Unique().StorageKey("saved_cards_once").
			Annotations(entsql.IndexWhere("removed_at is null and fingerprint <> ''")),
		index.Fields("business_id", "customer_id", "created_at", "id").StorageKey("saved_cards_of_customer"),
	}
}

func (SavedCard) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "saved_cards", Checks: map[string]string{
			"saved_cards_env":      "env in ('live', 'test', 'simulated')",
			"saved_cards_sim":      "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
			"saved_cards_consent":  "consent_text <> '' and consent_version <> ''",
			"saved_cards_removed":  "(removed_at is not null) = (removed_by in ('customer', 'studio', 'processor', 'replaced')) and (removed_at is null) = (removed_by = '')",
			"saved_cards_detached": "detached_at is null or removed_at is not null",
		}},
		References{To("customers", "customer_id")},
		Lookup{"id", "business_id", "customer_id", "created_at", "removed_at"},
		Audited{"method", "fingerprint", "detached_at"},
	}
}
