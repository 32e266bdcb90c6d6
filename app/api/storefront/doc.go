// Package storefront is the part of the REST surface for a business's visitors: what is on offer, carts, holds and checkout.
// Package api says how operations are declared.
package storefront
