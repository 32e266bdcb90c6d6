package schedule

import (
	"time"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// Options are the dependencies of a Service.
type Options struct {
	DB       *pg.DB
	Bookings Bookings
	// Cards is the processor's environment for card payments; empty without a processor.
	Cards processor.Env
}

// Service has the verbs of this package.
type Service struct {
	db       *pg.DB
	bookings Bookings
	cards    processor.Env
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || !o.Bookings.complete() {
		panic("schedule: an option is missing")
	}
	return &Service{db: o.DB, bookings: o.Bookings, cards: o.Cards}
}

// Register registers the sweep of this package.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "series", 30*time.Second, s.Materialise)
}
