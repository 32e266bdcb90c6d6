//go:build !nolock

package booking

// placesLocked ends the statement that locks occurrences o and keeps their offerings f from being archived.
const placesLocked = ` for key share of f for no key update of o`
