//go:build !nolock

package discount

// underLock makes orders that use up a discount wait for each other.
const underLock = true
