// Package balance follows a studio's balance at the processor: balance transactions, payouts, and the reconciliation of
// both with the books.
//
// Every change of the balance is a balance transaction, and every account is listed each night (listing.go). A balance
// transaction is stored once and booked once: from its own figures, or, for a payment of ours, by reading that again,
// as its event would have made us do. So an event only makes it sooner, and a lost event loses nothing. Then the
// reconciliation compares the books, the stored balance transactions and the processor's balance (reconciliation.go).
//
// Money that belongs to no payment, like a payout, is booked at the first location of the business with the currency,
// or else its first: books belong to locations, an account does not. Payouts are stored as they were last read. Money
// that the processor holds is in no books: it is the studio's.
//
//	new ──▶ booked                     held: held by the processor, never booked
//	 └────▶ unmatched ──▶ booked       differs from its payment: a person has to check it
package balance
