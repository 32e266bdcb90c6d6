package identity

import (
	"context"

	"foyer/app/tenancy"
)

// Profile returns the signed-in person. Errors: ErrSignIn, ErrKeyRefused. A39.
func (s *Service) Profile(ctx context.Context, p tenancy.Principal) (Person, error) {
	id, err := PersonOf(p)
	if err != nil {
		return Person{}, err
	}
	return personByID(ctx, s.db.View(noBusiness), id)
}
