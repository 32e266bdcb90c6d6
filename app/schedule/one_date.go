package schedule

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// dateRef names a date of an offering's series.
type dateRef struct{ offering, occurrence uuid.UUID }

// oneDate is a date of a series that a verb is about, with where it is.
type oneDate struct {
	written
	OfferingID    uuid.UUID
	OfferingState catalog.State
	LocationID    uuid.UUID
	Zone          string
	PersonID      *uuid.UUID // of the instructor, for the caller's own dates
}

// changeDate begins every change of one date: it reads the date, not locked yet, and checks a feature at its
// location, or for the caller's own dates when it is one.
func changeDate[T any](ctx context.Context, s *Service, sc tenancy.Scope, need tenancy.Feature, wrong error, of dateRef, reason string,
	do func(*pg.Tx, oneDate) (T, error)) (T, error) {
	return begin(ctx, s, sc, need, wrong, reason, func(tx *pg.Tx) (out T, err error) {
		d, err := dateOf(ctx, tx, of)
		if err != nil {
			return out, err
		}
		own := d.PersonID != nil && *d.PersonID == sc.Person()
		if err := policy.RequireRow(sc, need, d.LocationID, own); err != nil {
			return out, err
		}
		return do(tx, d)
	})
}

// lock locks the date after its present and new people and spaces, and reads it again. A date with other people
// meanwhile is stale: their locks would come too late.
func (d *oneDate) lock(ctx context.Context, tx *pg.Tx, to written) error {
	members, spaces := edit{}.resources([]written{d.written, to})
	if _, err := claim.LockTx(ctx, tx, members, spaces); err != nil {
		return err
	}
	now, err := lockDate(ctx, tx, d.ID)
	if err != nil {
		return err
	}
	if !equal(now.MemberID, d.MemberID) || !equal(now.SpaceID, d.SpaceID) {
		return fault.ErrStale.With("version", now.Version)
	}
	d.written = now
	return nil
}

// open is why a date cannot be changed; nil when it can.
func (d oneDate) open(now time.Time) error {
	switch {
	case !d.StartsAt.After(now):
		return ErrBegun
	case d.State == Cancelled:
		return ErrDateCancelled
	case d.OfferingState == catalog.Archived:
		return catalog.ErrArchived
	}
	return nil
}

// to is the work of changing the date to is.
func (d oneDate) to(is written) work { return work{steps: []step{{d.written, is}}} }

// ending is the date being cancelled by hand.
func (d oneDate) ending(reason string) work {
	is := d.written
	is.State, is.CancelReason = Cancelled, reason
	is.differ(FieldState)
	return d.to(is)
}

// differ notes a field as the date's own.
func (w *written) differ(f Field) {
	if !w.own(f) {
		w.Overrides = append(slices.Clip(w.Overrides), f)
	}
}

// saveDate writes single dates and their claims, as versions that were never given.
func (c *change) saveDate(ctx context.Context, tx *pg.Tx) error {
	spent := map[uuid.UUID]int64{}
	for _, series := range c.series() {
		of, err := undoneVersions(ctx, tx, series)
		if err != nil {
			return err
		}
		maps.Copy(spent, of)
	}
	c.number(spent)
	if err := updateDates(ctx, tx, c.steps); err != nil {
		return err
	}
	return c.claim(ctx, tx)
}

// series are those that the dates belong to.
func (w work) series() (ids []uuid.UUID) {
	for _, st := range w.steps {
		if !slices.Contains(ids, st.was.SeriesID) {
			ids = append(ids, st.was.SeriesID)
		}
	}
	return ids
}
