package crm

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// guestName is what the record of everybody without a name is called until the studio calls it something else.
const guestName = "Walk-in"

// GuestTx returns the business's record of those who come in and say nothing about themselves, and makes it if there is
// none. There is one in a business, so that they do not fill the list of customers. Its row is not locked: any number of
// them may come in at once.
func GuestTx(ctx context.Context, tx *pg.Tx) (Customer, error) {
	id := uuid.NewSHA1(tx.Business(), []byte(guestName))
	c, err := guest(ctx, tx, id)
	if errors.Is(err, pg.ErrNoRow) {
		// Somebody else made the record between this statement's snapshot and its insert. It is there now.
		return guest(ctx, tx, id)
	}
	return c, err
}
