//go:build nolock

package discount

// underLock is off: what was read before decides. It is what everybody writes first, and is built only to prove that the race test can
// fail.
const underLock = false
