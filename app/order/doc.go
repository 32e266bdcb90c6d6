// Package order holds what was sold: orders with their lines and discounts, the computation of their prices, receipts,
// and refunds by line. Whoever sells opens an order (package checkout for carts, package owed at the desk and for
// amounts due) and is told by Ports once it is paid.
//
// Words: an order is a sale, a line one thing in it, a payment one attempt to pay it (package billing), a receipt its
// proof.
//
//	open ─▶ fulfilled       paid, and what it sells is handed out
//	  ├───▶ refunded        paid too late: the payment is refunded
//	  └───▶ void            given up
//
// Invariants:
//
//   - An order's figures never change. Prices come from Price and nowhere else.
//   - A discount is taken off the lines of an order and nowhere else (order_lines.discount_amount). The price of a
//     booking (bookings.price_amount) is its price as listed, and so is listed_amount of its line: rescheduling, or a
//     larger party, compares listed prices, and the discount stays. The total of a line, wherever money is meant, is
//     the listed price without the discount: LineDue in Go, LineDueSQL in SQL.
//   - The amount due of a booking is computed by DueJoinsOf and nowhere else.
//   - A receipt's token is a secret. It is derived from the order, so that mails can name it; the database has its
//     hash.
//
// A card payment for a booking is refunded if it is cancelled in time, declined, or cancelled by the studio:
// RefundTx, for package booking.
//
// Orders without a cart have no lock of their own before they are made. Refunds and voids begin with the order's row.
package order
