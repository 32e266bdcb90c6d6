// Package identity authenticates callers: persons, the codes that verify an address, the sessions that follow, and
// the invites that create a business. These rows belong to no business, so row-level security does not apply: every
// row is found by its id, by the hash of a secret, or by its address.
//
// Terms: a person is a login with one verified e-mail address. A challenge is one mailed code. A session is one
// sign-in, on one device. An invite is a link with which one address may create one business.
//
// A sign-in:
//
//	Challenge ──▶ challenge row + job identity.code ──▶ mail with six digits
//	                   │
//	Verify ────────────┤ counts the try, then compares
//	                   ├─ wrong, late, used, five tries, or too many wrong codes today ──▶ ErrCode, the same error for all
//	                   └─ right ──▶ person (made if new) + session ──▶ token, shown once
//
// Invariants:
//
//   - Neither a response nor its time reveals a known address: a person's row is first read by the job that mails the
//     code, and first written after a right code.
//   - A code is not stored. It is derived from the challenge's id and a secret of the server.
//   - A try is counted, under a lock of the challenge, before the comparison, and stays counted. So of any number of
//     parallel guesses at most five are compared, and two parallel right codes open one session.
//   - Tokens are 256 random bits; the database has their SHA-256 only.
//   - An invite is consumed in the transaction that creates the business, by the person with its verified address
//     only. A forwarded link is worthless: it never binds an identity, and never changes one.
//
// Callers: anyone may call Challenge, Verify and Invite; the surfaces call Authenticate; the command line calls
// CreateInvite. All others take the person of the session and touch no other person's rows. A person's access to a
// business is decided in package business.
package identity
