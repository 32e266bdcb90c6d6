package billing

// ShareOf splits a refund, for the tests of its properties.
var ShareOf = shareOf

// EntriesOf returns the entries of a balance transaction itself, and NextListing the time of an account's next
// listing.
var (
	EntriesOf   = BalanceTransaction.entries
	NextListing = nextListing
)

// Reconcile compares the books with the processor's current balance.
var ReconcileNow = (*Service).saveReconciliation

// PostingsOf returns the postings of parts, and FeeAfter the part of the platform fee to refund for a refund without
// us.
var (
	PostingsOf = postings
	FeeAfter   = feeAfter
)
