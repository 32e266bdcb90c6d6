// Package availability computes the times at which people and spaces can be booked: the hours of people and spaces,
// their absences, and the resulting times of appointments and rentals.
//
// The times of appointments and rentals are in no row: they are computed, by pure functions without a database
// (slot.go and the files it names: windows, spans, grid, sequence, fit, assign, weigh, find). facts.go reads their
// input, in one trip. Search, Explain, Times and AssignTx are four uses of the same computation, so that every listed
// time can be booked; AssignTx runs it under the locks of the candidates. A slot is such a computed time; once it is
// booked it is an occurrence (package schedule) with claims (package claim).
//
// Absences are: closures of a location, with or without special hours; time off of a member; blocks of a space.
// Adding one of these changes no booking: it returns the affected ones (Hits), under the same locks as a booking, so
// that none is missed.
package availability
