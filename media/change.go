package media

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// UpdateInput changes the description of a photo: a nil field stays as it is.
type UpdateInput struct {
	ID    uuid.UUID
	Title *string
	Alt   *string
	Tags  *[]string // replaces all tags
}

// Update changes title, alternative text or tags, in all places of the photo. It needs catalog.manage in each of
// them. Errors: not found; Validation. A206.
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Asset, error) {
	return s.change(ctx, sc, in.ID, func(_ *pg.Tx, a *Asset) (bool, error) {
		patch.Set(&a.Title, in.Title)
		patch.Set(&a.Alt, in.Alt)
		patch.Set(&a.Tags, in.Tags)
		var c fault.Checks
		a.check(&c)
		return in.Title != nil || in.Alt != nil || in.Tags != nil, c.Err()
	})
}

// Archive hides a photo from selection; existing placements stay. It needs catalog.manage in its places. Archiving an
// archived photo changes nothing. Error: not found. A208.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Asset, error) {
	return s.change(ctx, sc, id, func(tx *pg.Tx, a *Asset) (bool, error) {
		if a.ArchivedAt != nil {
			return false, nil
		}
		now := tx.Now()
		a.ArchivedAt = &now
		return true, nil
	})
}

// Restore makes an archived photo available for selection again. It needs catalog.manage in its places. Error: not
// found. A209.
func (s *Service) Restore(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Asset, error) {
	return s.change(ctx, sc, id, func(_ *pg.Tx, a *Asset) (bool, error) {
		changed := a.ArchivedAt != nil
		a.ArchivedAt = nil
		return changed, nil
	})
}

// change saves the changes of edit to a photo, locked meanwhile; edit reports whether there is anything to save.
func (s *Service) change(ctx context.Context, sc tenancy.Scope, id uuid.UUID, edit func(*pg.Tx, *Asset) (bool, error)) (Asset, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Asset{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Asset, error) {
		a, err := s.lockOwn(ctx, tx, sc, id)
		if err != nil {
			return Asset{}, err
		}
		changed, err := edit(tx, &a)
		if err != nil || !changed {
			return a, err
		}
		return a, save(ctx, tx, &a)
	})
}

// lockOwn locks a photo that the actor may change: the actor needs catalog.manage in all its places.
func (s *Service) lockOwn(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID) (Asset, error) {
	a, err := lock(ctx, tx, id)
	if err != nil {
		return Asset{}, err
	}
	shown, err := placements(ctx, tx, id)
	if err != nil {
		return Asset{}, err
	}
	for _, p := range shown {
		if err := requireAt(sc, p.LocationID); err != nil {
			return Asset{}, err
		}
	}
	return a, nil
}

// requireAt checks catalog.manage at the location of a subject, or in the whole business.
func requireAt(sc tenancy.Scope, location *uuid.UUID) error {
	if location == nil {
		return policy.Require(sc, policy.CatalogManage)
	}
	return policy.RequireAt(sc, policy.CatalogManage, *location)
}

// Delete deletes a photo for good, with its placements. A job deletes its files at once, or if the store is down, as
// soon as it is back. The same bytes in another business stay. It needs catalog.manage in its places. Error: not
// found. A207.
func (s *Service) Delete(ctx context.Context, sc tenancy.Scope, id uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		if _, err := s.lockOwn(ctx, tx, sc, id); err != nil {
			return err
		}
		if err := remove(ctx, tx, id); err != nil {
			return err
		}
		if err := dueLeftover(ctx, tx, id, tx.Now()); err != nil {
			return err
		}
		return jobs.EnqueueTx(ctx, tx, RemoveJob{Business: tx.Business(), Asset: id})
	})
}
