// Package declare has the words in which a domain tells the rest of the product about itself: its tables, what it refuses
// and how pages say that, what it holds true. Each says so in its declare.go, as a method Declare of its service, and
// app/assembly collects it: the API's document, the pages, the activity log and the tests read what was collected.
package declare

import (
	"time"

	"foyer/app/fault"
	"foyer/app/words"
)

// Domain is what one package declares.
type Domain struct {
	Package string // "app/discount"
	Tables  []Table
	// Refuses names, by operation of the API, the refusals of this package that it answers with. The document lists them, and a
	// test of the API that sees another one fails.
	Refuses map[string][]*fault.Error
	// Messages are the messages of refusals that customers read, word for word, so that pages say them in the reader's language.
	Messages []words.Text
	// Fields are the columns of its tables as the activity log calls them, by the name that the API gives them, as far as
	// app/console/settings has no word for them yet.
	Fields map[string]words.Console
	// Checks are what the data check counts of its tables.
	Checks []Check
}

// Table is one table, which this package owns: no other writes it but those beside.
type Table struct {
	Name         string
	Life         Life
	Record       words.Console     // as the activity log calls one of it: said where changes are audited, and nowhere else
	Readers      []string          // packages whose SQL reads it besides
	OtherWriters map[string]string // packages that write it besides, each with the reason why no verb of the owner's does
}

// Life is how long rows of a table stay. docs/operations.md has it in words.
type Life struct {
	Lasts time.Duration // of the swept rows, at the very most, from when they are written
	Swept string        // SQL: which rows x are; empty: none
	trade bool
}

// Trade is the life of records of the business: nothing is swept, and they grow with its trade, that has an order, a sale or
// a member of the team behind it.
var Trade = Life{trade: true}

// Swept is the life of rows that a sweep takes away.
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
