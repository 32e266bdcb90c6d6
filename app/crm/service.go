package crm

import "foyer/app/pg"

// Options are what a Service needs.
type Options struct {
	DB *pg.DB
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil {
		panic("crm: DB is missing")
	}
	return &Service{db: o.DB}
}
