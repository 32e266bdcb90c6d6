// Package dev is the surface that only "foyer dev" has: the mailbox of sent mails, the adjustable clock, and the
// pages of the simulated card processor and accounting provider. A production start never mounts it.
//
//	/dev                  overview
//	/dev/mailbox          the mails, newest first, with the newest code in large
//	/dev/mailbox/{id}     one mail; /html shows it as a mail program would
//	/dev/mailbox.json     the same for scripts; ?to= selects an address
//	/dev/clock            the time, and a form that changes it; a change runs every sweep once
//	/__sim/*              the card processor's pages: card form target, bank check, onboarding
//	/__ledger/*           the accounting provider's pages: connect, companies, documents
//
// It has no sign-in: any user of a dev program's address reads its mail. All of it responds only to a loopback name
// and to the program's own host, so that no website can read it under a name of its own, and forms refuse posts that
// another website sent.
package dev
