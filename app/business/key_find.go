package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Keys lists the API keys that have not been revoked, also those that are over. Errors: identity.ErrKeyRefused,
// policy.ErrMissingFeature (business.manage), Validation on query.limit. A46, A51.
func (s *Service) Keys(ctx context.Context, sc tenancy.Scope, in PageInput) (Page[APIKey], error) {
	if _, err := identity.PersonOf(sc.Principal); err != nil {
		return Page[APIKey]{}, err
	}
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Page[APIKey]{}, err
	}
	size, err := in.size()
	if err != nil {
		return Page[APIKey]{}, err
	}
	rows, err := listKeys(ctx, s.o.DB.View(sc.Tenant), in.After, size+1)
	return pageOf(rows, size, func(k APIKey) uuid.UUID { return k.ID }), err
}
