package booking

import (
	"time"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// Options are what a Service needs.
type Options struct {
	DB *pg.DB
}

// Service has the verbs of this package that open their own transaction. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil {
		panic("booking: DB is missing")
	}
	return &Service{db: o.DB}
}

// Register puts the sweep of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "booking.expire", sweepEvery, s.ExpireDue)
}

// sweepEvery is how often overdue holds are looked for, in real time. Nobody waits for it: whoever finds a time full
// ends the overdue holds there at once (ExpireAt).
const sweepEvery = 2 * time.Second
