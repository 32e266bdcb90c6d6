// Package booking knows seats and time: who has a seat on which date, how long one is kept for somebody who has not paid
// yet, and what becomes of it until it is over. It knows no prices beyond the figure it is told, and no money: what was
// paid for a booking and how it goes back is package checkout's, through Ports.RefundTx.
//
// Words: an occurrence is one date of a class, or the time of one appointment or rental, with counters of its seats. A
// booking is the seats of one customer there: as many as their party. A hold is a group of bookings that count already and
// are kept for a cart for ten minutes; confirming moves the same rows, so a booking keeps its id from the first click. A
// request is a booking that the studio has the last word on. A transition is one change of a booking, noted as a fact.
//
// A course is a class that is sold as a whole: who enrols has a booking on each of its dates still to come, and these are
// one group (group_id). The earliest of them carries what was paid, the others cost nothing. They are held, confirmed,
// asked for, approved and cancelled together, by whichever one is named; each is checked in by itself. By the first date
// of the group its price comes back or not, by the next one cancelling is late or not, and there is one fee. A date that
// the studio takes away leaves the others standing. course.go has the rules.
//
// A recurring booking is another group: dates of a class, or times of an appointment or a rental, that the desk made for one customer at
// once. Each is a booking of its own, with its price, its policy and its state; only the scope of a move or a cancellation takes several
// of them together, and then the customer is told once. scope.go has the rules.
//
// A booking, without what can be undone; the whole table is in booking.go:
//
//	        held, booked by the studio,
//	        promoted from the waitlist
//	() ──────────────┬──────────────────────────┐
//	                 ▼                          ▼           rescheduled: it stays confirmed, at another time
//	               held ────confirmed────▶ confirmed ◀───────────────────┐
//	                │  ╲                     │  │  │ ╲                    │ approved
//	   expired,     │   ╲ requested          │  │  │  ╲                   │
//	   released     │    ╰──────▶ requested ─┼──┼──┼───┼──────────────────┘
//	                ▼              │         │  │  │   ╰▶ checked_in ──▶ completed
//	             expired           ▼         │  │  ╰────▶ no_show
//	                            declined     │  ╰───────▶ cancelled, late_cancelled
//	                                         ╰──────────▶ studio_cancelled
//
// Seats are taken in the states held, confirmed, checked_in, no_show and completed (TakesSeat). A request takes none: two
// for the last seat can stand, and only one can be approved. Money that came when the hold was over takes the seat again
// if it is still free (package checkout gives the money back if not).
//
// Each booking keeps a copy of the policy as it was when it was made, and everything about it is decided from that copy:
// until when cancelling gives the price back, from when it is late, which fee is due, whether and how long it can be
// moved. terms.go has the rules; they are pure, and are told the time. cost.go says ahead, by the same rules, what cancelling will
// cost and from when on, and pages and mails tell it in one sentence. Fees are package fees', and the mails about bookings
// package notice's: tell.go says what is to be told.
//
// A hold is live, then confirmed, expired or released. Past its time it is over for everybody, whether or not the sweep
// has been there: ConfirmTx refuses it, and who finds a time full ends the overdue holds there and tries again.
//
// What always holds:
//
//   - occurrences.taken is the number of seats of the bookings there that take one, and with the seats on offer to the
//     waitlist never more than capacity; taken_online likewise. More than there is room for is a seat more: an override
//     raises the capacity, in the same transaction.
//   - A hold keeps all its seats or none; so does whoever enrols in a course.
//   - A customer has one booking per occurrence and attendee.
//   - Every transition of a booking has a row in booking_transitions, which one insert writes (Noted).
//   - A booking is never deleted. A seat that was held and given up, and is on no order, is none yet: a week later it is deleted
//     with its transitions (ForgetDue).
//   - A verb is one transaction. Mails are jobs that read the facts again and say nothing that does not hold any more.
//
// Locks are taken in one order everywhere: payment, cart, customer, holds, bookings, people and spaces, occurrences; rows of
// one kind by id. Nothing waits for a hold or a booking while it has an occurrence, but whoever empties or moves a whole
// date: what came between the locks is looked for once more, and a ring there is Postgres's to break and pg.InTx's to try
// again. Two sorts of verbs take seats: carts, by
// one statement in which the guarded counter feeds the insert (seatsTaken), and all others, which lock the occurrences, read
// them in a later statement, decide, and write (place). Built with the tag nolock neither guards, and the race tests must
// then oversell.
//
// Who may call: the …Tx functions are for packages checkout and, by way of Calendar, schedule, inside their transactions. The
// verbs for operators follow their grants of booking.view, booking.manage, booking.checkin and booking.override; an
// instructor has the first three for the occurrences that they teach. Mine, MyBooking, CancelMine and
// RescheduleMine are a person's own. Every refusal is one of reasons.go.
package booking
