//go:build nolock

package booking

// UnderLock locks nothing, and the conditions read no row again: an earlier reading decides. It is the naive
// implementation, built only to prove that the race tests can fail.
const (
	UnderLock     = ``
	severalWanted = `true`
	roomWanted    = `true`
	RoomFor       = `@online::boolean is not null`
)
