//go:build nolock

package booking

// UnderLock waits for nobody, and the conditions ask nothing again: what was read before decides. It is what everybody writes
// first, and is built only to prove that the race tests can fail.
const (
	UnderLock  = ``
	roomWanted = `true`
	RoomFor    = `@online::boolean is not null`
)
