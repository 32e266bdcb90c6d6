package integrity

import (
	"log/slog"
	"time"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// Service counts again on demand and every night.
type Service struct {
	db  *pg.DB
	log *slog.Logger
}

// New makes the service. Differences that the night finds are told to log.
func New(db *pg.DB, log *slog.Logger) *Service { return &Service{db, log} }

// Register adds the sweep of this package.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Sweep(r, "integrity.nightly", 10*time.Minute, s.Nightly)
}
