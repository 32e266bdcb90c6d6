package tender

import (
	"foyer/app/declare"
	"foyer/app/words"
)

// Declare declares this package to the product.
func Declare() declare.Domain {
	return declare.Domain{
		Package: "billing/tender",
		Fields:  map[string]words.Console{"sourceId": "paid from", "sourceLabel": "name of the gift card"},
		Tables: []declare.Table{
			{
				Name: "order_tenders", Life: declare.Trade, Record: "Manual payment",
				Readers: []string{"app/plan",
					"app/accounting", "app/integrity", "app/order", "app/owed", "app/sales", "app/till", "billing/credit",
				},
			},
			{Name: "tender_parts", Life: declare.Trade, Readers: []string{"app/plan", "app/integrity", "app/order",
				"app/sales"}},
		},
	}
}
