package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// lockBooking is lockBookings for one; an unknown id is not found.
func lockBooking(ctx context.Context, tx *pg.Tx, person, id uuid.UUID) (subject, error) {
	list, err := lockBookings(ctx, tx, person, []uuid.UUID{id}, false)
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

// moveBooking puts a locked booking at another time. own counts the move among those that the customer made.
func moveBooking(ctx context.Context, tx *pg.Tx, b Booking, occurrence uuid.UUID, starts, ends time.Time, online, own bool) error {
	counted := 0
	if own {
		counted = 1
	}
	_, err := tx.Exec(ctx, `update bookings set occurrence_id = $3, starts_at = $4, ends_at = $5, online = $6, reschedules = reschedules + $7,
			grace_until = null, version = version + 1, updated_at = $8
		where business_id = $1 and id = $2`, tx.Business(), b.ID, occurrence, starts, ends, online, counted, tx.Now())
	return err
}

// hasSeat finds at which of these occurrences the customer has, or has asked for, a seat for that attendee.
func hasSeat(ctx context.Context, tx *pg.Tx, customer uuid.UUID, attendee string, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select occurrence_id from bookings where business_id = $1 and customer_id = $2 and attendee = $3
		and occurrence_id = any($4) and state in `+Standing, tx.Business(), customer, attendee, occurrences)
}

// recordMoved is record for bookings that were moved: it keeps when each would have begun.
func recordMoved(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, move Move, words string, list []subject, freed ...uuid.UUID) error {
	steps := make([]step, len(list))
	for i, b := range list {
		steps[i] = step{ID: b.ID, From: b.State, Was: &b.StartsAt}
	}
	return record(ctx, tx, sc, move, words, steps, freed...)
}
