//go:build !nolock

package checkout_test

// guarded tells whether the seat statement guards; built with nolock it does not, and the races must show it.
const guarded = true
