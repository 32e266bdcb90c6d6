// Package owed collects what customers owe after they have booked: balances of deposits, prices to be paid at the
// studio, and fees. A payment is recorded at the desk, charged to a saved card, by a person or by itself, or made by
// the customer with a link.
//
// At the desk, RecordPayment records a customer's payment of amounts due for bookings and fees, by a method without
// the processor; the part of a price that is in no order yet becomes one there, without a cart. A card pays a fee, or
// the balances of bookings at one location, by an order of their own (package order), which is open until it is paid.
// If it is no longer due by then, its payment is refunded.
//
//	due ──┬─▶ RecordPayment ─────────────────────────────────────────────▶ paid
//	      ├─▶ Collect, ChargeAll ─────▶ order open ─┬────────────────────▶ paid
//	      │                              ▲          └─ declined: the customer is mailed a link
//	      └─▶ PayBalance, Pay: by link ──┘
//
// The lock order: the payment, the bookings, the orders with an amount due, the fees, the order itself. RecordPayment
// locks bookings, then orders, then fees, then the location.
package owed
