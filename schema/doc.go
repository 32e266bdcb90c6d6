// Package schema mirrors the tables of migrate/sql for ent, field by field. The SQL is the truth: keys, checks, foreign
// keys, indexes and policies stand there, and a drift test holds the two together. There are no edges (a foreign key
// needs none, and edges are most of what ent generates), no hooks, no policies, and no imports of a domain.
//
// Tables that only hand-written SQL touches (slugs, replays, quotes, rate windows, claims, moves, order lines, audit and webhook
// events, weekly hours, links of offerings, waitlist rounds, edits of series, reports) are not here.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"
)

var (
	integer = map[string]string{dialect.Postgres: "integer"}
	date    = map[string]string{dialect.Postgres: "date"}
	instant = map[string]string{dialect.Postgres: "timestamptz"}
)

// Record is what every row has: an id from Go (UUIDv7) and the time it was written.
type Record struct{ mixin.Schema }

// Fields of Record.
func (Record) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable(),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Tenant marks a row of a business.
type Tenant struct{ mixin.Schema }

// Fields of Tenant.
func (Tenant) Fields() []ent.Field {
	return []ent.Field{field.UUID("business_id", uuid.UUID{}).Immutable()}
}

// Mutable is for rows that people edit: version counts the edits, and a stale one is refused.
type Mutable struct{ mixin.Schema }

// Fields of Mutable.
func (Mutable) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("version").Default(1),
		field.Time("updated_at").SchemaType(instant),
	}
}
