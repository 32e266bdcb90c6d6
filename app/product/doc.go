// Package product has the products of a business, their stock, and their sale as the kind order.Product.
//
// A product differs in up to three options (Size, Colour), each with its choices. A variant is the product in one
// choice of each option; it has a price, and may have a sku, a barcode and a cost. A product without options has one
// variant.
//
//	draft ⇄ published    by Update
//	either → archived    by Archive, and back by Update with a state
//
// Only published products are sold, by locations with their currency. A variant whose stock is tracked is sold where it
// has a stock level; its first receipt or count there begins one. Any other variant is sold everywhere.
//
// The stock ledger: a move changes the stock of a variant at a location, and is never changed itself. The level is the
// sum of the moves, under one lock; of it, some is held for carts. What always holds, by constraints of the database:
//
//   - held is what reservations keep, and a reservation keeps what a hold of seats would: until it is sold or released
//   - held ≤ on hand, unless the variant may be sold below zero
//   - a line of an order is sold once
//   - moves have consecutive numbers, and each the level after it
//
// Levels are locked in the order of their variants and locations, after the rows of products and variants.
//
// Not here: carts and orders (app/checkout, app/order), and the income of a sale (billing).
package product
