package api

import (
	"foyer/app/web"
)

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
