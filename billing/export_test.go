package billing

// ShareOf is what refunds are made of, for its properties.
var ShareOf = shareOf

// EntriesOf is what a movement does to the books by itself, and NextListing when an account is listed next.
var (
	EntriesOf   = BalanceTransaction.entries
	NextListing = nextListing
)

// Reconcile holds the books against what the processor has just said.
var ReconcileNow = (*Service).saveReconciliation

// PostingsOf is how parts are booked, and FeeAfter what returns of the platform fee for money that went back without us.
var (
	PostingsOf = postings
	FeeAfter   = feeAfter
)
