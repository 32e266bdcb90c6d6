package billing

// ShareOf is what refunds are made of, for its properties.
var ShareOf = shareOf

// EntriesOf is what a movement does to the books by itself, and NextListing when an account is listed next.
var (
	EntriesOf   = Movement.entries
	NextListing = nextListing
)

// TieOutNow holds the books against what the processor has just said.
var TieOutNow = (*Service).keepTieOut
