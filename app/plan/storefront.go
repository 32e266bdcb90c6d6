package plan

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/pg"
)

// SoldAt reports whether a location with a currency sells the plan, at the desk at least.
func (p Plan) SoldAt(location uuid.UUID, cur money.Currency) bool {
	return p.State == Published && p.Kind != Comp && p.Currency == cur &&
		(len(p.LocationIDs) == 0 || slices.Contains(p.LocationIDs, location))
}

// soldSQL is Plan.SoldAt of a plan p and a location l.
const soldSQL = `(p.state = 'published' and p.kind <> 'comp' and p.currency = l.currency
			and (p.location_ids = '[]' or p.location_ids ? l.id::text))`

// onSaleSQL selects plans p that a location sells online.
func onSaleSQL(business, location string) string {
	return `p.sold_online and exists (select from locations l where l.business_id = ` + business + `
		and l.id = ` + location + ` and l.archived_at is null and ` + soldSQL + `)`
}

// SoldAtIn reads whether a location sells plans online, as part of the caller's batch.
func SoldAtIn(business, location uuid.UUID, yes *bool) func(*pg.Batch) {
	return func(b *pg.Batch) {
		var found bool
		pg.QueueOne(b, yes, &found, `select exists (select from plans p where p.business_id = $1 and `+
			onSaleSQL("$1", "$2")+`)`, business, location)
	}
}

// Details are what the page of plans needs beside them.
type Details struct {
	Names   map[uuid.UUID]string          // of the published offerings and the locations that plans name
	Pricing map[uuid.UUID]catalog.Pricing // by plan
}

// DetailsAt returns the details of plans at a location that sells them.
func (s *Service) DetailsAt(ctx context.Context, business, location uuid.UUID, list []Plan) (Details, error) {
	var ids, offerings, locations []uuid.UUID
	for _, p := range list {
		o, l := p.named()
		ids, offerings, locations = append(ids, p.ID), append(offerings, o...), append(locations, l...)
	}
	var names []struct {
		ID   uuid.UUID
		Name string
	}
	var prices []struct {
		ID uuid.UUID
		catalog.Pricing
	}
	b := s.o.DB.View(business).Batch()
	pg.QueueAll(b, &names, `select id, name from offerings
			where business_id = $1 and id = any($2) and state = 'published'
		union all select id, name from locations where business_id = $1 and id = any($3) and archived_at is null`,
		business, offerings, locations)
	pg.QueueAll(b, &prices, pricesSQL, business, location, ids)
	err := b.Send(ctx)
	out := Details{Names: map[uuid.UUID]string{}, Pricing: map[uuid.UUID]catalog.Pricing{}}
	for _, n := range names {
		out.Names[n.ID] = n.Name
	}
	for _, p := range prices {
		out.Pricing[p.ID] = p.Pricing
	}
	return out, err
}

var pricesSQL = `select p.id, ` + catalog.PricingSQL("f", "l", "b") + `
	from plans p
	join locations l on l.business_id = $1 and l.id = $2
	join businesses b on b.business_id = $1
	cross join lateral (select p.business_id, p.tax_rate_id, null::uuid as policy_id) f
	where p.business_id = $1 and p.id = any($3)`
