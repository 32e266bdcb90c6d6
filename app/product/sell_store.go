package product

import (
	"github.com/google/uuid"

	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// soldAtSQL is the condition for a location l to sell a variant v of a product p, with the level s of it there, if any.
const soldAtSQL = `(p.currency = l.currency and (v.tracked_at is null or s.variant_id is not null))`

// queueOffers queues the reading of the offers of items; unknown ones have none. What is held for an item is available
// to it, also when the hold has ended and nobody has released it yet.
func queueOffers(b *pg.Batch, r pg.Reader, items []*order.CartItem, offers *[]offer) {
	ids, variants, locations, _ := columnsOf(items)
	pg.QueueAll(b, offers, `select a.item, p.name, v.choices, p.state = 'published' and v.archived_at is null as sold,
			`+soldAtSQL+` as at_location, v.price_amount, t.id as tax_rate_id, coalesce(t.name, '') as tax_name,
			coalesce(t.ppm, 0)::bigint as tax_ppm, p.revenue_category_id,
			case when v.tracked_at is not null and not v.below_zero then s.on_hand - s.held + coalesce(k.quantity, 0) end
				as available
		from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as a (item, variant, location)
		join product_variants v on v.business_id = $1 and v.id = a.variant
		join products p on p.business_id = $1 and p.id = v.product_id
		join locations l on l.business_id = $1 and l.id = a.location
		left join tax_rates t on t.business_id = $1 and t.id = p.tax_rate_id
		left join stock_levels s on s.business_id = $1 and s.variant_id = v.id and s.location_id = l.id
		left join stock_reservations k on k.business_id = $1 and k.item_id = a.item`,
		r.Business(), ids, variants, locations)
}

func columnsOf(items []*order.CartItem) (ids, variants, locations []uuid.UUID, quantities []int) {
	for _, it := range items {
		ids, variants, locations = append(ids, it.ID), append(variants, it.Subject), append(locations, it.LocationID)
		quantities = append(quantities, it.Quantity)
	}
	return ids, variants, locations, quantities
}

// shortage is the first item that cannot be reserved, and why.
type shortage struct {
	Item             uuid.UUID
	Sold, AtLocation bool
	Available        int
}

// queueReserve queues that stock is held for items that have no reservation yet: for all of them, or for none, and then
// short is the first that cannot be.
func queueReserve(b *pg.Batch, tx *pg.Tx, items []*order.CartItem, short *shortage, refused *bool) {
	ids, variants, locations, quantities := columnsOf(items)
	atDesk := make([]bool, len(items))
	for i, it := range items {
		atDesk[i] = it.AtDesk
	}
	if underLock {
		pg.QueueExec(b, `select from stock_levels where business_id = $1
				and (variant_id, location_id) in (select * from unnest($2::uuid[], $3::uuid[]))
			order by variant_id, location_id for no key update`, tx.Business(), variants, locations)
	}
	pg.QueueOne(b, short, refused, `with wanted as (
			select a.*, v.tracked_at is not null as tracked, v.archived_at is null and p.state = 'published' as sold,
				`+soldAtSQL+` as at_location, s.below_zero, coalesce(s.on_hand - s.held, 0) as available
			from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::bool[])
				as a (item, variant, location, quantity, at_desk)
			join product_variants v on v.business_id = $1 and v.id = a.variant
			join products p on p.business_id = $1 and p.id = v.product_id
			join locations l on l.business_id = $1 and l.id = a.location
			left join stock_levels s on s.business_id = $1 and s.variant_id = v.id and s.location_id = l.id
			where not exists (select from stock_reservations r where r.business_id = $1 and r.item_id = a.item)
		), needed as (
			select variant, location, sum(quantity)::int as quantity from wanted where tracked group by variant, location
		), short as (
			select w.item, w.sold, w.at_location, w.available
			from wanted w left join needed n on w.tracked and n.variant = w.variant and n.location = w.location
			where not w.sold or not w.at_location or w.tracked and not w.below_zero and w.available < n.quantity
		), held as (
			update stock_levels s set held = s.held + n.quantity from needed n
			where s.business_id = $1 and s.variant_id = n.variant and s.location_id = n.location
				and not exists (select from short)
		), kept as (
			insert into stock_reservations (business_id, item_id, variant_id, location_id, quantity, at_desk)
			select $1, item, variant, location, quantity, at_desk from wanted where tracked and not exists (select from short)
		)
		select * from short order by item limit 1`, tx.Business(), ids, variants, locations, quantities, atDesk)
}

// queueLevels queues that the levels are locked of which something is held for these items.
func queueLevels(b *pg.Batch, tx *pg.Tx, items []uuid.UUID) {
	pg.QueueExec(b, `select from stock_levels where business_id = $1 and (variant_id, location_id) in (
			select variant_id, location_id from stock_reservations where business_id = $1 and item_id = any($2))
		order by variant_id, location_id for no key update`, tx.Business(), items)
}

// queueRelease queues that nothing is held for items any more.
func queueRelease(b *pg.Batch, tx *pg.Tx, items []uuid.UUID) {
	queueLevels(b, tx, items)
	pg.QueueExec(b, `with freed as (
			delete from stock_reservations where business_id = $1 and item_id = any($2)
			returning variant_id, location_id, quantity
		)
		update stock_levels s set held = s.held - f.quantity
		from (select variant_id, location_id, sum(quantity)::int as quantity from freed group by 1, 2) f
		where s.business_id = $1 and s.variant_id = f.variant_id and s.location_id = f.location_id`, tx.Business(), items)
}

// queueFulfil queues that what is held for items leaves the stock, sold by these lines. An item without a reservation
// is not tracked.
func queueFulfil(b *pg.Batch, tx *pg.Tx, lines, items []uuid.UUID) {
	queueLevels(b, tx, items)
	pg.QueueExec(b, `with gone as (
			delete from stock_reservations where business_id = $1 and item_id = any($3)
			returning item_id, variant_id, location_id, quantity
		), sold as (
			select x.id, x.line, g.variant_id, g.location_id, g.quantity,
				row_number() over later as number, sum(g.quantity) over later as so_far
			from gone g join unnest($4::uuid[], $2::uuid[], $3::uuid[]) as x (id, line, item) on x.item = g.item_id
			window later as (partition by g.variant_id, g.location_id order by x.id)
		), left_over as (
			update stock_levels s set on_hand = s.on_hand - t.quantity, held = s.held - t.quantity, moves = s.moves + t.lines,
				updated_at = $5
			from (select variant_id, location_id, sum(quantity)::int as quantity, count(*)::int as lines
				from sold group by 1, 2) t
			where s.business_id = $1 and s.variant_id = t.variant_id and s.location_id = t.location_id
			returning s.variant_id, s.location_id, s.on_hand + t.quantity as before, s.moves - t.lines as moves
		)
		insert into stock_moves (id, business_id, variant_id, location_id, number, kind, quantity, on_hand, order_line_id,
			created_at)
		select d.id, $1, d.variant_id, d.location_id, s.moves + d.number, 'sell', -d.quantity, s.before - d.so_far, d.line, $5
		from sold d join left_over s on s.variant_id = d.variant_id and s.location_id = d.location_id`,
		tx.Business(), lines, items, pg.NewIDs(len(lines)), tx.Now())
}

// queueSell queues that lines of an order, which is written, leave the stock of its location: all of them, or none, and
// then short is the first that cannot, by its variant.
func queueSell(b *pg.Batch, tx *pg.Tx, sale order.Sale, short *shortage, refused *bool) {
	n := len(sale.Lines)
	lines, variants, quantities := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]int, n)
	for i, l := range sale.Lines {
		lines[i], variants[i], quantities[i] = l.LineID, l.Subject, l.Quantity
	}
	if underLock {
		lockLevels(b, tx, sale.Location, variants)
	}
	pg.QueueOne(b, short, refused, `with wanted as (
			select a.*, v.tracked_at is not null as tracked, v.archived_at is null and p.state = 'published' as sold,
				`+soldAtSQL+` as at_location, s.below_zero, coalesce(s.on_hand - s.held, 0) as available
			from unnest(@ids::uuid[], @lines::uuid[], @variants::uuid[], @quantities::int[])
				as a (id, line, variant, quantity)
			join product_variants v on v.business_id = @business and v.id = a.variant
			join products p on p.business_id = @business and p.id = v.product_id
			join locations l on l.business_id = @business and l.id = @location
			left join stock_levels s on s.business_id = @business and s.variant_id = v.id and s.location_id = l.id
		), needed as (
			select variant, sum(quantity)::int as quantity from wanted where tracked group by variant
		), short as (
			select w.variant as item, w.sold, w.at_location, w.available
			from wanted w left join needed n on w.tracked and n.variant = w.variant
			where not w.sold or not w.at_location or w.tracked and not w.below_zero and w.available < n.quantity
		), gone as (
			select id, line, variant, -quantity as quantity from wanted where tracked and not exists (select from short)
		), `+movedSQL+`
		select * from short order by item limit 1`, movedArgs(tx, Sell, sale.By, sale.Location, pg.Named{
		"ids": pg.NewIDs(n), "lines": lines, "variants": variants, "quantities": quantities,
	}))
}

