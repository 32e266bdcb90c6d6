// Package walkin sells available seats to walk-ins: customers who arrive without a booking and stay for a while in a
// shared space, a rental that is sold by the person and takes walk-ins. The walk-in state of a location is computed
// from rows, never typed: here, from Facts, for the page, the storefront and the desk alike. The desk sells exactly
// the state shown: both use stay.
//
// A stay begins at the current minute. It fits when the space is open for all of it, and when there is a seat at
// every moment of it: a room that a party has booked for half an hour from now has no seats for an hour now.
//
// A stay is a booking with an occurrence of its own, checked in as it is made: package booking's rows. The only table
// of this package is the switch of a location's walk-ins.
package walkin
