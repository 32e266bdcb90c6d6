package api

import (
	"foyer/app/audit"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/identity"
	"foyer/app/integrity"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/web"
	"foyer/billing"
)

// Services are the domains behind the operations; all of them are required.
type Services struct {
	DB       *pg.DB
	Identity *identity.Service
	Business *business.Service
	Catalog  *catalog.Service
	Schedule *schedule.Service
	CRM      *crm.Service
	Booking  *booking.Service
	Checkout *checkout.Service
	Billing  *billing.Service

	Audit     *audit.Service
	Integrity *integrity.Service
}

// surface is what the handlers work with.
type surface struct {
	Services
	ops     *web.Registry
	cursors web.Cursors
	host    string // of the product's address: calendar events are named after it
}

// Statuses of operator operations besides success: of a read, of a read with parameters, and of a change.
var (
	readErrors   = []int{401, 403, 404}
	listErrors   = []int{400, 401, 403, 404}
	changeErrors = []int{400, 401, 403, 404, 409}
)
