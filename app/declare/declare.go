// Package declare has the types of a domain's declaration: its tables, its refusals and their messages on pages, its
// data checks. Each domain has a declare.go with a method Declare of its service. app/assembly collects the
// declarations for the API's document, the pages, the activity log and the tests.
package declare

import (
	"time"

	"foyer/app/fault"
	"foyer/app/words"
)

// Domain is the declaration of one package.
type Domain struct {
	Package string // "app/discount"
	Tables  []Table
	// Refuses names, by operation of the API, the refusals of this package that it answers with. The document lists
	// them, and a test of the API that sees another one fails.
	Refuses map[string][]*fault.Error
	// Messages are the messages of refusals that customers read, word for word, so that pages translate them.
	Messages []words.Text
	// Fields are the names of its tables' columns in the activity log, by their API name, unless app/console/settings
	// already has one.
	Fields map[string]words.Console
	// Checks are the data checks of its tables.
	Checks []Check
}

// Table is one table of this package. Only this package and OtherWriters write it.
type Table struct {
	Name         string
	Life         Life
	Record       words.Console     // name of a record in the activity log; empty if changes are not audited
	Readers      []string          // other packages with SQL that reads it
	OtherWriters map[string]string // packages that write it besides, each with the reason why no verb of the owner's does
}

// Life is the retention of a table's rows. docs/operations.md describes it.
type Life struct {
	Lasts time.Duration // of the swept rows, at the very most, from when they are written
	Swept string        // SQL: condition on rows x; empty: none
	trade bool
}

// Trade is the life of records of the business: nothing is swept, and they grow with its trade, that has an order, a
// sale or a member of the team behind it.
var Trade = Life{trade: true}

// Swept returns the retention of rows that a sweep deletes.
func Swept(lasts time.Duration, rows string) Life { return Life{Lasts: lasts, Swept: rows} }

// Declared reports whether a life was declared.
func (l Life) Declared() bool { return l.trade || l.Lasts > 0 && l.Swept != "" }

// Day is 24 hours.
const Day = 24 * time.Hour

// Check is a statement that returns the differences of business $1: record, record_id, expected and found.
type Check struct {
	Name, SQL    string
	Title, About words.Console // for the page that counts
}
