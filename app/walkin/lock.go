//go:build !nolock

package walkin

// roomsLocked ends the statement that locks spaces s and keeps their offering f from being archived.
const roomsLocked = ` for key share of f for no key update of s`
