package wire

import (
	"foyer/app/assembly"
	"foyer/app/web/op"
)

// Surface holds the services of the handlers.
type Surface struct {
	assembly.Services
	Ops     *op.Registry
	Cursors op.Cursors
	Host    string // host of the product's address, part of the ids of calendar events
	Base    string // the product's address, without a trailing slash
}

// ChangeErrors are the error statuses of a change.
var ChangeErrors = []int{400, 401, 403, 404, 409}
