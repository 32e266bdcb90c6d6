package crm

import (
	"context"
	"errors"

	"foyer/app/identity"
	"foyer/app/pg"
)

// EnsureTx returns the business's record of a person and makes it if there is none. The record's row stays locked until
// the transaction ends, so that what one person does in one business happens one after the other: whoever counts a
// person's holds, for example, calls EnsureTx first. Concurrent calls for one person give one record.
//
// A record without a name takes over the name that the person has given since; what the studio wrote is never changed.
func EnsureTx(ctx context.Context, tx *pg.Tx, person identity.Person) (Customer, error) {
	c, err := ensure(ctx, tx, person)
	if errors.Is(err, pg.ErrNoRow) {
		// Somebody else made the record between this statement's snapshot and its insert. It is there now.
		return ensure(ctx, tx, person)
	}
	return c, err
}
