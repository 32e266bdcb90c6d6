package identity

import (
	"context"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Logout ends the session of this call. It succeeds when the session had ended already. Errors: ErrSignIn,
// ErrKeyRefused.
func (s *Service) Logout(ctx context.Context, p tenancy.Principal) error {
	person, err := PersonOf(p)
	if err != nil {
		return err
	}
	_, err = pg.InTx(ctx, s.db, noBusiness, func(tx *pg.Tx) (struct{}, error) {
		_, err := endSession(ctx, tx, person, p.Session)
		return struct{}{}, err
	})
	return err
}
