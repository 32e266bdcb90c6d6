package pg

import (
	"context"
	"errors"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Location is the business and location of a record.
type Location struct{ Business, Location uuid.UUID }

// directory caches the places of records. A place never changes for an id, nor for the hash of a key or of a token,
// nor for a root slug, which belongs to one record forever. So a found place stays valid; whether the record still
// is, is checked in its place. Failed look-ups are not cached. The cache is bounded: when full it starts again.
type directory struct {
	mu    sync.RWMutex
	known map[any]Location // by id, by slug, by hashes
}

// The hashes are SHA-256, and each kind of key of the directory is a type of its own.
type (
	keyHash     [32]byte
	cartHash    [32]byte
	receiptHash [32]byte
	offerHash   [32]byte
)

const directorySize = 100_000

// Lookup identifies a record that the directory can find: the key of the cache, and the statement for a miss.
type Lookup struct {
	key, arg any
	sql      string
}

// LocationID looks up a location by its id.
func LocationID(id uuid.UUID) Lookup {
	return Lookup{id, id, "select business_id, location_id from app.find_location($1)"}
}

// OfferingID looks up an offering by its id.
func OfferingID(id uuid.UUID) Lookup {
	return Lookup{id, id, "select business_id, location_id from app.find_offering($1)"}
}

// AssetID looks up a photo by its id. Location is uuid.Nil: a photo belongs to the whole business.
func AssetID(id uuid.UUID) Lookup {
	return Lookup{id, id, "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_asset($1)"}
}

// ProductID looks up a product by its id. Location is uuid.Nil: locations share products.
func ProductID(id uuid.UUID) Lookup {
	return Lookup{id, id, "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_product($1)"}
}

// CartHash looks up a cart by the hash of its token.
func CartHash(hash [32]byte) Lookup {
	return Lookup{cartHash(hash), hash[:], findCart}
}

var findCart = Hot("select business_id, location_id from app.find_cart($1)")

// ReceiptHash looks up an order by the hash of its receipt's token. Location is uuid.Nil.
func ReceiptHash(hash [32]byte) Lookup {
	return Lookup{receiptHash(hash), hash[:], "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_order($1)"}
}

// OfferHash looks up a waitlist entry by the hash of its token. Location is uuid.Nil.
func OfferHash(hash [32]byte) Lookup {
	return Lookup{offerHash(hash), hash[:], "select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_waitlist_offer($1)"}
}

// LocationOf returns the business of a location.
func (db *DB) LocationOf(ctx context.Context, id uuid.UUID) (Location, bool, error) {
	return db.Locate(ctx, LocationID(id))
}

// SlugOf returns the record of a root slug, current or former. Location is uuid.Nil for the business itself.
func (db *DB) SlugOf(ctx context.Context, slug string) (Location, bool, error) {
	return db.Locate(ctx, Lookup{slug, slug,
		"select business_id, coalesce(location_id, '00000000-0000-0000-0000-000000000000') from app.find_slug($1)"})
}

// KeyOf returns the business of an API key by the hash of its text. Location is uuid.Nil.
func (db *DB) KeyOf(ctx context.Context, hash [32]byte) (Location, bool, error) {
	return db.Locate(ctx, Lookup{keyHash(hash), hash[:],
		"select business_id, '00000000-0000-0000-0000-000000000000'::uuid from app.find_api_key($1)"})
}

// Locate returns the place of a record: from the cache, else in one round trip.
func (db *DB) Locate(ctx context.Context, l Lookup) (p Location, found bool, err error) {
	if p, found = db.Known(l); found {
		return p, true, nil
	}
	b := db.View(uuid.Nil).Batch()
	QueueLocation(b, l, &p, &found)
	return p, found, b.Send(ctx)
}

// Known returns the place of a record if it is in the cache.
func (db *DB) Known(l Lookup) (p Location, known bool) {
	db.found.mu.RLock()
	defer db.found.mu.RUnlock()
	p, known = db.found.known[l.key]
	return p, known
}

// QueueLocation adds the look-up of a record to a view's batch.
func QueueLocation(b *Batch, l Lookup, p *Location, found *bool) {
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

func (d *directory) remember(key any, p Location) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.known) >= directorySize {
		clear(d.known)
	}
	d.known[key] = p
}

// businessesAtOnce is the number of businesses that EachBusiness looks up at once.
const businessesAtOnce = 500

// EachBusiness calls do for every business. It continues after an error and returns all errors joined.
func (db *DB) EachBusiness(ctx context.Context, do func(ctx context.Context, business uuid.UUID) error) error {
	return db.EachOf(ctx, "select business_id from app.businesses_after($1, $2)", do)
}

// EachOf is EachBusiness for the businesses of a query: sql selects at most $2 of them after $1, in their order; its
// own arguments begin with $3. A business with an error does not appear twice in a round.
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
