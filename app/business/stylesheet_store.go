package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// readStylesheet returns version 0 and empty CSS when there is no row.
func readStylesheet(ctx context.Context, r pg.Reader, location uuid.UUID) (Stylesheet, error) {
	s, found, err := pg.Find[Stylesheet](ctx, r, `select location_id, css, version, updated_at from stylesheets
		where business_id = $1 and location_id = $2`, r.Business(), location)
	if !found {
		s.LocationID = location
	}
	return s, err
}

// saveStylesheet writes the CSS under its next version. An empty one keeps its row, so that the version increases.
func saveStylesheet(ctx context.Context, tx *pg.Tx, s Stylesheet) (Stylesheet, error) {
	now := tx.Now()
	s.Version, s.UpdatedAt = s.Version+1, &now
	_, err := tx.Exec(ctx, `insert into stylesheets (id, business_id, location_id, css, version, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $6)
		on conflict on constraint stylesheets_location_key do update
		set css = excluded.css, version = excluded.version, updated_at = excluded.updated_at`,
		pg.NewID(), tx.Business(), s.LocationID, s.CSS, s.Version, now)
	return s, err
}
