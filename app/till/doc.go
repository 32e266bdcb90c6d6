// Package till handles the studio's own money at the desk: the cash drawer of a location, from its opening to its
// count, and settlements: the arrival at the bank of payments by another method (the studio's terminal, a transfer).
//
// Words: the float is the cash in a drawer at its opening. Expected is the amount that should be in it: the float,
// the cash payments of customers (package billing's manual payments) less their refunds, and pay ins and pay outs.
// Found is the expected amount at its opening: the amount kept in the one before, and the cash paid while none was
// open.
//
// A drawer:
//
//	open ──pay in, pay out──▶ open ──count──▶ closed: a part is kept for the next one, the remainder is banked
//
// Invariants: a location has one open drawer at most; a cash payment goes into it, and a count waits meanwhile. Every
// change of a drawer is booked: transfers from and to the studio's own account, and over or short at the count. A
// closed drawer never changes.
//
// Not included: the purpose of a pay out; that is the accountant's.
package till
