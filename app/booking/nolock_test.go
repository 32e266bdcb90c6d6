//go:build nolock

package booking_test

const guarded = false
