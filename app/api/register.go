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

// Tags are the groups of the document, in the order they are shown; web.Options.Tags wants them.
var Tags = []web.Tag{
	{Name: "auth", Description: "Signing in with a mailed code, and one's sessions."},
	{Name: "me", Description: "A signed-in person's own profile and bookings."},
	{Name: "business", Description: "The business itself, its API keys and who may do what."},
	{Name: "team", Description: "The people of a business and their roles."},
	{Name: "locations", Description: "Locations with their opening hours, looks and spaces."},
	{Name: "catalog", Description: "What can be booked, and when."},
	{Name: "bookings", Description: "Who comes."},
	{Name: "customers", Description: "What a business knows about the people who book."},
	{Name: "commerce", Description: "Payment account and taxes."},
	{Name: "storefront", Description: "The public side of a business: what is on offer, carts, holds and checkout."},
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

// Register declares every operation of the API, and the processor's webhook beside them.
func Register(s *web.Server, o Services) {
	a := &surface{Services: o, ops: s.Operations, cursors: s.Cursors, host: s.Host()}
	for _, declare := range []func(){
		a.auth, a.profile, a.myBookings, a.myWaitlist,
		a.businesses, a.apiKeys, a.team, a.hours, a.timeOff,
		a.locations, a.looks, a.stylesheets, a.closures, a.spaces, a.blocks, a.policies, a.taxRates, a.processor,
		a.offerings, a.offeringStates, a.offeringLinks, a.availability, a.series, a.seriesEdits, a.occurrences, a.dates,
		a.bookings, a.bookingMaking, a.bookingChanges, a.attendance, a.openHolds, a.penalties, a.walkins, a.waitlists, a.customers, a.auditLog,
		a.storefrontLocation, a.storefrontWalkins, a.storefrontOfferings, a.carts, a.cartItems, a.holds, a.payments, a.receipts,
		a.storefrontWaitlist,
	} {
		declare()
	}
	a.webhooks(s)
}
