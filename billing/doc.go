// Package billing handles payments: the price of a card payment and its fees, and the record of payments and
// refunds. Package processor is its port to a card processor.
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
// Refunds that the studio made on the processor's website are stored like ours (ReasonExternal), spread over the
// refundable amount of the order. What becomes of the balance, and disputes, are read by the packages above: package
// balance lists balance transactions and reconciles them with the books, package dispute follows disputes. Events name
// both, so billing tells them by its Ports. It owns the rows of processor_listings (listing_store.go): when an
// account is listed next depends on the connection.
//
// Files: fee.go is arithmetic. connection.go, payment*.go, refund.go and webhook.go are the Service and its methods,
// *_store.go their rows. part.go splits a payment by line, and books.go books it, in package ledger. manual_payment.go
// is for payments at the desk: cash, and payment methods of the studio's own. fee_return*.go returns the platform's
// fee of a payment that a bank took back. Package billingtest is the simulator made ready for tests.
package billing
