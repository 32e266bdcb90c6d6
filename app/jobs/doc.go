// Package jobs is the outbox and the worker. It is the only package that uses River.
//
// An effect that leaves the database (a mail, a call to the processor) is a job enqueued with EnqueueTx in the same
// transaction as the change that causes it: both exist, or neither. A job holds only ids; before it acts it reads the
// facts again and drops work that no longer applies. Jobs may run twice, so every handler is idempotent.
//
// terms.go lists every kind of job with its queue and its lifetime. takeover.go recovers the jobs of a killed
// process.
//
// Due work (expired holds, dates to write) is not scheduled with River but found by a Sweep: a function that runs
// every few real seconds and selects rows with due_at <= now by the injected clock. Sweeps of several processes may
// overlap; each locks its rows with "for update skip locked" or uses an idempotent verb.
package jobs
