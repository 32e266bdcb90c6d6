// Package storefront is the REST surface for a business's visitors: listings, carts, holds and checkout. See package
// api for the declaration of operations.
package storefront
