//go:build nolock

package walkin

// roomsLocked locks nothing: two transactions read the same seat and both occupy it. It is built only to prove that
// the race tests can fail.
const roomsLocked = ``
