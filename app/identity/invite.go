package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// InviteLife is how long an invite link works.
const InviteLife = 14 * 24 * time.Hour

// Invite is a link that lets one address open one business.
type Invite struct {
	ID           uuid.UUID
	Email        string // whom it was sent to: nobody else can use it
	BusinessName string // a suggestion; may be empty
	ExpiresAt    time.Time
}

// For tells whether it was sent to whoever is signed in: having its link proves nothing about who somebody is.
func (in Invite) For(p tenancy.Principal) bool { return p.Email == in.Email }

// Invite returns the invite behind a token while it can be used, for the page it opens. Whoever has the token may see
// the address it was sent to. Errors: fault.Missing for unknown, used and expired ones alike.
func (s *Service) Invite(ctx context.Context, token string) (Invite, error) {
	hash, ok := hashToken(token)
	if !ok {
		return Invite{}, fault.Missing()
	}
	return openInvite(ctx, s.db.View(noBusiness), hash)
}
