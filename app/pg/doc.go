// Package pg is the only door to Postgres.
//
// A verb opens one transaction with InTx, a read goes through a View. Both carry the business they act for, and both put
// it into the transaction as app.business_id before the first statement: the row-level policies then show and accept
// that business's rows and no others. A statement outside a business's transaction fails (app.current_business raises);
// it never finds nothing.
//
//	View   set_config + statement in one pipelined trip, an implicit transaction of its own; reads only
//	InTx   BEGIN + set_config + first statement in one trip, COMMIT in another; never used, it costs nothing
//
// uuid.Nil as the business means no tenant: the tables of package identity and the look-up functions, nothing else.
//
// # One effect for a repeated request
//
// When the request carries an Idempotency-Key, its context carries a Claim (WithClaim). InTx then writes the JSON of its
// own result in the same transaction, and a repetition returns that result without running anything. A crash between
// commit and answer is therefore harmless: the effect and the record of it are one commit. It follows that everything a
// verb does to the database happens inside its InTx, and that its result survives JSON.
//
// ent's driver is written here straight on pgx (data.md b). Only this package and files named *_store.go import ent.
package pg
