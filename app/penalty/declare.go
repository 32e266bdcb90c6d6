package penalty

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/penalty",
		Tables: []declare.Table{
			{
				Name: "penalties", Life: declare.Trade, Record: "Fee",
				Readers: []string{"app/agenda", "app/checkout", "app/notice", "app/sales"},
			},
		},
		Refuses: map[string][]*fault.Error{
			"undoNoShow":             {ErrOver},
			"waivePenalty":           {ErrOver},
			"createSale":             {ErrOver},
			"collectCustomerBalance": {ErrOver},
		},
	}
}
