package notice

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/policy"
)

// insertLost records the recipients and subjects of lost mails. The arguments of a job name a booking, an order, a
// reminder, a waitlist entry or a member; deleted ones are skipped. The mail's number prevents a second record by a
// concurrent process.
func insertLost(ctx context.Context, tx *pg.Tx, lost []jobs.Lost) error {
	n := len(lost)
	numbers, kinds, args, late := make([]int64, n), make([]string, n), make([]string, n), make([]bool, n)
	for i, l := range lost {
		numbers[i], kinds[i], args[i], late[i] = l.ID, l.Kind, string(l.Args), l.Late
	}
	_, err := tx.Exec(ctx, `insert into failed_mails (id, business_id, job, kind, what, late, customer_id, member_id, booking_id, occurrence_id, location_id, created_at)
		select i.id, $1, j.job, j.kind, coalesce(j.a->>'what', j.a->>'letter', ''), j.late, w.customer_id, w.member_id, w.booking_id, o.id, o.location_id, $2
		from (select job, kind, a::jsonb as a, late, n from unnest($3::bigint[], $4::text[], $5::text[], $6::boolean[]) with ordinality as x (job, kind, a, late, n)) j
		join unnest($7::uuid[]) with ordinality as i (id, n) on i.n = j.n
		cross join lateral (
			(select b.customer_id, null::uuid as member_id, b.id as booking_id, b.occurrence_id from bookings b
				where b.business_id = $1 and b.id = (j.a->>'booking')::uuid)
			union all
			(select b.customer_id, null, b.id, b.occurrence_id from bookings b
				where b.business_id = $1 and b.order_id = coalesce((j.a->>'order')::uuid,
					(select p.order_id from payments p where p.business_id = $1 and p.id = (j.a->>'payment')::uuid))
				order by b.starts_at, b.id limit 1)
			union all
			(select r.customer_id, null, null, r.occurrence_id from booking_reminders r where r.business_id = $1 and r.id = (j.a->>'reminder')::uuid)
			union all
			(select e.customer_id, null, null, e.occurrence_id from waitlist_entries e where e.business_id = $1 and e.id = (j.a->>'entry')::uuid)
			union all
			(select null, m.id, null, (j.a->>'occurrence')::uuid from members m where m.business_id = $1 and m.id = (j.a->>'member')::uuid)
		) w
		left join occurrences o on o.business_id = $1 and o.id = w.occurrence_id
		on conflict on constraint failed_mails_one do nothing`,
		tx.Business(), tx.Now(), numbers, kinds, args, late, pg.NewIDs(n))
	return err
}

// dropLost deletes records older than lostKept.
func dropLost(ctx context.Context, tx *pg.Tx) (int, error) {
	n, err := tx.Exec(ctx, `delete from failed_mails where business_id = $1 and id in (
			select m.id from failed_mails m where m.business_id = $1 and m.created_at < $2 order by m.created_at limit $3 for update skip locked)`,
		tx.Business(), tx.Now().Add(-lostKept), lostAtOnce)
	return int(n), err
}

// dismissed dismisses a failed mail, or restores it; found is false when there is none within the caller's cover.
func dismissed(ctx context.Context, tx *pg.Tx, cover policy.Cover, id uuid.UUID, dismiss bool) (found bool, err error) {
	n, err := tx.Exec(ctx, `update failed_mails set dismissed_at = case when $3 then coalesce(dismissed_at, $4) end
		where business_id = $1 and id = $2 and ($5 or location_id = any($6))`, tx.Business(), id, dismiss, tx.Now(), cover.Everywhere, cover.Locations)
	return n == 1, err
}