// movedSQL writes moves of lines of an order at one location, as a part of a statement: those of its table gone, whose
// levels are locked. Its arguments are those of movedArgs.
const movedSQL = `numbered as (
			select g.*, row_number() over later as number, sum(g.quantity) over later as so_far
			from gone g window later as (partition by g.variant order by g.id)
		), changed as (
			update stock_levels s set on_hand = s.on_hand + t.quantity, moves = s.moves + t.lines, updated_at = @now
			from (select variant, sum(quantity)::int as quantity, count(*)::int as lines from gone group by 1) t
			where s.business_id = @business and s.variant_id = t.variant and s.location_id = @location
			returning s.variant_id, s.on_hand - t.quantity as before, s.moves - t.lines as moves
		), moved as (
			insert into stock_moves (id, business_id, variant_id, location_id, number, kind, quantity, on_hand,
				order_line_id, return_id, reason, actor_kind, actor_id, actor_name, created_at)
			select n.id, @business, n.variant, @location, c.moves + n.number, @kind::varchar,
				n.quantity, c.before + n.so_far, n.line, case when @kind::varchar = 'return' then n.id end, @reason,
				@actor_kind, @actor::uuid, @actor_name, @now::timestamptz
			from numbered n join changed c on c.variant_id = n.variant
		)`

