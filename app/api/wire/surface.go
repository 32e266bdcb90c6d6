package wire

import (
	"foyer/app/assembly"
	"foyer/app/web/op"
)

// Surface is what the handlers work with.
type Surface struct {
	assembly.Services
	Ops     *op.Registry
	Cursors op.Cursors
	Host    string // of the product's address: calendar events are named after it
	Base    string // the product's address, without a slash at its end
}

// ChangeErrors are the statuses of a change besides success.
var ChangeErrors = []int{400, 401, 403, 404, 409}
