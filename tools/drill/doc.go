// Command drill holds the product to what it promises for a bad day. It starts the real "foyer serve" on a Postgres of its own,
// opens studios and books as strangers do, over HTTP, and while they book something is stopped, killed, filled or replaced.
// "make drill" runs all of it and prints the table of docs/reliability.md.
//
// A drill is one file with one function that returns figures; a figure that misses its aim is told, and ends the program with 1
// when its goal allows no exception (those with a star).
//
//	main.go      the drills, in order, and the command line
//	figure.go    what was measured, beside its aim
//	place.go     where it happens: folders, settings, databases, the town that most drills share
//	program.go   "foyer" as a process: started, told to end, killed, its memory
//	postgres.go  the server beneath, and signals to it
//	post.go      receives the mail of the product, for its sign-in codes
//	stripe.go    the card processor's simulator where Stripe is
//	proxy.go     nginx, as docs/operations.md has it
//	studio.go    opens studios, as their owners do
//	visitor.go   reads and books, as customers do, and keeps what was acknowledged
//	wire.go      HTTP without second tries: a request that is lost stays lost
//	load.go      so many requests a second, and what became of them
//
// and the drills: crowd.go (L1 to L3), lockedrow.go, silence.go, rolling.go, sigterm.go, assistants.go, cut.go,
// killed.go, versions.go, diskfull.go, hangs.go.
//
// Load and product share the machine: what the load costs is missing to the product.
package main
