package till

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// tillRow is the state of a location's cash before a change.
type tillRow struct {
	LocationName      string
	Zone              string
	Currency          money.Currency
	Open              *uuid.UUID // the open drawer
	RemainingAmount   int64      // in the last drawer
	LooseAmount       int64      // cash payments since then, while no drawer was open, less refunds
	OutstandingAmount int64      // paid by another method, and not settled
}

const selectTill = `select l.name as location_name, l.zone, l.currency, o.id as open,
		coalesce(d.left_amount, 0)::bigint as remaining_amount,
		((select coalesce(sum(t.amount), 0) from order_tenders t where t.business_id = $1 and t.location_id = $2
				and t.kind = 'cash' and t.drawer_id is null and (d.closed_at is null or t.captured_at > d.closed_at))
			- (select coalesce(sum(g.amount), 0) from order_tenders t join refunds g on g.business_id = $1 and g.tender_id = t.id
				where t.business_id = $1 and t.location_id = $2 and t.kind = 'cash' and g.destination = 'original'
				and g.drawer_id is null and (d.closed_at is null or g.created_at > d.closed_at)))::bigint as loose_amount,
		((select coalesce(sum(t.amount), 0) from order_tenders t where t.business_id = $1 and t.location_id = $2
			and t.kind = 'other')
			- (select coalesce(sum(g.amount), 0) from order_tenders t join refunds g on g.business_id = $1 and g.tender_id = t.id
				where t.business_id = $1 and t.location_id = $2 and t.kind = 'other' and g.destination = 'original')
		- (select coalesce(sum(s.amount + s.fee_amount), 0) from settlements s where s.business_id = $1 and s.location_id = $2))::bigint as outstanding_amount
	from locations l
	left join drawers o on o.business_id = $1 and o.location_id = l.id and o.closed_at is null
	left join lateral (select d.closed_at, d.left_amount from drawers d where d.business_id = $1 and d.location_id = l.id and d.closed_at is not null
		order by d.closed_at desc, d.id desc limit 1) d on true
	where l.business_id = $1 and l.id = $2`

func readTill(ctx context.Context, r pg.Reader, location uuid.UUID) (tillRow, error) {
	return pg.Found(pg.One[tillRow](ctx, r, selectTill, r.Business(), location))
}

// lockTill is readTill with the location locked against concurrent changes.
func lockTill(ctx context.Context, tx *pg.Tx, location uuid.UUID) (tillRow, error) {
	if _, err := tx.Exec(ctx, `select id from locations where business_id = $1 and id = $2 for no key update`, tx.Business(), location); err != nil {
		return tillRow{}, err
	}
	return readTill(ctx, tx, location)
}

// drawerRow is a drawer with the data of its count.
type drawerRow struct {
	Drawer
	ClosedAt                                       *time.Time
	ClosedBy, Note                                 string
	ExpectedAmount, CountedAmount, RemainingAmount *int64
}

func (r drawerRow) drawer() Drawer {
	d := r.Drawer
	if r.ClosedAt != nil {
		d.Count = &Count{
			At: *r.ClosedAt, By: r.ClosedBy, ExpectedAmount: *r.ExpectedAmount, CountedAmount: *r.CountedAmount,
			RemainingAmount: *r.RemainingAmount, Note: r.Note,
		}
	}
	return d
}

const (
	drawerColumns = `select d.id, d.location_id, l.name as location_name, l.zone, d.currency, d.float_amount, d.found_amount, d.opened_by, d.closed_at,
		d.closed_by, d.note, d.expected_amount, d.counted_amount, d.left_amount as remaining_amount, d.version,
		d.created_at, d.updated_at,
		t.paid - g.voided as paid_amount, g.refunded as refunded_amount, m.paid_in as in_amount, m.paid_out as out_amount`
	drawerBeside = `
	join locations l on l.business_id = d.business_id and l.id = d.location_id
	cross join lateral (select coalesce(sum(t.amount), 0)::bigint as paid from order_tenders t
		where t.business_id = d.business_id and t.drawer_id = d.id) t
	cross join lateral (select coalesce(sum(g.amount) filter (where g.kind = 'void'), 0)::bigint as voided,
			coalesce(sum(g.amount) filter (where g.kind = 'refund'), 0)::bigint as refunded
		from refunds g where g.business_id = d.business_id and g.drawer_id = d.id) g
	cross join lateral (select coalesce(sum(m.amount) filter (where m.kind = 'pay_in'), 0)::bigint as paid_in,
		coalesce(sum(m.amount) filter (where m.kind = 'pay_out'), 0)::bigint as paid_out
		from drawer_transactions m where m.business_id = d.business_id and m.drawer_id = d.id) m`
)

