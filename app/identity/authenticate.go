package identity

import (
	"context"

	"foyer/app/tenancy"
)

// Authenticate returns the person behind a session token, in one round trip. It moves the sliding end on, at most once
// an hour. The only refusal is ErrSession: unknown, expired and revoked tokens look alike. A39, A44, A56.
func (s *Service) Authenticate(ctx context.Context, bearer string) (tenancy.Principal, error) {
	hash, ok := hashToken(bearer)
	if !ok {
		return tenancy.Principal{}, ErrSession
	}
	return useSession(ctx, s.db.View(noBusiness), hash)
}
