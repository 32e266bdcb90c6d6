package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/ent"
	entspace "foyer/ent/space"
)

var spaceConstraints = map[string]error{"spaces_name_key": ErrSpaceName}

func spaceFrom(row *ent.Space) Space {
	return Space{
		ID: row.ID, LocationID: row.LocationID, ParentID: row.ParentID, Name: row.Name, Capacity: row.Capacity,
		ArchivedAt: row.ArchivedAt, Version: row.Version, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

// SpaceOf reads a space of a location, archived or not, of the business that r acts for; fault.Missing when there is none.
func SpaceOf(ctx context.Context, r pg.Reader, location, id uuid.UUID) (Space, error) {
	row, err := pg.Found(r.Ent().Space.Query().Where(entspace.ID(id), entspace.LocationID(location)).Only(ctx))
	if err != nil {
		return Space{}, err
	}
	return spaceFrom(row), nil
}

func listSpaces(ctx context.Context, r pg.Reader, location uuid.UUID, in paging.In[uuid.UUID]) ([]Space, error) {
	rows, err := r.Ent().Space.Query().
		Where(entspace.BusinessID(r.Business()), entspace.LocationID(location), entspace.ArchivedAtIsNil(), entspace.IDGT(in.From())).
		Order(entspace.ByID()).Limit(in.Size() + 1).All(ctx)
	return each(rows, spaceFrom), err
}

func insertSpace(ctx context.Context, tx *pg.Tx, s Space) error {
	err := tx.Ent().Space.Create().SetID(s.ID).SetBusinessID(tx.Business()).SetLocationID(s.LocationID).
		SetNillableParentID(s.ParentID).SetName(s.Name).SetCapacity(s.Capacity).SetVersion(s.Version).
		SetCreatedAt(s.CreatedAt).SetUpdatedAt(s.UpdatedAt).Exec(ctx)
	return pg.Map(err, spaceConstraints)
}

func saveSpace(ctx context.Context, tx *pg.Tx, s Space) (Space, error) {
	s.Version, s.UpdatedAt = s.Version+1, tx.Now()
	u := tx.Ent().Space.Update().Where(entspace.ID(s.ID)).SetName(s.Name).SetCapacity(s.Capacity).
		SetNillableParentID(s.ParentID).SetNillableArchivedAt(s.ArchivedAt).SetVersion(s.Version).SetUpdatedAt(s.UpdatedAt)
	if s.ParentID == nil {
		u.ClearParentID()
	}
	return s, pg.Map(u.Exec(ctx), spaceConstraints)
}

// isInside reports whether space id is whole, or a part of it at any depth. union keeps the walk finite whatever it meets.
func isInside(ctx context.Context, tx *pg.Tx, id, whole uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `with recursive up as (
			select id, parent_id from spaces where business_id = $1 and id = $2
			union
			select s.id, s.parent_id from up join spaces s on s.business_id = $1 and s.id = up.parent_id
		)
		select exists (select from up where id = $3)`, tx.Business(), id, whole)
}

func hasParts(ctx context.Context, tx *pg.Tx, id uuid.UUID) (bool, error) {
	return tx.Ent().Space.Query().Where(entspace.ParentID(id), entspace.ArchivedAtIsNil()).Exist(ctx)
}