// listDrawers reads a page of the drawers within cover, and cuts it before it sums up their contents.
func listDrawers(ctx context.Context, v *pg.View, in ListInput, cover policy.Cover) (paging.Page[Drawer, paging.Moment], error) {
	const newestFirst = ` order by d.created_at desc, d.id desc`
	s := pg.NewShape(drawerColumns+` from (select d.* from drawers d where d.business_id = $1`, v.Business())
	s.AndIf(in.LocationID != uuid.Nil, `d.location_id = ?`, in.LocationID)
	s.AndIf(in.Open, `d.closed_at is null`)
	s.AndIf(!cover.Everywhere, `d.location_id = any(?)`, cover.Locations)
	after := in.Page.From()
	s.AndIf(in.Page.After != nil, `(d.created_at, d.id) < (?, ?)`, after.At, after.ID)
	s.Add(newestFirst+` limit ?`, in.Page.Size()+1)
	s.Add(`) d` + drawerBeside + newestFirst)
	rows, err := pg.All[drawerRow](ctx, v.Kept(), s.SQL(), s.Args()...)
	out := make([]Drawer, len(rows))
	for i, r := range rows {
		out[i] = r.drawer()
	}
	return paging.Of(out, in.Page.Size(), func(d Drawer) paging.Moment { return paging.Moment{At: d.CreatedAt, ID: d.ID} }), err
}

func readDrawer(ctx context.Context, v *pg.View, of Of) (Drawer, []Transaction, error) {
	var row drawerRow
	var found bool
	var moves []Transaction
	b := v.Batch()
	pg.QueueOne(b, &row, &found, drawerColumns+` from drawers d`+drawerBeside+` where d.business_id = $1 and d.location_id = $2 and d.id = $3`, v.Business(), of.LocationID, of.DrawerID)
	pg.QueueAll(b, &moves, `select id, kind, amount, note, actor_kind, actor_name, created_at from drawer_transactions
		where business_id = $1 and drawer_id = $2 order by created_at, id`, v.Business(), of.DrawerID)
	if err := b.Send(ctx); err != nil {
		return Drawer{}, nil, err
	}
	return row.drawer(), moves, fault.When(!found, fault.Missing(), nil)
}

// lockDrawer locks a drawer and then reads it, with all transactions until now.
func lockDrawer(ctx context.Context, tx *pg.Tx, of Of) (Drawer, error) {
	if _, err := tx.Exec(ctx, `select id from drawers where business_id = $1 and location_id = $2 and id = $3 for update`, tx.Business(),
		of.LocationID, of.DrawerID); err != nil {
		return Drawer{}, err
	}
	row, err := pg.Found(pg.One[drawerRow](ctx, tx, drawerColumns+` from drawers d`+drawerBeside+` 
		where d.business_id = $1 and d.location_id = $2 and d.id = $3`, tx.Business(), of.LocationID, of.DrawerID))
	return row.drawer(), err
}

func insertDrawerIn(b *pg.Batch, tx *pg.Tx, d Drawer) {
	pg.QueueExec(b, `insert into drawers (id, business_id, location_id, currency, float_amount, found_amount, opened_by, version, created_at, updated_at)
		values (@id, @business, @location, @currency, @float, @found, @by, 1, @now, @now)`, pg.Named{
		"id": d.ID, "business": tx.Business(), "location": d.LocationID, "currency": d.Currency, "float": d.FloatAmount, "found": d.FoundAmount,
		"by": d.OpenedBy, "now": d.CreatedAt,
	})
}

func closeDrawerIn(b *pg.Batch, tx *pg.Tx, d Drawer) {
	pg.QueueExec(b, `update drawers set closed_at = @now, closed_by = @by, expected_amount = @expected, counted_amount = @counted, left_amount = @left,
			note = @note, version = @version, updated_at = @now
		where business_id = @business and id = @id`, pg.Named{
		"business": tx.Business(), "id": d.ID, "now": d.Count.At, "by": d.Count.By, "expected": d.Count.ExpectedAmount,
		"counted": d.Count.CountedAmount, "left": d.Count.RemainingAmount, "note": d.Count.Note, "version": d.Version,
	})
}

// actorOf returns the actor, for a row.
func actorOf(sc tenancy.Scope) (kind tenancy.ActorKind, id *uuid.UUID, name string) {
	if sc.Actor.ID != uuid.Nil {
		id = &sc.Actor.ID
	}
	return sc.Actor.Kind, id, sc.Actor.Name
}

func insertMoveIn(b *pg.Batch, tx *pg.Tx, sc tenancy.Scope, id uuid.UUID, in TransactionInput) {
	kind, actor, name := actorOf(sc)
	pg.QueueExec(b, `insert into drawer_transactions (id, business_id, drawer_id, kind, amount, note, actor_kind, actor_id, actor_name, created_at)
		values (@id, @business, @drawer, @kind, @amount, @note, @actor_kind, @actor, @name, @now)`, pg.Named{
		"id": id, "business": tx.Business(), "drawer": in.DrawerID, "kind": in.Kind, "amount": in.Amount, "note": in.Note,
		"actor_kind": kind, "actor": actor, "name": name, "now": tx.Now(),
	})
}

func insertSettlementIn(b *pg.Batch, tx *pg.Tx, sc tenancy.Scope, s Settlement) {
	kind, actor, name := actorOf(sc)
	pg.QueueExec(b, `insert into settlements (id, business_id, location_id, currency, amount, fee_amount, note, actor_kind, actor_id, actor_name, created_at)
		values (@id, @business, @location, @currency, @amount, @fee, @note, @actor_kind, @actor, @name, @now)`, pg.Named{
		"id": s.ID, "business": tx.Business(), "location": s.LocationID, "currency": s.Currency, "amount": s.Amount, "fee": s.FeeAmount,
		"note": s.Note, "actor_kind": kind, "actor": actor, "name": name, "now": s.CreatedAt,
	})
}
