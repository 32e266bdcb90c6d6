//go:build !nolock

package schedule_test

// Guarded tells whether people and spaces are locked before they are looked at; built with nolock they are not, and the
// races must show it.
const Guarded = true
