// Package claim keeps busy time: the one table that says who is taken when, for classes, appointments and rentals. A claim
// makes a person or a space busy for a time; it belongs to an occurrence and goes with it.
//
// Whoever claims locks the people and spaces first, ids sorted, looks in a later statement, and then writes. A space is
// claimed with all its parts. The exclusion constraints of the table stand behind that, and are never the queue.
package claim
