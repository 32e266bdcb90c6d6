// Package pg is the only access to Postgres.
//
// A verb opens one transaction with InTx, a read goes through a View. Both carry the business they act for, and both
// put it into the transaction as app.business_id before the first statement: the row-level policies then show and
// accept that business's rows and no others. A statement outside a business's transaction fails (app.current_business
// raises); it never returns an empty result.
//
//	View        set_config + statement in one pipelined trip, an implicit transaction of its own; reads only
//	InTx        BEGIN + set_config + first statement in one trip, COMMIT in another; without statements it is free
//	InOneTrip   all of it in one trip, for a verb with its statements and its result known before the first is sent
//
// The transaction of InTx also carries the actor (tenancy.Acting in its context) and the reason (Tx.Because). The
// triggers of the audit log record both.
//
// uuid.Nil as the business means no tenant: the tables of package identity and the look-up functions, nothing else.
//
// # One effect for a repeated request
//
// When the request carries an Idempotency-Key, its context carries a Claim (WithClaim). InTx then writes the JSON of
// its own result in the same transaction, and a repetition returns that result without running anything. A crash
// between commit and answer is therefore harmless: the effect and the record of it are one commit. It follows that
// all of a verb's writes happen inside its InTx, and that its result survives JSON. A request is one such commit;
// tests refuse a second one, also one beside the claim (WithoutClaim), unless the operation declares the reason for
// several.
//
// The claim is a row that only one transaction can have, and the first write of its transaction: a twin waits there.
// InTx takes it before the verb runs, in one trip, and writes the result with the commit, in none. InOneTrip sends
// both with everything else. A transaction that finds the claim taken reads the stored result.
//
// # Quote, then do
//
// DryRun runs a verb and rolls its transaction back. Its result shows the effects of the call, and a quote stores
// their digest for a quarter of an hour. Redeem runs the same verb again, and commits if the effects are the same.
// The quote is a claim too: a repetition gets the first result. A verb needs no code for this. It does everything in
// one InTx with an Effective result, and touches nothing outside of it.
//
// # Errors
//
// An unexpected error is a Failure: its text begins with the verb and with the function that sent the statement, read
// from the stack when it happens. So the log line of a 500, of a job and of a sweep contains the origin without any
// work of the verb. Stores map the errors that callers can cause to faults (Map); those stay unchanged.
//
// ent's driver is implemented here directly on pgx, so that a read names its business and runs in one trip. Only this
// package and files named *_store.go import ent.
package pg
