package accounting

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/pg"
)

func dueConnections(ctx context.Context, db *pg.DB, most int) ([]dueConnection, error) {
	none := db.View(uuid.Nil)
	return pg.All[dueConnection](ctx, none, `select business_id, id from app.due_postings($1, $2)`, none.Now(), most)
}

// claim takes a company for this process; another one has it, or nothing is due, if claimed is false.
func claim(ctx context.Context, db *pg.DB, d dueConnection) (c Connection, claimed bool, err error) {
	err = pg.Do(ctx, db, d.BusinessID, func(tx *pg.Tx) error {
		n, err := tx.Exec(ctx, `update accounting_connections set claimed_until = $4 where business_id = $1 and id = $2
			and status = 'connected' and work_at <= $3 and (claimed_until is null or claimed_until <= $3)`,
			tx.Business(), d.ID, tx.Now(), tx.Now().Add(lease))
		if err != nil || n == 0 {
			return err
		}
		c, claimed, err = readConnection(ctx, tx, d.ID)
		return err
	})
	return c, claimed, err
}

// release ends the claim of a company: it is due with its next posting, but not before rest.
func release(ctx context.Context, db *pg.DB, d dueConnection, rest time.Time) error {
	return pg.Do(ctx, db, d.BusinessID, func(tx *pg.Tx) error {
		_, err := tx.Exec(ctx, `update accounting_connections c set claimed_until = null,
				work_at = (select greatest(min(p.next_attempt_at), $3) from accounting_postings p
					where p.business_id = $1 and p.connection_id = c.id and p.status = 'pending' having count(*) > 0)
			where c.business_id = $1 and c.id = $2`, tx.Business(), d.ID, pg.OrNull(rest))
		return err
	})
}

// posting is a pending posting with its batch.
type posting struct {
	ID           uuid.UUID
	ConnectionID uuid.UUID
	Attempts     int
	Refusals     int // by the provider, each for good
	MayExist     bool
	BatchID      uuid.UUID
	LocationName string
	LocalDate    civil.Date
	Currency     money.Currency
	Kind         Kind
	Lines        []byte
	begun        bool // an attempt is stored
}

// nextPosting returns the pending posting of a connection that is due and oldest by its day.
func nextPosting(ctx context.Context, r pg.Reader, connection uuid.UUID) (posting, bool, error) {
	return pg.Find[posting](ctx, r, `select p.id, p.connection_id, p.attempts, p.refusals, p.may_exist, b.id as batch_id,
			l.name as location_name, b.local_date, b.currency, b.kind, b.lines
		from accounting_postings p
		join accounting_batches b on b.business_id = $1 and b.id = p.batch_id
		join locations l on l.business_id = $1 and l.id = b.location_id
		where p.business_id = $1 and p.connection_id = $2 and p.status = 'pending' and p.next_attempt_at <= $3
		order by b.local_date, b.id limit 1`, r.Business(), connection, r.Now())
}

// beginAttempt stores that a request may make a document, before it is sent.
func beginAttempt(ctx context.Context, db *pg.DB, business uuid.UUID, p *posting) error {
	return pg.Do(pg.WithoutClaim(ctx), db, business, func(tx *pg.Tx) error {
		b := tx.Batch()
		var found bool
		pg.QueueOne(b, &p.Attempts, &found, `update accounting_postings set attempts = attempts + 1, may_exist = true,
				updated_at = $4
			where business_id = $1 and id = $2 and connection_id = $3 and status = 'pending' returning attempts`,
			tx.Business(), p.ID, p.ConnectionID, tx.Now())
		pg.QueueExec(b, `update accounting_connections set claimed_until = $3 where business_id = $1 and id = $2`,
			tx.Business(), p.ConnectionID, tx.Now().Add(lease))
		if err := b.Send(ctx); err != nil {
			return err
		}
		if !found {
			return errMoved
		}
		p.begun = true
		return nil
	})
}

func saveOutcome(
	ctx context.Context, db *pg.DB, business uuid.UUID, c Connection, p posting, o outcome, company string,
) error {
	return pg.Do(pg.WithoutClaim(ctx), db, business, func(tx *pg.Tx) error {
		return saveOutcomeTx(ctx, tx, c, p, o, company)
	})
}

// saveOutcomeTx stores the outcome of an attempt, and what the connection shows of it. A post freezes the start date in
// the same transaction. A posting that another connection has taken over is not changed.
func saveOutcomeTx(ctx context.Context, tx *pg.Tx, c Connection, p posting, o outcome, company string) error {
	b := tx.Batch()
	if o.status == Posted {
		pg.QueueExec(b, `with done as (
				update accounting_postings set status = 'posted', skip_reason = '', last_error = '',
					external_id = @external, external_url = @url, posted_at = @now,
					next_attempt_at = null, may_exist = true, updated_at = @now
				where business_id = @business and id = @id and connection_id = @connection and status <> 'posted' returning id)
			update accounting_connections set start_date_frozen = true, last_sync_at = @now, last_error = '', updated_at = @now
			where business_id = @business and id = @connection and exists (select from done)`, pg.Named{
			"business": tx.Business(), "id": p.ID, "connection": c.ID, "external": o.doc.ID, "url": o.doc.URL, "now": tx.Now(),
		})
		return b.Send(ctx)
	}
	uncounted, refused := 0, 0
	if o.uncounted && p.begun {
		uncounted = 1
	}
	if o.refused {
		refused = 1
	}
	pg.QueueExec(b, `update accounting_postings set status = @status::varchar,
			attempts = greatest(attempts - @uncounted, 0), refusals = refusals + @refused, may_exist = @exists,
			last_error = @problem, next_attempt_at = case @status::varchar when 'pending' then @next::timestamptz end,
			updated_at = @now
		where business_id = @business and id = @id and connection_id = @connection and status = 'pending'`, pg.Named{
		"business": tx.Business(), "id": p.ID, "connection": c.ID, "status": string(o.status), "uncounted": uncounted,
		"refused": refused, "exists": o.mayExist, "problem": o.problem, "next": o.next, "now": tx.Now(),
	})
	if company != "" {
		pg.QueueExec(b, `update accounting_connections set last_error = $3, updated_at = $4
			where business_id = $1 and id = $2`,
			tx.Business(), c.ID, company, tx.Now())
	}
	return b.Send(ctx)
}

// dropUnusable removes the rows of the map with an account that is not usable, and returns their number.
func dropUnusable(ctx context.Context, tx *pg.Tx, connection uuid.UUID, usable []string) (int64, error) {
	return tx.Exec(ctx, `delete from accounting_map_rows where business_id = $1 and connection_id = $2
		and not (external_account_id = any($3::varchar[]))`,
		tx.Business(), connection, usable)
}
