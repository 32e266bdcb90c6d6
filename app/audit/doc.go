// Package audit shows the author of every change, and proves that the log was not rewritten.
//
// Only the trigger app.audit writes events, in the transaction of the change: an event exists exactly if its change
// does. The trigger gets the actor from package pg (tenancy.Acting, Tx.Because). The triggers leave out changes
// without interest for a reader (seats held for some minutes, counters, hashes).
//
//	change ──trigger──▶ event ──Seal, ten minutes later──▶ seal n: sha256(seal n-1 ‖ events since)
//
// Events and seals are append-only for the product's roles. Changing, adding or deleting a past event in spite of
// that breaks its seal, and mending it takes all later seals: Verify recomputes them. The data check (package
// integrity) calls it.
package audit
