package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// InviteLife is the lifetime of an invite link.
const InviteLife = 14 * 24 * time.Hour

// Invite is a link with which one address may create one business.
type Invite struct {
	ID           uuid.UUID
	Email        string // the recipient; no other address can use it
	BusinessName string // a suggestion; may be empty
	ExpiresAt    time.Time
}

// For reports whether the invite was sent to the signed-in person: the link alone is no proof of identity.
func (in Invite) For(p tenancy.Principal) bool { return p.Email == in.Email }

// Invite returns the invite of a token while it is valid, for the page it opens. A caller with the token may see the
// address of its recipient. Errors: fault.Missing for unknown, used and expired ones alike.
func (s *Service) Invite(ctx context.Context, token string) (Invite, error) {
	hash, ok := HashToken(token)
	if !ok {
		return Invite{}, fault.Missing()
	}
	return openInvite(ctx, s.db.View(noBusiness), hash)
}

// NewInvite is an invite with its token, shown only once.
type NewInvite struct {
	Invite
	Token string
}

// CreateInvite creates an invite for an address. It serves the command line, with a database and no service; no
// surface offers it. Errors: Validation on email and businessName.
func CreateInvite(ctx context.Context, db *pg.DB, email, businessName string) (NewInvite, error) {
	address, ok := ParseEmail(email)
	businessName = names.Clean(businessName)
	var c fault.Checks
	c.That(ok, "email", "Enter an e-mail address, like name@example.com.")
	c.That(IsLine(businessName, MaxName), "businessName", "Enter a name of at most 120 characters, on one line.")
	if err := c.Err(); err != nil {
		return NewInvite{}, err
	}
	token, hash := newToken()
	invite, err := pg.InTx(ctx, db, noBusiness, func(tx *pg.Tx) (Invite, error) {
		i := Invite{ID: pg.NewID(), Email: address, BusinessName: businessName, ExpiresAt: tx.Now().Add(InviteLife)}
		return i, insertInvite(ctx, tx, hash, i)
	})
	return NewInvite{Invite: invite, Token: token}, err
}

// ErrInvite is returned when the token is unknown, expired or used, or was sent to another address than the caller's
// own. The error is the same for all. A31.
var ErrInvite = fault.New(fault.Forbidden, "invite_invalid",
	"A new business needs an invite link. Sign in with the address the link was sent to; a link works once and for 14 days.")

// ConsumeInviteTx consumes an invite for a business created in the same transaction, and returns its owner. It
// accepts only the person with the verified address of the invite: the link alone is no proof of identity. Of
// parallel callers one succeeds. Errors: ErrInvite. A31, A33.
func ConsumeInviteTx(ctx context.Context, tx *pg.Tx, token string, person, business uuid.UUID) (Person, error) {
	hash, ok := HashToken(token)
	if !ok {
		return Person{}, ErrInvite
	}
	return consumeInvite(ctx, tx, hash, person, business)
}
