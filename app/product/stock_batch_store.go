package product

import (
	"context"

	"foyer/app/pg"
)

// lookup reads the variants of a selection with their levels at a location.
func lookup(ctx context.Context, v *pg.View, in LookupInput) ([]Stocked, error) {
	return pg.All[Stocked](ctx, v, `with found as (
			select v.id from product_variants v where v.business_id = @business and @code <> '' and v.archived_at is null
				and (`+gtinSQL+` = @gtin or lower(v.sku) = lower(@code))
			order by `+gtinSQL+` is not distinct from @gtin desc limit 1
		)
		select v.id, v.product_id, p.name, v.choices, v.sku, v.barcode, p.currency, v.tracked_at is not null as tracked,
			coalesce(s.on_hand, 0) as on_hand, coalesce(s.held, 0) as held, coalesce(s.moves, 0) as last_number
		from product_variants v
		join products p on p.business_id = @business and p.id = v.product_id
		left join stock_levels s on s.business_id = @business and s.variant_id = v.id and s.location_id = @location
		where v.business_id = @business and (v.id = any(@ids) or v.id in (select id from found))
		order by v.id in (select id from found) desc, lower(p.name), v.id`, pg.Named{
		"business": v.Business(), "code": in.Code, "gtin": gtin(in.Code), "location": in.LocationID, "ids": in.VariantIDs,
	})
}
