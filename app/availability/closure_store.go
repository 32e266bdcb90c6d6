package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/pg"
)

const placeClosures = `select id, location_id, name, starts_on, ends_on, hours, created_at from closures
	where business_id = $1 and location_id = $2 `

// membersAt returns the members with hours at a location.
func membersAt(ctx context.Context, r pg.Reader, location uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select distinct member_id from member_hours where business_id = $1 and location_id = $2`,
		r.Business(), location)
}

// lockPlace locks the row of a location, so that one closure is added at a time, and then those of the people with
// hours there and of its spaces, as a booking of them does.
func lockPlace(ctx context.Context, tx *pg.Tx, location uuid.UUID) error {
	_, err := tx.Exec(ctx, `select from locations where business_id = $1 and id = $2 for no key update`, tx.Business(), location)
	if err != nil {
		return err
	}
	members, err := membersAt(ctx, tx, location)
	if err != nil {
		return err
	}
	spaces, err := pg.All[uuid.UUID](ctx, tx, `select id from spaces where business_id = $1 and location_id = $2 and archived_at is null`,
		tx.Business(), location)
	if err != nil {
		return err
	}
	_, err = claim.LockTx(ctx, tx, members, spaces)
	return err
}

// noOtherClosure refuses a closure on a day that has one.
func noOtherClosure(ctx context.Context, tx *pg.Tx, in ClosureInput) error {
	c, found, err := pg.Find[Closure](ctx, tx, placeClosures+`and ends_on >= $3 and starts_on <= $4 order by ends_on limit 1`,
		tx.Business(), in.LocationID, in.StartsOn, in.EndsOn)
	if err != nil || !found {
		return err
	}
	return ErrClosureOverlaps.With("closureId", c.ID).With("name", c.Name).With("startsOn", c.StartsOn).With("endsOn", c.EndsOn)
}

func insertClosure(ctx context.Context, tx *pg.Tx, c Closure) error {
	_, err := tx.Exec(ctx, `insert into closures (id, business_id, location_id, name, starts_on, ends_on, hours, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		c.ID, tx.Business(), c.LocationID, c.Name, c.StartsOn, c.EndsOn, c.Hours, c.CreatedAt)
	return pg.Map(err, map[string]error{"closures_once": ErrClosureOverlaps})
}

func deleteClosure(ctx context.Context, tx *pg.Tx, location, id uuid.UUID) error {
	return orMissing(tx.Exec(ctx, `delete from closures where business_id = $1 and location_id = $2 and id = $3`, tx.Business(), location, id))
}

func listClosures(ctx context.Context, r pg.Reader, location uuid.UUID, after ClosureKey, most int) ([]Closure, error) {
	return pg.All[Closure](ctx, r, placeClosures+`and (ends_on, id) > ($3, $4) order by ends_on, id limit $5`,
		r.Business(), location, after.EndsOn, after.ID, most)
}
