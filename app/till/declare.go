package till

import (
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/till",
		Tables: []declare.Table{
			{
				Name: "drawer_transactions", Life: declare.Trade, Record: "Cash put in or taken out",
				Readers: []string{"app/integrity"},
			},
			{
				Name: "drawers", Life: declare.Trade, Record: "Cash drawer",
				Readers: []string{"app/integrity", "billing"},
			},
			{
				Name: "settlements", Life: declare.Trade, Record: "Money that has arrived",
				Readers: []string{"app/integrity"},
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
