package product

import (
	"context"

	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/media"
)

// listedSQL reads the published products p of the location $2 of the business $1.
var listedSQL = `select p.id, p.name, p.description, p.currency, ` + optionsSQL + ` as options, sold.variants,
	` + media.PhotosSQL("listed.id") + ` as photos, ` +
	catalog.PricingSQL("f", "l", "b") + `
	from products p
	join locations l on l.business_id = $1 and l.id = $2
	join businesses b on b.business_id = $1
	cross join lateral (select p.id) listed
	cross join lateral (select p.business_id, p.tax_rate_id, null::uuid as policy_id) f
	cross join lateral (select jsonb_agg(jsonb_build_object('id', v.id, 'choices', v.choices,
			'price_amount', v.price_amount, 'stock',
			case when v.tracked_at is not null and not v.below_zero then s.on_hand - s.held end) order by v.id) as variants
		from product_variants v
		left join stock_levels s on s.business_id = $1 and s.variant_id = v.id and s.location_id = l.id
		where v.business_id = $1 and v.product_id = p.id and v.archived_at is null and ` + soldAtSQL + `) sold
	where p.business_id = $1 and p.state = 'published' and sold.variants is not null`

// listed reads a part of the products of a location; found reports whether the public sees the location.
func listed(ctx context.Context, v *pg.View, in ListedInput) (rows []Listing, found bool, err error) {
	var one int
	b, key := v.Batch(), in.From()
	pg.QueueOne(b, &one, &found, `select 1 from locations l join businesses b on b.business_id = $1
		where l.business_id = $1 and l.id = $2 and l.archived_at is null and b.status <> 'closed'`,
		v.Business(), in.LocationID)
	pg.QueueAll(b, &rows, listedSQL+` and (lower(p.name), p.id) > (lower($3), $4) and ($6::uuid is null or p.id = $6)
		order by lower(p.name), p.id limit $5`,
		v.Business(), in.LocationID, key.Name, key.ID, in.Size()+1, pg.OrNull(in.ProductID))
	return rows, found, b.Send(ctx)
}

// sellable reads the variants that a location sells: those that a query finds, and the named ones.
func sellable(ctx context.Context, v *pg.View, in SellableInput) ([]Sellable, error) {
	return pg.All[Sellable](ctx, v.Kept(), `select x.variant_id, x.name, x.choices, x.sku, x.price_amount, x.available,
			x.exact
		from (
			select v.id as variant_id, p.name, v.choices, coalesce(v.sku, '') as sku, v.price_amount,
				case when v.tracked_at is not null and not v.below_zero then s.on_hand - s.held end as available,
				@query <> '' and coalesce(lower(v.sku) = lower(@query), false)
					or @query <> '' and coalesce(`+gtinSQL+` = @gtin, false) as exact, p.id
			from products p
			join locations l on l.business_id = @business and l.id = @location
			join product_variants v on v.business_id = @business and v.product_id = p.id and v.archived_at is null
			left join stock_levels s on s.business_id = @business and s.variant_id = v.id and s.location_id = l.id
			where p.business_id = @business and p.state = 'published' and `+soldAtSQL+` and (v.id = any(@named::uuid[])
				or @query <> '' and (p.name ilike @like or lower(v.sku) = lower(@query) or `+gtinSQL+` = @gtin))
		) x order by x.exact desc, lower(x.name), x.id, x.variant_id limit @most`, pg.Named{
		"business": v.Business(), "location": in.LocationID, "named": in.VariantIDs, "query": in.Query,
		"gtin": gtin(in.Query), "like": likeOf(in.Query), "most": sellableMost + len(in.VariantIDs),
	})
}
