package accounting

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

func expiring(ctx context.Context, db *pg.DB) ([]dueConnection, error) {
	none := db.View(uuid.Nil)
	return pg.All[dueConnection](ctx, none, `select business_id, id from app.expiring_connections($1, $2)`,
		none.Now().Add(expiryNotice), expiryMost)
}

// markExpiry stores that the owners are told about the end of a connection, and returns them; none the second time.
func markExpiry(ctx context.Context, tx *pg.Tx, connection uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `with marked as (
			update accounting_connections set expiry_mailed_at = $3
			where business_id = $1 and id = $2 and expiry_mailed_at is null and status = 'connected'
			returning id)
		select m.id from marked, members m where m.business_id = $1 and m.deactivated_at is null and exists (
			select from member_roles r where r.business_id = $1 and r.member_id = m.id and r.role = 'owner')`,
		tx.Business(), connection, tx.Now())
}

func readExpiry(ctx context.Context, r pg.Reader, connection uuid.UUID, before time.Time) (Expiry, bool, error) {
	return pg.Find[Expiry](ctx, r, `select c.company_name, t.refresh_expires_at as ends_at
		from accounting_connections c join accounting_tokens t on t.business_id = $1 and t.connection_id = c.id
		where c.business_id = $1 and c.id = $2 and c.status = 'connected' and t.refresh_expires_at < $3`,
		r.Business(), connection, before)
}
