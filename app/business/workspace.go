package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Workspace is the context of a signed-in member: the business, its locations, and the member.
type Workspace struct {
	Business  Business
	Locations []Location // open ones visible to the caller, by name; paging.Max at most
	Member    uuid.UUID  // the caller as a member; Nil for a key
	Name      string     // the caller's name in the studio
}

// Workspace reads the context in one trip. Every member and key may read it. Errors: policy.ErrMissingFeature.
func (s *Service) Workspace(ctx context.Context, sc tenancy.Scope) (h Workspace, err error) {
	cover, err := policy.Where(sc, policy.LocationView)
	if err != nil {
		return h, err
	}
	var known, listed bool
	var me struct {
		ID   uuid.UUID
		Name string
	}
	v := s.o.DB.View(sc.Tenant)
	b := v.Batch()
	pg.QueueOne(b, &h.Business, &known, selectBusiness, sc.Tenant)
	pg.QueueAll(b, &h.Locations, selectLocations+`l.archived_at is null and ($2 or l.id = any($3)) order by l.name, l.id limit $4`,
		sc.Tenant, cover.Everywhere, cover.Locations, paging.Max)
	pg.QueueOne(b, &me, &listed, `select m.id, m.name from members m where m.business_id = $1 and m.person_id = $2`, sc.Tenant, sc.Person())
	if err = b.Send(ctx); err == nil && !known {
		err = fault.Missing()
	}
	h.Member, h.Name = me.ID, me.Name
	return h, err
}
