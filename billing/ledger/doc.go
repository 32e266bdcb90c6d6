// Package ledger is the books of a business: double entry, and nothing in them is ever changed.
//
// Words: an entry is one thing that happened to the money, a sale, a refund, the fees of a payment. It has two postings or more,
// each of an amount to an account; a debit is positive and a credit negative, and the postings of an entry add up to nothing. An
// account has a code (income.class, clearing.processor) and a currency. Amounts are minor units.
//
//	                                    debit                          credit
//	CardSale      a payment succeeded   clearing.processor             income.…, tax:…, income.booking_fee
//	Fees          what it cost          expense.processor_fees,        clearing.processor
//	                                    expense.booking_fees
//	CardRefund    money went back       income.…, tax:…                clearing.processor
//	RefundFailed  it did not arrive     clearing.processor             income.…, tax:…
//	Outside       a charge made without clearing.processor             income.uncategorized
//	              the product
//	Disputed      a bank took it back   expense.disputes,              clearing.processor
//	                                    expense.dispute_fees
//	PaidOut       money left for the    asset.bank                     clearing.processor
//	              studio's bank
//	Other         a fee for no payment  expense.processor_other        clearing.processor
//	ManualPayment      taken at the desk     asset.cash_on_hand, or         income.…, tax:…
//	              (ManualRefund, ManualVoid:  clearing.trx when it was
//	              the other way round)  paid elsewhere
//	CashTransfer     into a drawer         asset.cash_on_hand             asset.bank
//	CashCounted   too much in a drawer  asset.cash_on_hand             income.other
//	CashBanked    what left it          asset.bank                     asset.cash_on_hand
//	Settled       paid elsewhere and    asset.bank, expense.trx_fees   clearing.trx
//	              arrived
//
// Outside, Disputed, PaidOut, Other, CashTransfer and CashCounted turn around with the sign of the amount: a refund of what was made
// outside, a dispute that was won, a payout that came back, cash that was taken out.
//
// What was sold, and what goes back, is known from orders and refunds; what it cost, and when, from the processor's own balance.
// Together they are what the processor holds for the studio: clearing.processor. That is held against its balance every night
// (package billing, Reconcile).
//
// What always holds: an entry is written once, however often it is posted, because its source and its event are its key. The
// database refuses one that does not add up, a posting that comes later, and every change. An entry is in the books of one day of
// its location: the day on which it happened there, or, where that is closed already, the first that is open. So a closed day never
// changes, and the balance at its end can be kept (snapshots).
//
// Files: account.go and entry.go are what there is, event_*.go what happens, post_store.go, read_store.go and closing*.go the rows.
// Only this package writes the ledger's tables.
package ledger
