// Package stripesim stands in for Stripe in development and tests: the same wire format, so that the same adapter talks to
// it, with objects that keep their state. It moves no money. A production start refuses it.
//
// A Server is an http.Handler and an http.RoundTripper; a client that uses it as its transport needs no port. It answers
// the /v1 routes that the product uses, sends signed webhooks, and serves the few pages that Stripe would show to a
// person: the card form's target, the bank's check, the studio's onboarding.
//
//	request ──▶ key, version, account ──▶ parameters known? ──▶ idempotent replay? ──▶ handler ──▶ snapshot ──▶ answer
//	                                                                                     │
//	                                                          events ──▶ outbox ──▶ POST to the app, signed
//
// What always holds: an object is found only with the account it was made on; a parameter nobody knows is an error; the
// same key with the same request returns the same bytes and with another request fails; nothing more is refunded than was
// captured, and what is held on a card is in no balance; ids and order follow from the seed, and time only from the injected clock. Money that takes time takes it by
// that clock: two seconds after success the fees of a charge are known and charge.updated is sent.
//
// Card numbers decide what happens (cards.go): they are Stripe's published test numbers. Any other number is declined and
// not kept, so that nobody's real card ends up in a development file.
//
// What the studio does on Stripe's own site, and what banks do, are methods of Server: Dispute, WinDispute, LoseDispute, Inquire,
// Escalate, CloseInquiry, PayOut, FailPayout, DashboardRefund, ChargeOutside, DashboardDetach, LetGo, Adjust. Each sends the events that Stripe
// sends. What a card paid is available after two days, and a payout arrives a day after it was made. What is held on a card is let go after
// a week.
//
// What it does not do: what the product never asks for, like keeping a card without a payment and
// subscriptions; a parameter that the product does not send is unknown here. An amount it cannot know,
// like the way Stripe spreads a returned fee, is the product's own prediction.
package stripesim
