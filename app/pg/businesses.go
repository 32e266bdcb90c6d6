package pg

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// businessesAtOnce is how many businesses EachBusiness looks up at once.
const businessesAtOnce = 500

// EachBusiness calls do for every business there is, and goes on where it fails; the errors come together.
func (db *DB) EachBusiness(ctx context.Context, do func(ctx context.Context, business uuid.UUID) error) error {
	return db.EachOf(ctx, "select business_id from app.businesses_after($1, $2)", do)
}

// EachOf is EachBusiness for those that a look-up finds: sql selects at most $2 of them after $1, in their order; its own
// arguments begin with $3. A business that cannot be helped does not come up twice in a round.
func (db *DB) EachOf(ctx context.Context, sql string, do func(ctx context.Context, business uuid.UUID) error, args ...any) error {
	var failed []error
	var last *uuid.UUID
	for {
		page, err := All[uuid.UUID](ctx, db.View(uuid.Nil), sql, append([]any{last, businessesAtOnce}, args...)...)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, b := range page {
			if err := ctx.Err(); err != nil {
				return errors.Join(append(failed, err)...)
			}
			if err := do(ctx, b); err != nil {
				failed = append(failed, err)
			}
		}
		if len(page) < businessesAtOnce {
			return errors.Join(failed...)
		}
		last = &page[len(page)-1]
	}
}
