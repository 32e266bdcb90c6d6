package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// lockCandidates locks who and what could serve the asks until the transaction ends: the location when it has a cap, then
// people, then spaces with everything that is a part of them, in the order of their ids. What is read after that was
// written by whoever had the locks before.
func lockCandidates(ctx context.Context, tx *pg.Tx, asks []SlotAsk) error {
	n := len(asks)
	offerings, members, spaces := make([]uuid.UUID, n), make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	for i, a := range asks {
		offerings[i], members[i], spaces[i] = a.OfferingID, a.MemberID, a.SpaceID
	}
	if _, err := tx.Exec(ctx, `select from locations where business_id = $1 and daily_cap is not null
		and id in (select location_id from offerings where business_id = $1 and id = any($2)) order by id`+keepForMe,
		tx.Business(), offerings); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `select from members m where m.business_id = $1 and m.id in (
			select om.member_id from unnest($2::uuid[], $3::uuid[]) w (offering_id, member_id)
			join offering_members om on om.business_id = $1 and om.offering_id = w.offering_id
				and (w.member_id is null or om.member_id = w.member_id))
		order by m.id`+keepForMe, tx.Business(), offerings, members); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `with recursive inside (id) as (
			select os.space_id from unnest($2::uuid[], $3::uuid[]) w (offering_id, space_id)
			join offering_spaces os on os.business_id = $1 and os.offering_id = w.offering_id
				and (w.space_id is null or os.space_id = w.space_id)
			union select s.id from inside i join spaces s on s.business_id = $1 and s.parent_id = i.id
		)
		select from spaces s where s.business_id = $1 and s.id in (select id from inside) order by s.id`+keepForMe,
		tx.Business(), offerings, spaces)
	return err
}

// beforeLocks and withoutLocks stand around what is done under the locks of people and spaces: who is refused gives the
// locks back at once, so that nobody waits while the refused one looks for other times.
func beforeLocks(ctx context.Context, tx *pg.Tx) error {
	_, err := tx.Exec(ctx, `savepoint place`)
	return err
}

func withoutLocks(ctx context.Context, tx *pg.Tx) error {
	_, err := tx.Exec(ctx, `rollback to savepoint place`)
	return err
}
