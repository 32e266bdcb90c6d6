// Package discount keeps what a business takes off its prices: offers that hold by themselves, and codes that customers type.
//
// Words: a discount is a percentage or an amount of one currency, with conditions. It is automatic when it has no code. A line
// is one item of a cart; it is eligible when the discount is for its offering and its day. A use is an order that stands with
// the discount in it: one that is settled, or is being paid for while its seats are kept.
//
// What always holds:
//
//   - Among the discounts of a business that are in use, a code is there once. Codes are kept in upper case.
//   - Conditions are asked by Candidate.For and nowhere else; what a discount comes to is checkout.Price's to say.
//   - Uses are not counted up and down: they are the orders there are. An order that is given up, refunded because it came too
//     late, or left by its hold, is no use from that moment, whatever was killed when. Who makes an order locks the discounts
//     with a limit that it has (Lock) and reads the uses again, so that the last use goes to one order.
//   - What was sold keeps what was taken off it: order_discounts has the name, the code and the amount as they were.
//
// Discounts are for what customers book. What the desk sells costs what it costs.
package discount
