package waitlist

import (
	"time"

	"foyer/app/jobs"
)

// Register puts the sweep and the jobs of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailLetter)
	jobs.Handle(r, s.RunRound)
	jobs.Sweep(r, "booking.waitlist", sweepEvery, s.RoundsDue)
}

// sweepEvery is how often lists are looked for whose round got lost, in real time.
const sweepEvery = 2 * time.Second
