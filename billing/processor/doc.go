// Package processor is the port to a card processor: what billing asks of it, in our own words, and the errors of a
// call. Package stripe implements it.
//
// Amounts are our minor units on this side of the port and the processor's inside its adapter. The processor's
// objects are found only together with the studio's account. An event is not trusted: it only names the object to
// read again. A live key is sent to the live processor only.
//
// A payment at the processor:
//
//	awaiting_method ──card──▶ awaiting_customer ──▶ processing ──▶ succeeded
//	      ▲    │                    │    │              │
//	      │    └────────────────────┼────┼──────────────┤ (a step may be left out)
//	      └──── declined ◀──────────┘    └──▶ canceled ◀┘
//
// A decline is a result and not an error: the payment waits for another card and carries the Failure. An account
// passes through the states of State.
package processor
