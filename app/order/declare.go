package order

import (
	"foyer/app/declare"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package:  "app/order",
		Checks:   checks,
		Messages: []words.Text{"This is sold out."},
		Tables: []declare.Table{
			{Name: "order_discounts", Life: declare.Trade, Readers: []string{"app/discount", "app/integrity"}},
			{Name: "order_lines", Life: declare.Trade, Readers: []string{"app/plan",
				"app/accounting", "app/checkout", "app/integrity", "app/owed", "app/product", "app/report", "app/sales",
				"billing/giftcard",
			}},
			{Name: "order_returns", Life: declare.Trade, Record: "Return", Readers: []string{"app/product"}},
			{Name: "orders", Life: declare.Trade, Record: "Order", Readers: []string{"app/plan",
				"app/accounting",
				"app/agreement", "app/booking", "app/checkout", "app/discount", "app/integrity", "app/notice", "app/owed",
				"app/product", "app/report", "app/sales", "billing", "billing/credit", "billing/tender",
			}},
		},
	}
}
