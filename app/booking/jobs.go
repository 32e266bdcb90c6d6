package booking

import (
	"time"

	"foyer/app/jobs"
)

// Register puts the sweeps of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "booking.expire", sweepEvery, s.ExpireDue)
	jobs.Sweep(r, "booking.complete", completeEvery, s.CompleteDue)
	jobs.Sweep(r, "booking.forget", forgetEvery, s.ForgetDue)
}

// sweepEvery is how often overdue holds are looked for, in real time. Nobody waits for it: whoever finds a time full
// ends the overdue holds there at once (ExpireAt).
const sweepEvery = 2 * time.Second

// completeEvery is how often bookings are looked for whose time is over, in every business. Nothing waits for it.
const completeEvery = 5 * time.Minute

// forgetEvery is how often seats are looked for that were given up long ago, in real time.
const forgetEvery = time.Hour
