package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
)

// Lock finds or makes the customer, and locks their record: bookings of one customer are serialized.
func (w CustomerRef) Lock(ctx context.Context, tx *pg.Tx) (uuid.UUID, error) {
	if w.CustomerID == uuid.Nil {
		person, err := identity.EnsurePersonTx(ctx, tx, w.Email, w.Name)
		if err != nil {
			return uuid.Nil, err
		}
		c, err := crm.EnsureTx(ctx, tx, person)
		return c.ID, err
	}
	rows, err := pg.All[uuid.UUID](ctx, tx, `select id from customers where business_id = $1 and id = $2 for no key update`,
		tx.Business(), w.CustomerID)
	if err == nil && len(rows) == 0 {
		err = fault.Missing()
	}
	return w.CustomerID, err
}

// lockBookings locks bookings until the transaction ends, in the order of their ids, and then reads them. Missing
// ones are left out. A caller that counts a customer's past locks the customers too, and first.
func lockBookings(ctx context.Context, tx *pg.Tx, person uuid.UUID, ids []uuid.UUID, customers bool) (map[uuid.UUID]subject, error) {
	if customers {
		if _, err := tx.Exec(ctx, `select c.id from customers c where c.business_id = $1 and c.id in (
				select customer_id from bookings where business_id = $1 and id = any($2))
			order by c.id for no key update`, tx.Business(), ids); err != nil {
			return nil, err
		}
	}
	if _, err := tx.Exec(ctx, `select id from bookings where business_id = $1 and id = any($2) order by id for no key update`,
		tx.Business(), ids); err != nil {
		return nil, err
	}
	rows, err := pg.All[subject](ctx, tx, studioSelect+` and b.id = any($3)`, tx.Business(), person, ids)
	out := make(map[uuid.UUID]subject, len(rows))
	for _, b := range rows {
		out[b.ID] = b
	}
	return out, err
}

// lockBooking is lockBookings for one; an unknown id is not found.
func lockBooking(ctx context.Context, tx *pg.Tx, person, id uuid.UUID, customer bool) (subject, error) {
	list, err := lockBookings(ctx, tx, person, []uuid.UUID{id}, customer)
	if err != nil {
		return subject{}, err
	}
	return found(list, id)
}

// found is one of the locked bookings; an unknown id is not found.
func found(list map[uuid.UUID]subject, id uuid.UUID) (subject, error) {
	b, there := list[id]
	if !there {
		return subject{}, fault.Missing()
	}
	return b, nil
}

// lockCourses is lockBookings for verbs on a whole course: with a booking of one come all the others, in every state.
// The bookings of a course are fixed when it is booked.
func lockCourses(ctx context.Context, tx *pg.Tx, person uuid.UUID, ids []uuid.UUID, customers bool) (map[uuid.UUID]subject, error) {
	all, err := pg.All[uuid.UUID](ctx, tx, `select unnest($2::uuid[]) union select g.id from bookings b
		join offerings f on f.business_id = $1 and f.id = b.offering_id and f.enrolment = 'series'
		join bookings g on g.business_id = $1 and g.group_id = b.group_id
		where b.business_id = $1 and b.id = any($2) and b.group_id is not null`, tx.Business(), ids)
	if err != nil {
		return nil, err
	}
	return lockBookings(ctx, tx, person, all, customers)
}

// lockCourse is lockCourses for one; an unknown id is not found.
func lockCourse(ctx context.Context, tx *pg.Tx, person, id uuid.UUID) (map[uuid.UUID]subject, subject, error) {
	list, err := lockCourses(ctx, tx, person, []uuid.UUID{id}, false)
	if err != nil {
		return nil, subject{}, err
	}
	b, err := found(list, id)
	return list, b, err
}

// lockHoldsAt locks the live holds with a seat on one of these dates, in the order of their ids, and adds them to the
// known ones.
func lockHoldsAt(ctx context.Context, tx *pg.Tx, dates []uuid.UUID, known ...uuid.UUID) ([]uuid.UUID, error) {
	found, err := pg.All[uuid.UUID](ctx, tx, `select h.id from holds h
		where h.business_id = $1 and h.state = 'live' and h.id <> all($3::uuid[]) and h.id in (select b.hold_id from bookings b
			where b.business_id = $1 and b.occurrence_id = any($2) and b.state = 'held')
		order by h.id for update`, tx.Business(), dates, append([]uuid.UUID{uuid.Nil}, known...))
	return append(known, found...), err
}

// lockLiveAt locks the bookings and requests of these dates, in the order of their ids, and those of the same
// courses: a course is decided from all of its dates.
func lockLiveAt(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `with here as (
			select id, group_id from bookings where business_id = $1 and occurrence_id = any($2) and state in ('requested', 'confirmed', 'checked_in')
		)
		select b.id from bookings b where b.business_id = $1 and b.id in (
			select id from here
			union select g.id from here h join bookings g on g.business_id = $1 and g.group_id = h.group_id
				join offerings f on f.business_id = $1 and f.id = g.offering_id and f.enrolment = 'series')
		order by b.id for no key update of b`, tx.Business(), dates)
}
