// Package walkin sells open seats at the door. Walk-ins are people who come in and stay for a while in a space that they share: a rental that is sold by the person and
// takes people at the door. What the door says is computed from rows, never typed: here, from Facts, for the page,
// the storefront and the desk alike. The desk sells what is shown: both ask stay.
//
// A stay begins at the minute that has begun. It fits when the space is open for all of it, and when there is a seat at
// every moment of it: a room that a party has booked for half an hour from now has no seats for an hour now.
//
// A stay is a booking with an occurrence of its own, checked in as it is made: package booking's rows. Nothing is kept here
// but the switch of a location's walk-ins.
package walkin
