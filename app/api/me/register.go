package me

import "foyer/app/api/wire"

// surface holds the services of the handlers.
type surface struct{ wire.Surface }

// Register declares the operations of /auth and /me.
func Register(on wire.Surface) {
	a := &surface{on}
	for _, declare := range []func(){
		a.auth, a.profile, a.myBookings, a.myPayments, a.myCards, a.myAgreements, a.dueAgreements, a.myWaitlist,
		a.myPlans,
	} {
		declare()
	}
}
