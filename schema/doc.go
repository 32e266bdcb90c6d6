// Package schema describes every table of the product: the data model is generated from here. "make migration" writes the SQL
// that makes the tables (package migrate/plan), "make gen" the ent client of those that stores use through it (schema/gen).
//
// A table is a type that embeds ent.Schema, or one of the kinds of table of this file with the columns of their mixins. Its
// other columns are fields; its checks, foreign keys and what else holds of it are annotations (annotation.go); its indexes
// are ent's. Rules that need no words:
//
//   - A table with business_id (the mixin Tenant) is behind the wall, its primary key is (business_id, id), and its foreign
//     keys to tables like it are led by business_id.
//   - A unique index without a condition is a constraint. The name of every constraint and index is written out: stores
//     tell callers by it what they ran into.
//   - The order of columns is: ids, what the type says, version and times.
//
// There are no edges (a foreign key needs none, and edges are most of what ent generates), no hooks, no policies, and no
// imports of a domain. Exclusion constraints, triggers with a condition, statistics and functions stand in hand-written files
// of migrate/sql.
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

// Record is what every row has: an id from Go (UUIDv7) and the time it was written.
type Record struct{ mixin.Schema }

func (Record) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable(),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Tenant marks a row of a business, and its table as one behind the wall.
type Tenant struct{ mixin.Schema }

func (Tenant) Fields() []ent.Field {
	return []ent.Field{field.UUID("business_id", uuid.UUID{}).Immutable()}
}

// Mutable is for rows that people edit: version counts the edits, and a stale one is refused.
type Mutable struct{ mixin.Schema }

func (Mutable) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("version").Default(1),
		field.Time("updated_at").SchemaType(instant),
	}
}

// The kinds of table of a business, by what their rows have.
type (
	bareTable   struct{ ent.Schema } // no more than the business
	tenantTable struct{ ent.Schema }
	editedTable struct{ ent.Schema }
)

func (bareTable) Mixin() []ent.Mixin   { return []ent.Mixin{Tenant{}} }
func (tenantTable) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}} }
func (editedTable) Mixin() []ent.Mixin { return []ent.Mixin{Record{}, Tenant{}, Mutable{}} }
