// Package billing handles payments: the price of a card payment and its fees, and the record of payments, refunds,
// disputes and payouts. Package processor is its port to a card processor.
//
// Words: the studio has an account at the processor and is the merchant of record. A payment is a direct charge on
// that account; the platform's share of it is collected as the processor's application fee (A24), and the processor's
// own fee is another figure (A30). A charge is the price of one card payment: the base, the service fee that the
// customer may bear, the amount on the card. A tender is a payment method; only the card tender carries a platform
// fee (A29).
//
// The record: a payment row is committed before the first call to the processor, and one function, Apply, stores the
// processor's state of it, for all callers: an event's job, the sweep, or the returning customer. The first report of
// success calls Orders.Fulfil in the same transaction; a payment that cannot be fulfilled is refunded from there. The
// processor's own fee is known some seconds later. No call to the processor happens inside a transaction.
//
// The balance: every change of it is a balance transaction, and every account is listed each night (listing.go). A
// balance transaction is stored once and booked once: from its own figures, or, for a payment of ours, by reading
// that again, as its event would have made us do. So an event only makes it sooner, and a lost event loses nothing.
// Then the reconciliation compares the books, the stored balance transactions and the processor's balance
// (reconciliation.go). Money that belongs to no payment, like a payout, is booked at the first location of the
// business with the currency, or else its first: books belong to locations, an account does not. Refunds that the
// studio made on the processor's website are stored like ours (ReasonExternal), spread over the refundable amount of
// the order. Disputes and payouts are stored as they were last read. Money that the processor holds is in no books:
// it is the studio's.
//
//	new ──▶ booked                     held: held by the processor, never booked
//	 └────▶ unmatched ──▶ booked       differs from its payment: a person has to check it
//
// Files: fee.go is arithmetic. connection.go, payment*.go, refund.go and webhook.go are the Service and its methods,
// *_store.go their rows. part.go splits a payment by line, and books.go books it, in package ledger. manual_payment.go is for payments at
// the desk: cash, and payment methods of the studio's own. listing.go, balance_transaction*.go, book_transactions.go,
// payout*.go, dispute*.go, refund_external.go and reconciliation*.go are the balance, and facts.go its read side.
// Package billingtest is the simulator made ready for tests.
package billing
