package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// BalanceTransaction is one change of a studio's balance at the processor, stored once. It never changes.
type BalanceTransaction struct{ tenantTable }

func (BalanceTransaction) Fields() []ent.Field {
	return []ent.Field{
		field.String("env"),
		field.String("account"),
		field.String("external_id"), // the processor's
		field.String("type"),        // the processor's own word
		field.String("category"),
		field.String("currency"),
		field.Int64("gross"),
		field.Int64("processor_fee"),
		field.Int64("platform_fee"),
		field.Int64("net"),
		field.String("source").Default(""),                                // its cause: charge, refund, payout, dispute
		field.String("intent").Default(""),                                // the processor's payment that belongs to
		field.UUID("payment_id", uuid.UUID{}).Optional().Nillable(),       // our payment, if there is one
		field.String("payout").Optional().Nillable(),                      // the processor's payout of it, once known
		field.String("state").Default("new"),                              // whether it is in the books
		field.Time("happened_at").SchemaType(instant),                     // at the processor
		field.Time("available_at").SchemaType(instant),                    // when it can be paid out
		field.Time("booked_at").SchemaType(instant).Optional().Nillable(), // null while it is not
	}
}

func (BalanceTransaction) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env", "account", "external_id").Unique().StorageKey("balance_transactions_external_key"),
		index.Fields("business_id", "happened_at").StorageKey("balance_transactions_unbooked").
			Annotations(entsql.IndexWhere("booked_at is null")),
		index.Fields("business_id", "payout").StorageKey("balance_transactions_of_payout").
			Annotations(entsql.IndexWhere("payout is not null")),
		index.Fields("business_id", "source").StorageKey("balance_transactions_of_dispute").
			Annotations(entsql.IndexWhere("category in ('dispute', 'dispute_reversal')")),
		index.Fields("business_id", "payment_id").StorageKey("balance_transactions_of_payment").
			Annotations(entsql.IndexWhere("payment_id is not null")),
	}
}

func (BalanceTransaction) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "balance_transactions", Checks: map[string]string{
			"balance_transactions_env": "env in ('live', 'test', 'simulated')",
			"balance_transactions_sim": "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
			"balance_transactions_category": "category in ('charge', 'charge_failure', 'refund', 'refund_failure', 'dispute', " +
				"'dispute_reversal', 'fee', 'platform_fee', 'payout', 'payout_reversal', 'topup', 'topup_reversal', 'held', 'other')",
			"balance_transactions_net":   "net = gross - processor_fee - platform_fee",
			"balance_transactions_state": "state in ('new', 'booked', 'held', 'unmatched') and (booked_at is null) = (state in ('new', 'unmatched'))",
		}},
		References{To("businesses", "business_id"), To("payments", "payment_id")},
	}
}

// Payout is money on its way from the processor to the studio's bank account.
type Payout struct{ tenantTable }

func (Payout) Fields() []ent.Field {
	return []ent.Field{
		field.String("env"),
		field.String("account"),
		field.String("external_id"),
		field.Int64("amount"), // negative: the bank account is debited
		field.String("currency"),
		field.String("status"),
		field.Time("arrives_on").SchemaType(date), // a day of the calendar, in no zone
		field.Bool("automatic"),
		field.String("failure_code").Default(""),
		field.String("failure_message").Default(""),
		field.Time("happened_at").SchemaType(instant),
		field.Time("listed_at").SchemaType(instant).Optional().Nillable(), // when all its transactions were known
		field.Time("updated_at").SchemaType(instant),
	}
}

func (Payout) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env", "account", "external_id").Unique().StorageKey("payouts_external_key"),
		index.Fields("business_id", "happened_at", "id").StorageKey("payouts_by_time"),
	}
}

func (Payout) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "payouts", Checks: map[string]string{
			"payouts_env":    "env in ('live', 'test', 'simulated')",
			"payouts_sim":    "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
			"payouts_status": "status in ('pending', 'in_transit', 'paid', 'failed', 'canceled')",
		}},
		References{To("businesses", "business_id")},
	}
}

// Dispute is a payment disputed by the customer's bank.
type Dispute struct{ tenantTable }

