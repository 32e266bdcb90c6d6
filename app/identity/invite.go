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
	hash, ok := HashToken(token)
	if !ok {
		return Invite{}, fault.Missing()
	}
	return openInvite(ctx, s.db.View(noBusiness), hash)
}

// NewInvite is an invite with its token, which is shown this once.
type NewInvite struct {
	Invite
	Token string
}

// CreateInvite makes an invite for an address. It is for the command line, which has a database and no service: no
// surface offers it. Errors: Validation on email and businessName.
func CreateInvite(ctx context.Context, db *pg.DB, email, businessName string) (NewInvite, error) {
	address, ok := ParseEmail(email)
	businessName = names.Clean(businessName)
	var c fault.Checks
	c.That(ok, "email", "Write an e-mail address, like name@example.com.")
	c.That(IsLine(businessName, MaxName), "businessName", "Write a name of at most 120 characters, on one line.")
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

// ErrInvite refuses to open a business: the token is unknown, expired or used, or was sent to another address than the
// caller's own. One answer for all of them. A31.
var ErrInvite = fault.New(fault.Forbidden, "invite_invalid",
	"A new business needs an invite link. Sign in with the address the link was sent to; a link works once and for 14 days.")

// ConsumeInviteTx uses an invite up for a business that is being opened in the same transaction, and returns the person
// who opens it. It lets through the one person whose verified address the invite was sent to: possession of a link is no
// proof of who somebody is. Of parallel callers one gets it. Errors: ErrInvite. A31, A33.
func ConsumeInviteTx(ctx context.Context, tx *pg.Tx, token string, person, business uuid.UUID) (Person, error) {
	hash, ok := HashToken(token)
	if !ok {
		return Person{}, ErrInvite
	}
	return consumeInvite(ctx, tx, hash, person, business)
}
