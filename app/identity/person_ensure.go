package identity

import (
	"context"

	"foyer/app/fault"
	"foyer/app/pg"
)

// EnsurePersonTx returns the person of an address, and makes one when there is none. An existing person is returned as
// they are: name is only used for a new one, because what somebody else typed must not change an identity. A new person
// is unverified until they sign in. Errors: Validation on body.email.
func EnsurePersonTx(ctx context.Context, tx *pg.Tx, email, name string) (Person, error) {
	address, ok := ParseEmail(email)
	if !ok {
		return Person{}, fault.Invalid("email", "Write an e-mail address, like name@example.com.")
	}
	return ensurePerson(ctx, tx, address, clipLine(name, MaxName))
}
