package booking

import (
	"time"

	"foyer/app/jobs"
)

// Register registers the sweeps of this package with the worker.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "booking.expire", sweepEvery, s.ExpireDue)
	jobs.Sweep(r, "booking.complete", completeEvery, s.CompleteDue)
	jobs.Sweep(r, "booking.forget", forgetEvery, s.ForgetDue)
}

// sweepEvery is the interval of the sweep for expired holds, in real time. No caller waits for it: a caller that
// finds a time full ends the expired holds there at once (ExpireAt).
const sweepEvery = 2 * time.Second

// completeEvery is the interval of the sweep for ended bookings, in every business. No caller waits for it.
const completeEvery = 5 * time.Minute

// forgetEvery is the interval of the sweep for seats released long ago, in real time.
const forgetEvery = time.Hour
