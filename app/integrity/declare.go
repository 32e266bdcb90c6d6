package integrity

import "foyer/app/declare"

// Declare returns the declarations of this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/integrity",
		Tables: []declare.Table{
			{Name: "integrity_reports", Life: declare.Swept(90*declare.Day, "true")},
		},
	}
}
