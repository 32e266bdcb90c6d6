package ledger

import "foyer/app/declare"

// Declare declares this package to the product.
func (*Closer) Declare() declare.Domain {
	return declare.Domain{
		Package: "billing/ledger",
		Tables: []declare.Table{
			{Name: "ledger_accounts", Life: declare.Trade, Readers: []string{"app/plan", "app/accounting", "app/integrity"}},
			{Name: "ledger_closings", Life: declare.Trade, Readers: []string{"app/accounting"}},
			{Name: "ledger_entries", Life: declare.Trade, Readers: []string{"app/plan", "app/accounting", "app/integrity"}},
			{Name: "ledger_postings", Life: declare.Trade, Readers: []string{"app/plan", "app/accounting", "app/integrity"}},
			{Name: "ledger_snapshots", Life: declare.Trade, Readers: []string{"app/integrity"}},
		},
	}
}
