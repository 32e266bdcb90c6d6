// Package tender keeps the tenders of orders: what one method pays of an order, or has paid. A card and account credit
// are agreed with the order, and captured when it is fulfilled; what is due then is paid at the studio, in cash, by a
// method of the studio's own or with account credit. The payment of a card tender is package billing's.
//
//	agreed with the order, a card   open ────────▶ captured
//	agreed, account credit          authorized ──▶ captured
//	at the studio                                  captured ──▶ void (it was a mistake)
//
// An order that is given up voids what was agreed with it, before it is captured.
//
// A tender is split into parts, of each line its income and its tax, and of a card the service fee: these are its
// entry in the books, and never change. Refunds are spread over them, and leave them as they are (part.go). What is
// paid of a line is the sum of its parts of captured tenders; what goes back of it are the parts of refunds.
package tender
