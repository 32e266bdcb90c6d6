//go:build !nolock

package booking_test

// Guarded tells whether the seat statement guards; built with nolock it does not, and the races must show it.
const Guarded = true
