package ledger

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// dueClosing is a location with a day to close.
type dueClosing struct{ BusinessID, LocationID uuid.UUID }

func dueClosings(ctx context.Context, db *pg.DB) ([]dueClosing, error) {
	none := db.View(uuid.Nil)
	return pg.All[dueClosing](ctx, none, `select business_id, location_id from app.due_closings($1, $2)`, none.Now(), closeMost)
}

// closeDay waits for writers of the past day, and closes it. A later change of the zone does not reopen a day.
func closeDay(ctx context.Context, tx *pg.Tx, location uuid.UUID) error {
	b := tx.Batch()
	pg.QueueExec(b, `update ledger_closings c
		set closed_through = greatest(c.closed_through, d.today - 1),
			due_at = ((greatest(c.closed_through, d.today - 1) + 2)::timestamp at time zone l.zone) + $4::interval
		from locations l, lateral (select (($3::timestamptz - $4::interval) at time zone l.zone)::date as today) d
		where c.business_id = $1 and c.location_id = $2 and c.due_at <= $3 and l.business_id = $1 and l.id = $2`,
		tx.Business(), location, tx.Now(), closeAfter)
	pg.QueueExec(b, takeSnapshots, tx.Business())
	return b.Commit(ctx)
}

// takeSnapshots stores the balances of the accounts with postings, up to a day that is closed for all writers: two
// days before the last that is closed everywhere. Books that begin meanwhile begin with their own today, and that is
// no more than two days behind the day that another location has just closed.
const takeSnapshots = `with settled as (
		select min(closed_through) - 2 as day from ledger_closings where business_id = $1
	)
	insert into ledger_snapshots (business_id, account_id, date, balance)
	select $1, a.id, settled.day, coalesce(s.balance, 0) + p.amount
	from settled, ledger_accounts a
	left join lateral (select s.date, s.balance from ledger_snapshots s where s.business_id = $1 and s.account_id = a.id
		order by s.date desc limit 1) s on true
	cross join lateral (select sum(p.amount)::bigint as amount from ledger_postings p, settled
		where p.business_id = $1 and p.account_id = a.id and p.local_date > ` + since + ` and p.local_date <= settled.day) p
	where a.business_id = $1 and p.amount is not null
	on conflict do nothing`
