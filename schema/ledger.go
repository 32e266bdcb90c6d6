package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// LedgerAccount is one account of a business's books in one currency.
type LedgerAccount struct{ tenantTable }

func (LedgerAccount) Fields() []ent.Field {
	return []ent.Field{
		field.String("code"), // income.class, tax:<rate>, clearing.processor …
		field.String("currency"),
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),         // of tax:<rate>
		field.UUID("revenue_category_id", uuid.UUID{}).Optional().Nillable(), // of income.rc:<category>
	}
}

func (LedgerAccount) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "code", "currency").Unique().StorageKey("ledger_accounts_code_key"),
		index.Fields("business_id", "currency", "id").Unique().StorageKey("ledger_accounts_currency_key"),
	}
}

func (LedgerAccount) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "ledger_accounts", Checks: map[string]string{
			"ledger_accounts_tax": "(code like 'tax:%') = (tax_rate_id is not null) and (tax_rate_id is null or code = 'tax:' || tax_rate_id)",
			"ledger_accounts_revenue": "(code like 'income.rc:%') = (revenue_category_id is not null) and " +
				"(revenue_category_id is null or code = 'income.rc:' || revenue_category_id)",
		}},
		References{
			To("businesses", "business_id"), To("tax_rates", "tax_rate_id"),
			To("revenue_categories", "revenue_category_id"),
		},
		AppendOnly{},
	}
}

// LedgerEntry is one financial event of a business. The sum of its postings is zero.
type LedgerEntry struct{ tenantTable }

func (LedgerEntry) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.String("source_kind"), // kind of its source: payment, refund, balance
		field.String("source_id"),
		field.String("event"), // event of the source: sale, fees …
		field.String("currency"),
		field.Time("occurred_at").SchemaType(instant),
		field.Time("local_date").SchemaType(date), // its accounting day: instead of a closed day, the first open one
		field.Int("size").SchemaType(integer),     // number of its postings, so that none is added later
	}
}

func (LedgerEntry) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "source_kind", "source_id", "event").Unique().StorageKey("ledger_entries_source_key"),
		index.Fields("business_id", "currency", "local_date", "id").Unique().StorageKey("ledger_entries_posted_key"),
		index.Fields("business_id", "location_id", "local_date").StorageKey("ledger_entries_of_day"),
	}
}

func (LedgerEntry) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "ledger_entries", Checks: map[string]string{
			"ledger_entries_size": "size >= 2",
		}},
		References{To("locations", "location_id")},
		AppendOnly{},
	}
}

// LedgerPosting is the effect of an entry on one account: a debit is positive, a credit negative.
type LedgerPosting struct{ bareTable }

func (LedgerPosting) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("entry_id"),
		field.Int("seq").SchemaType(integer),
		field.UUID("account_id", uuid.UUID{}),
		field.String("currency"),
		field.Time("local_date").SchemaType(date),
		field.Int64("amount"),
		field.Int64("base").Default(0), // base of a tax, with the sign of amount
	}
}

func (LedgerPosting) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "account_id", "local_date").StorageKey("ledger_postings_of_account"),
	}
}

func (LedgerPosting) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "ledger_postings", Checks: map[string]string{
			"ledger_postings_amount": "amount <> 0",
		}},
		Key{"business_id", "entry_id", "seq"},
		References{
			To("ledger_entries", "currency", "local_date", "entry_id"),
			To("ledger_accounts", "currency", "account_id"),
		},
		AppendOnly{},
	}
}

// LedgerClosing is the day up to which the books of a location are closed: no entry is added to a closed day.
type LedgerClosing struct{ bareTable }

func (LedgerClosing) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("location_id"),
		field.Time("closed_through").SchemaType(date),
		field.Time("due_at").SchemaType(instant), // when the next day is closed
	}
}

func (LedgerClosing) Indexes() []ent.Index {
	return []ent.Index{index.Fields("due_at").StorageKey("ledger_closings_due")}
}

func (LedgerClosing) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "ledger_closings"},
		Key{"business_id", "location_id"},
		References{To("locations", "location_id")},
		Lookup{"business_id", "location_id", "due_at", "closed_through"},
	}
}

// LedgerSnapshot is the balance of an account at the end of a day that is closed at all locations: sums start there.
type LedgerSnapshot struct{ bareTable }

func (LedgerSnapshot) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("account_id"),
		field.Time("date").SchemaType(date),
		field.Int64("balance"),
	}
}

func (LedgerSnapshot) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "ledger_snapshots"},
		Key{"business_id", "account_id", "date"},
		References{To("ledger_accounts", "account_id")},
		AppendOnly{},
	}
}
