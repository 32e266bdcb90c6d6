package billing

// ShareOf splits a refund, for the tests of its properties.
var ShareOf = shareOf

// PostingsOf returns the postings of parts.
var PostingsOf = postings
