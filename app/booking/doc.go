// Package booking knows seats and time: who has a seat on which date, and how long one is kept for somebody who has not
// paid yet. It knows no prices beyond the figure it is told, and no money.
//
// Words: an occurrence is one date of a class, with counters of its seats. A booking is one seat of one customer there. A
// hold is a group of bookings that count already and are kept for a cart for ten minutes; confirming moves the same rows,
// so a booking keeps its id from the first click. A move is one change of state, written down as a fact.
//
// A booking:
//
//	       held                 confirmed
//	() ──────────▶ held ──────────────────▶ confirmed
//	                │                           ▲
//	   expired,     │                           │ retaken
//	   released     └────────▶ expired ─────────┘
//
// retaken is for money that came when the hold was over: the seat is taken again if it is still free (package checkout
// gives the money back if not). Requests, cancelling, moving and checking in are not there yet; each will be a line of
// the table in booking.go and a verb.
//
// A hold is live, then confirmed, expired or released. Past its time it is over for everybody, whether or not the sweep
// has been there: ConfirmTx refuses it, and who finds a time full ends the overdue holds there and tries again.
//
// What always holds:
//
//   - occurrences.taken is the number of bookings there that are held or confirmed, and never more than capacity;
//     taken_online likewise. One statement takes the seat and writes the booking (claim).
//   - A hold keeps all its seats or none.
//   - A customer has one seat per occurrence and attendee.
//   - Every change of state has a row in booking_moves.
//
// Locks are taken in one order everywhere: payment, cart, customer, hold, occurrences by id. Nothing waits for a hold
// while it has an occurrence. Built with the tag nolock, claim counts and then inserts; the race tests must then oversell.
//
// Who may call: the …Tx functions are for package checkout, inside its transactions and under the lock of the cart. List,
// Get and RosterOf are for operators and follow their grants of booking.view; Mine and MyBooking are a person's own.
package booking
