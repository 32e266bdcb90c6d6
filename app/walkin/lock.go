//go:build !nolock

package walkin

// roomsLocked ends the statement that locks spaces s and keeps their offering f from being archived and the location
// h from being closed.
const roomsLocked = ` for key share of f, h for no key update of s`
