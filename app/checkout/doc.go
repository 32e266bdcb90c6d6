// Package checkout sells bookings: carts, prices, orders and receipts. It joins package booking, for seats, with
// package billing, for payments.
//
// Words: a cart is a selection to be booked at one location, found by its token. An item is one seat in it. A quote
// is its price. An order is a sale, a payment one attempt to pay it (package billing), a receipt its proof. A course
// is one item, one price and one line of the order, of a seat on each of its upcoming dates; these dates are decided
// when it is held, and the item then stands for the earliest (course.go).
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
//   - A price that is kept by a hold stays. Prices come from Price and nowhere else; a client's price is only
//     compared, and a difference is ErrPriceChanged.
//   - A discount is taken off the lines of an order and nowhere else (order_lines.discount_amount). The price of a
//     booking (bookings.price_amount) is its price as listed, and so is listed_amount of its line: rescheduling, or a
//     larger party, compares listed prices, and the discount stays. The total of a line, wherever money is meant, is
//     the listed price without the discount: due in Go, lineDue in SQL.
//   - The remaining uses of a limited discount are checked under its lock when the order is made (lockToOrder).
//   - An order's figures never change. While it is open its items are frozen.
//   - A payment is captured once, and never without a seat: the first to learn of its success, the customer's return,
//     the processor's event or the sweep, fulfils the order, in one transaction with the news.
//   - No call to the processor is made inside a transaction. Every method can be killed anywhere and called again.
//   - A cart that is not booked is deleted a week after its last change (ForgetDue). One with an order stays.
//   - The required agreements of a cart are checked before its order is made, so that no payment is made for a
//     booking that would be refused (agreement.Require). Documents that are written after that apply to the next
//     booking.
//   - Tokens are secrets. The database has their hashes; a receipt's is derived from the order, so that mails can
//     name it.
//
// At the desk, RecordPayment records a customer's payment of amounts due for bookings and fees, by a method without
// the processor; the part of a price that is in no order yet becomes one there, without a cart. The amount due of a
// booking is computed by DueJoinsOf and nowhere else.
//
// A card payment for a booking is refunded if it is cancelled in time, declined, or cancelled by the studio:
// RefundTx, for package booking. Where the studio decides about a booking (offerings.approval), a fulfilled order is
// of requests.
//
// The lock order: payment, cart, discounts with a limit, customer, holds, bookings, people and spaces, occurrences. A
// payment whose order is fulfilled is locked last: its holder waits for none of the others. RecordPayment locks
// bookings, then orders, then fees, then the location; refunds and voids begin with the order. Changes of a cart, its
// hold and its order are made under the cart's row lock and count up its version, so that a statement notices that it
// had waited.
package checkout
