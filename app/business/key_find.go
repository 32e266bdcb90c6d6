package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Keys lists the API keys that have not been revoked, also those that are over. Errors: identity.ErrKeyRefused,
// policy.ErrMissingFeature (business.manage), Validation on query.limit. A46, A51.
func (s *Service) Keys(ctx context.Context, sc tenancy.Scope, in paging.In[uuid.UUID]) (page paging.Page[APIKey, uuid.UUID], err error) {
	if _, err := identity.PersonOf(sc.Principal); err != nil {
		return page, err
	}
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	rows, err := listKeys(ctx, s.o.DB.View(sc.Tenant), in)
	return paging.Of(rows, in.Size(), func(k APIKey) uuid.UUID { return k.ID }), err
}
