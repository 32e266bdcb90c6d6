// Package plan sells plans, and pays with them for bookings: packs of credits, passes for a time, intro offers and
// complimentary plans (design/money.md 6). Package rules has what is a pure function.
//
// Words: a plan is what a business offers, a membership one that a customer has, with the plan as it was sold. A grant
// is one benefit of a membership: a number of credits, or any number of bookings. A redemption is a change of it. A
// line of an order with a grant is paid by it: its whole price is taken off, and the grant loses the credits that it
// costs.
//
//	draft ─Publish─▶ published ─Archive─▶ archived ─Restore─▶ draft        a plan
//	active ─last day─▶ ended          active ─refund of all that is not used─▶ canceled   a membership
//	ended, canceled ─a booking returns its credits─▶ active, for ReopenDays
//
// Invariants:
//
//   - A grant's balance is the sum of its redemptions, and never less than zero: the database refuses it.
//   - Which grant pays is decided by rules.Choose alone, from what Owned reads: for a cart as it is read, and again
//     under the locks of the memberships when its order is made. An order that waits for a card counts as a use as long
//     as its seats are held.
//   - The class date decides whether a plan is valid, not the day of the booking.
//   - A booking that ends in time, or by the studio, returns its credits to the same grant, in the same transaction.
//     One that has ended meanwhile is open for ReopenDays more.
//   - The price of a plan, without tax, is deferred: a use is earned when its class is over, a pass by the day, the
//     rest when it ends. The unearned amounts of grants and of uses add up to the deferred accounts of the books.
//   - A refund of a purchase takes off the value that is not used; one of all of it ends the membership.
//
// The lock order: memberships by id, and grants under them alone. An order that is made locks them after its cart and
// before its seats, what ends bookings after these: a deadlock of the two is found by Postgres, and the later one
// is tried again.
package plan
