// Package stripesim replaces Stripe in development and tests: the same wire format, so that the same adapter talks to
// it, with objects that keep their state. It moves no money. A production start refuses it.
//
// A Server is an http.Handler and an http.RoundTripper; a client that uses it as its transport needs no port. It
// answers the /v1 routes that the product uses, sends signed webhooks, and serves the few pages that Stripe would
// show to a person: the card form's target, the bank's check, the studio's onboarding.
//
//	request ──▶ key, version, account ──▶ parameters known? ──▶ idempotent replay? ──▶ handler ──▶ snapshot ──▶ answer
//	                                                                                     │
//	                                                          events ──▶ outbox ──▶ POST to the app, signed
//
// Invariants: an object is found only with the account it was made on; an unknown parameter is an error; the same key
// with the same request returns the same bytes and with another request fails; refunds never exceed the captured
// amount, and an authorized amount is in no balance; ids and order follow from the seed, and time only from the
// injected clock. Delays pass by that clock: two seconds after success the fees of a charge are known and
// charge.updated is sent.
//
// Card numbers determine the outcome (cards.go): they are Stripe's published test numbers. Any other number is
// declined and not stored, so that no real card ends up in a development file.
//
// The acts of studios on Stripe's own website, and of banks, are methods of Server: Dispute, WinDispute, LoseDispute,
// Inquire, Escalate, CloseInquiry, PayOut, FailPayout, DashboardRefund, ChargeOutside, DashboardDetach,
// CancelPayment, Adjust. Each sends the events that Stripe sends. ChangeCard is one of banks without any event. A card
// payment is available after two days, and a payout arrives a day after it was made. An authorization is released after
// a week.
//
// Not simulated: features that the product does not use, like saving a card without a payment and subscriptions; a
// parameter that the product does not send is unknown here. An amount that it cannot know, like the way Stripe
// spreads a refunded fee, is the product's own prediction.
package stripesim
