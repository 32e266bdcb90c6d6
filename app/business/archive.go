package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// PutAway is what is put away with a location.
type PutAway struct {
	Offerings int // that are archived
	Dates     int // to come, that nobody can see or book any more
	Waiting   int // places on their waitlists; whoever has one is told
}

// ArchivedLocation is a location that has been put away.
type ArchivedLocation struct {
	Location
	Gone PutAway
}

// Effects are what a quote of archiving promises.
func (a ArchivedLocation) Effects() any { return a.Gone }

// ArchiveLocation puts a location away, with all that is sold there: the public finds nothing there any more (E111), and who waits for
// a seat is told that there will be none. History stays, and its address is nobody else's. While somebody is booked there it is
// refused, and details says how many, and for what. Archiving what is archived changes nothing. Errors: policy.ErrMissingFeature
// (business.manage), fault.Missing, what PutAwayTx refuses.
func (s *Service) ArchiveLocation(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (ArchivedLocation, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), nil, func(tx *pg.Tx) (ArchivedLocation, error) {
		l, err := LocationOf(ctx, tx, id)
		if err != nil || l.ArchivedAt != nil {
			return ArchivedLocation{Location: l}, err
		}
		gone, err := s.o.PutAwayTx(ctx, tx, sc, id) // locks what is sold there, which everybody does before the location
		if err != nil {
			return ArchivedLocation{}, err
		}
		if l, err = lockLocation(ctx, tx, id); err != nil || l.ArchivedAt != nil {
			return ArchivedLocation{Location: l}, err
		}
		now := tx.Now()
		l.ArchivedAt = &now
		l, err = saveLocation(ctx, tx, l)
		return ArchivedLocation{l, gone}, err
	})
}
