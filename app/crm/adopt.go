package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/pg"
)

// AdoptTx locks a customer's record, for somebody who acts as that customer, and returns it. A record that the studio made
// for an address, and that has no login yet, becomes that of the person who has proved the address, unless they have one
// already. mine reports whether the record is the person's: by login, or by the address when it has none. An unknown id
// is not found. Like EnsureTx it comes before any lock of a date.
func AdoptTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, person identity.Person) (c Customer, mine bool, err error) {
	c, err = adopt(ctx, tx, id, person)
	if err != nil {
		return Customer{}, false, err
	}
	if c.PersonID != nil {
		return c, *c.PersonID == person.ID, nil
	}
	return c, c.Email != "" && c.Email == person.Email, nil
}
