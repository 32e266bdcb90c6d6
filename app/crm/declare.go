package crm

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package's part of the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/crm",
		Tables: []declare.Table{
			{Name: "customers", Life: declare.Trade, Record: "Customer", Readers: []string{"app/plan",
				"app/accounting", "app/agenda", "app/agreement", "app/booking", "app/checkout", "app/discount",
				"app/fees", "app/notice", "app/order", "app/owed", "app/report", "app/sales", "app/waitlist",
				"app/walkin", "billing", "billing/credit",
			}},
		},
		Refuses: map[string][]*fault.Error{
			"createCustomer": {ErrExists},
			"updateCustomer": {ErrExists, ErrSignsIn},
		},
		Messages: []words.Text{
			"Enter a name of at most 120 characters, on one line.",
			"Enter a phone number, like +1 555 010 9999.",
		},
	}
}
