// Package credit keeps what customers have with a studio and can pay with: account credit. It comes from the studio's hand, with a
// reason, and from payments that are refunded as credit; it goes when something is paid with it. No processor and no platform fee has
// a part in it.
//
// One row a customer and currency is the lock under which it moves, and is never less than nothing; every move is kept, and what a studio
// grants or takes back by hand is in its books (package ledger) with it. What is paid with credit, or refunded to it, is in the books
// as a manual payment or a refund, by package billing.
//
// Of an order that is paid with credit first and by card for the rest, the credit is kept while the card payment is under way
// (orders.credit_until): nothing else is paid with it meanwhile. It needs no giving back: what is not paid by then is free again.
//
// It is locked after orders, payments and manual payments, and before the books.
package credit
