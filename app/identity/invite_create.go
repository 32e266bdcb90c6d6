package identity

import (
	"context"
	"strings"

	"foyer/app/fault"
	"foyer/app/pg"
)

// NewInvite is an invite with its token, which is shown this once.
type NewInvite struct {
	Invite
	Token string
}

// CreateInvite makes an invite for an address. It is for the command line, which has a database and no service: no
// surface offers it. Errors: Validation on email and businessName.
func CreateInvite(ctx context.Context, db *pg.DB, email, businessName string) (NewInvite, error) {
	address, ok := ParseEmail(email)
	businessName = strings.TrimSpace(businessName)
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
