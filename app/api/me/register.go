package me

import "foyer/app/api/wire"

// surface is what the handlers work with.
type surface struct{ wire.Surface }

// Register declares the operations of /auth and /me.
func Register(on wire.Surface) {
	a := &surface{on}
	for _, declare := range []func(){
		a.auth, a.profile, a.myBookings, a.myPayments, a.myCards, a.myAgreements, a.dueAgreements, a.myWaitlist,
	} {
		declare()
	}
}
