package wire

import (
	"foyer/app/agenda"
	"foyer/app/agreement"
	"foyer/app/audit"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/crm"
	"foyer/app/discount"
	"foyer/app/identity"
	"foyer/app/integrity"
	"foyer/app/penalty"
	"foyer/app/pg"
	"foyer/app/report"
	"foyer/app/sales"
	"foyer/app/schedule"
	"foyer/app/till"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/app/web/op"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/media"
)

// Services are the domains behind the operations; all of them are required.
type Services struct {
	DB           *pg.DB
	Identity     *identity.Service
	Business     *business.Service
	Catalog      *catalog.Service
	Schedule     *schedule.Service
	Availability *availability.Service
	Discount     *discount.Service
	Agreement    *agreement.Service
	CRM          *crm.Service
	Booking      *booking.Service
	Penalty      *penalty.Service
	Till         *till.Service
	Report       *report.Service
	Waitlist     *waitlist.Service
	Walkin       *walkin.Service
	Checkout     *checkout.Service
	Billing      *billing.Service
	Sales        *sales.Service
	Credit       *credit.Service
	Media        *media.Service

	Audit     *audit.Service
	Integrity *integrity.Service
	Agenda    *agenda.Service
}

// Surface is what the handlers work with.
type Surface struct {
	Services
	Ops     *op.Registry
	Cursors op.Cursors
	Host    string // of the product's address: calendar events are named after it
	Base    string // the product's address, without a slash at its end
}

// ChangeErrors are the statuses of a change besides success.
var ChangeErrors = []int{400, 401, 403, 404, 409}
