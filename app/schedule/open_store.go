package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// insertPlaced writes occurrences that belong to no series: as many seats as people come, and none taken.
func insertPlaced(ctx context.Context, tx *pg.Tx, ids []uuid.UUID, placed []Placement) error {
	n := len(placed)
	offerings, locations, members, spaces := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	starts, ends, party := make([]time.Time, n), make([]time.Time, n), make([]int, n)
	for i, p := range placed {
		offerings[i], locations[i], members[i], spaces[i] = p.OfferingID, p.LocationID, p.MemberID, p.SpaceID
		starts[i], ends[i], party[i] = p.StartsAt, p.EndsAt, p.Party
	}
	_, err := tx.Exec(ctx, `insert into occurrences (id, business_id, location_id, offering_id, local_date, starts_at, ends_at,
			member_id, space_id, state, capacity, online_capacity, taken, taken_online, version, created_at, updated_at)
		select p.id, $1, p.location_id, p.offering_id, (p.starts_at at time zone l.zone)::date, p.starts_at, p.ends_at,
			p.member_id, p.space_id, 'scheduled', p.party, p.party, 0, 0, 1, $2, $2
		from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::timestamptz[], $10::int[])
			as p (id, location_id, offering_id, member_id, space_id, starts_at, ends_at, party)
		join locations l on l.business_id = $1 and l.id = p.location_id`,
		tx.Business(), tx.Now(), ids, locations, offerings, members, spaces, starts, ends, party)
	return err
}

// closedSlots reads what the times that were let go were, in the order of their ids, as asks to have them again.
func closedSlots(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) ([]SlotAsk, []uuid.UUID, error) {
	type row struct {
		ID, OfferingID    uuid.UUID
		StartsAt, EndsAt  time.Time
		MemberID, SpaceID *uuid.UUID
		Capacity          int
	}
	rows, err := pg.All[row](ctx, tx, `select id, offering_id, starts_at, ends_at, member_id, space_id, capacity from occurrences
		where business_id = $1 and id = any($2) and series_id is null and state = 'cancelled' order by id`, tx.Business(), occurrences)
	var asks []SlotAsk
	var ids []uuid.UUID
	for _, r := range rows {
		ids = append(ids, r.ID)
		asks = append(asks, SlotAsk{
			OfferingID: r.OfferingID, StartsAt: r.StartsAt, Minutes: int(r.EndsAt.Sub(r.StartsAt) / time.Minute),
			MemberID: r.MemberID, SpaceID: r.SpaceID, Party: r.Capacity, ExcludeOccurrence: r.ID,
		})
	}
	return asks, ids, err
}

func reopenSlots(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) error {
	n, err := tx.Exec(ctx, `update occurrences set state = 'scheduled', cancel_reason = '', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2)`, tx.Business(), occurrences, tx.Now())
	if err == nil && n != int64(len(occurrences)) {
		err = errGone
	}
	return err
}

// movePlaced changes when and with whom an occurrence takes place.
func movePlaced(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, p Placement) error {
	n, err := tx.Exec(ctx, `update occurrences o set starts_at = $3, ends_at = $4, member_id = $5, space_id = $6,
			local_date = ($3::timestamptz at time zone l.zone)::date, version = o.version + 1, updated_at = $7
		from locations l where l.business_id = $1 and l.id = o.location_id and o.business_id = $1 and o.id = $2`,
		tx.Business(), occurrence, p.StartsAt, p.EndsAt, p.MemberID, p.SpaceID, tx.Now())
	if err == nil && n != 1 {
		err = errGone
	}
	return err
}
