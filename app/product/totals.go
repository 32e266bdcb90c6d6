package product

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Total is the range of prices of a product's variants that are not archived, and their stock.
type Total struct {
	ProductID               uuid.UUID
	LeastAmount, MostAmount int64
	Tracked                 int // variants whose stock is tracked
	OnHand                  int // of those
}

// TotalsInput selects products, and the locations whose stock counts.
type TotalsInput struct {
	ProductIDs []uuid.UUID // paging.Max at most
	LocationID uuid.UUID   // uuid.Nil: all locations of the caller
}

// Totals returns the totals of those products that have variants, in no order, with the stock at the caller's
// locations. It needs location.view, and returns a validation error.
func (s *Service) Totals(ctx context.Context, sc tenancy.Scope, in TotalsInput) ([]Total, error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return nil, err
	}
	if len(in.ProductIDs) > paging.Max {
		return nil, fault.Invalid("productIds", "Ask for fewer products.")
	}
	v := s.db.View(sc.Tenant)
	return pg.All[Total](ctx, v, `select v.product_id,
			min(v.price_amount) as least_amount, max(v.price_amount) as most_amount, count(v.tracked_at)::int as tracked,
			coalesce(sum(s.on_hand) filter (where v.tracked_at is not null), 0)::int as on_hand
		from product_variants v left join lateral (
			select sum(s.on_hand) as on_hand from stock_levels s
			where s.business_id = @business and s.variant_id = v.id
				and (@everywhere or s.location_id = any(@locations::uuid[]))
				and (@location::uuid is null or s.location_id = @location)
		) s on true
		where v.business_id = @business and v.product_id = any(@products::uuid[]) and v.archived_at is null
		group by v.product_id`,
		seen(v, cover, pg.Named{"products": in.ProductIDs, "location": pg.OrNull(in.LocationID)}))
}
