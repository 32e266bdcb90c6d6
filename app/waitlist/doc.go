// Package waitlist knows who waits for a seat on a full date, whom a free seat is given or offered to, and for how long.
//
// Words: an entry is one place on the list of one date: a customer, or somebody they book for, who wants a party of seats
// there. A transition is one change of an entry's state, written down as a fact. A round is one look at the list of a date.
// An offer is a party of seats kept for one entry until a deadline.
//
//	     join           offer            promote: accepted
//	() ───────▶ waiting ───────▶ offered ───────────────────▶ promoted
//	             ▲   │             │  └─ decline ─▶ declined      ▲
//	             │   │ pass        │ expire, pass                 │
//	       again │   ▼             ▼                              │
//	             └─ skipped_payment, offer_expired                │
//	                 └──────── promote: booked unasked, or by the studio
//
// From all but promoted and declined an entry can be left, and is closed when nobody is asked any more.
//
// A waitlist has its order, and a round goes along it: whatever frees a seat makes one due in its own transaction, and
// until the round has run the seat is nobody else's (booking.RoundTx). A round runs under the lock of its date and gives what is
// free to the first ones whose party fits: by booking them, by offering it until a deadline, or by telling everybody. An
// offer that is declined, left or runs out goes on to the next entry in the same transaction. When everybody was asked the
// seat is public, and those who let their chance pass wait at their places again for the next one.
//
// What always holds: occurrences.offered is the sum of the parties of entries in state offered; taken + offered is never
// more than capacity, nor taken_online + offered more than online_capacity; every change has a row in waitlist_transitions that
// says why. Entries are changed under the lock of their date, and customers who are booked are locked before it.
//
// What becomes of a seat that is taken is package booking's; whoever frees one calls booking.RoundTx, and the round that is
// due then is run here.
package waitlist
