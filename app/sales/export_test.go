package sales

import (
	"foyer/billing/processor"
)

// StateOf is the state of a payment with these facts, in Go.
func StateOf(status processor.Status, declined string, released bool, amount, refunded int64, void bool) State {
	r := row{Payment: Payment{Amount: amount, Refunded: refunded, FailureCode: declined, Released: released}, Status: status, Voided: void}
	return r.state()
}

// The conditions of states in SQL.
var CardStateSQL, ManualPaymentStateSQL = cardStateSQL, manualPaymentStateSQL
