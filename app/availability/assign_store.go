package availability

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// factsUnderLock locks all candidates of the asks until the transaction ends, and then reads the facts, all of it in
// one trip: a waiting transaction waits for no more than the work under the locks. The locks are acquired by one
// statement and the facts are read by later ones, so that they include the writes of the earlier lock holders.
// factsWithoutLock rolls back to the savepoint before the locks.
func factsUnderLock(ctx context.Context, tx *pg.Tx, asks []SlotRequestAt, in factsOf) (known, error) {
	b := tx.Batch()
	pg.QueueExec(b, `savepoint place`)
	queueLocks(b, tx.Business(), asks)
	return factsBehind(ctx, b, tx, in)
}

// queueLocks locks the candidates: the location when it has a cap, then people, then spaces with all of their parts,
// in the order of their ids.
func queueLocks(b *pg.Batch, business uuid.UUID, asks []SlotRequestAt) {
	n := len(asks)
	offerings, members, spaces := make([]uuid.UUID, n), make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	for i, a := range asks {
		offerings[i], members[i], spaces[i] = a.OfferingID, a.MemberID, a.SpaceID
	}
	pg.QueueExec(b, `select from locations where business_id = $1 and daily_cap is not null
		and id in (select location_id from offerings where business_id = $1 and id = any($2)) order by id`+keepForMe,
		business, offerings)
	pg.QueueExec(b, `select from members m where m.business_id = $1 and m.id in (
			select om.member_id from unnest($2::uuid[], $3::uuid[]) w (offering_id, member_id)
			join offering_members om on om.business_id = $1 and om.offering_id = w.offering_id
				and (w.member_id is null or om.member_id = w.member_id))
		order by m.id`+keepForMe, business, offerings, members)
	pg.QueueExec(b, `with recursive inside (id) as (
			select os.space_id from unnest($2::uuid[], $3::uuid[]) w (offering_id, space_id)
			join offering_spaces os on os.business_id = $1 and os.offering_id = w.offering_id
				and (w.space_id is null or os.space_id = w.space_id)
			union select s.id from inside i join spaces s on s.business_id = $1 and s.parent_id = i.id
		)
		select from spaces s where s.business_id = $1 and s.id in (select id from inside) order by s.id`+keepForMe,
		business, offerings, spaces)
}

// factsWithoutLock releases the locks of people and spaces, and then reads facts: a refused transaction does it at
// once, so that no other waits while it searches alternatives.
func factsWithoutLock(ctx context.Context, tx *pg.Tx, in factsOf) (known, error) {
	b := tx.Batch()
	pg.QueueExec(b, `rollback to savepoint place`)
	return factsBehind(ctx, b, tx, in)
}
