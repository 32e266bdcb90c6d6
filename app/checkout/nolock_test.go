//go:build nolock

package checkout_test

const guarded = false
