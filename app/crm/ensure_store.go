package crm

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"github.com/google/uuid"

	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/pg"
)

// EnsureTx returns the business's record of a person and creates it if there is none. The record stays locked until
// the transaction ends, which serializes a person's actions in one business: counting a person's holds, for example,
// needs EnsureTx first. Concurrent calls for one person give one record.
//
// A record without a name takes over the name that the person has entered since; a name that the studio entered never
// changes.
func EnsureTx(ctx context.Context, tx *pg.Tx, person identity.Person) (Customer, error) {
	return twice(func() (Customer, error) {
		return pg.One[Customer](ctx, tx, `with going as (select), `+Ensured+`
			select `+columns+` from named c
			union all select `+columns+` from found c where not exists (select from named)
			union all select `+columns+` from made c`, Ensuring(tx, person, pg.Named{}))
	})
}

// Ensured is EnsureTx as a part of a statement, run if its table going has a row: the record is in table found,
// locked, or in table made. With neither, a concurrent transaction is creating it. Its parameters are Ensuring's.
const Ensured = `found as (
		select c.* from going, customers c where c.person_id = @person for no key update of c
	), named as (
		update customers c set name = @name, name_key = @name_key, version = c.version + 1, updated_at = @now
		from found where c.id = found.id and found.name = '' and @name <> ''
		returning c.*
	), made as (
		insert into customers (id, business_id, person_id, name, email, phone, name_key, phone_key, version, created_at, updated_at)
		select @customer, @business, @person, @name, @email, @phone, @name_key, @phone_key, 1, @now, @now from going where not exists (select from found)
		on conflict (business_id, person_id) do nothing
		returning *
	)`

// Ensuring adds the arguments of Ensured to those of a statement: the business, the time and the person.
func Ensuring(tx *pg.Tx, person identity.Person, args pg.Named) pg.Named {
	maps.Copy(args, pg.Named{
		"business": tx.Business(), "now": tx.Now(), "customer": pg.NewID(), "person": person.ID, "name": person.Name, "email": person.Email,
		"phone": person.Phone, "name_key": names.Search(person.Name), "phone_key": numberKey(person.Phone),
	})
	return args
}

// twice finds or creates a record in one trip. Without a row, a concurrent transaction created the record between the
// statement's snapshot and its insert: it exists now.
func twice(ensure func() (Customer, error)) (Customer, error) {
	c, err := ensure()
	if errors.Is(err, pg.ErrNoRow) {
		return ensure()
	}
	return c, err
}

// AdoptTx locks a customer's record, for a caller acting as that customer, and returns it. A record that the studio
// created for an address, without a login so far, becomes that of the person with the verified address, unless they
// have one already. mine reports whether the record is the person's: by login, or by the address when it has none. An
// unknown id is not found. Like EnsureTx it comes before any lock of a date.
func AdoptTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, person identity.Person) (c Customer, mine bool, err error) {
	c, err = pg.Found(pg.One[Customer](ctx, tx, `
		with found as (
			select c.* from customers c where c.business_id = $1 and c.id = $2 for no key update
		), taken as (
			update customers c set person_id = $3, version = c.version + 1, updated_at = $5
			from found where c.business_id = $1 and c.id = found.id and found.person_id is null and found.email = $4 and $4 <> ''
				and not exists (select from customers o where o.business_id = $1 and o.person_id = $3)
			returning c.*
		)
		select `+columns+` from taken c
		union all select `+columns+` from found c where not exists (select from taken)`,
		tx.Business(), id, person.ID, person.Email, tx.Now()))
	switch {
	case err != nil:
		return Customer{}, false, err
	case c.PersonID != nil:
		return c, *c.PersonID == person.ID, nil
	}
	return c, c.Email != "" && c.Email == person.Email, nil
}

// guestName is the name of a walk-in without one.
const guestName = "Walk-in"

// GuestTx creates a record of an anonymous walk-in, under the name entered at the desk, if any. Each has one of their
// own, so that notes and bookings of two of them stay separate. It is on no list of customers until the studio edits
// it (Update).
func GuestTx(ctx context.Context, tx *pg.Tx, name string) (Customer, error) {
	name = cmp.Or(name, guestName)
	return pg.One[Customer](ctx, tx, `insert into customers as c (id, business_id, name, name_key, phone_key, entered, version, created_at, updated_at)
		values ($1, $2, $3, $5, '', null, 1, $4, $4) returning `+columns, pg.NewID(), tx.Business(), name, tx.Now(), names.Search(name))
}
