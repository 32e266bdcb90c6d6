package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

func insertSingles(ctx context.Context, tx *pg.Tx, ids []uuid.UUID, singles []Single) error {
	n := len(singles)
	offerings, locations, members, spaces := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	starts, ends, seats := make([]time.Time, n), make([]time.Time, n), make([]int, n)
	for i, s := range singles {
		offerings[i], locations[i], members[i], spaces[i] = s.OfferingID, s.LocationID, s.MemberID, s.SpaceID
		starts[i], ends[i], seats[i] = s.StartsAt, s.EndsAt, s.Seats
	}
	_, err := tx.Exec(ctx, `insert into occurrences (id, business_id, location_id, offering_id, local_date, starts_at, ends_at,
			member_id, space_id, state, capacity, online_capacity, taken, taken_online, version, created_at, updated_at)
		select s.id, $1, s.location_id, s.offering_id, (s.starts_at at time zone l.zone)::date, s.starts_at, s.ends_at,
			s.member_id, s.space_id, 'scheduled', s.seats, s.seats, 0, 0, 1, $2, $2
		from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::timestamptz[], $10::int[])
			as s (id, location_id, offering_id, member_id, space_id, starts_at, ends_at, seats)
		join locations l on l.business_id = $1 and l.id = s.location_id`,
		tx.Business(), tx.Now(), ids, locations, offerings, members, spaces, starts, ends, seats)
	return err
}

func moveSingle(ctx context.Context, tx *pg.Tx, id uuid.UUID, to Single) (int64, error) {
	return tx.Exec(ctx, `update occurrences o set starts_at = $3, ends_at = $4, member_id = $5, space_id = $6,
			local_date = ($3::timestamptz at time zone l.zone)::date, version = o.version + 1, updated_at = $7
		from locations l where l.business_id = $1 and l.id = o.location_id and o.business_id = $1 and o.id = $2`,
		tx.Business(), id, to.StartsAt, to.EndsAt, to.MemberID, to.SpaceID, tx.Now())
}

func cancelledSingles(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]CancelledSingle, error) {
	return pg.All[CancelledSingle](ctx, tx, `select id, offering_id, location_id, starts_at, ends_at, member_id, space_id, capacity as seats
		from occurrences where business_id = $1 and id = any($2) and series_id is null and state = 'cancelled' order by id`,
		tx.Business(), ids)
}

func restoreSingles(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (int64, error) {
	return tx.Exec(ctx, `update occurrences set state = 'scheduled', cancel_reason = '', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2)`, tx.Business(), ids, tx.Now())
}
