package ledger

// CloseDay is the sweep's work on one location.
var CloseDay = closeDay
