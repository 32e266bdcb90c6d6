// Package fees manages late-cancellation and no-show fees: those due, and those waived with the reason. A fee is
// recorded in the transaction that causes it, waived by the policy's grace rule if that applies, and reviewed by the
// studio until its review period ends. Lateness and the amount are package booking's; the payment of a fee is package
// owed's, and so is charging it to a card after the review.
//
// Invariants: a fee belongs to one booking; a withdrawn fee is neither due nor counted as waived. A paid fee stays,
// also when it turns out to be a mistake: then the payment is refunded.
package fees
