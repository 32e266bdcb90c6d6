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

// directory remembers where records live. That never changes for an id, so what was found stays true; what was not
// found is not remembered. Bounded: when full it starts again.
type directory struct {
	mu    sync.RWMutex
	known map[uuid.UUID]Place
}

const directorySize = 100_000

func newDirectory() *directory { return &directory{known: map[uuid.UUID]Place{}} }

// LocationOf finds the business of a location.
func (db *DB) LocationOf(ctx context.Context, id uuid.UUID) (Place, bool, error) {
	return db.find(ctx, id, "select business_id, location_id from app.find_location($1)")
}

// OfferingOf finds the business and location of an offering.
func (db *DB) OfferingOf(ctx context.Context, id uuid.UUID) (Place, bool, error) {
	return db.find(ctx, id, "select business_id, location_id from app.find_offering($1)")
}

func (db *DB) find(ctx context.Context, id uuid.UUID, sql string) (Place, bool, error) {
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
