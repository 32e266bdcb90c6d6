package tender

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// InsertIn queues the writing of a tender with its parts. Cash is in the open drawer of the location: the caller has
// locked the location, so that opening and counting wait meanwhile.
func InsertIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t *Tender) {
	t.State, t.ActorKind, t.ActorName, t.CapturedAt = Captured, by.Kind, by.Name, tx.Now()
	var parts partArgs
	parts.add(t.ID, t.Parts)
	pg.QueueExec(b, `with drawer as (`+OpenDrawerSQL+`), paid as (
			insert into order_tenders (id, business_id, location_id, order_id, drawer_id, kind, source_id, source_label, state,
				amount, currency, note, actor_kind, actor_id, actor_name, captured_at, created_at)
			values (@id, @business, @location, @order, (select id from drawer), @kind, @source, @label, @state, @amount,
				@currency, @note, @actor_kind, @actor, @actor_name, @now, @now)
			returning id
		), going as (select from paid), `+partsInserted+` select`, parts.in(pg.Named{
		"id": t.ID, "business": tx.Business(), "location": t.LocationID, "order": t.OrderID, "kind": t.Kind, "state": t.State,
		"source": pg.OrNull(t.SourceID), "label": t.SourceLabel,
		"amount": t.Amount, "currency": t.Currency, "note": t.Note, "actor_kind": t.ActorKind, "actor": actorID(by),
		"actor_name": t.ActorName, "now": t.CapturedAt,
	}))
}

// InsertSQL writes the tenders of an order as a part of the statement that writes it, if its table going has a row.
const InsertSQL = `tendered as (
		insert into order_tenders (id, business_id, location_id, order_id, position, kind, source_id, source_label, state,
			amount, service_fee_amount, currency, expires_at, created_at)
		select x.id, @business, @location, @order, x.position, x.kind, x.source, x.label, x.state, x.amount, x.fee, @currency,
			x.expires, @now::timestamptz
		from going, unnest(@tenders::uuid[], @tender_kinds::varchar[], @tender_sources::uuid[],
			@tender_labels::varchar[], @tender_states::varchar[], @tender_amounts::bigint[],
			@tender_fees::bigint[], @tender_expires::timestamptz[]) with ordinality
			as x (id, kind, source, label, state, amount, fee, expires, position)
	), ` + partsInserted

// partsInserted writes parts of tenders, if the statement's table going has a row.
const partsInserted = `split as (
		insert into tender_parts (business_id, tender_id, seq, line_id, account, amount)
		select @business, x.tender, x.seq, x.line, x.account, x.amount
		from going, unnest(@part_tenders::uuid[], @part_seqs::integer[], @part_lines::uuid[], @part_accounts::varchar[],
			@part_amounts::bigint[]) as x (tender, seq, line, account, amount)
	)`

// Args adds the arguments of InsertSQL to those of the order's statement.
func Args(args pg.Named, list []Draft) pg.Named {
	n := len(list)
	ids, kinds, states := pg.NewIDs(n), make([]string, n), make([]string, n)
	amounts, fees, expires := make([]int64, n), make([]int64, n), make([]*time.Time, n)
	sources, labels := make([]*uuid.UUID, n), make([]string, n)
	var parts partArgs
	for i, d := range list {
		kinds[i], states[i], amounts[i] = string(d.Kind), string(Authorized), Sum(d.Parts)
		if d.Kind == Card {
			states[i] = string(Open)
		}
		fees[i], expires[i], sources[i] = d.ServiceFeeAmount, d.ExpiresAt, pg.OrNull(d.SourceID)
		labels[i] = d.SourceLabel
		parts.add(ids[i], d.Parts)
	}
	args["tenders"], args["tender_kinds"], args["tender_states"] = ids, kinds, states
	args["tender_amounts"], args["tender_fees"], args["tender_expires"] = amounts, fees, expires
	args["tender_sources"], args["tender_labels"] = sources, labels
	return parts.in(args)
}

// partArgs are the columns of parts.
type partArgs struct {
	tenders  []uuid.UUID
	seqs     []int
	lines    []*uuid.UUID
	accounts []string
	amounts  []int64
}

