package identity

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
)

// ErrInvite refuses to open a business: the token is unknown, expired or used, or was sent to another address than the
// caller's own. One answer for all of them. A31.
var ErrInvite = fault.New(fault.Forbidden, "invite_invalid",
	"A new business needs an invite link. Sign in with the address the link was sent to; a link works once and for 14 days.")

// ConsumeInviteTx uses an invite up for a business that is being opened in the same transaction, and returns the person
// who opens it. It lets through the one person whose verified address the invite was sent to: possession of a link is no
// proof of who somebody is. Of parallel callers one gets it. Errors: ErrInvite. A31, A33.
func ConsumeInviteTx(ctx context.Context, tx *pg.Tx, token string, person, business uuid.UUID) (Person, error) {
	hash, ok := hashToken(token)
	if !ok {
		return Person{}, ErrInvite
	}
	return consumeInvite(ctx, tx, hash, person, business)
}
