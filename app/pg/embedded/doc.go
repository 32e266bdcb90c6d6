// Package embedded runs a PostgreSQL server for the product, so that one binary starts with nothing else set up.
//
// It is the database behind `foyer serve` and `foyer dev` when no DATABASE_URL is given, and behind the tests. It is
// a real server started from real binaries, not an imitation of one.
//
// # Terms
//
//   - data directory: one Postgres cluster. Beside it stand <dir>.lock (held while a server is being started),
//     <dir>.users (held, shared, by every process that uses the server) and, for a detached server, <dir>.log.
//   - own: this process is the server's parent. The server ends with the process, however the process ends.
//   - adopt: the data directory already has a running server; use that one and leave it running.
//   - detached: a holder process owns the server and ends it some time after the end of its last user (detach.go).
//
// # Start
//
//	lock ──▶ running server of this directory? ── yes ──▶ adopt
//	              │ no
//	              ├── Detach ──▶ holder process ──┐
//	              ▼                               ▼
//	         binaries: FOYER_PG_BIN · pg_config · PATH · the usual places · our cache · npm pack
//	              ▼
//	         new directory? initdb (beside it, then renamed) ──▶ postgres, until it answers
//
// # Keep
//
// Keep waits for the server's end and starts it again, in the same way and at the same address. After five ends
// within a minute it returns an error with the reason.
//
// # Invariants
//
//   - One server per data directory, however many processes start at once.
//   - No TCP port. The server listens on a Unix socket in a directory only its account (and root) can enter, so local
//     connections are trusted and there is no password. The superuser is postgres.
//   - Writes are durable unless Fast is set.
//   - When the owner dies, even by SIGKILL, the server shuts down in good order. On Linux the kernel sends it SIGINT.
//     On other systems it goes on, and the next Start adopts it.
//   - Postgres refuses to run as root. Started as root, the server runs as FOYER_PG_USER, else the owner of the data
//     directory, else postgres, else nobody.
//   - A data directory is opened only by binaries of the major version that made it.
//
// # Settings
//
// FOYER_PG_BIN is the directory of initdb and postgres; the word npm means the pinned package, even if another is
// installed. FindClient, for pg_dump and related programs for a server of ours or another one, searches there first.
// FOYER_PG_USER is the account to run as when started by root.
//
// The package does not make roles or databases, does not migrate, and does not upgrade a data directory to another
// major version.
package embedded
