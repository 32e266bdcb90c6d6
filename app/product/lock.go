//go:build !nolock

package product

// underLock makes sales of the same variants wait for each other.
const underLock = true
