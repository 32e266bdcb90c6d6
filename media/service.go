package media

import (
	"log/slog"
	"time"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/media/store"
)

// Options are what the package needs.
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

// The refusals about photos, besides what is wrong with a file.
var (
	// ErrStoreDown: the files cannot be kept or read now. Nothing was done.
	ErrStoreDown = fault.New(fault.Internal, "photos_unavailable",
		"Photos cannot be saved at the moment. Nothing was lost; try again in a moment.").With("retryable", true).After(5)
	ErrFull     = fault.New(fault.Validation, "photos_full", "There are 2,000 photos already. Delete some that are not used.")
	ErrArchived = fault.New(fault.Conflict, "photo_archived", "This photo is archived. Restore it first.")
	ErrCrowded  = fault.New(fault.Conflict, "placements_full", "There are 20 photos here already. Take one away first.")
)

// How often the sweeps look, in real time, and after what time of silence they take a photo for forgotten, by the clock.
const (
	sizesEvery     = time.Minute
	leftoversEvery = time.Minute
	forgotten      = 10 * time.Minute
	dueAtOnce      = 100
)

// Register puts the jobs and sweeps of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MakeSizes)
	jobs.Handle(r, s.RemoveFiles)
	jobs.Sweep(r, "media.sizes", sizesEvery, s.SizesDue)
	jobs.Sweep(r, "media.leftovers", leftoversEvery, s.LeftoversDue)
}
