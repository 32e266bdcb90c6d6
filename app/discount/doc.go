// Package discount stores a business's discounts: automatic ones, and promo codes that customers enter.
//
// Words: a discount is a percentage or an amount of one currency, with conditions. It is automatic if it has no code.
// A line is one item of a cart; a booking is eligible if the discount is for its offering and its day, and a product
// if the discount is for goods. A use is an active
// order with the discount in it: one that is fulfilled, or is being paid for while its seats are held.
//
// A discount can be for members: for customers who hold the cart and have one of its plans, by plan.MemberSQL.
//
// Invariants:
//
//   - Among the discounts of a business that are not archived, a code is there once. Codes are stored in upper case.
//   - Conditions are checked by Candidate.For and nowhere else; the amount of a discount is computed by
//     order.Price.
//   - Uses are not counted up and down: they are the existing orders. An order that is given up, refunded because it
//     came too late, or left by its hold, is no use from that moment, regardless of crashes. A transaction that makes
//     an order locks its discounts with a limit (LockTx) and reads the uses again, so that the last use goes to one
//     order.
//   - A sold order keeps its discounts: order_discounts has the name, the code and the amount as they were.
//
// Discounts are for customers' own bookings. The desk sells at the full price.
package discount
