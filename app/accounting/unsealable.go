package accounting

import (
	"context"

	"github.com/google/uuid"
)

// StoredTokens counts the connections of all businesses with stored tokens, and those of them whose tokens the keys do
// not open. It is for "foyer doctor".
func (s *Service) StoredTokens(ctx context.Context) (stored, unsealable int, err error) {
	err = s.db.EachBusiness(ctx, func(ctx context.Context, business uuid.UUID) error {
		rows, err := allTokens(ctx, s.db.View(business))
		for _, t := range rows {
			stored++
			_, access := s.open(business, t.ConnectionID, "access", t.Access)
			_, refresh := s.open(business, t.ConnectionID, "refresh", t.Refresh)
			if access != nil || refresh != nil {
				unsealable++
			}
		}
		return err
	})
	return stored, unsealable, err
}
