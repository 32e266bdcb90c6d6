// Package claim manages busy time: one table with the busy times of members and spaces, for classes, appointments and
// rentals. A claim makes a person or a space busy for a time; it belongs to an occurrence and ends with it.
//
// Claiming locks the people and spaces first, ids sorted, reads conflicts in a later statement, and then writes. A
// space is claimed with all its parts. The exclusion constraints of the table are a safeguard behind that, and never
// the queue.
package claim
