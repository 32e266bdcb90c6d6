package audit

import "foyer/app/declare"

// Declare returns the declarations of this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/audit",
		Tables: []declare.Table{
			{Name: "audit_events", Life: declare.Trade},
			{Name: "audit_seals", Life: declare.Trade},
		},
	}
}
