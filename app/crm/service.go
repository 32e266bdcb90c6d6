package crm

import "foyer/app/pg"

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct {
	db     *pg.DB
	totals totals
}

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db: db} }
