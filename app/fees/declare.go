package fees

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare declares the package's tables, jobs and errors.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/fees",
		Tables: []declare.Table{
			{
				Name: "fees", Life: declare.Trade, Record: "Fee",
				Readers: []string{"app/agenda", "app/notice", "app/order", "app/owed", "app/sales"},
			},
		},
		Refuses: map[string][]*fault.Error{
			"undoNoShow":             {ErrNotDue},
			"waiveFee":               {ErrNotDue},
			"createSale":             {ErrNotDue},
			"chargeFee":              {ErrNotDue},
			"collectCustomerBalance": {ErrNotDue},
		},
	}
}
