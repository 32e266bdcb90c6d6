// Package availability says when people and spaces can be booked: the hours of people and spaces, what takes time away, and
// the times of appointments and rentals that follow from them.
//
// The times of appointments and rentals are in no row: they are computed, by pure functions that know no database (slot.go
// and what it names: windows, spans, grid, sequence, fit, assign, weigh, find). facts.go reads what they are computed from, in
// one trip. Search, Explain, Times and PlaceTx are four ways to ask the same computation, so that a time that is shown is a
// time that can be had; PlaceTx asks it under the locks of the people and spaces that could serve. A slot is such a computed
// time; once it is booked it is an occurrence (package schedule) with claims (package claim).
//
// What takes time away: closures of a location, with or without special hours; time off of a member; blocks of a space.
// Adding one of these changes no booking: it tells which are hit (Hits), under the same locks that whoever books takes, so
// that none is missed.
package availability
