package waitlist

import (
	"time"

	"foyer/app/jobs"
)

// Register registers the sweep and the jobs of this package with the worker.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailLetter)
	jobs.Handle(r, s.RunRound)
	jobs.Sweep(r, "booking.waitlist", sweepEvery, s.RoundsDue)
}

// sweepEvery is the interval of the sweep for lists with a lost round, in real time.
const sweepEvery = 2 * time.Second
