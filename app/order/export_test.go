package order

// SoldPart is a line of an order as PartsOf takes it.
type SoldPart = soldPart

// PartsOf is the result of Sold for the lines of an order.
var PartsOf = partsOf

// Split returns the parts of an order that is being written, by card and prepaid.
var Split = split
