// Package checkout sells bookings: it leads a cart to a confirmed order (package order). It joins package booking,
// for seats, with package billing, for payments.
//
// Words: a cart is a selection to be booked at one location, found by its token. An item is one seat in it. A quote
// is its price (order.Price). A course is one item, one price and one line of the order, of a seat on each of its
// upcoming dates; these dates are decided when it is held, and the item then stands for the earliest (course.go).
//
// The way of a cart:
//
//	Create ─▶ AddItem … ─▶ Hold ──┬─ costs nothing ───────────────────────────────▶ Confirm ─▶ settled
//	                        ▲     │
//	          expired, or   │     └─▶ Pay ─▶ order open ─▶ the browser pays ─▶ Confirm, or the processor's event
//	             released   │                   │                                   │
//	                        └────── void ◀──────┘                         Fulfil: ──┼─▶ settled
//	                                                                    seats gone ─┴─▶ refunded
//
// Invariants:
//
//   - Items take no seats; a hold takes them all or none, for ten minutes, once ten more, never past thirty.
//   - A price that is kept by a hold stays. A client's price is only compared, and a difference is ErrPriceChanged.
//   - The remaining uses of a limited discount are checked under its lock when the order is made (lockToOrder).
//   - While the order of a cart is open its items are frozen.
//   - A payment is captured once, and never without a seat: the first to learn of its success, the customer's return,
//     the processor's event or the sweep, fulfils the order, in one transaction with the news.
//   - No call to the processor is made inside a transaction. Every method can be killed anywhere and called again.
//   - A cart that is not booked is deleted a week after its last change (ForgetDue). One with an order stays.
//   - The required agreements of a cart are checked before its order is made, so that no payment is made for a
//     booking that would be refused (agreement.Require). Documents that are written after that apply to the next
//     booking.
//   - Tokens are secrets. The database has their hashes.
//
// Where the studio decides about a booking (offerings.approval), a fulfilled order is of requests.
//
// The lock order: payment, cart, discounts with a limit, customer, holds, bookings, people and spaces, occurrences. A
// payment whose order is fulfilled is locked last: its holder waits for none of the others. Changes of a cart, its
// hold and its order are made under the cart's row lock and count up its version, so that a statement notices that it
// had waited.
package checkout
