package checkout

// SoldPart is a line of an order as PartsOf takes it.
type SoldPart = soldPart

// PartsOf is what Sold gives for the lines of an order.
var PartsOf = partsOf

// SplitTenders says how much each tender pays of what is due.
var SplitTenders = PaymentInput.split
