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

// directory remembers where records live. That never changes for an id, nor for the hash of a key or of a cart's token, nor
// for a root slug, which belongs to one record for ever: what was found stays true, and whether it is still good is asked
// where it lives. What was not found is not remembered. Bounded: when full it starts again.
type directory struct {
	mu    sync.RWMutex
	known map[any]Place // by id, by slug, by hashes
}

// The hashes are SHA-256, and each kind of key of the directory is a type of its own.
type (
	keyHash  [32]byte
	cartHash [32]byte
)

const directorySize = 100_000

// LocationOf finds the business of a location.
func (db *DB) LocationOf(ctx context.Context, id uuid.UUID) (Place, bool, error) {
	return db.find(ctx, id, id, "select business_id, location_id from app.find_location($1)")
}

// OfferingOf finds the business and location of an offering.
func (db *DB) OfferingOf(ctx context.Context, id uuid.UUID) (Place, bool, error) {
	return db.find(ctx, id, id, "select business_id, location_id from app.find_offering($1)")
}

// SlugOf finds the record of a root slug, of today or a former one. Location is uuid.Nil for the business itself.
func (db *DB) SlugOf(ctx context.Context, slug string) (Place, bool, error) {
	return db.find(ctx, slug, slug, "select business_id, coalesce(location_id, '00000000-0000-0000-0000-000000000000') from app.find_slug($1)")
}

// KeyOf finds the business of an API key by the hash of its text. Location is uuid.Nil.
func (db *DB) KeyOf(ctx context.Context, hash [32]byte) (Place, bool, error) {
	return db.find(ctx, keyHash(hash), hash[:], "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_api_key($1)")
}

// CartOf finds the business and location of a cart by the hash of its token.
func (db *DB) CartOf(ctx context.Context, hash [32]byte) (Place, bool, error) {
	return db.find(ctx, cartHash(hash), hash[:], "select business_id, location_id from app.find_cart($1)")
}

// find looks a record up in what is known of a key, and else by an argument.
func (db *DB) find(ctx context.Context, key, arg any, sql string) (Place, bool, error) {
	d := db.found
	d.mu.RLock()
	p, ok := d.known[key]
	d.mu.RUnlock()
	if ok {
		return p, true, nil
	}
	err := db.pool.QueryRow(ctx, sql, arg).Scan(&p.Business, &p.Location)
	if errors.Is(err, pgx.ErrNoRows) {
		return Place{}, false, nil
	}
	if err != nil {
		return Place{}, false, failed(err)
	}
	d.mu.Lock()
	if len(d.known) >= directorySize {
		clear(d.known)
	}
	d.known[key] = p
	d.mu.Unlock()
	return p, true, nil
}

// businessesAtOnce is how many businesses EachBusiness looks up at once.
const businessesAtOnce = 500

// EachBusiness calls do for every business there is, and goes on where it fails; the errors come together.
func (db *DB) EachBusiness(ctx context.Context, do func(ctx context.Context, business uuid.UUID) error) error {
	return db.EachOf(ctx, "select business_id from app.businesses_after($1, $2)", do)
}

// EachOf is EachBusiness for those that a look-up finds: sql selects at most $2 of them after $1, in their order; its own
// arguments begin with $3. A business that cannot be helped does not come up twice in a round.
func (db *DB) EachOf(ctx context.Context, sql string, do func(ctx context.Context, business uuid.UUID) error, args ...any) error {
	var failed []error
	var last *uuid.UUID
	for {
		page, err := All[uuid.UUID](ctx, db.View(uuid.Nil), sql, append([]any{last, businessesAtOnce}, args...)...)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, b := range page {
			if err := ctx.Err(); err != nil {
				return errors.Join(append(failed, err)...)
			}
			if err := do(ctx, b); err != nil {
				failed = append(failed, err)
			}
		}
		if len(page) < businessesAtOnce {
			return errors.Join(failed...)
		}
		last = &page[len(page)-1]
	}
}
