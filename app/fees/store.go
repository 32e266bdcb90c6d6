package fees

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/policy"
)

// WriteTx writes fees, one after the other, so that each counts the waivers of the earlier ones of the same customer,
// and returns their states, by booking. The customers' rows are locked. Late cancellations and no-shows are counted
// separately.
func WriteTx(ctx context.Context, tx *pg.Tx, list []NewFee) (map[uuid.UUID]State, error) {
	out := map[uuid.UUID]State{}
	for _, f := range list {
		used, err := graceUsed(ctx, tx, f)
		if err != nil {
			return nil, err
		}
		state, reason := f.settle(used)
		written, err := tx.Exec(ctx, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount,
				currency, reason, review_until, charge_at, version, created_at, updated_at)
			values (@id, @business, @location_id, @booking_id, @customer_id, @kind, @state, @amount, @currency, @reason,
				@review::timestamptz, case when @collect and @state::varchar = 'due' then @review::timestamptz end, 1, @now, @now)
			on conflict (business_id, booking_id, kind) where state <> 'withdrawn' do nothing`, pg.Named{
			"id": pg.NewID(), "business": tx.Business(), "location_id": f.LocationID, "booking_id": f.BookingID,
			"customer_id": f.CustomerID, "kind": f.Kind, "state": state, "amount": f.Amount, "currency": f.Currency, "reason": reason,
			"review": tx.Now().Add(f.Review), "collect": f.Collect, "now": tx.Now(),
		})
		if err != nil {
			return nil, err
		}
		if written == 0 {
			state = Paid // before the no-show was undone and marked again
		}
		out[f.BookingID] = state
	}
	return out, nil
}

// graceUsed counts the customer's fees waived in the window of the policy.
func graceUsed(ctx context.Context, tx *pg.Tx, f NewFee) (int, error) {
	return pg.One[int](ctx, tx, `select count(*) from fees where business_id = $1 and customer_id = $2 and kind = $3
		and state = 'grace_waived' and created_at > $4`, tx.Business(), f.CustomerID, f.Kind, since(f.Grace, tx.Now()))
}

// WithdrawTx withdraws a fee after its cause was undone: it is neither due nor counted. One that was paid stays as it
// is.
func WithdrawTx(ctx context.Context, tx *pg.Tx, booking uuid.UUID, kind Kind) error {
	_, err := tx.Exec(ctx, `update fees set state = 'withdrawn', version = version + 1, updated_at = $4
		where business_id = $1 and booking_id = $2 and kind = $3 and state not in ('withdrawn', 'paid')`, tx.Business(), booking, kind, tx.Now())
	return err
}

const (
	feeColumns = `select x.id, x.location_id, l.name as location_name, x.booking_id, x.customer_id, c.name as customer_name,
		f.name as offering_name, b.starts_at, l.zone, x.kind, x.state, x.amount, x.currency, x.reason, x.review_until,
		x.charge_at, x.charge_failed, x.version,
		x.created_at, x.updated_at`
	feeJoins = `
	join bookings b on b.business_id = x.business_id and b.id = x.booking_id
	join offerings f on f.business_id = x.business_id and f.id = b.offering_id
	join customers c on c.business_id = x.business_id and c.id = x.customer_id
	join locations l on l.business_id = x.business_id and l.id = x.location_id`
)

// list reads a part of the fees that cover opens, and cuts it before it puts names beside the rows.
func list(ctx context.Context, v *pg.View, in ListInput, cover policy.Cover) (paging.Page[Fee, paging.Moment], error) {
	const newestFirst = ` order by x.created_at desc, x.id desc`
	s := pg.NewShape(feeColumns+` from (select x.* from fees x where x.business_id = $1`, v.Business())
	s.AndIf(in.State != "", `x.state = ?`, in.State)
	s.AndIf(in.Kind != "", `x.kind = ?`, in.Kind)
	s.AndIf(in.CustomerID != uuid.Nil, `x.customer_id = ?`, in.CustomerID)
	s.AndIf(in.BookingID != uuid.Nil, `x.booking_id = ?`, in.BookingID)
	s.AndIf(in.LocationID != uuid.Nil, `x.location_id = ?`, in.LocationID)
	s.AndIf(in.InReview, `x.state = 'due' and x.review_until > ?`, v.Now())
	s.AndIf(!cover.Everywhere, `x.location_id = any(?)`, cover.Locations)
	after := in.Page.From()
	s.AndIf(in.Page.After != nil, `(x.created_at, x.id) < (?, ?)`, after.At, after.ID)
	s.Add(newestFirst+` limit ?`, in.Page.Size()+1)
	s.Add(`) x` + feeJoins + newestFirst)
	rows, err := pg.All[Fee](ctx, v.Kept(), s.SQL(), s.Args()...)
	return paging.Of(rows, in.Page.Size(), func(p Fee) paging.Moment { return paging.Moment{At: p.CreatedAt, ID: p.ID} }), err
}

// Find reads a fee without locking it; the caller decides who may see it. It returns a not found error.
func Find(ctx context.Context, r pg.Reader, id uuid.UUID) (Fee, error) {
	return pg.Found(pg.One[Fee](ctx, r, feeColumns+` from fees x`+feeJoins+`
		where x.business_id = $1 and x.id = $2`, r.Business(), id))
}

func lock(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Fee, error) {
	return pg.Found(pg.One[Fee](ctx, tx, feeColumns+` from fees x`+feeJoins+`
		where x.business_id = $1 and x.id = $2 for update of x`, tx.Business(), id))
}

func waive(ctx context.Context, tx *pg.Tx, p Fee, reason string) (Fee, error) {
	p.State, p.Reason, p.Version, p.UpdatedAt = Waived, reason, p.Version+1, tx.Now()
	_, err := tx.Exec(ctx, `update fees set state = $3, reason = $4, version = $5, updated_at = $6 where business_id = $1 and id = $2`,
		tx.Business(), p.ID, p.State, p.Reason, p.Version, p.UpdatedAt)
	return p, err
}

// DueTx locks fees for a payment, in the order of their ids, and reads them. Errors: not found; ErrNotDue with
// details.state for one that is not due.
func DueTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]Fee, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := pg.All[Fee](ctx, tx, feeColumns+` from fees x`+feeJoins+`
		where x.business_id = $1 and x.id = any($2) order by x.id for update of x`, tx.Business(), ids)
	if err == nil && len(list) != len(ids) {
		err = fault.Missing()
	}
	for _, p := range list {
		if err == nil && p.State != Due {
			err = ErrNotDue.With("state", string(p.State))
		}
	}
	return list, err
}

// PaidTx locks fees, in the order of their ids, and records that they were paid. ok is false if one of them is not due
// any more: then nothing is recorded, and the payment is the caller's to refund.
func PaidTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (ok bool, err error) {
	if len(ids) == 0 {
		return true, nil
	}
	n, err := tx.Exec(ctx, `with due as (
			select id from fees where business_id = $1 and id = any($2) and state = 'due' order by id for update
		)
		update fees f set state = 'paid', charge_failed = '', version = version + 1, updated_at = $3 from due
		where f.business_id = $1 and f.id = due.id and (select count(*) from due) = cardinality($2)`,
		tx.Business(), ids, tx.Now())
	return n == int64(len(ids)), err
}

// UnpaidTx makes fees due again after their payment turned out to be a mistake.
func UnpaidTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `update fees set state = 'due', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2) and state = 'paid'`, tx.Business(), ids, tx.Now())
	return err
}
