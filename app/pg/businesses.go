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
	var failed []error
	var last *uuid.UUID
	for {
		page, err := All[uuid.UUID](ctx, db.View(uuid.Nil),
			"select business_id from app.businesses_after($1, $2)", last, businessesAtOnce)
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
