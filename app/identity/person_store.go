package identity

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/ent/person"
)

const personColumns = "id, email, name, phone, locale, zone, verified_at, version, created_at, updated_at"

const selectPersons = "select " + personColumns + " from persons where "

func personByID(ctx context.Context, r pg.Reader, id uuid.UUID) (Person, error) {
	return pg.One[Person](ctx, r, selectPersons+"id = $1", id)
}

// ProvedTx reports whether a person has verified their address with a mailed code. The result holds until the
// transaction ends.
func ProvedTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) (bool, error) {
	p, err := lockPerson(ctx, tx, id)
	return p.VerifiedAt != nil, err
}

func lockPerson(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Person, error) {
	return pg.One[Person](ctx, tx, selectPersons+"id = $1 for update", id)
}

// saveProfile writes the columns that a person may change.
func saveProfile(ctx context.Context, tx *pg.Tx, p Person) (Person, error) {
	p.Version, p.UpdatedAt = p.Version+1, tx.Now()
	return p, tx.Ent().Person.Update().Where(person.ID(p.ID)).
		SetName(p.Name).SetPhone(p.Phone).SetLocale(p.Locale).SetZone(p.Zone).
		SetVersion(p.Version).SetUpdatedAt(p.UpdatedAt).Exec(ctx)
}

// ensurePerson finds or inserts. Two callers who insert the same person meet at the unique address; the second one's
// insert becomes an update without a change, so that it returns the row.
func ensurePerson(ctx context.Context, tx *pg.Tx, address, name string) (Person, error) {
	p, found, err := pg.Find[Person](ctx, tx, selectPersons+"email = $1", address)
	if err != nil || found {
		return p, err
	}
	return pg.One[Person](ctx, tx, `insert into persons (id, email, name, created_at, updated_at)
		values ($1, $2, $3, $4, $4)
		on conflict (email) do update set email = excluded.email
		returning `+personColumns, pg.NewID(), address, name, tx.Now())
}

// verifiedPerson finds or inserts the person of a right code, and sets their language if they have none.
func verifiedPerson(ctx context.Context, tx *pg.Tx, address, language string) (Person, error) {
	return pg.One[Person](ctx, tx, `insert into persons (id, email, locale, verified_at, created_at, updated_at)
		values ($1, $2, $4, $3, $3, $3)
		on conflict (email) do update set verified_at = coalesce(persons.verified_at, excluded.verified_at),
			locale = coalesce(nullif(persons.locale, ''), excluded.locale)
		returning `+personColumns, pg.NewID(), address, tx.Now(), language)
}
