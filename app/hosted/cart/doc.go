// Package cart has the pages between choosing and booking: the cart, the attendees, the required agreements, payment,
// and the receipt with its balance due. Pages of listings fill a cart with Fill.
package cart
