// Package checkout knows money and paper: carts, prices, orders and receipts. It joins what package booking knows of seats
// with what package billing knows of cards.
//
// Words: a cart is what somebody is about to book at one location, found by its token. An item is one seat in it. A quote
// is what it comes to. An order is what was sold, a payment one try to take the money for it (package billing), a receipt
// what remains. A course is one item, one price and one line of the order, of a seat on each of its dates still to come;
// which dates these are is decided when it is held, and the item then stands for the earliest (course.go).
//
// The way of a cart:
//
//	Create ─▶ AddItem … ─▶ Hold ──┬─ costs nothing ───────────────────────────────▶ Confirm ─▶ settled
//	                        ▲     │
//	             over, or   │     └─▶ Pay ─▶ order open ─▶ the browser pays ─▶ Confirm, or the processor's event
//	             released   │                   │                                   │
//	                        └────── void ◀──────┘                         Settle: ──┼─▶ settled
//	                                                                    seats gone ─┴─▶ refunded
//
// What always holds:
//
//   - Items take no seats; a hold takes them all or none, for ten minutes, once ten more, never past thirty.
//   - A price that is kept by a hold stays. Prices come from Price and nowhere else; what a client says they are is only
//     compared, and a difference is ErrPriceChanged.
//   - A discount is taken off the lines of an order and nowhere else (order_lines.discount_amount). What a booking costs
//     (bookings.price_amount) is its price as listed, and so is what its line says of it (listed_amount): moving it, or making a
//     party larger, compares listed prices, and what was taken off stays. What a line comes to, wherever money is meant, is the
//     listed price without the discount: due in Go, lineDue in SQL.
//   - What a limited discount has of uses left is asked under its lock when the order is made (lockToOrder).
//   - An order's figures never change. While it is open its items are frozen.
//   - Money is taken once, and never kept without a seat: who learns first that a payment succeeded, the customer's
//     return, the processor's event or the sweep, settles it, in one transaction with what was learnt.
//   - No call to the processor is made inside a transaction. Every verb can be killed anywhere and called again.
//   - A cart that nobody books is deleted a week after its last change (ForgetDue). One with an order stays.
//   - What a cart asks its customer to agree to is asked before its order is made, so that nothing is taken for a booking that would
//     be refused (agreement.Require). Documents that are written after that are asked at the next booking.
//   - Tokens are secrets. The database has their hashes; a receipt's is derived from the order, so that mails can name it.
//
// At the desk, Take writes down that a customer pays what is due for bookings and fees, by a way in which the processor has no part; what
// of a price is in no order yet becomes one there, without a cart. What is due of a booking is said by DueJoinsOf and nowhere else.
//
// What was paid by card for a booking goes back when it is cancelled in time, declined, or cancelled by the studio: RefundTx, for
// package booking. Where the studio has the last word on a booking (offerings.approval), a settled order is of requests.
//
// Locks are taken in this order: payment, cart, discounts with a limit, customer, holds, bookings, people and spaces, occurrences. A payment whose
// order is settled is locked last: nobody who has it waits for any of the others. Take locks bookings, then orders, then fees, then the
// location; giving back and mistakes begin with the order. Changes of a cart, its hold and its order are
// made under the cart's row lock and count up its version, which is how a statement notices that it had waited.
package checkout
