package business

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/patch"
	"foyer/app/pg"
)

// SetPolicyTx gives a location another policy, or none. It is an edit of the location: its version goes up.
func SetPolicyTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, policy *uuid.UUID) error {
	_, err := tx.Exec(ctx, `update locations set policy_id = $3, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), location, policy, tx.Now())
	return err
}

// SetWalkinsTx switches a location's walk-ins on or off, and pauses them until an instant or ends a pause; what is
// not given stays as it is. It is an edit of the location.
func SetWalkinsTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, on *bool, pause patch.Field[time.Time]) error {
	_, err := tx.Exec(ctx, `update locations set walkins_off = coalesce(not $3::boolean, walkins_off),
			walkins_paused_until = case when $4 then $5::timestamptz else walkins_paused_until end,
			version = version + 1, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), location, on, pause.Set, pause.Value, tx.Now())
	return err
}
