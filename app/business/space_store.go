package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	entspace "foyer/ent/space"
)

var spaceConstraints = map[string]error{"spaces_name_key": ErrSpaceName}

const selectSpaces = `select id, location_id, parent_id, name, capacity, archived_at, version, created_at, updated_at from spaces
	where business_id = $1 and location_id = $2 and `

// SpaceOf reads a space of a location, archived or not, of the business of r. It returns fault.Missing when there is
// none.
func SpaceOf(ctx context.Context, r pg.Reader, location, id uuid.UUID) (Space, error) {
	return pg.Found(pg.One[Space](ctx, r, selectSpaces+"id = $3", r.Business(), location, id))
}

func listSpaces(ctx context.Context, r pg.Reader, location uuid.UUID, in paging.In[uuid.UUID]) ([]Space, error) {
	return pg.All[Space](ctx, r, selectSpaces+"archived_at is null and id > $3 order by id limit $4",
		r.Business(), location, in.From(), in.Size()+1)
}

func insertSpace(ctx context.Context, tx *pg.Tx, s Space) error {
	err := tx.Ent().Space.Create().SetID(s.ID).SetBusinessID(tx.Business()).SetLocationID(s.LocationID).
		SetNillableParentID(s.ParentID).SetName(s.Name).SetCapacity(s.Capacity).SetVersion(s.Version).
		SetCreatedAt(s.CreatedAt).SetUpdatedAt(s.UpdatedAt).Exec(ctx)
	return pg.Map(err, spaceConstraints)
}

func saveSpace(ctx context.Context, tx *pg.Tx, s Space) (Space, error) {
	s.Version, s.UpdatedAt = s.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update spaces set name = $3, capacity = $4, parent_id = $5, archived_at = $6, version = $7, updated_at = $8
		where business_id = $1 and id = $2`, tx.Business(), s.ID, s.Name, s.Capacity, s.ParentID, s.ArchivedAt, s.Version, s.UpdatedAt)
	return s, pg.Map(err, spaceConstraints)
}

// isInside reports whether space id is whole, or a part of it at any depth. union keeps the recursion finite.
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

// spacesAlike pairs every space of a location, archived or not, with the active one of the other location that has
// its name and holds as many people.
func spacesAlike(ctx context.Context, r pg.Reader, from, to uuid.UUID) (map[uuid.UUID]spacePair, error) {
	rows, err := pg.All[spacePair](ctx, r, `select f.id, f.name, t.id as to from spaces f
		left join spaces t on t.business_id = $1 and t.location_id = $3 and t.name = f.name and t.archived_at is null and t.capacity >= f.capacity
		where f.business_id = $1 and f.location_id = $2`, r.Business(), from, to)
	out := make(map[uuid.UUID]spacePair, len(rows))
	for _, p := range rows {
		out[p.ID] = p
	}
	return out, err
}
