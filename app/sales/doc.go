// Package sales is what a studio sees of the money that it took, and giving it back: payments by card and what was taken at the desk side
// by side, each with what it was for, what it cost and what went back of it. What is sold is package checkout's, and moving money
// package billing's; this package reads both and asks billing for refunds.
//
// Words: a payment here is money that was taken from a customer by one means, or a try to: one by card (billing.Payment), or one at the
// desk (a manual payment), in cash or elsewhere. A line is a line of its order; the service fee is a line without an id. What is left is what
// of a payment has not gone back and is not on its way back.
//
// How a payment stands, by card and at the desk alike:
//
//	open ──▶ processing ──▶ paid ──▶ partly_refunded ──▶ refunded
//	  ╲──▶ failed              ╲──▶ void (at the desk only: it was a mistake)
//	  ╲──▶ canceled (nobody paid)
//
// What always holds: nothing here changes a booking. A refund is never more than is left, and is written down with what of each line went
// back. Whoever holds payment.view in its limited form sees what was taken today on the location's wall clock, and everything else looks
// like what is not there; whoever holds payment.refund in its limited form gives back no more of a payment than the location allows.
package sales
