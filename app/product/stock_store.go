package product

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// listMoves reads a part of a variant's ledger; found reports whether the product has the variant.
func listMoves(ctx context.Context, v *pg.View, in MovesInput, c policy.Cover) (rows []Move, found bool, err error) {
	s := pg.NewShape(`select m.id, m.variant_id, m.location_id, m.number, m.kind, m.quantity, m.on_hand, x.order_id,
			m.transfer_id, m.counted, m.reason, m.actor_name, m.created_at
		from stock_moves m left join order_lines x on x.business_id = $1 and x.id = m.order_line_id
		where m.business_id = $1 and m.variant_id = $2`, v.Business(), in.VariantID)
	s.AndIf(!c.Everywhere, `m.location_id = any(?)`, c.Locations)
	s.AndIf(in.LocationID != uuid.Nil, `m.location_id = ?`, in.LocationID)
	if in.After != nil {
		s.And(`(m.created_at, m.id) < (?, ?)`, in.After.At, in.After.ID)
	}
	s.Add(` order by m.created_at desc, m.id desc limit ?`, in.Size()+1)
	var one int
	b := v.Kept().Batch()
	pg.QueueOne(b, &one, &found, `select 1 from product_variants where business_id = $1 and product_id = $2 and id = $3`,
		v.Business(), in.ProductID, in.VariantID)
	pg.QueueAll(b, &rows, s.SQL(), s.Args()...)
	return rows, found, b.Send(ctx)
}

// lockStock locks the levels of a variant at locations, and begins those that are missing. Meanwhile the variant keeps
// its settings. An unknown variant is not found.
func lockStock(
	ctx context.Context, tx *pg.Tx, in StockInput, locations []uuid.UUID, lastNumber *int,
) (st stock, err error) {
	var found bool
	b := tx.Batch()
	pg.QueueExec(b, `select from product_variants where business_id = $1 and product_id = $2 and id = $3 for share`,
		tx.Business(), in.ProductID, in.VariantID)
	pg.QueueExec(b, `insert into stock_levels (business_id, variant_id, location_id, below_zero, updated_at)
		select $1, v.id, l.id, v.below_zero, $5 from product_variants v
		join locations l on l.business_id = $1 and l.id = any($4)
		where v.business_id = $1 and v.product_id = $2 and v.id = $3 and v.tracked_at is not null order by l.id
		on conflict (business_id, variant_id, location_id) do nothing`,
		tx.Business(), in.ProductID, in.VariantID, locations, tx.Now())
	pg.QueueExec(b, `select from stock_levels where business_id = $1 and variant_id = $2 and location_id = any($3)
		order by location_id for no key update`, tx.Business(), in.VariantID, locations)
	pg.QueueOne(b, &st, &found, `select p.currency, v.tracked_at is not null as tracked,
			v.archived_at is not null or p.state = 'archived' as archived, case
				when $5::int is null then coalesce(s.on_hand, 0) when $5 = 0 then 0
				else (select m.on_hand from stock_moves m where m.business_id = $1 and m.variant_id = $3
					and m.location_id = $4 and m.number = $5) end as "then"
		from product_variants v join products p on p.business_id = $1 and p.id = v.product_id
		left join stock_levels s on s.business_id = $1 and s.variant_id = v.id and s.location_id = $4
		where v.business_id = $1 and v.product_id = $2 and v.id = $3`,
		tx.Business(), in.ProductID, in.VariantID, in.LocationID, lastNumber)
	pg.QueueAll(b, &st.at, `select id, currency, archived_at is not null as archived from locations
		where business_id = $1 and id = any($2)`, tx.Business(), locations)
	if err = b.Send(ctx); err == nil && !found {
		err = pg.ErrNoRow
	}
	return pg.Found(st, err)
}

var levelConstraints = map[string]error{"stock_levels_least": ErrShort, "stock_levels_range": ErrFull}

// insertMoves writes moves of one variant at different locations, whose levels are locked, with the numbers and levels
// that they come to.
func insertMoves(ctx context.Context, tx *pg.Tx, by tenancy.Actor, moves []Move) ([]Level, error) {
	n := len(moves)
	ids, locations, kinds := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]string, n)
	quantities := make([]int, n)
	for i, m := range moves {
		ids[i], locations[i], kinds[i], quantities[i] = m.ID, m.LocationID, string(m.Kind), m.Quantity
	}
	levels, err := pg.All[Level](ctx, tx, `with made as (
			select * from unnest(@ids::uuid[], @locations::uuid[], @kinds::varchar[], @quantities::int[])
				with ordinality as x (id, location_id, kind, quantity, position)
		), changed as (
			update stock_levels s set on_hand = s.on_hand + x.quantity, moves = s.moves + 1, updated_at = @now
			from made x where s.business_id = @business and s.variant_id = @variant and s.location_id = x.location_id
			returning s.location_id, s.on_hand, s.held, s.moves as last_number
		), written as (
			insert into stock_moves (id, business_id, variant_id, location_id, number, kind, quantity, on_hand, transfer_id,
				counted, reason, actor_kind, actor_id, actor_name, created_at)
			select x.id, @business, @variant, x.location_id, c.last_number, x.kind, x.quantity, c.on_hand, @transfer,
				@counted, @reason, @actor_kind, @actor, @actor_name, @now
			from made x join changed c on c.location_id = x.location_id
		)
		select c.location_id, c.on_hand, c.held, c.last_number from changed c join made x on x.location_id = c.location_id
		order by x.position`, pg.Named{
		"ids": ids, "locations": locations, "kinds": kinds, "quantities": quantities, "business": tx.Business(),
		"variant": moves[0].VariantID, "transfer": moves[0].TransferID, "counted": moves[0].Counted,
		"reason": moves[0].Reason, "actor_kind": by.Kind, "actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
	if err != nil {
		return nil, pg.Map(err, levelConstraints)
	}
	for i, l := range levels {
		moves[i].Number, moves[i].OnHand = l.LastNumber, l.OnHand
	}
	return levels, nil
}

// setBelowZero writes on the levels of a locked variant whether it may be sold below zero: ErrShort if it may not, and
// is.
func setBelowZero(ctx context.Context, tx *pg.Tx, v Variant) error {
	b := tx.Batch()
	pg.QueueExec(b, `select from stock_levels where business_id = $1 and variant_id = $2
		order by location_id for no key update`, tx.Business(), v.ID)
	pg.QueueExec(b, `update stock_levels set below_zero = $3, updated_at = $4 where business_id = $1 and variant_id = $2`,
		tx.Business(), v.ID, v.BelowZero, tx.Now())
	return pg.Map(b.Send(ctx), levelConstraints)
}
