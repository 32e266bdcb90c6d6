package operator

import "foyer/app/api/wire"

// surface is what the handlers work with.
type surface struct{ wire.Surface }

// Register declares the operations of those who run a business.
func Register(on wire.Surface) {
	a := &surface{on}
	for _, declare := range []func(){
		a.businesses, a.apiKeys, a.team, a.hours, a.timeOff,
		a.locations, a.looks, a.stylesheets, a.closures, a.spaces, a.blocks, a.policies, a.taxRates, a.processor,
		a.offerings, a.offeringStates, a.offeringLinks, a.availability, a.series, a.seriesEdits, a.occurrences, a.dates,
		a.bookings, a.bookingMaking, a.bookingChanges, a.attendance, a.openHolds, a.penalties, a.walkins, a.waitlists, a.customers, a.auditLog,
	} {
		declare()
	}
}
