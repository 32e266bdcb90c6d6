//go:build nolock

package walkin

// roomsLocked locks nothing: two look at the same seat and both take it. It is built only to prove that the race tests can
// fail.
const roomsLocked = ``
