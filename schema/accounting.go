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

// RevenueCategory is an income category of a business. Sales of an offering with one have an income account of their
// own.
type RevenueCategory struct{ editedTable }

func (RevenueCategory) Fields() []ent.Field {
	return []ent.Field{
		field.String("name"),
		field.Time("archived_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (RevenueCategory) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "name").Unique().StorageKey("revenue_categories_name_key").
			Annotations(entsql.IndexWhere("archived_at is null")),
	}
}

func (RevenueCategory) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "revenue_categories"},
		References{To("businesses", "business_id")},
		Audited{},
	}
}

// AccountingConnection is a business's connection to its company at the accounting provider. The newest one is live.
type AccountingConnection struct{ tenantTable }

func (AccountingConnection) Fields() []ent.Field {
	return []ent.Field{
		field.String("external_company_id"),
		field.String("company_name"),
		field.String("home_currency"),
		field.String("status"),
		field.Time("start_date").SchemaType(date),
		field.Bool("start_date_frozen").Default(false), // a batch has been posted
		field.UUID("person_id", uuid.UUID{}),           // who connected it
		field.Time("connected_at").SchemaType(instant),
		field.Time("disconnected_at").SchemaType(instant).Optional().Nillable(),
		field.Time("last_sync_at").SchemaType(instant).Optional().Nillable(),
		field.String("last_error").Default(""),
		field.Time("work_at").SchemaType(instant).Optional().Nillable(),          // when postings are due; null: none is
		field.Time("claimed_until").SchemaType(instant).Optional().Nillable(),    // a process posts them until then
		field.Time("expiry_mailed_at").SchemaType(instant).Optional().Nillable(), // the owners know that it must be renewed
		field.Time("updated_at").SchemaType(instant),
	}
}

func (AccountingConnection) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id").Unique().StorageKey("accounting_connections_one").
			Annotations(entsql.IndexWhere("status <> 'disconnected'")),
		index.Fields("business_id", "created_at", "id").StorageKey("accounting_connections_by_time"),
		index.Fields("work_at").StorageKey("accounting_connections_due").
			Annotations(entsql.IndexWhere("work_at is not null")),
	}
}

func (AccountingConnection) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_connections", Checks: map[string]string{
			"accounting_connections_status":       "status in ('connected', 'needs_reauth', 'disconnected')",
			"accounting_connections_disconnected": "(status = 'disconnected') = (disconnected_at is not null)",
		}},
		References{To("businesses", "business_id"), To("persons", "person_id")},
		Lookup{"id", "business_id", "status", "work_at", "claimed_until", "expiry_mailed_at"},
		Audited{"last_sync_at", "last_error", "work_at", "claimed_until", "expiry_mailed_at", "updated_at"},
	}
}

// AccountingToken has the tokens of a connection, sealed. A disconnected one has none.
type AccountingToken struct{ bareTable }

func (AccountingToken) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("connection_id"),
		field.Bytes("access"),
		field.Bytes("refresh"),
		field.Time("access_expires_at").SchemaType(instant),
		field.Time("refresh_expires_at").SchemaType(instant).Optional().Nillable(), // null: the provider did not say
		field.Time("updated_at").SchemaType(instant),
	}
}

func (AccountingToken) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("refresh_expires_at").StorageKey("accounting_tokens_expiring"),
	}
}

func (AccountingToken) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_tokens"},
		Key{"business_id", "connection_id"},
		References{To("accounting_connections", "connection_id")},
		Lookup{"connection_id", "business_id", "refresh_expires_at"},
	}
}

// AccountingAttempt is one attempt to connect: from the request of the provider's address to its completion.
type AccountingAttempt struct{ tenantTable }

func (AccountingAttempt) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("person_id", uuid.UUID{}), // who may complete it
		field.Bytes("state_hash"),            // of the secret in the provider's state parameter
		field.Bytes("code").Optional(),       // of the provider, sealed, once it redirected
		field.String("external_company_id").Default(""),
		field.Time("returned_at").SchemaType(instant).Optional().Nillable(),
		field.Time("consumed_at").SchemaType(instant).Optional().Nillable(),
	}
}

func (AccountingAttempt) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("created_at").StorageKey("accounting_attempts_by_time"),
	}
}

func (AccountingAttempt) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_attempts"},
		References{To("businesses", "business_id"), To("persons", "person_id")},
		Lookup{"business_id", "created_at"},
	}
}

// AccountingMapRow is the account of the provider that was confirmed for a category of a connection.
type AccountingMapRow struct{ tenantTable }

func (AccountingMapRow) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("connection_id", uuid.UUID{}),
		field.String("row_key"), // the category, with the id of the tax rate or revenue category after a colon
		field.String("category"),
		field.UUID("tax_rate_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("revenue_category_id", uuid.UUID{}).Optional().Nillable(),
		field.String("external_account_id"),
		field.String("account_name"),
		field.String("account_type"),
		field.String("account_sub_type").Default(""),
		field.Time("confirmed_at").SchemaType(instant),
		field.Time("updated_at").SchemaType(instant),
	}
}

func (AccountingMapRow) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "connection_id", "row_key").Unique().StorageKey("accounting_map_rows_key"),
	}
}