// movedArgs adds the arguments of movedSQL to others. The id of a return is that of its move.
func movedArgs(tx *pg.Tx, k MoveKind, by tenancy.Actor, location uuid.UUID, args pg.Named) pg.Named {
	if args["reason"] == nil {
		args["reason"] = ""
	}
	args["business"], args["location"], args["now"], args["kind"] = tx.Business(), location, tx.Now(), string(k)
	args["actor_kind"], args["actor"], args["actor_name"] = string(by.Kind), pg.OrNull(by.ID), by.Name
	return args
}

// lockLevels queues that the levels of variants at a location are locked.
func lockLevels(b *pg.Batch, tx *pg.Tx, location uuid.UUID, variants []uuid.UUID) {
	pg.QueueExec(b, `select from stock_levels where business_id = $1 and location_id = $2 and variant_id = any($3)
		order by variant_id, location_id for no key update`, tx.Business(), location, variants)
}

// restocked returns the columns of returned lines that are for sale again.
func restocked(back order.Return) (ids, lines, variants []uuid.UUID, quantities []int) {
	for _, l := range back.Lines {
		if l.Restock {
			ids, lines = append(ids, l.ReturnID), append(lines, l.LineID)
			variants, quantities = append(variants, l.Subject), append(quantities, l.Quantity)
		}
	}
	return ids, lines, variants, quantities
}

// queueLockReturn queues that the levels are locked to which returned lines are added, and begun where they are
// missing. full reports whether one would exceed CountMax.
func queueLockReturn(b *pg.Batch, tx *pg.Tx, back order.Return, full *bool) {
	_, _, variants, quantities := restocked(back)
	pg.QueueExec(b, `insert into stock_levels (business_id, variant_id, location_id, below_zero, updated_at)
		select $1, v.id, $2, v.below_zero, $4 from product_variants v
		where v.business_id = $1 and v.id = any($3) and v.tracked_at is not null order by v.id
		on conflict (business_id, variant_id, location_id) do nothing`,
		tx.Business(), back.Location, variants, tx.Now())
	lockLevels(b, tx, back.Location, variants)
	var found bool
	pg.QueueOne(b, full, &found, `select coalesce(bool_or(s.on_hand + x.quantity > $5), false)
		from (select variant, sum(quantity)::int as quantity
			from unnest($3::uuid[], $4::int[]) as a (variant, quantity) group by 1) x
		join stock_levels s on s.business_id = $1 and s.variant_id = x.variant and s.location_id = $2`,
		tx.Business(), back.Location, variants, quantities, CountMax)
}

// queueReturn queues the moves of returned lines that are for sale again, after queueLockReturn.
func queueReturn(b *pg.Batch, tx *pg.Tx, back order.Return) {
	ids, lines, variants, quantities := restocked(back)
	pg.QueueExec(b, `with gone as (
			select a.* from unnest(@ids::uuid[], @lines::uuid[], @variants::uuid[], @quantities::int[])
				as a (id, line, variant, quantity)
			join product_variants v on v.business_id = @business and v.id = a.variant and v.tracked_at is not null
		), `+movedSQL+` select`, movedArgs(tx, Return, back.By, back.Location, pg.Named{
		"ids": ids, "lines": lines, "variants": variants, "quantities": quantities, "reason": back.Note,
	}))
}
