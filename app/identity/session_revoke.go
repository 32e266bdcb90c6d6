package identity

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// RevokeSession ends one of the caller's own live sessions; its next use is refused. Any other id is fault.Missing: a
// stranger's session looks like an unknown one. Errors also: ErrSignIn, ErrKeyRefused.
func (s *Service) RevokeSession(ctx context.Context, p tenancy.Principal, session uuid.UUID) error {
	person, err := PersonOf(p)
	if err != nil {
		return err
	}
	_, err = pg.InTx(ctx, s.db, noBusiness, func(tx *pg.Tx) (struct{}, error) {
		n, err := endSession(ctx, tx, person, session)
		if err == nil && n == 0 {
			err = fault.Missing()
		}
		return struct{}{}, err
	})
	return err
}
