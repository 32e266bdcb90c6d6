// Package clock is where the product gets the time from. Nothing in the product calls time.Now or SQL now(): tests, the
// dev program and practice businesses move the clock, and Go's own cannot be faked from outside.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock tells the current instant, in UTC and to the microsecond, which is what Postgres keeps.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now returns the machine's time.
func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Moving is the machine's clock plus an offset that can be moved. Safe for concurrent use. The zero value shows the
// machine's time.
type Moving struct{ offset atomic.Int64 }

// Now returns the machine's time plus the offset.
func (m *Moving) Now() time.Time {
	return time.Now().Add(time.Duration(m.offset.Load())).UTC().Truncate(time.Microsecond)
}

// Advance moves the clock by d (also back) and returns the new time.
func (m *Moving) Advance(d time.Duration) time.Time {
	m.offset.Add(int64(d))
	return m.Now()
}

// Fixed stands still until it is set. Safe for concurrent use.
type Fixed struct{ at atomic.Pointer[time.Time] }

// NewFixed returns a clock that stands at t.
func NewFixed(t time.Time) *Fixed {
	f := &Fixed{}
	f.Set(t)
	return f
}

// Now returns the time it was last set to.
func (f *Fixed) Now() time.Time { return *f.at.Load() }

// Set puts the clock at t.
func (f *Fixed) Set(t time.Time) {
	t = t.UTC().Truncate(time.Microsecond)
	f.at.Store(&t)
}

// Advance moves the clock by d and returns the new time.
func (f *Fixed) Advance(d time.Duration) time.Time {
	f.Set(f.Now().Add(d))
	return f.Now()
}
