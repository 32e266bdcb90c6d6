//go:build nolock

package schedule_test

const guarded = false
