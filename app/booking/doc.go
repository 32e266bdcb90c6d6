// Package booking manages seats and times: the bookings of dates, the holds of unpaid carts, and all changes of a
// booking until it ends. It has no prices beyond the amount of its input, and no payments: payments and refunds of a
// booking belong to package checkout, through Ports.RefundTx.
//
// Terms: an occurrence is one date of a class, or the time of one appointment or rental, with counters of its seats.
// A booking is the seats of one customer there: as many as their party. A hold is a group of bookings that count
// already and are reserved for a cart for ten minutes; confirming changes the same rows, so a booking keeps its id
// from the first click. A request is a booking that awaits approval by the studio. A transition is one change of
// state of a booking, stored as a row.
//
// A course is a class that is sold as a whole: its customer has a booking on each of its upcoming dates, and these
// are one group (group_id). The earliest of them carries the payment, the others are free of charge. They are held,
// confirmed, requested, approved and cancelled together, by any one of them; each is checked in by itself. The first
// date of the group decides about a refund of the price, the next one about lateness, and there is one fee. A date
// cancelled by the studio leaves the others unchanged. course.go has the rules.
//
// A recurring booking is another group: dates of a class, or times of an appointment or a rental, that the desk made
// for one customer at once. Each is a booking of its own, with its price, its policy and its state; only the scope of
// a rescheduling or a cancellation selects several of them, and then the customer is notified once. scope.go has the
// rules.
//
// A booking, without undoing; the whole table is in booking.go:
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
// Seats are occupied in the states held, confirmed, checked_in, no_show and completed (TakesSeat). A request occupies
// none: there can be two for the last seat, and only one can be approved. A payment that arrives after the hold has
// expired occupies the seat again if it is still available (package checkout refunds it if not).
//
// Each booking keeps a copy of the policy from when it was made, and everything about it is decided from that copy:
// the deadline of a free cancellation, the beginning of lateness, the fee, and whether and until when it can be
// rescheduled. terms.go has the rules; they are pure functions of the time. cost.go computes, by the same rules, the
// future costs of a cancellation, for a sentence in pages and mails. Fees belong to package fees, and the mails about
// bookings to package notice: notice.go has the notices.
//
// A hold is live, then confirmed, expired or released. Past its time it is expired for all readers, even before the
// sweep: ConfirmTx refuses it, and a caller that finds a time full ends the expired holds there and tries again.
//
// Invariants:
//
//   - occurrences.taken is the number of occupied seats of the bookings there, and with the seats on offer to the
//     waitlist never more than capacity; taken_online likewise. Overbooking adds a seat: an override raises the
//     capacity, in the same transaction.
//   - A hold has all of its seats or none; so has an enrolment in a course.
//   - A customer has one booking per occurrence and attendee.
//   - Every transition of a booking has a row in booking_transitions, written by one insert (Noted).
//   - A booking is never deleted. A seat that was held and released, and is on no order, is not a booking yet: a
//     week later it is deleted with its transitions (ForgetDue).
//   - A verb is one transaction. Mails are jobs that read the facts again and contain nothing outdated.
//
// Locks are acquired in one order everywhere: payment, cart, customer, holds, bookings, people and spaces,
// occurrences; rows of one kind by id. Nothing waits for a hold or a booking while it has an occurrence, except the
// verbs that empty or reschedule a whole date: they read once more after the locks, and a deadlock there is
// Postgres's to break and pg.InTx's to try again. Two sorts of verbs occupy seats: carts, by one statement with a
// guarded counter that feeds the insert (seatsTaken), and all others, by locking the occurrences, reading them in a
// later statement, deciding, and writing (place). Built with the tag nolock neither guards, and the race tests must
// then oversell.
//
// Callers: the …Tx functions are for packages checkout and, by way of Calendar, schedule, inside their transactions.
// The verbs for operators follow their grants of booking.view, booking.manage, booking.checkin and booking.override;
// an instructor has the first three for their own occurrences. Mine, MyBooking, CancelMine and RescheduleMine are a
// person's own. Every refusal is one of reasons.go.
package booking
