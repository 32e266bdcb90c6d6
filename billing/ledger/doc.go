// Package ledger is the double-entry ledger of a business. Its entries never change.
//
// Words: an entry is one event of the books: a sale, a refund, the fees of a payment. It has two postings or more,
// each of an amount to an account; a debit is positive and a credit negative, and the postings of an entry add up to
// zero. An account has a code (income.class, clearing.processor) and a currency. Amounts are minor units. The income of
// an item with a revenue category is in income.rc:<id> instead of the account of its kind.
//
//	                                      debit                          credit
//	CardSale        a payment succeeded   clearing.processor             income.…, tax:…, income.booking_fee
//	Fees            of a payment          expense.processor_fees,        clearing.processor
//	                                      expense.booking_fees
//	CardRefund      a refund              income.…, tax:…                clearing.processor
//	RefundFailed    it did not arrive     clearing.processor             income.…, tax:…
//	Outside         a charge made without clearing.processor             income.uncategorized
//	                the product
//	Disputed        a bank reversed a     expense.disputes,              clearing.processor
//	                payment               expense.dispute_fees
//	PaidOut         a payout              asset.bank                     clearing.processor
//	Other           a fee for no payment  expense.processor_other        clearing.processor
//	ManualPayment   paid at the desk      asset.cash_on_hand, or         income.…, tax:…
//	                (ManualRefund and     clearing.trx for another
//	                ManualVoid reversed)  method
//	CashTransfer    paid into a drawer    asset.cash_on_hand             asset.bank
//	CashCounted     a drawer is over      asset.cash_on_hand             income.other
//	CashBanked      taken to the bank     asset.bank                     asset.cash_on_hand
//	SettlementEntry arrived at the bank   asset.bank, expense.trx_fees   clearing.trx
//
// Outside, Disputed, PaidOut, Other, CashTransfer and CashCounted are reversed for a negative amount: a refund of a
// charge made outside, a won dispute, a failed payout, cash paid out of a drawer.
//
// Sales and refunds come from orders and refunds; fees and their dates come from the processor's own balance.
// Together they are the studio's balance at the processor: clearing.processor. It is compared with the processor's
// figure every night (package billing).
//
// Invariants: an entry is written once, for any number of posts, because its source and its event are its key. The
// database refuses an entry with another sum than zero, a later posting, and every change. An entry is in the books
// of one day of its location: the day of the event there, or, if that is closed already, the first that is open. So a
// closed day never changes, and the balance at its end can be stored (snapshots).
//
// Files: account.go and entry.go define accounts and entries, event_*.go the events, post_store.go, read_store.go and
// closing*.go the rows. Only this package writes the ledger's tables.
package ledger
