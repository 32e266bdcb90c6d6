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

// Person is a login. The address is the key: one address, one person.
type Person struct {
	ID         uuid.UUID
	Email      string     // trimmed, lower case
	Name       string     // as the person writes it; may be empty
	Phone      string     // as typed; may be empty
	Locale     string     // BCP 47; empty until it is known
	Zone       string     // IANA; empty until chosen
	VerifiedAt *time.Time // time of the first right code; nil for an invited or imported person without a sign-in
	Version    int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Errors of operations on one's own person.
var (
	ErrSignIn     = fault.New(fault.Unauthorized, "", "Sign in first.")
	ErrKeyRefused = fault.New(fault.Forbidden, "key_refused", "API keys are not accepted here. Sign in.")
)

// PersonOf returns the signed-in person of a principal. An API key gets ErrKeyRefused (A49, A50), every other
// principal that is no person gets ErrSignIn.
func PersonOf(p tenancy.Principal) (uuid.UUID, error) {
	switch {
	case p.Kind == tenancy.ActorKey:
		return uuid.Nil, ErrKeyRefused
	case p.Person() == uuid.Nil:
		return uuid.Nil, ErrSignIn
	}
	return p.Person(), nil
}

// EnsurePersonTx returns the person of an address, and creates one when there is none. An existing person is
// unchanged: name is only for a new one, because input of another person must not change an identity. A new person is
// unverified until they sign in. Errors: Validation on email.
func EnsurePersonTx(ctx context.Context, tx *pg.Tx, email, name string) (Person, error) {
	address, ok := ParseEmail(email)
	if !ok {
		return Person{}, fault.Invalid("email", "Enter an e-mail address, like name@example.com.")
	}
	return ensurePerson(ctx, tx, address, clipLine(names.Clean(name), MaxName))
}
