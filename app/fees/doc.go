// Package fees knows the fees for cancelling late and for not coming: which are due, which were let pass and why. A fee is
// written down in the transaction that brings it, forgiven as long as the policy's leniency lasts, and looked at by the studio
// until its review is over. Whether a cancellation is late, and what it costs then, is package booking's; the money of a fee is
// package checkout's, and so is charging it to a card when the review is over.
//
// What always holds: a fee is of one booking; one that was withdrawn is neither due nor counted as forgiven. One that was paid stays,
// also when it turns out that it should not have been: then the money is given back.
package fees
