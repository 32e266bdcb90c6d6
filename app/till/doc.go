// Package till is the studio's own money at the desk: the cash drawer of a location, from when it is opened until it is counted, and
// what was paid elsewhere (by the studio's terminal, a transfer) and has arrived at its bank.
//
// Words: the float is what is in a drawer when it is opened. Expected is what has to be in it: the float, the cash that customers paid
// (package billing's manual payments) without what was handed back to them, and what was paid in or out. Found is what had to be in it when it was
// opened: what was left in the one before, and the cash that was taken while none was open.
//
// A drawer:
//
//	open ──pay in, pay out──▶ open ──count──▶ closed: a part is left for the next one, the rest is taken to the bank
//
// What always holds: a location has one open drawer at most; cash that is taken goes into it, and nobody counts it meanwhile. All that
// happens to a drawer is in the books: what goes between it and the studio's own account, and what is missing or too much when it is
// counted. A drawer that is closed never changes.
//
// What it does not do: say what money that was paid out was spent for; that is the accountant's.
package till
