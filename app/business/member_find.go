package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Members lists the team, deactivated members included. Who may not manage the team sees no access but their own.
// Errors: policy.ErrMissingFeature (location.view), Validation on query.limit.
func (s *Service) Members(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[Member, uuid.UUID], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listMembers(ctx, s.o.DB.View(sc.Tenant), in)
	for i := range rows {
		rows[i] = rows[i].public(sc)
	}
	return paging.Of(rows, in.Size(), func(m Member) uuid.UUID { return m.ID }), err
}

// Member returns one member, like Members. Errors: policy.ErrMissingFeature (location.view), fault.Missing.
func (s *Service) Member(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Member, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return Member{}, err
	}
	m, err := MemberOf(ctx, s.o.DB.View(sc.Tenant), id)
	return m.public(sc), err
}
