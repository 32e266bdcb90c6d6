// Package schema describes every table of the product: the data model is generated from here. "make migration" writes
// the SQL that creates the tables (package migrate/plan), "make gen" the ent client of those that stores use through
// it (schema/gen).
//
// A table is a type that embeds ent.Schema, or one of the kinds of table of this file with the columns of their
// mixins. Its other columns are fields; its checks, foreign keys and other properties are annotations
// (annotation.go); its indexes are ent's. Implicit rules:
//
//   - A table with business_id (the mixin Tenant) has row-level security, its primary key is (business_id, id), and
//     its foreign keys to tables like it are led by business_id.
//   - A unique index without a condition is a constraint. The name of every constraint and index is written out:
//     stores map violations to errors by it.
//   - The order of columns is: ids, the columns of the type, version and times.
//
// There are no edges (a foreign key needs none, and edges are most of ent's generated code), no hooks, no policies,
// and no imports of a domain. Exclusion constraints, triggers with a condition, statistics and functions are in
// hand-written files of migrate/sql.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"
)

var (
	integer = map[string]string{dialect.Postgres: "integer"}
	date    = map[string]string{dialect.Postgres: "date"}
	instant = map[string]string{dialect.Postgres: "timestamptz"}

	emptyList = entsql.DefaultExpr("'[]'") // of a JSON column
)

// Record has the columns of every row: an id from Go (UUIDv7) and the time of its insertion.
type Record struct{ mixin.Schema }

func (Record) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable(),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Tenant marks a row of a business, and its table as one with row-level security.
type Tenant struct{ mixin.Schema }

func (Tenant) Fields() []ent.Field {
	return []ent.Field{field.UUID("business_id", uuid.UUID{}).Immutable()}
}

// Mutable is for rows that people edit: version counts the edits, and an edit of a stale version is refused.
type Mutable struct{ mixin.Schema }

func (Mutable) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("version").Default(1),
		field.Time("updated_at").SchemaType(instant),
	}
}

// The kinds of table of a business, by their common columns.
type (
	bareTable   struct{ ent.Schema } // only the business
	tenantTable struct{ ent.Schema }
	editedTable struct{ ent.Schema }
)

func (bareTable) Mixin() []ent.Mixin   { return []ent.Mixin{Tenant{}} }
func (tenantTable) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }
func (editedTable) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }
