// Package audit shows who changed what, and proves that nobody rewrote it.
//
// Nothing writes events but the trigger app.audit, in the transaction of the change: an event is there exactly when its
// change is. The trigger learns who acts from package pg (tenancy.Acting, Tx.Because). What is no event for a reader
// (seats that are kept for some minutes, counters, hashes) the triggers leave out.
//
//	change ──trigger──▶ event ──Seal, ten minutes later──▶ seal n: sha256(seal n-1 ‖ events since)
//
// Events and seals are append-only for the product's roles. Who goes around that and changes, adds or takes away an event
// of the past breaks its seal and cannot mend it without all later ones: Verify recomputes them. The integrity report
// (package integrity) asks it.
package audit
