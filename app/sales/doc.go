// Package sales lists a studio's payments and refunds them: payments by card and payments at the desk side by side,
// each with its lines, its fees and its refunds. Selling is package checkout's, and payments are package billing's;
// this package reads both and requests refunds from billing.
//
// Words: a payment here is a customer's payment by one method, or an attempt: one by card (billing.Payment), or one
// at the desk (a manual payment), in cash or by another method. A line is a line of its order; the service fee is a
// line without an id. The refundable amount is the part of a payment that is neither refunded nor in a pending
// refund.
//
// The state of a payment, by card and at the desk alike:
//
//	open ──▶ processing ──▶ paid ──▶ partly_refunded ──▶ refunded
//	  ╲──▶ failed              ╲──▶ void (at the desk only: it was a mistake)
//	  ╲──▶ canceled (not paid)
//
// Invariants: nothing here changes a booking. A refund never exceeds the refundable amount, and is recorded with its
// amount of each line. A caller with the limited form of payment.view sees the payments of today on the location's
// wall clock, and other payments are not found; a caller with the limited form of payment.refund refunds no more of a
// payment than the location allows.
package sales
