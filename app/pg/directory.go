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

// directory remembers where records live. That never changes for an id, nor for the hash of a key or of a token, nor
// for a root slug, which belongs to one record for ever: what was found stays true, and whether it is still good is asked
// where it lives. What was not found is not remembered. Bounded: when full it starts again.
type directory struct {
	mu    sync.RWMutex
	known map[any]Place // by id, by slug, by hashes
}

// The hashes are SHA-256, and each kind of key of the directory is a type of its own.
type (
	keyHash     [32]byte
	cartHash    [32]byte
	receiptHash [32]byte
	offerHash   [32]byte
)

const directorySize = 100_000

// Lookup names a record that the directory can find: by what it is known under, and else by a statement.
type Lookup struct {
	key, arg any
	sql      string
}

// LocationID is a location by its id.
func LocationID(id uuid.UUID) Lookup {
	return Lookup{id, id, "select business_id, location_id from app.find_location($1)"}
}

// OfferingID is an offering by its id.
func OfferingID(id uuid.UUID) Lookup {
	return Lookup{id, id, "select business_id, location_id from app.find_offering($1)"}
}

// AssetID is a photo by its id. Location is uuid.Nil: it is the whole business's.
func AssetID(id uuid.UUID) Lookup {
	return Lookup{id, id, "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_asset($1)"}
}

// CartHash is a cart by the hash of its token.
func CartHash(hash [32]byte) Lookup {
	return Lookup{cartHash(hash), hash[:], findCart}
}

var findCart = Hot("select business_id, location_id from app.find_cart($1)")

// ReceiptHash is an order by the hash of its receipt's token. Location is uuid.Nil.
func ReceiptHash(hash [32]byte) Lookup {
	return Lookup{receiptHash(hash), hash[:], "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_order($1)"}
}

// OfferHash is a place on a waitlist by the hash of its token. Location is uuid.Nil.
func OfferHash(hash [32]byte) Lookup {
	return Lookup{offerHash(hash), hash[:], "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_waitlist_offer($1)"}
}

// LocationOf finds the business of a location.
func (db *DB) LocationOf(ctx context.Context, id uuid.UUID) (Place, bool, error) {
	return db.Locate(ctx, LocationID(id))
}

// SlugOf finds the record of a root slug, of today or a former one. Location is uuid.Nil for the business itself.
func (db *DB) SlugOf(ctx context.Context, slug string) (Place, bool, error) {
	return db.Locate(ctx, Lookup{slug, slug,
		"select business_id, coalesce(location_id, '00000000-0000-0000-0000-000000000000') from app.find_slug($1)"})
}

// KeyOf finds the business of an API key by the hash of its text. Location is uuid.Nil.
func (db *DB) KeyOf(ctx context.Context, hash [32]byte) (Place, bool, error) {
	return db.Locate(ctx, Lookup{keyHash(hash), hash[:],
		"select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_api_key($1)"})
}

// Locate finds a record: at no cost when it is known, else in one trip.
func (db *DB) Locate(ctx context.Context, l Lookup) (p Place, found bool, err error) {
	if p, found = db.Known(l); found {
		return p, true, nil
	}
	b := db.View(uuid.Nil).Batch()
	QueuePlace(b, l, &p, &found)
	return p, found, b.Send(ctx)
}

// Known tells where a record is when it has been found before.
func (db *DB) Known(l Lookup) (p Place, known bool) {
	db.found.mu.RLock()
	defer db.found.mu.RUnlock()
	p, known = db.found.known[l.key]
	return p, known
}

// QueuePlace adds the look-up of a record to a view's batch.
func QueuePlace(b *Batch, l Lookup, p *Place, found *bool) {
	b.b.Queue(l.sql, l.arg).QueryRow(func(row pgx.Row) error {
		err := row.Scan(&p.Business, &p.Location)
		if errors.Is(err, pgx.ErrNoRows) {
			return b.counted(nil)
		}
		if err == nil {
			*found = true
			b.db.found.remember(l.key, *p)
		}
		return b.counted(err)
	})
}

func (d *directory) remember(key any, p Place) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.known) >= directorySize {
		clear(d.known)
	}
	d.known[key] = p
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
