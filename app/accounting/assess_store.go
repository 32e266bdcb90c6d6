package accounting

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// batchesWithoutPosting returns the batches with an amount, that have no posting, from the start date of a connection
// or made since it was connected, oldest first.
func batchesWithoutPosting(ctx context.Context, tx *pg.Tx, c Connection) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select b.id from accounting_batches b
		where b.business_id = $1 and b.amount > 0 and (b.local_date >= $2::date or b.created_at > $3)
			and not exists (select from accounting_postings p where p.business_id = $1 and p.batch_id = b.id)
		order by b.local_date, b.id`, tx.Business(), c.StartDate.String(), c.ConnectedAt)
}

// takeOverIn queues that postings of earlier connections that are not posted belong to this one. A document of an
// earlier company may exist; it is not looked for in another one.
func takeOverIn(b *pg.Batch, tx *pg.Tx, c Connection) {
	pg.QueueExec(b, `update accounting_postings p set connection_id = $2, status = 'pending', skip_reason = '',
			attempts = 0, last_error = '', may_exist = p.may_exist and w.external_company_id = $4,
			next_attempt_at = $3, updated_at = $3
		from accounting_connections w
		where p.business_id = $1 and p.connection_id <> $2 and p.status <> 'posted'
			and w.business_id = $1 and w.id = p.connection_id`,
		tx.Business(), c.ID, tx.Now(), c.ExternalCompanyID)
}

func insertPostingsIn(b *pg.Batch, tx *pg.Tx, c Connection, batches []uuid.UUID) {
	if len(batches) == 0 {
		return
	}
	pg.QueueExec(b, `insert into accounting_postings (id, business_id, batch_id, connection_id, status, next_attempt_at,
			created_at, updated_at)
		select x.id, $1, x.batch, $2, 'pending', $3, $3, $3 from unnest($4::uuid[], $5::uuid[]) as x (id, batch)
		on conflict on constraint accounting_postings_batch_key do nothing`,
		tx.Business(), c.ID, tx.Now(), pg.NewIDs(len(batches)), batches)
}

// reassessIn queues the decision about pending and skipped postings. A pending one remains as it is, with its tries.
func reassessIn(b *pg.Batch, tx *pg.Tx, c Connection) {
	pg.QueueExec(b, `update accounting_postings p set skip_reason = x.reason, updated_at = @now,
			status = case x.reason when '' then 'pending' else 'skipped' end,
			next_attempt_at = case x.reason when '' then @now::timestamptz end
		from (select q.id, case
				when b.local_date < c.start_date then 'before_start_date'
				when b.currency <> c.home_currency then 'currency_not_home'
				when exists (select from jsonb_array_elements_text(b.row_keys) k (key)
					where not exists (select from accounting_map_rows m
						where m.business_id = @business and m.connection_id = c.id and m.row_key = k.key)) then 'map_incomplete'
				when c.status = 'disconnected' then 'disconnected'
				else '' end as reason
			from accounting_postings q
			join accounting_batches b on b.business_id = @business and b.id = q.batch_id
			join accounting_connections c on c.business_id = @business and c.id = q.connection_id
			where q.business_id = @business and q.connection_id = @connection and q.status in ('pending', 'skipped')) x
		where p.business_id = @business and p.id = x.id and p.skip_reason <> x.reason`, pg.Named{
		"business": tx.Business(), "connection": c.ID, "now": tx.Now(),
	})
}

// wakeIn queues that the connection's postings are due when the first pending one is. A process that posts for it
// now continues until its turn ends.
func wakeIn(b *pg.Batch, tx *pg.Tx, c Connection) {
	pg.QueueExec(b, wake, tx.Business(), c.ID)
}

const wake = `update accounting_connections c
	set work_at = least(c.work_at, (select min(p.next_attempt_at) from accounting_postings p
		where p.business_id = $1 and p.connection_id = c.id and p.status = 'pending'))
	where c.business_id = $1 and c.id = $2 and c.status = 'connected'`
