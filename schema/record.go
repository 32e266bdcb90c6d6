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

// AuditEvent is a change of a record with its actor, written by a trigger in the transaction of the change. Before
// and after hold only the differences. The event outlives its record, so it has no foreign key.
type AuditEvent struct{ bareTable }

func (AuditEvent) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id").StorageKey("seq"),
		field.Time("at").SchemaType(instant),
		field.String("actor_kind"),
		field.UUID("actor_id", uuid.UUID{}).Optional().Nillable(),
		field.String("actor_name"),
		field.String("surface"),
		field.String("action"),
		field.String("record"), // the table
		field.UUID("record_id", uuid.UUID{}),
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable(), // if the record has one
		field.JSON("before", json.RawMessage{}).Optional(),
		field.JSON("after", json.RawMessage{}).Optional(),
		field.String("reason").Default(""),
		field.UUID("connection_id", uuid.UUID{}).Optional().Nillable(), // of the person's assistant that made the change
		field.String("client").Default(""),                             // its name
	}
}

func (AuditEvent) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "connection_id", "id").StorageKey("audit_events_of_connection").
			Annotations(entsql.DescColumns("seq"), entsql.IndexWhere("connection_id is not null")),
		index.Fields("business_id", "record_id", "id").StorageKey("audit_events_of_record").
			Annotations(entsql.DescColumns("seq")),
	}
}

func (AuditEvent) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "audit_events", Checks: map[string]string{
			"audit_events_action": "action in ('create', 'update', 'delete')",
		}},
		AppendOnly{},
		Lookup{"business_id", "seq", "at"},
	}
}

// AuditSeal is a hash over the events up to one of them and over the previous seal, to detect changes of the past.
type AuditSeal struct{ tenantTable }

func (AuditSeal) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("position"), // 1, 2, 3 … of the business
		field.Int64("from_seq"), // first event
		field.Int64("to_seq"),   // last event
		field.Int("events").SchemaType(integer),
		field.Bytes("hash"),
	}
}

func (AuditSeal) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "position").Unique().StorageKey("audit_seals_position_key"),
	}
}

func (AuditSeal) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "audit_seals", Checks: map[string]string{
			"audit_seals_span": "from_seq <= to_seq and events > 0",
		}},
		References{To("businesses", "business_id")},
		AppendOnly{},
		Lookup{"business_id", "to_seq"},
	}
}

// IntegrityReport is the result of the nightly data check. An empty one is a row too: the check ran.
type IntegrityReport struct{ tenantTable }

func (IntegrityReport) Fields() []ent.Field {
	return []ent.Field{
		field.JSON("differences", json.RawMessage{}),
	}
}

func (IntegrityReport) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "created_at").StorageKey("integrity_reports_by_age").
			Annotations(entsql.DescColumns("created_at")),
	}
}

func (IntegrityReport) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Annotation{Table: "integrity_reports"},
		References{To("businesses", "business_id")},
	}
}
