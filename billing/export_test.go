package billing

import "foyer/billing/tender"

// ShareOf splits a refund, for the tests of its properties.
var ShareOf = tender.ShareOf

// PostingsOf returns the postings of parts.
var PostingsOf = postings
