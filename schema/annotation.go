package schema

// What ent has no word for. Package migrate/plan reads these when it compares the schema with a database: they become
// keys, constraints and calls of the procedures in migrate/sql/00001_ground.sql.

// References are the foreign keys of a table.
type References []Reference

// Reference is a foreign key. By are columns of the table; the last one holds the id of the other table's row, those
// before it are columns that both tables have under one name. Between tenant tables business_id leads both sides.
type Reference struct {
	To   string
	By   []string
	Name string // of the constraint; empty: table_column_fkey, the column without _id
	Part bool   // the row goes when the other one does
}

// To is a reference to a row of a table.
func To(table string, by ...string) Reference { return Reference{To: table, By: by} }

// PartOf is To for a row that is nothing without the other one, and is deleted with it.
func PartOf(table string, by ...string) Reference { return Reference{To: table, By: by, Part: true} }

// Named gives the constraint a name of its own.
func (r Reference) Named(name string) Reference {
	r.Name = name
	return r
}

func (References) Name() string { return "References" }

// Key is a primary key that is not the rule's: (business_id, id) in a tenant table, id elsewhere.
type Key []string

func (Key) Name() string { return "Key" }

// Expressions stand in an index where a column is named: by index, by column.
type Expressions map[string]map[string]string

func (Expressions) Name() string { return "Expressions" }

// Audited has every change of a row told in the audit log, without the columns named: counters say nothing, and hashes must
// not be told.
type Audited []string

func (Audited) Name() string { return "Audited" }

// AuditedByHand is for a table whose audit trigger is more than Audited can say and stands in a hand-written file.
type AuditedByHand struct{}

func (AuditedByHand) Name() string { return "AuditedByHand" }

// AppendOnly is for facts: nobody who serves may change or delete them.
type AppendOnly struct{}

func (AppendOnly) Name() string { return "AppendOnly" }

// Lookup names the columns that the definer functions of foyer_lookup read across businesses.
type Lookup []string

func (Lookup) Name() string { return "Lookup" }
