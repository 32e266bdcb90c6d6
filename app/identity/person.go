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
	Name       string     // as the person writes it; empty until they said it
	Phone      string     // as typed; empty when not given
	Locale     string     // BCP 47; empty until it is known
	Zone       string     // IANA; empty until chosen
	VerifiedAt *time.Time // when a mailed code first came back; nil for somebody who was only invited or imported
	Version    int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// The refusals of verbs about one's own person.
var (
	ErrSignIn     = fault.New(fault.Unauthorized, "", "Sign in first.")
	ErrKeyRefused = fault.New(fault.Forbidden, "key_refused", "API keys are not accepted here. Sign in.")
)

// PersonOf is the signed-in person behind a principal. An API key is refused by ErrKeyRefused (A49, A50), everything
// else that is no person by ErrSignIn.
func PersonOf(p tenancy.Principal) (uuid.UUID, error) {
	switch {
	case p.Kind == tenancy.ActorKey:
		return uuid.Nil, ErrKeyRefused
	case p.Person() == uuid.Nil:
		return uuid.Nil, ErrSignIn
	}
	return p.Person(), nil
}

// EnsurePersonTx returns the person of an address, and makes one when there is none. An existing person is returned as
// they are: name is only used for a new one, because what somebody else typed must not change an identity. A new person
// is unverified until they sign in. Errors: Validation on email.
func EnsurePersonTx(ctx context.Context, tx *pg.Tx, email, name string) (Person, error) {
	address, ok := ParseEmail(email)
	if !ok {
		return Person{}, fault.Invalid("email", "Write an e-mail address, like name@example.com.")
	}
	return ensurePerson(ctx, tx, address, clipLine(names.Clean(name), MaxName))
}
