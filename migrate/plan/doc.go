// Package plan says what a database lacks of package schema, as SQL. "make migration" writes that into the next file of
// migrate/sql; the drift test expects it to be nothing.
//
//	schema.All ──ent──▶ tables ──our annotations (wanted.go)──▶ keys, foreign keys, unique constraints
//	                                                                 │ made once in an empty database, so that both
//	                                                                 ▼ sides are spelled as Postgres spells them
//	a migrated database ──────────────────────────────────▶ ent's versioned diff ──▶ SQL
//	its catalog ──────────────────────────────▶ wanted.go ─▶ the calls of app.tenant_table and its like
//
// Tables, columns and indexes that go are told by the drift test and dropped by hand: a generated drop would lose data.
// Functions, triggers, exclusion constraints, statistics and definer look-ups are not described in package schema and not
// compared: migrate/sql has them in hand-written files.
package plan
