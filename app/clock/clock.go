// Package clock provides the time. Nothing in the product calls time.Now or SQL now(): tests, the dev program and
// practice businesses change the clock, and Go's own cannot be faked from outside.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock returns the current instant, in UTC and to the microsecond, the precision of Postgres.
type Clock interface {
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now returns the machine's time.
func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Adjustable is the machine's clock plus an adjustable offset. Safe for concurrent use. The zero value returns the
// machine's time.
type Adjustable struct{ offset atomic.Int64 }

// Now returns the machine's time plus the offset.
func (m *Adjustable) Now() time.Time {
	return time.Now().Add(time.Duration(m.offset.Load())).UTC().Truncate(time.Microsecond)
}

// Advance advances the clock by d, also back, and returns the new time.
func (m *Adjustable) Advance(d time.Duration) time.Time {
	m.offset.Add(int64(d))
	return m.Now()
}

// Fixed returns the same time until it is set. Safe for concurrent use.
type Fixed struct{ at atomic.Pointer[time.Time] }

// NewFixed returns a clock fixed at t.
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

// Advance advances the clock by d and returns the new time.
func (f *Fixed) Advance(d time.Duration) time.Time {
	f.Set(f.Now().Add(d))
	return f.Now()
}
