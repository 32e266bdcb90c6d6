package schema

// Properties without a counterpart in ent. Package migrate/plan reads these when it compares the schema with a
// database: they become keys, constraints and calls of the procedures in migrate/sql/00001_ground.sql.

// References are the foreign keys of a table.
type References []Reference

// Reference is a foreign key. By are columns of the table; the last one holds the id of the other table's row, those
// before it are columns that both tables have under one name. Between tenant tables business_id leads both sides.
type Reference struct {
	To   string
	By   []string
	Name string // of the constraint; empty: table_column_fkey, the column without _id
	Part bool   // the row is deleted with the other one
	Weak bool   // the last column becomes null when the other row is deleted
}

// To is a reference to a row of a table.
func To(table string, by ...string) Reference { return Reference{To: table, By: by} }

// PartOf is To for a row that is nothing without the other one, and is deleted with it.
func PartOf(table string, by ...string) Reference { return Reference{To: table, By: by, Part: true} }

// WeakTo is To for a row that outlives the other one. Its migration names the column: on delete set null (column).
func WeakTo(table string, by ...string) Reference { return Reference{To: table, By: by, Weak: true} }

// Named sets the name of the constraint.
func (r Reference) Named(name string) Reference {
	r.Name = name
	return r
}

func (References) Name() string { return "References" }

// Key is a primary key other than the default: (business_id, id) in a tenant table, id otherwise.
type Key []string

func (Key) Name() string { return "Key" }

// Expressions replace column names of an index with expressions: by index, by column.
type Expressions map[string]map[string]string

func (Expressions) Name() string { return "Expressions" }

// Generated are columns that Postgres computes from others of their row, by name. Ent has no field for them.
type Generated map[string]Computed

// Computed is the expression of a generated column. It has the type of the column From.
type Computed struct{ From, SQL string }

func (Generated) Name() string { return "Generated" }

// Audited writes every change of a row to the audit log, without the named columns: counters, which are noise, and
// hashes, which are secret.
type Audited []string

func (Audited) Name() string { return "Audited" }

// AuditedByHand marks a table with an audit trigger in a hand-written file, beyond the options of Audited.
type AuditedByHand struct{}

func (AuditedByHand) Name() string { return "AuditedByHand" }

// AppendOnly marks facts: the serving roles may not change or delete them.
type AppendOnly struct{}

func (AppendOnly) Name() string { return "AppendOnly" }

// Lookup names the columns that the definer functions of foyer_lookup read across businesses.
type Lookup []string

func (Lookup) Name() string { return "Lookup" }
