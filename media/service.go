package media

import (
	"log/slog"
	"time"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/media/store"
)

// Options are the dependencies of the package.
type Options struct {
	DB    *pg.DB
	Store store.Store
	Log   *slog.Logger // slog.Default when nil
}

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct {
	db    *pg.DB
	store store.Store
	log   *slog.Logger
}

// New returns a Service. It panics without DB or Store: that is a mistake to find at start.
func New(o Options) *Service {
	if o.DB == nil || o.Store == nil {
		panic("media: DB and Store are needed")
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Service{db: o.DB, store: o.Store, log: o.Log}
}

// The refusals about photos, besides those about a file.
var (
	// ErrStoreDown means that the store cannot be reached. Nothing was changed.
	ErrStoreDown = fault.New(fault.Internal, "photos_unavailable",
		"Photos cannot be saved at the moment. Nothing was changed. Try again in a moment.").With("retryable", true).After(5)
	ErrFull     = fault.New(fault.Validation, "photos_full", "The limit of 2,000 photos is reached. Delete unused photos first.")
	ErrArchived = fault.New(fault.Conflict, "photo_archived", "This photo is archived. Restore it first.")
	ErrCrowded  = fault.New(fault.Conflict, "placements_full", "There are already 20 photos here. Remove one first.")
)

// The intervals of the sweeps, in real time, and the time without progress after which they take up a photo, by the
// clock.
const (
	sizesEvery     = time.Minute
	leftoversEvery = time.Minute
	forgotten      = 10 * time.Minute
	dueAtOnce      = 100
)

// Register adds the jobs and sweeps of this package to the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MakeSizes)
	jobs.Handle(r, s.RemoveFiles)
	jobs.Sweep(r, "media.sizes", sizesEvery, s.SizesDue)
	jobs.Sweep(r, "media.leftovers", leftoversEvery, s.LeftoversDue)
}