func (a *partArgs) add(tender uuid.UUID, parts []Part) {
	for i, p := range parts {
		a.tenders, a.seqs = append(a.tenders, tender), append(a.seqs, i+1)
		a.lines, a.accounts = append(a.lines, pg.OrNull(p.Line)), append(a.accounts, string(p.Account))
		a.amounts = append(a.amounts, p.Amount)
	}
}

func (a *partArgs) in(args pg.Named) pg.Named {
	args["part_tenders"], args["part_seqs"], args["part_lines"] = a.tenders, a.seqs, a.lines
	args["part_accounts"], args["part_amounts"] = a.accounts, a.amounts
	return args
}

func actorID(by tenancy.Actor) *uuid.UUID { return pg.OrNull(by.ID) }

// EndedSQL captures the card of an order that is fulfilled, or gives up what was agreed with one that is not, as a part
// of the statement that ends it: its table ended has a row then, and @state is the order's.
const EndedSQL = `settled as (
		update order_tenders t set state = case @state::varchar when 'fulfilled' then 'captured' else 'void' end,
			captured_at = case @state::varchar when 'fulfilled' then @now::timestamptz end
		from ended where t.business_id = @business and t.order_id = @order and t.position > 0
			and (t.kind = 'card' or @state::varchar <> 'fulfilled')
	)`

// CapturedSQL captures the card of the order @order as a part of a statement, if its table kept has a row.
const CapturedSQL = `captured as (
		update order_tenders t set state = 'captured', captured_at = @now from kept
		where t.business_id = @business and t.order_id = @order and t.kind = 'card' and t.state = 'open'
	)`

// CaptureIn queues that an authorized tender is captured.
func CaptureIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, id uuid.UUID) {
	pg.QueueExec(b, `update order_tenders set state = 'captured', captured_at = @now, actor_kind = @kind,
		actor_id = @actor, actor_name = @name
		where business_id = @business and id = @id and state = 'authorized'`, pg.Named{
		"business": tx.Business(), "id": id, "now": tx.Now(), "kind": by.Kind, "actor": actorID(by), "name": by.Name,
	})
}

// ExtendTx sets the time until which what pays an order beside a card is reserved.
func ExtendTx(ctx context.Context, tx *pg.Tx, order uuid.UUID, until time.Time) error {
	_, err := tx.Exec(ctx, `update order_tenders set expires_at = $3
		where business_id = $1 and order_id = $2 and state = 'authorized'`, tx.Business(), order, until)
	return err
}

// OpenDrawerSQL reads the id of the open drawer of @location, locked against its count, for a payment or refund by a
// tender's @kind; none unless that is cash.
const OpenDrawerSQL = `select id from drawers
	where business_id = @business and location_id = @location and closed_at is null and @kind = 'cash' for share`

// VoidIn queues that a tender is void.
func VoidIn(b *pg.Batch, tx *pg.Tx, id uuid.UUID) {
	pg.QueueExec(b, `update order_tenders set state = 'void' where business_id = $1 and id = $2`, tx.Business(), id)
}

// selectTender reads tenders t of business $1.
const selectTender = `select t.id, t.location_id, t.order_id, o.customer_id, t.kind, t.source_id, t.source_label,
		t.state, t.position,
		t.amount, t.currency, t.note, t.actor_kind, t.actor_name, t.captured_at
	from order_tenders t join orders o on o.business_id = $1 and o.id = t.order_id
	where t.business_id = $1 `

// Read queues the reading of a tender with its parts; found is false if there is none.
func Read(b *pg.Batch, r pg.Reader, id uuid.UUID) func() (t Tender, found bool) {
	var t Tender
	var found bool
	pg.QueueOne(b, &t, &found, selectTender+`and t.id = $2`, r.Business(), id)
	parts := PartsOf(b, r, id)
	return func() (Tender, bool) {
		t.Parts = *parts
		return t, found
	}
}

