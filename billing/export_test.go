package billing

// LeftOf, ShareOf and SumOf are what refunds are made of, for their properties.
var (
	ShareOf = shareOf
	SumOf   = sumOf
)
