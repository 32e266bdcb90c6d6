package walkin

import (
	"foyer/app/booking"
	"foyer/app/pg"
)

// Options are the dependencies of a Service.
type Options struct {
	DB      *pg.DB
	Booking *booking.Service
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct {
	db      *pg.DB
	booking *booking.Service
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Booking == nil {
		panic("walkin: an option is missing")
	}
	return &Service{db: o.DB, booking: o.Booking}
}
