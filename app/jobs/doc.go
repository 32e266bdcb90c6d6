// Package jobs is the outbox and the worker. It is the only home of River.
//
// An effect that leaves the database (a mail, a call to the processor) is a job enqueued with EnqueueTx in the same
// transaction as the change that causes it: both are there, or neither. A job holds ids only; before it acts it reads
// the facts again and drops what no longer holds. Jobs may run twice, so every handler is idempotent.
//
// terms.go lists every kind of job: which queue it is in, and until when it is worth doing. What happens to the jobs of a killed
// process is in takeover.go.
//
// Work that falls due (holds that expire, dates to write) is not scheduled with River but found by a Sweep: a function
// that runs every few real seconds and selects rows with due_at <= now by the injected clock. Sweeps of several
// processes may overlap; each takes its rows with "for update skip locked" or an idempotent verb.
package jobs
