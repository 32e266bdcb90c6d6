package pg

import (
	"time"

	"foyer/app/declare"
)

// Declare declares this package's tables to the product.
func (*DB) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/pg",
		Tables: []declare.Table{
			{Name: "quotes", Life: declare.Swept(25*time.Hour, "true")},
			{Name: "rate_windows", Life: declare.Swept(2*declare.Day, "true")},
			{Name: "replays", Life: declare.Swept(declare.Day, "true")},
		},
	}
}
