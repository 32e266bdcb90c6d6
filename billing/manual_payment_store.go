package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/credit"
	"foyer/billing/ledger"
)

// writeManualPayment writes a manual payment with its parts, and books it. Cash is in the open drawer of the
// location. Opening and counting wait meanwhile.
func writeManualPayment(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t *ManualPayment) error {
	t.ActorKind, t.ActorName, t.CreatedAt = sc.Actor.Kind, sc.Actor.Name, tx.Now()
	var actor *uuid.UUID
	if sc.Actor.ID != uuid.Nil {
		actor = &sc.Actor.ID
	}
	n := len(t.Parts)
	lines, accounts, amounts := make([]uuid.UUID, n), make([]string, n), make([]int64, n)
	for i, p := range t.Parts {
		lines[i], accounts[i], amounts[i] = p.Line, string(p.Account), p.Amount
	}
	b := tx.Batch()
	// Opening a drawer locks the location: earlier payments are on the desk, later ones in the drawer.
	pg.QueueExec(b, `select from locations where business_id = $1 and id = $2 for share`, tx.Business(), t.LocationID)
	pg.QueueExec(b, `with drawer as (
			select id from drawers where business_id = @business and location_id = @location and closed_at is null and @method = 'cash' for share
		), taken as (
			insert into manual_payments (id, business_id, location_id, order_id, of_id, drawer_id, kind, method, amount, currency, note, actor_kind, actor_id,
				actor_name, created_at)
			values (@id, @business, @location, @order, @of, (select id from drawer), @kind, @method, @amount, @currency, @note, @actor_kind, @actor, @actor_name, @now)
			returning id
		)
		insert into manual_payment_parts (business_id, manual_payment_id, seq, line_id, account, amount)
		select @business, taken.id, x.seq, x.line, x.account, x.amount
		from taken, unnest(@lines::uuid[], @accounts::varchar[], @amounts::bigint[]) with ordinality as x (line, account, amount, seq)`, pg.Named{
		"id": t.ID, "business": tx.Business(), "location": t.LocationID, "order": t.OrderID, "of": t.OfID, "kind": t.Kind, "method": t.Method,
		"amount": t.Amount, "currency": t.Currency, "note": t.Note, "actor_kind": t.ActorKind, "actor": actor, "actor_name": t.ActorName,
		"now": t.CreatedAt, "lines": lines, "accounts": accounts, "amounts": amounts,
	})
	if m, moves := t.credit(); moves {
		credit.RecordIn(b, tx, sc.Actor, m)
	}
	if err := ledger.PostIn(b, tx, t.entry()); err != nil {
		return err
	}
	return b.Send(ctx)
}

// manualPaymentRow is a manual payment with its parts by column.
type manualPaymentRow struct {
	ManualPayment
	Lines    []uuid.UUID
	Accounts []string
	Amounts  []int64
}

func (r manualPaymentRow) manualPayment() ManualPayment {
	t := r.ManualPayment
	for i := range r.Lines {
		t.Parts = append(t.Parts, Part{Line: r.Lines[i], Account: ledger.Account(r.Accounts[i]), Amount: r.Amounts[i]})
	}
	return t
}

// readManualPayment reads a manual payment, and all its refunds and voids, in the order of time.
func readManualPayment(ctx context.Context, r pg.Reader, id uuid.UUID) (t ManualPayment, backs []ManualPayment, err error) {
	rows, err := pg.All[manualPaymentRow](ctx, r, `select t.id, t.location_id, t.order_id, o.customer_id, t.of_id, t.kind, t.method, t.amount, t.currency, t.note,
			t.actor_kind, t.actor_name, t.created_at, array_agg(a.line_id order by a.seq) as lines,
			array_agg(a.account::text order by a.seq) as accounts, array_agg(a.amount order by a.seq) as amounts
		from manual_payments t join manual_payment_parts a on a.business_id = $1 and a.manual_payment_id = t.id
		join orders o on o.business_id = $1 and o.id = t.order_id
		where t.business_id = $1 and (t.id = $2 or t.of_id = $2) group by t.business_id, t.id, o.customer_id order by t.of_id is not null, t.created_at, t.id`,
		r.Business(), id)
	if err != nil {
		return ManualPayment{}, nil, err
	}
	if len(rows) == 0 || rows[0].ID != id || rows[0].Kind != ManualReceived {
		return ManualPayment{}, nil, fault.Missing()
	}
	for _, b := range rows[1:] {
		backs = append(backs, b.manualPayment())
	}
	return rows[0].manualPayment(), backs, nil
}

// PaidAtDesk queues the reading of an order's payments at the desk, without the void ones. A refunded payment was
// paid.
func PaidAtDesk(b *pg.Batch, r pg.Reader, order uuid.UUID) *[]Part {
	parts := new([]Part)
	pg.QueueAll(b, parts, `select a.line_id as line, a.account, sum(case t.kind when 'received' then a.amount else -a.amount end)::bigint as amount
		from manual_payments t join manual_payment_parts a on a.business_id = $1 and a.manual_payment_id = t.id
		where t.business_id = $1 and t.order_id = $2 and t.kind in ('received', 'void') group by 1, 2`, r.Business(), order)
	return parts
}
