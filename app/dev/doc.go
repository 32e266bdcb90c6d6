// Package dev is the surface that only "foyer dev" has: the mailbox in which mails land, the clock that can be moved, and
// the pages of the processor simulator. A production start never mounts it.
//
//	/dev                  what there is
//	/dev/mailbox          the mails, newest first, with the newest code in large
//	/dev/mailbox/{id}     one mail; /html shows it as a mail program would
//	/dev/mailbox.json     the same for scripts; ?to= chooses an address
//	/dev/clock            what time it is, and a form that moves it; a move runs every sweep once
//	/__sim/*              the simulator's pages: card form target, bank check, onboarding
//
// There is no sign-in here: whoever reaches the address of a dev program reads its mail. All of it answers only to a
// loopback name and to the program's own host, so that no website can read it under a name of its own, and forms refuse
// posts that another website sent.
package dev
