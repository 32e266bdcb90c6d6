package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/policy"
)

func briefs(ctx context.Context, v *pg.View, in OfferingNamesInput, cover policy.Cover) ([]OfferingName, error) {
	like := pattern(in.Query)
	s := pg.NewShape(`select o.id, o.location_id, l.name as location_name, o.kind, o.name, o.state, o.enrolment
		from offerings o join locations l on l.business_id = o.business_id and l.id = o.location_id
		where o.business_id = $1 and o.state <> 'archived' and l.archived_at is null`, v.Business())
	s.AndIf(in.LocationID != uuid.Nil, `o.location_id = ?`, in.LocationID)
	s.AndIf(!cover.Everywhere, `o.location_id = any(?)`, cover.Locations)
	s.AndIf(like != "", `(o.name ilike ? or o.slug ilike ?)`, like, like)
	s.Add(` order by lower(o.name), o.id limit ?`, paging.Size(in.Limit))
	return pg.All[OfferingName](ctx, v, s.SQL(), s.Args()...)
}
