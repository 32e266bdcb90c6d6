//go:build !nolock

package plan

// underLock makes sales of the same variants wait for each other.
const underLock = true
