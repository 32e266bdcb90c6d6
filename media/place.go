package media

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// PlaceInput shows a photo with a subject, at a position among its photos.
type PlaceInput struct {
	AssetID  uuid.UUID
	Subject  Subject
	Position int // from 1, the cover; 0: unchanged, or last for a new one
}

// Place shows a photo with a subject. A photo that is already shown there changes its position. It needs
// catalog.manage at the subject's location, and in the whole business for a subject without one.
//
// Errors: not found, also for another business's subject; Validation; ErrArchived; ErrCrowded.
func (s *Service) Place(ctx context.Context, sc tenancy.Scope, in PlaceInput) (Detail, error) {
	if in.Position < 0 || in.Position > PlacedMax {
		return Detail{}, fault.Invalid("position", fmt.Sprintf("Use 1 to %d.", PlacedMax))
	}
	return s.arrange(ctx, sc, in.AssetID, in.Subject, func(list []uuid.UUID) ([]uuid.UUID, error) {
		at := slices.Index(list, in.AssetID)
		if at >= 0 && in.Position == 0 {
			return list, nil
		}
		list = without(list, in.AssetID)
		if len(list) == PlacedMax {
			return nil, ErrCrowded
		}
		at = len(list)
		if in.Position > 0 {
			at = min(in.Position-1, len(list))
		}
		return slices.Insert(list, at, in.AssetID), nil
	})
}

// Unplace removes a photo from a subject, or from all with a nil subject. Where it is not shown, nothing changes. It
// needs the permission of Place for each of them. Error: not found.
func (s *Service) Unplace(ctx context.Context, sc tenancy.Scope, id uuid.UUID, from *uuid.UUID) (Detail, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Detail{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Detail, error) {
		d, err := detail(ctx, tx, id)
		if err != nil {
			return d, err
		}
		// One order of locks.
		slices.SortFunc(d.Placements, func(a, b Placement) int { return slices.Compare(a.SubjectID[:], b.SubjectID[:]) })
		for _, p := range d.Placements {
			if from != nil && p.SubjectID != *from {
				continue
			}
			of := Subject{p.Kind, p.SubjectID}
			list, err := s.lockSubject(ctx, tx, sc, of)
			if err != nil {
				return d, err
			}
			if err := replace(ctx, tx, of, without(list, id)); err != nil {
				return d, err
			}
		}
		return detail(ctx, tx, id)
	})
}

func without(list []uuid.UUID, id uuid.UUID) []uuid.UUID {
	return slices.DeleteFunc(slices.Clone(list), func(other uuid.UUID) bool { return other == id })
}

// arrange changes the photos of a subject, one of them being the given photo.
func (s *Service) arrange(ctx context.Context, sc tenancy.Scope, id uuid.UUID, of Subject, edit func([]uuid.UUID) ([]uuid.UUID, error)) (Detail, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Detail{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Detail, error) {
		was, err := s.lockSubject(ctx, tx, sc, of)
		if err != nil {
			return Detail{}, err
		}
		list, err := edit(was)
		if err != nil {
			return Detail{}, err
		}
		if err := put(ctx, tx, of, was, list); err != nil {
			return Detail{}, err
		}
		return detail(ctx, tx, id)
	})
}

// PutAll replaces the photos of a subject, in the given order: the first is the cover. The list may be empty. It
// needs the permission of Place.
//
// Errors: not found for the subject; Validation, under "assetIds", for an unknown photo, an archived one that is not
// already shown there, or a duplicate.
func (s *Service) PutAll(ctx context.Context, sc tenancy.Scope, of Subject, ids []uuid.UUID) ([]Asset, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return nil, err
	}
	var c fault.Checks
	c.That(len(ids) <= PlacedMax, "assetIds", fmt.Sprintf("Use at most %d.", PlacedMax))
	for i, id := range ids[:min(len(ids), PlacedMax)] {
		c.That(!slices.Contains(ids[:i], id), fmt.Sprintf("assetIds[%d]", i), "This is named twice.")
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) ([]Asset, error) {
		was, err := s.lockSubject(ctx, tx, sc, of)
		if err != nil {
			return nil, err
		}
		if err := checkPlaceable(ctx, tx, was, ids); err != nil {
			return nil, err
		}
		if err := replace(ctx, tx, of, ids); err != nil {
			return nil, err
		}
		return ofSubject(ctx, tx, of.ID)
	})
}

// Of returns the name of a subject and its photos, the cover first. It needs the permission of Place. Error: not
// found.
func (s *Service) Of(ctx context.Context, sc tenancy.Scope, of Subject) (name string, list []Asset, err error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return "", nil, err
	}
	view := s.db.View(sc.Tenant)
	at, found, err := nameOf(ctx, view, of)
	if err != nil || !found {
		return "", nil, fault.When(!found, fault.Missing(), err)
	}
	if err := requireAt(sc, at.LocationID); err != nil {
		return "", nil, err
	}
	list, err = ofSubject(ctx, view, of.ID)
	return at.Name, list, err
}

// put writes the changed photos of a subject. A new photo must exist and not be archived.
func put(ctx context.Context, tx *pg.Tx, of Subject, was, list []uuid.UUID) error {
	for _, id := range list {
		if slices.Contains(was, id) {
			continue
		}
		a, err := keep(ctx, tx, id)
		if err != nil {
			return err
		}
		if a.ArchivedAt != nil {
			return ErrArchived
		}
	}
	return replace(ctx, tx, of, list)
}

// checkPlaceable refuses photos that cannot be shown, each under its index in the list.
func checkPlaceable(ctx context.Context, tx *pg.Tx, was, ids []uuid.UUID) error {
	usable, err := keepUsable(ctx, tx, ids)
	if err != nil {
		return err
	}
	var c fault.Checks
	for i, id := range ids {
		c.That(slices.Contains(usable, id) || slices.Contains(was, id), fmt.Sprintf("assetIds[%d]", i), "There is no such photo in use.")
	}
	return c.Err()
}

// lockSubject locks a subject that the actor may show photos with, and reads its photos.
func (s *Service) lockSubject(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, of Subject) ([]uuid.UUID, error) {
	at, found, err := lockedName(ctx, tx, of)
	if err != nil || !found {
		return nil, fault.When(!found, fault.Missing(), err)
	}
	if err := requireAt(sc, at.LocationID); err != nil {
		return nil, err
	}
	return placed(ctx, tx, of.ID)
}
