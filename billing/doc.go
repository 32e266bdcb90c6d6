// Package billing is money that moves: what a card payment costs and who bears it, the processor behind a port of our own,
// and the record of payments, refunds, disputes and payouts.
//
// Words: the studio has an account at the processor and is the merchant of record. A payment is a direct charge on that
// account; the platform's share of it is taken as the processor's application fee (A24) and the processor's own fee is
// another figure (A30). A charge is what one card payment comes to: the base, the service fee the customer may bear, the
// amount on the card. A tender is a means of payment; only the card tender carries a platform fee (A29).
//
// A payment at the processor:
//
//	awaiting_method ──card──▶ awaiting_customer ──▶ processing ──▶ succeeded
//	      ▲    │                    │    │              │
//	      │    └────────────────────┼────┼──────────────┤ (a step may be left out)
//	      └──── declined ◀──────────┘    └──▶ canceled ◀┘
//
// A decline is a result and not an error: the payment waits for another card and carries the Failure. An account walks
// through the states of State.
//
// What always holds: amounts are our minor units on this side of Processor and the processor's inside its adapter; the
// processor's objects are found only together with the studio's account; nothing an event says is believed, it only names
// what to read again; a live key talks to the live processor and to nothing else.
//
// The record: a payment row is committed before the processor is asked, and one verb, Apply, keeps what the processor says
// about it, whoever asked: an event's job, the sweep, or the customer who comes back. The first word of success calls
// Orders.Fulfil in the same transaction; what cannot be given is refunded from there. What the processor took for itself is known some
// seconds later. No call to the processor happens inside a transaction.
//
// The balance: everything that moves it is a movement (a balance transaction), and every account is listed each night (listing.go). A
// movement is kept once and booked once: from what it says, or, when it is of a payment of ours, by reading that again, as its event
// would have made us do. So an event only makes it sooner, and losing any of them loses nothing. Then the books, everything that is
// known and what the processor says are held against each other (tieout.go). What belongs to no payment, like a payout, is booked at
// the first location of the business that has the currency, or else its first: the books are of locations, an account is not. Refunds
// that the studio made on the processor's own site are kept like ours (ReasonExternal), spread over what is left of the order.
// Disputes and payouts are kept as they were last read. Money that the processor puts aside is in no books: it is the studio's.
//
//	new ──▶ booked                     held: put aside, never booked
//	 └────▶ unmatched ──▶ booked       says something else than the payment that it is of: a person has to look
//
// Files: fee.go is arithmetic, processor*.go the port, stripe*.go the adapter and only home of stripe-go. connection.go,
// payment*.go, refund.go and webhook.go are the Service and its verbs, *_store.go their rows. part.go says what money is
// for, and books.go writes it into the books, which are package ledger's. taking.go is money that goes over the desk: cash, and what is
// paid by a way of the studio's own. listing.go, movement*.go, book_movements.go, payout*.go, dispute*.go,
// refund_external.go and tieout*.go are the balance, and facts.go what a surface reads of it. Package stripesim
// stands in for the processor in development and tests, through the same adapter and wire format; suite_test.go
// is what both have to pass, and package billingtest the simulator made ready for tests.
package billing
