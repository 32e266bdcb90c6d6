package checkout

// SoldPart is a line of an order as PartsOf takes it.
type SoldPart = soldPart

// PartsOf is what Sold gives for the lines of an order.
var PartsOf = partsOf
