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

// ProcessorAccount is the studio's own account at the card processor.
type ProcessorAccount struct{ tenantTable }

func (ProcessorAccount) Fields() []ent.Field {
	return []ent.Field{
		field.String("env"),
		field.String("external_id"),
		field.String("state"),
		field.String("default_currency").Default(""),
		field.JSON("due", []string{}),                                  // outstanding requirements of the processor
		field.Time("due_by").SchemaType(instant).Optional().Nillable(), // deadline; null: none
		field.String("told").Default(""),                               // the problem reported to the owners; empty: none
		field.String("wallet_domain").Default(""),                      // domain registered for wallets; empty: none yet
		field.String("wallet_trouble").Default(""),                     // why they do not work; empty: they do
		field.Time("updated_at").SchemaType(instant),
	}
}

func (ProcessorAccount) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env").Unique().StorageKey("processor_accounts_one"),
		index.Fields("env", "external_id").Unique().StorageKey("processor_accounts_external_key"),
	}
}

func (ProcessorAccount) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "processor_accounts", Checks: map[string]string{
			"processor_accounts_env": "env in ('live', 'test', 'simulated')",
			"processor_accounts_sim": "(env = 'simulated') = (external_id like 'acct\\_sim\\_%')",
			"processor_accounts_state": "state in ('not_connected', 'onboarding', 'pending', 'restricted', 'active', " +
				"'active_payouts_paused', 'disconnected')",
		}},
		References{To("businesses", "business_id")},
		Lookup{"business_id", "env", "external_id"},
		Audited{"told", "wallet_domain", "wallet_trouble"},
	}
}

// Payment is one attempt to pay an order by card.
type Payment struct{ tenantTable }

func (Payment) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("order_id", uuid.UUID{}),
		field.String("env"),
		field.String("account"), // the studio's account at the time: a refund uses this one
		// the studio's name at the time, for the card statement: a repeated request says the same; empty: an older one
		field.String("merchant_name").Default(""),
		field.Int("attempt").SchemaType(integer),
		field.String("intent").Optional().Nillable(), // the processor's id, once it answered
		field.String("charge").Optional().Nillable(),
		field.Int64("amount"), // amount paid by card
		field.String("currency"),
		field.Int64("fee_amount"), // application fee
		field.Int("fee_ppm").SchemaType(integer),
		field.String("status"),
		field.String("card_brand").Default(""),
		field.String("card_last4").Default(""),
		field.String("card_wallet").Default(""), // apple_pay, google_pay, link; empty: none
		field.String("failure_code").Default(""),
		field.String("failure_message").Default(""),
		field.String("outcome").Default(""), // disposition of a succeeded payment's money
		// of the processor's balance, once it has booked the payment there, with its fee
		field.String("balance_transaction").Optional().Nillable(),
		field.Int64("processor_fee").Default(0),
		// the customer, once a card of theirs is to be saved or a saved one charged
		field.UUID("customer_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("card_id", uuid.UUID{}).Optional().Nillable(), // the saved card chosen last; null: an entered one
		field.Int("choices").SchemaType(integer).Default(0),      // choices of a payment method: part of the idempotency key
		// the customer's consent to saving the entered card; empty: it is not saved
		field.String("consent_text").Default(""),
		field.String("consent_version").Default(""),
		field.Time("consent_at").SchemaType(instant).Optional().Nillable(),
		// manual capture: authorized only, until the studio approves; the time of authorization, and whether it
		// approved any
		field.Bool("on_approval").Default(false),
		field.Time("authorized_at").SchemaType(instant).Optional().Nillable(),
		field.Bool("wanted").Default(false),
		// time of the next request to the processor; null: nothing is open
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),
		field.Time("updated_at").SchemaType(instant),
		field.Time("succeeded_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Payment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "order_id", "attempt").Unique().StorageKey("payments_attempt_key"),
		index.Fields("env", "account", "intent").Unique().StorageKey("payments_intent_key"),
		index.Fields("business_id", "order_id").Unique().StorageKey("payments_one_open").
			Annotations(entsql.IndexWhere("status not in ('failed', 'canceled')")),
		index.Fields("business_id", "created_at", "id").StorageKey("payments_by_age"),
		index.Fields("due_at").StorageKey("payments_due").
			Annotations(entsql.IndexWhere("due_at is not null")),
	}
}

func (Payment) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "payments", Checks: map[string]string{
			"payments_env": "env in ('live', 'test', 'simulated')",
			"payments_sim": "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
			"payments_status": "status in ('new', 'awaiting_method', 'awaiting_customer', 'processing', 'authorized', " +
				"'succeeded', 'failed', 'canceled')",
			"payments_outcome": "outcome in ('', 'fulfilled', 'refunded')",
			"payments_choice": "(consent_text <> '') = (consent_at is not null) and (card_id is null or consent_at is null) and " +
				"(customer_id is not null or card_id is null and consent_at is null)",
			"payments_held":    "on_approval or authorized_at is null and not wanted",
			"payments_amounts": "amount > 0 and fee_amount >= 0 and fee_amount < amount",
		}},
		References{
			To("orders", "order_id"), To("locations", "location_id"), To("customers", "customer_id"), To("saved_cards", "card_id"),
		},
		Lookup{"id", "business_id", "due_at", "order_id", "outcome", "status", "created_at"},
	}
}

// Refund is a full or partial refund of a card payment.
type Refund struct{ tenantTable }

