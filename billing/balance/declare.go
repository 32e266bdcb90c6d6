package balance

import "foyer/app/declare"

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "billing/balance",
		Tables: []declare.Table{
			{Name: "balance_transactions", Life: declare.Trade, Readers: []string{
				"app/accounting", "app/integrity", "app/report", "billing/dispute",
			}},
			{Name: "payouts", Life: declare.Trade, Readers: []string{"app/accounting"}},
			{Name: "reconciliations", Life: declare.Trade, Readers: []string{"app/integrity"}},
		},
	}
}
