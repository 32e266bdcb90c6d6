package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/crm"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
)

func listHead(ctx context.Context, v *pg.View, offering, occurrence, person uuid.UUID) (List, bool, error) {
	type row struct {
		List
		Own bool
	}
	r, err := pg.Found(pg.One[row](ctx, v, `select o.id as occurrence_id, o.offering_id, o.location_id, o.starts_at, l.zone, o.state, o.capacity,
			o.online_capacity, o.taken, o.taken_online, o.offered,
			`+schedule.TaughtBySQL("$4")+` as own
		from occurrences o join locations l on l.business_id = o.business_id and l.id = o.location_id`+schedule.InstructorJoinSQL("o.business_id", "o.member_id")+`
		where o.business_id = $1 and o.offering_id = $2 and o.id = $3`, v.Business(), offering, occurrence, person))
	return r.List, r.Own, err
}

const studioSelect = `select ` + entryColumns + `, c.name as customer_name, c.email as customer_email, c.phone as customer_phone,
		case when e.state in ('waiting', 'offered') then 1 + (select count(*) from waitlist_entries a
			where a.business_id = e.business_id and a.occurrence_id = e.occurrence_id and a.state in ('waiting', 'offered')
				and (a.rank, a.id) < (e.rank, e.id)) else 0 end as position
	from waitlist_entries e join customers c on c.business_id = e.business_id and c.id = e.customer_id
	where e.business_id = $1`

func listEntries(ctx context.Context, v *pg.View, in ListInput) (paging.Page[StudioEntry, Key], error) {
	after := in.Page.From()
	s := pg.NewShape(studioSelect+` and e.occurrence_id = $2`, v.Business(), in.OccurrenceID)
	s.AndIf(!in.Ended, `e.state in `+onList)
	s.AndIf(in.Page.After != nil, `(e.rank, e.id) > (?, ?)`, after.Rank, after.ID)
	s.Add(` order by e.rank, e.id limit ?`, in.Page.Size()+1)
	rows, err := pg.All[StudioEntry](ctx, v.Kept(), s.SQL(), s.Args()...)
	return paging.Of(rows, in.Page.Size(), func(e StudioEntry) Key { return Key{e.Rank, e.ID} }), err
}

// studioEntry reads one; an unknown id is not found.
func studioEntry(ctx context.Context, v *pg.View, id uuid.UUID) (StudioEntry, error) {
	return pg.Found(pg.One[StudioEntry](ctx, v, studioSelect+` and e.id = $2`, v.Business(), id))
}

// logInto adds the logs of entries to them.
func logInto(ctx context.Context, v *pg.View, entries []StudioEntry) error {
	type row struct {
		Change
		EntryID uuid.UUID
	}
	ids, at := make([]uuid.UUID, len(entries)), map[uuid.UUID]int{}
	for i, e := range entries {
		ids[i], at[e.ID] = e.ID, i
	}
	rows, err := pg.All[row](ctx, v, `select entry_id, from_state as "from", to_state as "to", actor_kind, actor_name, surface, reason,
			created_at as at
		from waitlist_transitions where business_id = $1 and entry_id = any($2) order by entry_id, created_at, id`, v.Business(), ids)
	for _, r := range rows {
		e := &entries[at[r.EntryID]]
		e.Log = append(e.Log, r.Change)
	}
	return err
}

// lockCustomer locks a customer's record and reads the facts for a waitlist; an unknown id is not found.
func lockCustomer(ctx context.Context, tx *pg.Tx, id uuid.UUID) (crm.Customer, error) {
	return pg.Found(pg.One[crm.Customer](ctx, tx, `select id, person_id from customers where business_id = $1 and id = $2 for no key update`,
		tx.Business(), id))
}

// ranked is a waiting entry with its rank.
type ranked struct {
	ID   uuid.UUID
	Rank int64
}

// ranks lists the waiting entries of a date, in their order.
func ranks(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) ([]ranked, error) {
	return pg.All[ranked](ctx, tx, `select id, rank from waitlist_entries
		where business_id = $1 and occurrence_id = $2 and state = 'waiting' order by rank, id`, tx.Business(), occurrence)
}

// setRanks writes ranks.
func setRanks(ctx context.Context, tx *pg.Tx, list []ranked) error {
	ids, rank := make([]uuid.UUID, len(list)), make([]int64, len(list))
	for i, r := range list {
		ids[i], rank[i] = r.ID, r.Rank
	}
	_, err := tx.Exec(ctx, `update waitlist_entries e set rank = x.rank, version = e.version + 1, updated_at = $4
		from unnest($2::uuid[], $3::bigint[]) as x (id, rank) where e.business_id = $1 and e.id = x.id and e.rank <> x.rank`,
		tx.Business(), ids, rank, tx.Now())
	return err
}
