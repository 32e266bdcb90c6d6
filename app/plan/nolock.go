//go:build nolock

package plan

// underLock is off: an earlier reading decides. That is the naive version, built only to prove that the race test can
// fail.
const underLock = false
