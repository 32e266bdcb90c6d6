package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// knownMembers returns those of ids that are active members who can be booked. Their rows are locked until the
// transaction ends.
func knownMembers(ctx context.Context, tx *pg.Tx, _ Offering, ids []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from members where business_id = $1 and id = any($2)
		and bookable and deactivated_at is null order by id for key share`, tx.Business(), ids)
}

// knownSpaces returns those of ids that are spaces in use at the offering's location. Archiving a space locks the
// location's row first, and so waits for this transaction.
func knownSpaces(ctx context.Context, tx *pg.Tx, o Offering, ids []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select s.id from spaces s
		join locations l on l.business_id = s.business_id and l.id = s.location_id
		where s.business_id = $1 and s.location_id = $2 and s.id = any($3) and s.archived_at is null
		order by s.id for key share of l`, tx.Business(), o.LocationID, ids)
}

func replaceMembers(ctx context.Context, tx *pg.Tx, o Offering, ids []uuid.UUID) error {
	return replaceLinks(ctx, tx, "member", o, ids)
}

func replaceSpaces(ctx context.Context, tx *pg.Tx, o Offering, ids []uuid.UUID) error {
	return replaceLinks(ctx, tx, "space", o, ids)
}

// replaceLinks replaces a set of links; what is a member or a space. Unchanged rows keep their id, so that only
// changes are audited.
func replaceLinks(ctx context.Context, tx *pg.Tx, what string, o Offering, ids []uuid.UUID) error {
	ids = append([]uuid.UUID{}, ids...) // not nil, which would be no list in SQL
	table, column := "offering_"+what+"s", what+"_id"
	_, err := tx.Exec(ctx, `delete from `+table+` where business_id = $1 and offering_id = $2 and not `+column+` = any($3)`,
		tx.Business(), o.ID, ids)
	if err != nil || len(ids) == 0 {
		return err
	}
	made := make([]uuid.UUID, len(ids))
	for i := range made {
		made[i] = pg.NewID()
	}
	_, err = tx.Exec(ctx, `insert into `+table+` (id, business_id, location_id, offering_id, `+column+`, position)
		select w.made, $1, $2, $3, w.id, w.n from unnest($4::uuid[], $5::uuid[]) with ordinality w (made, id, n)
		on conflict (business_id, offering_id, `+column+`) do update set position = excluded.position`,
		tx.Business(), o.LocationID, o.ID, made, ids)
	return err
}
