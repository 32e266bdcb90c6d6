//go:build !nolock

package giftcard

// underLock makes changes of the same card wait for each other.
const underLock = true
