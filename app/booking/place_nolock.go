//go:build nolock

package booking

// placesLocked locks nothing: two look at the same seats and both take them. It is built only to prove that the race tests
// can fail.
const placesLocked = ``
