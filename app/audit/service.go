package audit

import (
	"time"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// Service reads and seals the log.
type Service struct{ db *pg.DB }

// New makes the service.
func New(db *pg.DB) *Service { return &Service{db} }

// Register adds the sweep of this package.
func (s *Service) Register(r *jobs.Registry) { jobs.Sweep(r, "audit.seal", 10*time.Minute, s.Seal) }
