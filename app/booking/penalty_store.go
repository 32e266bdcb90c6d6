package booking

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/policy"
)

// writeFees writes fees down, one after the other, so that what one of them uses up of the policy's leniency the next one
// of the same customer does not find. The customers' rows are locked. Late cancellations and no-shows are counted apart.
func writeFees(ctx context.Context, tx *pg.Tx, list []fee) (map[uuid.UUID]written, error) {
	out := map[uuid.UUID]written{}
	for _, f := range list {
		forgiven, err := forgivenOf(ctx, tx, f)
		if err != nil {
			return nil, err
		}
		w := written{Amount: f.Amount, ReviewUntil: tx.Now().Add(f.review)}
		var reason string
		w.State, reason = f.settle(forgiven)
		if _, err := tx.Exec(ctx, `insert into penalties (id, business_id, location_id, booking_id, customer_id, kind, state, amount,
				currency, reason, review_until, version, created_at, updated_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $12)`,
			pg.NewID(), tx.Business(), f.LocationID, f.ID, f.CustomerID, f.Kind, w.State, f.Amount, f.Currency, reason, w.ReviewUntil,
			tx.Now()); err != nil {
			return nil, err
		}
		out[f.ID] = w
	}
	return out, nil
}

// written is a fee as it was written.
type written struct {
	Amount      int64
	State       FeeState
	ReviewUntil time.Time
}

// forgivenOf counts what the customer was forgiven in the window of the policy.
func forgivenOf(ctx context.Context, tx *pg.Tx, f fee) (int, error) {
	since := tx.Now().Add(-time.Duration(f.Rules.Forgive.Days) * 24 * time.Hour)
	return pg.One[int](ctx, tx, `select count(*) from penalties where business_id = $1 and customer_id = $2 and kind = $3
		and state = 'forgiven' and created_at > $4`, tx.Business(), f.CustomerID, f.Kind, since)
}

// withdrawFee takes a fee back that should not have been: it is neither due nor counted.
func withdrawFee(ctx context.Context, tx *pg.Tx, booking uuid.UUID, kind PenaltyKind) error {
	_, err := tx.Exec(ctx, `update penalties set state = 'withdrawn', version = version + 1, updated_at = $4
		where business_id = $1 and booking_id = $2 and kind = $3 and state <> 'withdrawn'`, tx.Business(), booking, kind, tx.Now())
	return err
}

const penaltySelect = `select x.id, x.location_id, l.name as location_name, x.booking_id, x.customer_id, c.name as customer_name,
		f.name as offering_name, b.starts_at, l.zone, x.kind, x.state, x.amount, x.currency, x.reason, x.review_until, x.version,
		x.created_at, x.updated_at
	from penalties x
	join bookings b on b.business_id = x.business_id and b.id = x.booking_id
	join offerings f on f.business_id = x.business_id and f.id = b.offering_id
	join customers c on c.business_id = x.business_id and c.id = x.customer_id
	join locations l on l.business_id = x.business_id and l.id = x.location_id
	where x.business_id = $1`

func penalties(ctx context.Context, v *pg.View, in PenaltiesInput, cover policy.Cover, limit int) ([]Penalty, error) {
	q := query{args: []any{v.Business()}}
	q.sql.WriteString(penaltySelect)
	if in.State != "" {
		q.and("x.state = %s", in.State)
	}
	if in.Kind != "" {
		q.and("x.kind = %s", in.Kind)
	}
	if in.CustomerID != uuid.Nil {
		q.and("x.customer_id = %s", in.CustomerID)
	}
	if !cover.Everywhere {
		q.and("x.location_id = any(%s::uuid[])", cover.Locations)
	}
	if in.After != nil {
		q.and("(x.created_at, x.id) < (%s, %s)", in.After.At, in.After.ID)
	}
	q.args = append(q.args, limit)
	fmt.Fprintf(&q.sql, " order by x.created_at desc, x.id desc limit $%d", len(q.args))
	return pg.All[Penalty](ctx, v, q.sql.String(), q.args...)
}

func lockPenalty(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Penalty, error) {
	p, err := pg.One[Penalty](ctx, tx, penaltySelect+` and x.id = $2 for update of x`, tx.Business(), id)
	if errors.Is(err, pg.ErrNoRow) {
		return Penalty{}, fault.Missing()
	}
	return p, err
}

func waivePenalty(ctx context.Context, tx *pg.Tx, p Penalty, reason string) (Penalty, error) {
	p.State, p.Reason, p.Version, p.UpdatedAt = FeeWaived, reason, p.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update penalties set state = $3, reason = $4, version = $5, updated_at = $6 where business_id = $1 and id = $2`,
		tx.Business(), p.ID, p.State, p.Reason, p.Version, p.UpdatedAt)
	return p, err
}