// PartsOf queues the reading of the parts of a tender.
func PartsOf(b *pg.Batch, r pg.Reader, id uuid.UUID) *[]Part {
	parts := new([]Part)
	pg.QueueAll(b, parts, selectParts+` where t.business_id = $1 and t.id = $2 order by a.seq`, r.Business(), id)
	return parts
}

// partColumns are those of parts a of tenders t, and selectParts reads them.
const (
	partColumns = `coalesce(a.line_id, '00000000-0000-0000-0000-000000000000') as line, a.account, a.amount
	from order_tenders t join tender_parts a on a.business_id = $1 and a.tender_id = t.id`
	selectParts = `select ` + partColumns
)

// ByCard queues the reading of the parts of the card tender of an order, in any state.
func ByCard(b *pg.Batch, r pg.Reader, order uuid.UUID) *[]Part {
	parts := new([]Part)
	pg.QueueAll(b, parts, selectByCard, r.Business(), order)
	return parts
}

var selectByCard = pg.Hot(selectParts + `
	where t.business_id = $1 and t.order_id = $2 and t.kind = 'card' order by a.seq`)

// Reserved queues the reading of the authorized tenders of an order, with their parts, in the order of payment.
func Reserved(b *pg.Batch, r pg.Reader, order uuid.UUID) func() []Tender {
	type row struct {
		TenderID uuid.UUID
		Part
	}
	var list []Tender
	var parts []row
	pg.QueueAll(b, &list, selectTender+`and t.order_id = $2 and t.state = 'authorized' order by t.position`,
		r.Business(), order)
	pg.QueueAll(b, &parts, `select a.tender_id, `+partColumns+`
		where t.business_id = $1 and t.order_id = $2 and t.state = 'authorized' order by a.tender_id, a.seq`,
		r.Business(), order)
	return func() []Tender {
		for i := range list {
			for _, p := range parts {
				if p.TenderID == list[i].ID {
					list[i].Parts = append(list[i].Parts, p.Part)
				}
			}
		}
		return list
	}
}

// Paid queues the reading of what tenders have paid of an order. A refunded payment was paid.
func Paid(b *pg.Batch, r pg.Reader, order uuid.UUID) *[]Part {
	parts := new([]Part)
	pg.QueueAll(b, parts, `select x.line, x.account, sum(x.amount)::bigint as amount
		from (`+selectParts+` where t.business_id = $1 and t.order_id = $2 and t.state = 'captured') x group by 1, 2`,
		r.Business(), order)
	return parts
}

// AgreedSQL gives what was agreed with an order, as columns of agreed: fee, its service fee, prepaid, what is not
// paid by card as JSON of []Prepaid, and price, all of it without the fee. Order is the name of its table in the
// statement.
func AgreedSQL(order string) string {
	return `cross join lateral (
		select coalesce(sum(t.service_fee_amount), 0)::bigint as fee,
			jsonb_agg(jsonb_build_object('kind', t.kind, 'sourceId', t.source_id, 'label', t.source_label,
				'amount', t.amount) order by t.position)
				filter (where t.kind <> 'card') as prepaid,
			coalesce(sum(t.amount - t.service_fee_amount), 0)::bigint as price
		from order_tenders t
		where t.business_id = ` + order + `.business_id and t.order_id = ` + order + `.id and t.position > 0
	) agreed `
}

// ReservedSQL is the sum of the tenders that other orders than one, which may be null, have reserved of a source at a
// time. All arguments are SQL expressions.
func ReservedSQL(source, order, now string) string {
	return `coalesce((select sum(t.amount) from order_tenders t
		where t.source_id = ` + source + ` and t.state = 'authorized' and t.expires_at > ` + now + `
			and t.order_id is distinct from ` + order + `), 0)::bigint`
}

// LockOrder queues the lock of the order of a tender at the studio, under which its refunds are added up; none for
// another id.
func LockOrder(b *pg.Batch, tx *pg.Tx, id uuid.UUID) {
	pg.QueueExec(b, `select o.id from orders o where o.business_id = $1 and o.id = (select t.order_id from order_tenders t
			where t.business_id = $1 and t.id = $2 and t.kind <> 'card')
		for no key update`, tx.Business(), id)
}
