package order

// SoldPart is a line of an order as PartsOf takes it.
type SoldPart = soldPart

// PartsOf is the result of Sold for the lines of an order.
var PartsOf = partsOf

// ByCard and ByCredit return the parts of an order that is being written.
var (
	ByCard   = byCard
	ByCredit = byCredit
)
