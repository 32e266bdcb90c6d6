package accounting

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
)

const selectPostings = `select p.id, p.batch_id, b.location_id, l.name as location_name, b.local_date, b.kind,
		b.amount, b.currency, p.status, p.skip_reason, p.last_error, p.external_url, p.posted_at,
		p.next_attempt_at, p.created_at
	from accounting_postings p
	join accounting_batches b on b.business_id = $1 and b.id = p.batch_id
	join locations l on l.business_id = $1 and l.id = b.location_id
	where p.business_id = $1`

func listPostings(
	ctx context.Context, r pg.Reader, connection uuid.UUID, after *paging.Moment, most int,
) ([]Posting, error) {
	var at *time.Time
	var id uuid.UUID
	if after != nil {
		at, id = &after.At, after.ID
	}
	return pg.All[Posting](ctx, r, selectPostings+` and p.connection_id = $2
		and ($3::timestamptz is null or (p.created_at, p.id) < ($3, $4))
		order by p.created_at desc, p.id desc limit $5`, r.Business(), connection, at, id, most)
}

// retryPosting makes a failed posting of a batch pending; known is false if the connection has no posting of it.
func retryPosting(ctx context.Context, tx *pg.Tx, connection, batch uuid.UUID) (known bool, err error) {
	b := tx.Batch()
	pg.QueueExec(b, `update accounting_postings set status = 'pending', attempts = 0, last_error = '',
			next_attempt_at = $4, updated_at = $4
		where business_id = $1 and connection_id = $2 and batch_id = $3 and status = 'failed'`,
		tx.Business(), connection, batch, tx.Now())
	var found bool
	pg.QueueOne(b, &known, &found, `select exists (select from accounting_postings
		where business_id = $1 and connection_id = $2 and batch_id = $3)`,
		tx.Business(), connection, batch)
	return known, b.Send(ctx)
}

// makeDue makes the pending postings of a connection due now, and returns their number.
func makeDue(ctx context.Context, tx *pg.Tx, connection uuid.UUID) (int, error) {
	n, err := tx.Exec(ctx, `update accounting_postings set next_attempt_at = least(next_attempt_at, $3), updated_at = $3
		where business_id = $1 and connection_id = $2 and status = 'pending'`, tx.Business(), connection, tx.Now())
	if err != nil || n == 0 {
		return 0, err
	}
	_, err = tx.Exec(ctx, wake, tx.Business(), connection)
	return int(n), err
}

func countPostings(ctx context.Context, r pg.Reader) (Counts, error) {
	return pg.One[Counts](ctx, r, `select count(*) filter (where p.status = 'pending') as pending,
			count(*) filter (where p.status = 'posted') as posted,
			count(*) filter (where p.status = 'failed') as failed,
			count(*) filter (where p.status = 'skipped') as skipped
		from accounting_postings p
		where p.business_id = $1 and p.connection_id = (
			select id from accounting_connections where business_id = $1 `+newest+`)`, r.Business())
}
