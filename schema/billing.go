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

// Refund is a full or partial refund of a card payment, or of a tender at the studio. A void of a tender is one, too:
// its payment was a mistake, and what it paid is due again.
type Refund struct{ tenantTable }

func (Refund) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("payment_id", uuid.UUID{}).Optional().Nillable(), // by card
		field.UUID("tender_id", uuid.UUID{}).Optional().Nillable(),  // at the studio
		field.String("kind").Default("refund"),
		field.Int64("amount"),
		field.Int64("fee_amount"), // application fee refunded, as predicted until the processor reports
		field.String("state"),
		field.String("reason"),
		field.String("note").Default(""),                // reason, entered by the staff member
		field.String("destination").Default("original"), // by the same method, or as account credit
		field.String("external_id").Optional().Nillable(),
		field.String("balance_transaction").Optional().Nillable(), // of the processor's balance, once the money has left it
		field.JSON("parts", json.RawMessage{}).Optional(),         // refunded parts of the order; null before the books
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),
		field.Time("updated_at").SchemaType(instant),
		field.Int64("fee_later_amount").Default(0),       // application fee refunded after a refund outside the product
		field.String("fee_return").Optional().Nillable(), // asked, none, or the processor's refund id; null: not requested
		// of a tender: the drawer that was open, and who refunded it
		field.UUID("drawer_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_kind").Default(""),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (Refund) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "payment_id", "external_id").Unique().StorageKey("refunds_external_key"),
		index.Fields("business_id", "payment_id").Unique().StorageKey("refunds_one_automatic").
			Annotations(entsql.IndexWhere("reason = 'late_payment'")),
		index.Fields("business_id", "tender_id").StorageKey("refunds_of_tender").
			Annotations(entsql.IndexWhere("tender_id is not null")),
		index.Fields("business_id", "tender_id").Unique().StorageKey("refunds_one_void").
			Annotations(entsql.IndexWhere("kind = 'void'")),
		index.Fields("business_id", "drawer_id").StorageKey("refunds_of_drawer").
			Annotations(entsql.IndexWhere("drawer_id is not null")),
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
			"refunds_amounts":     "amount > 0 and fee_amount between 0 and amount",
			"refunds_state":       "state in ('pending', 'submitted', 'succeeded', 'failed', 'canceled')",
			"refunds_kind":        "kind = 'refund' or kind = 'void' and tender_id is not null and destination = 'original'",
			"refunds_of":          "num_nonnulls(payment_id, tender_id) = 1",
			"refunds_destination": "destination in ('original', 'account_credit')",
			"refunds_at_once": "destination = 'original' and tender_id is null or state = 'succeeded' and fee_amount = 0 " +
				"and num_nonnulls(external_id, balance_transaction, due_at) = 0",
			"refunds_actor": "tender_id is not null or actor_kind = '' and drawer_id is null",
		}},
		References{To("payments", "payment_id"), To("order_tenders", "tender_id"), To("drawers", "drawer_id")},
		Lookup{"id", "business_id", "due_at"},
		Audited{"due_at", "parts", "balance_transaction", "fee_return"},
	}
}

// OrderTender is an amount of an order that one method pays: a card, account credit, or, at the studio, cash or a
// method of the studio's own. What goes back of it is a refund.
type OrderTender struct{ tenantTable }

func (OrderTender) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.UUID("order_id", uuid.UUID{}),
		field.UUID("drawer_id", uuid.UUID{}).Optional().Nillable(), // of cash: the drawer that was open
		// Those that were agreed with the order, in the order of payment, from 1 on; 0: a later one.
		field.Int("position").SchemaType(integer).Default(0),
		field.String("kind"),
		// Of a kind with a source: what it is paid from; null for account credit, which is its customer's.
		field.UUID("source_id", uuid.UUID{}).Optional().Nillable(),
		field.String("source_label").Default(""), // its name on receipts: the last four of a gift card
		field.String("state"),
		field.Int64("amount"),
		field.Int64("service_fee_amount").Default(0), // of the amount: for paying by card
		field.String("currency"),
		// Of one with a source: it is reserved until then.
		field.Time("expires_at").SchemaType(instant).Optional().Nillable(),
		field.Time("captured_at").SchemaType(instant).Optional().Nillable(), // when it was paid
		field.String("note").Default(""),                                    // slip of the terminal
		// Who took it; empty: not captured yet, or a card.
		field.String("actor_kind").Default(""),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name").Default(""),
	}
}

func (OrderTender) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "order_id").StorageKey("order_tenders_of_order"),
		index.Fields("business_id", "captured_at", "id").StorageKey("order_tenders_by_age").
			Annotations(entsql.IndexWhere("kind <> 'card' and captured_at is not null")),
		index.Fields("business_id", "order_id").Unique().StorageKey("order_tenders_one_card").
			Annotations(entsql.IndexWhere("kind = 'card'")),
		index.Fields("business_id", "source_id").StorageKey("order_tenders_of_source").
			Annotations(entsql.IndexWhere("source_id is not null")),
		index.Fields("business_id", "drawer_id").StorageKey("order_tenders_of_drawer").
			Annotations(entsql.IndexWhere("drawer_id is not null")),
	}
}

// hasSource is the condition of kinds of tenders that are paid from something that a customer has with the studio.
const hasSource = "kind not in ('card', 'cash', 'other')"

func (OrderTender) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "order_tenders", Checks: map[string]string{
			"order_tenders_amount": "amount > 0",
			"order_tenders_kind":   "kind in ('card', 'cash', 'other', 'account_credit', 'gift_card')",
			"order_tenders_state": "case state when 'open' then kind = 'card' and captured_at is null " +
				"when 'authorized' then " + hasSource + " and captured_at is null " +
				"when 'captured' then captured_at is not null else state = 'void' end",
			"order_tenders_fee":     "service_fee_amount between 0 and amount and (kind = 'card' or service_fee_amount = 0)",
			"order_tenders_expires": hasSource + " or expires_at is null",
			"order_tenders_source":  "(source_id is null) = (kind in ('card', 'cash', 'other', 'account_credit'))",
			"order_tenders_drawer":  "kind = 'cash' or drawer_id is null",
		}},
		References{
			To("orders", "order_id"), To("locations", "location_id"), To("drawers", "drawer_id"),
			To("gift_cards", "gift_card_id"),
		},
		paidFrom,
		Lookup{"id", "business_id", "order_id", "kind", "state", "captured_at"},
		Audited{"state", "expires_at", "captured_at", "actor_kind", "actor_id", "actor_name", "gift_card_id"},
	}
}

// TenderPart is the part of an order that a tender pays.
type TenderPart struct{ bareTable }

func (TenderPart) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("tender_id"),
		field.Int("seq").SchemaType(integer),
		field.UUID("line_id", uuid.UUID{}).Optional().Nillable(), // of the order; null: its service fee
		field.String("account"),                                  // of the books, where it goes: income.class, tax:<rate> …
		field.Int64("amount"),
	}
}

func (TenderPart) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "line_id").StorageKey("tender_parts_of_line"),
	}
}

func (TenderPart) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "tender_parts", Checks: map[string]string{
			"tender_parts_amount": "amount > 0",
		}},
		References{To("order_tenders", "tender_id"), To("order_lines", "line_id")},
		Key{"business_id", "tender_id", "seq"},
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
