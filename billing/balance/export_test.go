package balance

// EntriesOf returns the entries of a balance transaction itself.
var EntriesOf = Transaction.entries

// ReconcileNow compares the books with the processor's current balance.
var ReconcileNow = (*Service).saveReconciliation
