package pg

import (
	"context"
	"errors"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Place is where a record lives.
type Place struct{ Business, Location uuid.UUID }

// directory remembers where records live. That never changes for an id, nor for a root slug, which belongs to one record
// for ever: what was found stays true. What was not found is not remembered. Bounded: when full it starts again.
type directory struct {
	mu    sync.RWMutex
	known map[any]Place // by id, and by slug
}

const directorySize = 100_000

func newDirectory() *directory { return &directory{known: map[any]Place{}} }

// LocationOf finds the business of a location.
func (db *DB) LocationOf(ctx context.Context, id uuid.UUID) (Place, bool, error) {
	return db.find(ctx, id, "select business_id, location_id from app.find_location($1)")
}

// OfferingOf finds the business and location of an offering.
func (db *DB) OfferingOf(ctx context.Context, id uuid.UUID) (Place, bool, error) {
	return db.find(ctx, id, "select business_id, location_id from app.find_offering($1)")
}

// SlugOf finds the record of a root slug, of today or a former one. Location is uuid.Nil for the business itself.
func (db *DB) SlugOf(ctx context.Context, slug string) (Place, bool, error) {
	return db.find(ctx, slug, "select business_id, coalesce(location_id, '00000000-0000-0000-0000-000000000000') from app.find_slug($1)")
}

// find looks a record up by an id or a slug, which are keys of different types.
func (db *DB) find(ctx context.Context, id any, sql string) (Place, bool, error) {
	d := db.found
	d.mu.RLock()
	p, ok := d.known[id]
	d.mu.RUnlock()
	if ok {
		return p, true, nil
	}
	err := db.pool.QueryRow(ctx, sql, id).Scan(&p.Business, &p.Location)
	if errors.Is(err, pgx.ErrNoRows) {
		return Place{}, false, nil
	}
	if err != nil {
		return Place{}, false, err
	}
	d.mu.Lock()
	if len(d.known) >= directorySize {
		clear(d.known)
	}
	d.known[id] = p
	d.mu.Unlock()
	return p, true, nil
}
