package ledger

// CloseDay is what the sweep does to one location.
var CloseDay = closeDay