func (Dispute) Fields() []ent.Field {
	return []ent.Field{
		field.String("env"),
		field.String("account"),
		field.String("external_id"),
		field.UUID("payment_id", uuid.UUID{}).Optional().Nillable(), // null: a charge from outside the product
		field.String("charge"),
		field.Int64("amount"),
		field.String("currency"),
		field.String("status"),
		field.String("reason"), // the bank's
		field.Time("evidence_due_by").SchemaType(instant).Optional().Nillable(),
		field.Time("happened_at").SchemaType(instant),
		field.Time("updated_at").SchemaType(instant),
		field.Int64("fee_amount").Default(0),             // platform fee refunded to the studio because the dispute was lost
		field.String("fee_return").Optional().Nillable(), // asked, none, or the processor's refund id; null: not requested
		// time of the next reminder of its deadline to the owners; null: none
		field.Time("remind_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (Dispute) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env", "account", "external_id").Unique().StorageKey("disputes_external_key"),
		index.Fields("business_id", "happened_at", "id").StorageKey("disputes_by_time"),
		index.Fields("business_id", "payment_id").StorageKey("disputes_of_payment").
			Annotations(entsql.IndexWhere("payment_id is not null")),
		index.Fields("remind_at").StorageKey("disputes_remind").
			Annotations(entsql.IndexWhere("remind_at is not null")),
	}
}

func (Dispute) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "disputes", Checks: map[string]string{
			"disputes_env": "env in ('live', 'test', 'simulated')",
			"disputes_sim": "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
			"disputes_status": "status in ('warning_needs_response', 'warning_under_review', 'warning_closed', 'needs_response', " +
				"'under_review', 'won', 'lost')",
		}},
		References{To("businesses", "business_id"), To("payments", "payment_id")},
		Lookup{"id", "business_id", "remind_at"},
	}
}

// DisputeAnswer is the evidence of a studio in a dispute of a payment.
type DisputeAnswer struct{ editedTable }

func (DisputeAnswer) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("dispute_id", uuid.UUID{}),
		field.JSON("words", map[string]string{}),
		field.Time("submitted_at").SchemaType(instant).Optional().Nillable(), // by the studio; null: it is a draft
		field.Time("taken_at").SchemaType(instant).Optional().Nillable(),     // by the processor
		field.String("refused").Default(""),                                  // reason of the processor's last refusal
	}
}

func (DisputeAnswer) Indexes() []ent.Index {
	return []ent.Index{index.Fields("business_id", "dispute_id").Unique().StorageKey("dispute_answers_one")}
}

func (DisputeAnswer) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "dispute_answers", Checks: map[string]string{
			"dispute_answers_taken": "taken_at is null or submitted_at is not null",
		}},
		References{To("businesses", "business_id"), To("disputes", "dispute_id")},
		Audited{},
	}
}

// ProcessorListing is the listing of an account's balance at the processor: the time reached and the next one.
type ProcessorListing struct{ tenantTable }

func (ProcessorListing) Fields() []ent.Field {
	return []ent.Field{
		field.String("env"),
		field.String("account"),
		field.Time("listed_through").SchemaType(instant).Optional().Nillable(), // null: never listed to the end
		field.Time("due_at").SchemaType(instant).Optional().Nillable(),         // null: the studio has revoked our access
		field.Time("updated_at").SchemaType(instant),
	}
}

func (ProcessorListing) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env", "account").Unique().StorageKey("processor_listings_account_key"),
		index.Fields("due_at").StorageKey("processor_listings_due").
			Annotations(entsql.IndexWhere("due_at is not null")),
	}
}

func (ProcessorListing) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "processor_listings", Checks: map[string]string{
			"processor_listings_env": "env in ('live', 'test', 'simulated')",
			"processor_listings_sim": "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
		}},
		References{To("businesses", "business_id")},
		Lookup{"id", "business_id", "due_at"},
	}
}

// Reconciliation is the last comparison of the books, the stored balance transactions and the processor's balance.
type Reconciliation struct{ tenantTable }

func (Reconciliation) Fields() []ent.Field {
	return []ent.Field{
		field.String("env"),
		field.String("account"),
		field.String("currency"),
		field.Int64("books"),    // clearing, of this account, without underway
		field.Int64("underway"), // sold, and not on the processor's balance yet
		field.Int64("recorded"), // the net of all balance transactions, without held funds
		field.Int64("held"),     // reserved by the processor
		field.Int64("balance"),  // available and pending, as reported by the processor
		field.Int64("difference"),
		field.Time("checked_at").SchemaType(instant),
	}
}

func (Reconciliation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "env", "account", "currency").Unique().StorageKey("reconciliations_currency_key"),
	}
}

func (Reconciliation) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "reconciliations", Checks: map[string]string{
			"reconciliations_env":        "env in ('live', 'test', 'simulated')",
			"reconciliations_sim":        "(env = 'simulated') = (account like 'acct\\_sim\\_%')",
			"reconciliations_difference": "difference = balance + held - books",
		}},
		References{To("businesses", "business_id")},
	}
}