func (AccountingMapRow) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_map_rows", Checks: map[string]string{
			"accounting_map_rows_tax":     "(category = 'liability.sales_tax') = (tax_rate_id is not null)",
			"accounting_map_rows_revenue": "(category = 'income.revenue_category') = (revenue_category_id is not null)",
			"accounting_map_rows_row_key": "row_key = category || coalesce(':' || tax_rate_id, ':' || revenue_category_id, '')",
		}},
		References{
			To("accounting_connections", "connection_id"),
			To("tax_rates", "tax_rate_id"),
			To("revenue_categories", "revenue_category_id"),
		},
		Audited{},
	}
}

// AccountingProgress is the day up to which the entries of a location are in batches.
type AccountingProgress struct{ bareTable }

func (AccountingProgress) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("location_id"),
		field.Time("batched_through").SchemaType(date),
	}
}

func (AccountingProgress) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_progress"},
		Key{"business_id", "location_id"},
		References{To("locations", "location_id")},
		Lookup{"business_id", "location_id", "batched_through"},
	}
}

// AccountingBatch is the content of one document of the studio's books: a closed day of a location in one currency, or
// one deposit at the bank.
type AccountingBatch struct{ tenantTable }

func (AccountingBatch) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("location_id", uuid.UUID{}),
		field.Time("local_date").SchemaType(date),
		field.String("currency"),
		field.String("kind"),
		field.String("deposit_ref").Default(""), // of a deposit, or of a negative one: its source in the books
		field.Int64("amount"),                   // sum of its debits; of a deposit, the amount at the bank; 0: without lines
		// [{"category": "income.class", "amount": -2200}]: accounting.Line, a debit positive
		field.JSON("lines", json.RawMessage{}),
		field.Strings("row_keys"), // of the map, that its lines need
	}
}

func (AccountingBatch) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "location_id", "local_date", "currency", "kind", "deposit_ref").Unique().
			StorageKey("accounting_batches_content_key"),
		index.Fields("business_id", "local_date", "id").StorageKey("accounting_batches_by_date"),
	}
}

func (AccountingBatch) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_batches", Checks: map[string]string{
			"accounting_batches_kind":   "kind in ('journal_entry', 'deposit') and (kind <> 'deposit' or deposit_ref <> '')",
			"accounting_batches_amount": "amount >= 0",
		}},
		References{To("locations", "location_id")},
		AppendOnly{},
	}
}

// AccountingBatchEntry is an entry of the books that is in a batch: each is in exactly one.
type AccountingBatchEntry struct{ bareTable }

func (AccountingBatchEntry) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).StorageKey("entry_id"),
		field.UUID("batch_id", uuid.UUID{}),
	}
}

func (AccountingBatchEntry) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "batch_id").StorageKey("accounting_batch_entries_of_batch"),
	}
}

func (AccountingBatchEntry) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_batch_entries"},
		Key{"business_id", "entry_id"},
		References{To("ledger_entries", "entry_id"), To("accounting_batches", "batch_id")},
		AppendOnly{},
	}
}

// AccountingPosting is the transfer of a batch to the accounting provider: at most one for each batch.
type AccountingPosting struct{ tenantTable }

func (AccountingPosting) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("batch_id", uuid.UUID{}),
		field.UUID("connection_id", uuid.UUID{}),
		field.String("status"),
		field.String("skip_reason").Default(""),
		field.Int("attempts").SchemaType(integer).Default(0), // that count: not those refused for the rate or the token
		field.Int("refusals").SchemaType(integer).Default(0), // documents refused: the next request has an id of its own
		field.Bool("may_exist").Default(false),               // an earlier request may have made the document
		field.String("last_error").Default(""),
		field.String("external_id").Default(""),
		field.String("external_url").Default(""),
		field.Time("posted_at").SchemaType(instant).Optional().Nillable(),
		field.Time("next_attempt_at").SchemaType(instant).Optional().Nillable(), // of a pending one
		field.Time("updated_at").SchemaType(instant),
	}
}

func (AccountingPosting) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "batch_id").Unique().StorageKey("accounting_postings_batch_key"),
		index.Fields("business_id", "connection_id", "created_at", "id").StorageKey("accounting_postings_of_connection"),
		index.Fields("business_id", "connection_id", "next_attempt_at").StorageKey("accounting_postings_due").
			Annotations(entsql.IndexWhere("status = 'pending'")),
	}
}

func (AccountingPosting) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "accounting_postings", Checks: map[string]string{
			"accounting_postings_status":  "status in ('pending', 'posted', 'failed', 'skipped')",
			"accounting_postings_skipped": "(status = 'skipped') = (skip_reason <> '')",
			"accounting_postings_reason": "skip_reason in ('', 'before_start_date', 'currency_not_home', " +
				"'map_incomplete', 'disconnected')",
			"accounting_postings_posted": "(status = 'posted') = (posted_at is not null) and " +
				"(status = 'posted') = (external_id <> '')",
			"accounting_postings_pending": "(status = 'pending') = (next_attempt_at is not null)",
		}},
		References{To("accounting_batches", "batch_id"), To("accounting_connections", "connection_id")},
	}
}
