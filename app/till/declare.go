package till

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/till",
		Tables: []declare.Table{
			{
				Name: "drawer_transactions", Life: declare.Trade, Record: "Pay in or pay out",
				Readers: []string{"app/integrity"},
			},
			{
				Name: "drawers", Life: declare.Trade, Record: "Cash drawer",
				Readers: []string{"app/integrity", "billing/tender"},
			},
			{
				Name: "settlements", Life: declare.Trade, Record: "Settlement",
				Readers: []string{"app/accounting", "app/integrity"},
			},
		},
		Refuses: map[string][]*fault.Error{
			"openDrawer":       {ErrOpen},
			"closeDrawer":      {ErrClosed, ErrDrawerChanged},
			"payIn":            {ErrClosed},
			"payOut":           {ErrClosed, ErrNotEnough},
			"createSettlement": {ErrNotOutstanding},
		},
	}
}