func (Refund) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("payment_id", uuid.UUID{}),
		field.Int64("amount"),
		field.Int64("fee_amount"), // application fee refunded, as predicted until the processor reports
		field.String("state"),
		field.String("reason"),
		field.String("note").Default(""),                // reason, entered by the staff member
		field.String("destination").Default("original"), // to the card, or as account credit
		field.String("external_id").Optional().Nillable(),
		field.String("balance_transaction").Optional().Nillable(), // of the processor's balance, once the money has left it
		field.JSON("parts", json.RawMessage{}).Optional(),         // refunded parts of the order; null before the books
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),
		field.Time("updated_at").SchemaType(instant),
		field.Int64("fee_later_amount").Default(0),       // application fee refunded after a refund outside the product
		field.String("fee_return").Optional().Nillable(), // asked, none, or the processor's refund id; null: not requested
	}
}

func (Refund) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "payment_id", "external_id").Unique().StorageKey("refunds_external_key"),
		index.Fields("business_id", "payment_id").Unique().StorageKey("refunds_one_automatic").
			Annotations(entsql.IndexWhere("reason = 'late_payment'")),
		index.Fields("business_id", "payment_id", "id").StorageKey("refunds_of_payment"),
		index.Fields("due_at").StorageKey("refunds_due").
			Annotations(entsql.IndexWhere("due_at is not null")),
		index.Fields("business_id", "id").StorageKey("refunds_fee_asked").
			Annotations(entsql.IndexWhere("fee_return = 'asked'")),
	}
}

func (Refund) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "refunds", Checks: map[string]string{
			"refunds_amounts": "amount > 0 and fee_amount between 0 and amount",
			"refunds_state":   "state in ('pending', 'submitted', 'succeeded', 'failed', 'canceled')",
			"refunds_credit": "destination = 'original' or destination = 'credit' and state = 'succeeded' and fee_amount = 0 " +
				"and num_nonnulls(external_id, balance_transaction, due_at) = 0",
		}},
		References{To("payments", "payment_id")},
		Lookup{"id", "business_id", "due_at"},
		Audited{"due_at", "parts", "balance_transaction", "fee_return"},
	}
}

// ManualPayment is a payment or refund of an order at the desk without our processor: in cash, or by a payment method
// of the studio's own.
type ManualPayment struct{ tenantTable }

func (ManualPayment) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("order_id", uuid.UUID{}),
		field.UUID("of_id", uuid.UUID{}).Optional().Nillable(),     // the payment that this one refunds, fully or partially
		field.UUID("drawer_id", uuid.UUID{}).Optional().Nillable(), // of cash: the drawer that was open
		field.String("kind"),
		field.String("method"),
		field.Int64("amount"),
		field.String("currency"),
		field.String("note").Default(""), // slip of the terminal, or reason of the refund
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (ManualPayment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "order_id").StorageKey("manual_payments_of_order"),
		index.Fields("business_id", "created_at", "id").StorageKey("manual_payments_by_age"),
		index.Fields("business_id", "drawer_id").StorageKey("manual_payments_of_drawer").
			Annotations(entsql.IndexWhere("drawer_id is not null")),
		index.Fields("business_id", "of_id").StorageKey("manual_payments_back").
			Annotations(entsql.IndexWhere("of_id is not null")),
		index.Fields("business_id", "of_id").Unique().StorageKey("manual_payments_one_void").
			Annotations(entsql.IndexWhere("kind = 'void'")),
	}
}

func (ManualPayment) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "manual_payments", Checks: map[string]string{
			"manual_payments_amount": "amount > 0",
			"manual_payments_kind":   "kind in ('received', 'refunded', 'void') and (kind = 'received') = (of_id is null)",
			"manual_payments_method": "method in ('cash', 'elsewhere', 'credit')",
			"manual_payments_drawer": "method = 'cash' or drawer_id is null",
		}},
		References{To("orders", "order_id"), To("locations", "location_id"), To("manual_payments", "of_id").Named("manual_payments_of_fkey"), To("drawers", "drawer_id")},
		Lookup{"id", "business_id", "order_id", "of_id", "kind", "created_at"},
		AppendOnly{},
		Audited{},
	}
}

// ManualPaymentPart is the part of an order that a manual payment is for.
type ManualPaymentPart struct{ bareTable }

func (ManualPaymentPart) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("manual_payment_id"),
		field.Int("seq").SchemaType(integer),
		field.UUID("line_id", uuid.UUID{}), // of the order
		field.String("account"),            // of the books, where it goes: income.class, tax:<rate> …
		field.Int64("amount"),
	}
}

func (ManualPaymentPart) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "line_id").StorageKey("manual_payment_parts_of_line"),
	}
}

func (ManualPaymentPart) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "manual_payment_parts", Checks: map[string]string{
			"manual_payment_parts_amount": "amount > 0",
		}},
		References{To("manual_payments", "manual_payment_id"), To("order_lines", "line_id")},
		Key{"business_id", "manual_payment_id", "seq"},
		AppendOnly{},
	}
}

// WebhookEvent is an event of the processor, stored once, before its business is known.
type WebhookEvent struct{ ent.Schema }

func (WebhookEvent) Fields() []ent.Field {
	return []ent.Field{
		field.String("id"), // the processor's event id
		field.String("env"),
		field.String("account"),
		field.String("type"),
		field.String("object"),
		field.Time("received_at").SchemaType(instant),
		field.Time("processed_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (WebhookEvent) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("processed_at").StorageKey("webhook_events_processed").
			Annotations(entsql.IndexWhere("processed_at is not null")),
	}
}

func (WebhookEvent) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "webhook_events"},
		Key{"env", "id"},
	}
}
