package schedule

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
)

// oneDate is a date of a series that a verb is about, with where it is.
type oneDate struct {
	written
	OfferingID    uuid.UUID
	OfferingState catalog.State
	LocationID    uuid.UUID
	Zone          string
	Teacher       *uuid.UUID // the person who teaches, to know whose session it is
}

// findDate reads a date of an offering's series without locking it. A time of an appointment or rental is not found.
func findDate(ctx context.Context, tx *pg.Tx, offering, id uuid.UUID) (oneDate, error) {
	d, err := pg.One[oneDate](ctx, tx, `select `+writtenColumns+`, oc.offering_id, o.state as offering_state, oc.location_id, l.zone,
			m.person_id as teacher
		from occurrences oc join offerings o on o.business_id = oc.business_id and o.id = oc.offering_id
		join locations l on l.business_id = oc.business_id and l.id = oc.location_id
		left join members m on m.business_id = oc.business_id and m.id = oc.member_id
		where oc.business_id = $1 and oc.offering_id = $2 and oc.id = $3 and oc.series_id is not null`, tx.Business(), offering, id)
	if errors.Is(err, pg.ErrNoRow) {
		return oneDate{}, fault.Missing()
	}
	return d, err
}

// lock locks the date after the people and spaces that it has and gets, and reads it again. Somebody who gave it other
// people meanwhile makes it stale: their locks would come too late.
func (d *oneDate) lock(ctx context.Context, tx *pg.Tx, member, space *uuid.UUID) error {
	var members, spaces []uuid.UUID
	for _, id := range []*uuid.UUID{d.MemberID, member} {
		if id != nil {
			members = append(members, *id)
		}
	}
	for _, id := range []*uuid.UUID{d.SpaceID, space} {
		if id != nil {
			spaces = append(spaces, *id)
		}
	}
	if _, err := claim.LockTx(ctx, tx, members, spaces); err != nil {
		return err
	}
	now, err := pg.One[written](ctx, tx, `select `+writtenColumns+` from occurrences oc
		where oc.business_id = $1 and oc.id = $2 for no key update`, tx.Business(), d.ID)
	if err != nil {
		return err
	}
	if !equal(now.MemberID, d.MemberID) || !equal(now.SpaceID, d.SpaceID) {
		return fault.ErrStale.With("version", now.Version)
	}
	d.written = now
	return nil
}

func occurrenceByID(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Occurrence, error) {
	return pg.One[Occurrence](ctx, tx, `select `+occurrenceColumns+occurrenceFrom+`where oc.business_id = $1 and oc.id = $2`,
		tx.Business(), id)
}

// waitingFor counts the people on the waitlists of dates.
func waitingFor(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (int, error) {
	return pg.One[int](ctx, tx, `select count(*) from waitlist_entries
		where business_id = $1 and occurrence_id = any($2) and state in ('waiting', 'offered')`, tx.Business(), dates)
}
