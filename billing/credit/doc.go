// Package credit stores account credit: the balances of customers with a studio that they can pay with. It is granted
// by the studio, with a reason, and by refunds as credit; it is spent by payments with it. No processor and no
// platform fee has a part in it.
//
// One row per customer and currency is the lock of every change, and its balance is never negative. Every credit
// transaction is stored. A grant or removal by hand is booked (package ledger) with it. Payments with credit, and
// refunds as credit, are booked by package billing as manual payments and refunds.
//
// For an order paid with credit first and by card for the remaining amount, the credit is reserved during the card
// payment (the order's tender is authorized until it expires): no other payment can use it meanwhile. A reservation
// ends by itself: the unused credit is free again.
//
// It is locked after orders and payments, and before the books.
package credit
