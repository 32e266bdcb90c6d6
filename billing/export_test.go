package billing

// LeftOf, ShareOf and SumOf are what refunds are made of, for their properties.
var (
	ShareOf = shareOf
	SumOf   = sumOf
)

// EntriesOf is what a movement does to the books by itself, and NextListing when an account is listed next.
var (
	EntriesOf   = Movement.entries
	NextListing = nextListing
)

// TieOutNow holds the books against what the processor has just said.
var TieOutNow = (*Service).keepTieOut
