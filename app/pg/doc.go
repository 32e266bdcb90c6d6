// Package pg is the only door to Postgres.
//
// A verb opens one transaction with InTx, a read goes through a View. Both carry the business they act for, and both put
// it into the transaction as app.business_id before the first statement: the row-level policies then show and accept
// that business's rows and no others. A statement outside a business's transaction fails (app.current_business raises);
// it never finds nothing.
//
//	View   set_config + statement in one pipelined trip, an implicit transaction of its own; reads only
//	InTx   BEGIN + set_config + first statement in one trip, COMMIT in another; never used, it costs nothing
//	InOneTrip   all of it in one trip, for a verb that knows its statements and its result before it sends them
//
// The transaction of InTx also knows who acts (tenancy.Acting in its context) and why (Tx.Because): the triggers of the
// audit log write it down.
//
// uuid.Nil as the business means no tenant: the tables of package identity and the look-up functions, nothing else.
//
// # One effect for a repeated request
//
// When the request carries an Idempotency-Key, its context carries a Claim (WithClaim). InTx then writes the JSON of its
// own result in the same transaction, and a repetition returns that result without running anything. A crash between
// commit and answer is therefore harmless: the effect and the record of it are one commit. It follows that everything a
// verb does to the database happens inside its InTx, and that its result survives JSON. A request is one such commit; tests
// refuse a second one, also one beside the claim (WithoutClaim), unless the operation says why it is several.
//
// The claim is a row that only one transaction can have, and the first thing that its transaction writes: a twin waits there.
// InTx takes it before the verb is run, which is one trip, and writes the result with the commit, which is none. InOneTrip
// sends both with everything else. Who meets a claim that is taken reads what was kept.
//
// # Quote, then do
//
// Rehearse runs a verb and rolls its transaction back; what it returns says what the call would do, and a quote keeps the
// digest of that for a quarter of an hour. Redeem runs the same verb again, and commits if the effects are the same. The
// quote is a claim too: a repetition gets the first result. A verb knows nothing of this. It does everything in one InTx,
// whose result is Effective, and touches nothing outside of it.
//
// # What fails
//
// An error that nobody expected is a Failure: its text begins with the verb and with the function that sent the statement,
// read from the stack when it happens. So the log line of a 500, of a job and of a sweep says where to look, and no verb
// says anything for it. Stores map what callers can run into to faults (Map); those are not touched.
//
// ent's driver is written here straight on pgx, so that a read names its business and runs in one trip. Only this package
// and files named *_store.go import ent.
package pg
