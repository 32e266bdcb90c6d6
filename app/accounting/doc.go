// Package accounting writes the books of a business into its accounting program: one document for each closed day of a
// location, and one for each deposit at the bank.
//
// Words: a batch is the content of one document, taken from the ledger (package ledger) when its day is closed, and
// never changed. A posting is the transfer of a batch to the provider. A connection is a business's connection to its
// company there; the newest one is live. The map has one row for each category that the business needs; a person
// confirms the account of the chart for each row.
//
//	ledger_entries ── BatchDays ──▶ accounting_batches ── assess ──▶ accounting_postings ── PostDue ──▶ the provider
//	                  a closed day                        pending or skipped                 posted or failed
//
// Every account of the ledger folds to one row of the map (Fold), so that a batch balances as its entries do. Batches
// are made without a connection, too: reports and the table for an accountant read them.
//
// Invariants: an entry is in exactly one batch (the key of accounting_batch_entries). A batch has at most one posting
// (accounting_postings_batch_key), and a posting makes at most one document: a request carries an id derived from its
// content, and a request that may have arrived is preceded by a look-up of the document's number. One process at a time
// posts for a connection (work_at). A posting that is posted never changes. Nothing is posted to an account that a
// person did not confirm.
//
// Files: fold.go, category.go and rank.go are pure. batch*.go makes batches, assess*.go decides what is posted,
// post*.go posts, tokens*.go keeps the access token valid, connect*.go and connection*.go connect, map*.go confirms
// accounts.
package accounting
