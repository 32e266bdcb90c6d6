// Package identity knows who is calling: persons, the codes that prove an address, the sessions that follow, and the
// invites that open a business. These rows belong to no business, so nothing here is behind the tenant wall: every row is
// found by its id, by the hash of a secret, or by the address it is about.
//
// Words: a person is a login and is known by one verified e-mail address. A challenge is one mailed code. A session is
// one sign-in, on one device. An invite is a link that lets one address open one business.
//
// A sign-in:
//
//	Challenge ──▶ challenge row + job identity.code ──▶ mail with six digits
//	                   │
//	Verify ────────────┤ counts the try, then compares
//	                   ├─ wrong, late, used, five tries, or too many wrong codes today ──▶ ErrCode, one answer for all
//	                   └─ right ──▶ person (made if new) + session ──▶ token, shown once
//
// What always holds:
//
//   - No answer and no amount of work tells whether an address is known: a person's row is first looked at by the job
//     that mails the code, and first written when a code came back.
//   - A code is not stored anywhere. It is derived from the challenge's id and a secret of the server.
//   - A try is counted, under a lock of the challenge, before anything is compared, and stays counted. So no number of
//     parallel guesses gets more than five of them compared, and two parallel right codes open one session.
//   - Tokens are 256 random bits; the database has their SHA-256 only.
//   - An invite is used up in the transaction that opens the business, by the person whose verified address it was sent
//     to and by nobody else. A forwarded link is worth nothing: it never binds an identity, and never changes one.
//
// Who may call: Challenge, Verify and Invite anybody; Authenticate the surfaces; CreateInvite the command line only; the
// rest takes the person of the session and touches no other person's rows. What a person may do in a business is not
// known here, see package business.
package identity
