// Package waitlist manages the waitlists of full dates: their entries, the offers of free seats, and their deadlines.
//
// Terms: an entry is one place on the list of one date: a party of a customer, or of an attendee they book for. A
// transition is one change of an entry's state, stored as a row. A round is one pass over the list of a date. An
// offer is a party of seats reserved for one entry until a deadline.
//
//	     join           offer            promote: accepted
//	() ───────▶ waiting ───────▶ offered ───────────────────▶ promoted
//	             ▲   │             │  └─ decline ─▶ declined      ▲
//	             │   │ pass        │ expire, pass                 │
//	       again │   ▼             ▼                              │
//	             └─ skipped_payment, offer_expired                │
//	                 └──────── promote: booked automatically, or by the studio
//
// An entry in any state but promoted and declined can be left, and is closed when no more offers are made.
//
// A waitlist is ordered, and a round goes along it: a change that releases a seat makes one due in its own
// transaction, and until the round has run the seat is reserved for it (booking.RoundTx). A round runs under the lock
// of its date and gives the available seats to the first entries whose party fits: by booking them, by offering seats
// until a deadline, or by notifying all. The seats of an offer that is declined, left or expired go on to the next
// entry in the same transaction. When all entries had an offer the seat is public, and those that let theirs pass
// wait at their positions again for the next one.
//
// Invariants: occurrences.offered is the sum of the parties of entries in state offered; taken + offered is never
// more than capacity, nor taken_online + offered more than online_capacity; every change has a row in
// waitlist_transitions with its reason. Entries are changed under the lock of their date, and customers with bookings
// are locked before it.
//
// Occupied seats belong to package booking; a change that releases one calls booking.RoundTx, and the due round is
// run here.
package waitlist
