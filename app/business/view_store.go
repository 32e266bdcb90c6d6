package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

const viewColumns = `id, screen, name, query, created_at`

func savedViews(ctx context.Context, r pg.Reader, person uuid.UUID, screen Screen) ([]SavedView, error) {
	return pg.All[SavedView](ctx, r, `select `+viewColumns+` from saved_views where business_id = $1 and person_id = $2 and screen = $3
		order by id limit $4`, r.Business(), person, screen, viewsMax)
}

func saveView(ctx context.Context, tx *pg.Tx, person uuid.UUID, in SaveViewInput) (SavedView, error) {
	return pg.One[SavedView](ctx, tx, `insert into saved_views (id, business_id, person_id, screen, name, query, created_at)
		values ($1, $2, $3, $4, $5, $6, $7)
		on conflict on constraint saved_views_name_key do update set query = excluded.query
		returning `+viewColumns, pg.NewID(), tx.Business(), person, in.Screen, in.Name, in.Query, tx.Now())
}

// errViewName is returned for a second view of the same name on one screen.
var errViewName = fault.Invalid("name", "Another view of yours has this name.")

func renameView(ctx context.Context, tx *pg.Tx, person uuid.UUID, screen Screen, id uuid.UUID, name string) (SavedView, error) {
	v, err := pg.Found(pg.One[SavedView](ctx, tx, `update saved_views set name = $5
		where business_id = $1 and person_id = $2 and screen = $3 and id = $4 returning `+viewColumns, tx.Business(), person, screen, id, name))
	return v, pg.Map(err, map[string]error{"saved_views_name_key": errViewName})
}

func deleteView(ctx context.Context, tx *pg.Tx, person uuid.UUID, screen Screen, id uuid.UUID) (SavedView, error) {
	return pg.Found(pg.One[SavedView](ctx, tx, `delete from saved_views
		where business_id = $1 and person_id = $2 and screen = $3 and id = $4 returning `+viewColumns, tx.Business(), person, screen, id))
}
