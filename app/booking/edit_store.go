package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

func saveEdit(ctx context.Context, tx *pg.Tx, b Booking) error {
	_, err := tx.Exec(ctx, `update bookings set note = $3, attendee = $4, party = $5, version = version + 1, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), b.ID, b.Note, b.Attendee, b.Party, tx.Now())
	return err
}

// resourcesOf reads who and what an appointment or a rental has.
func resourcesOf(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) (member, space *uuid.UUID, err error) {
	type row struct{ MemberID, SpaceID *uuid.UUID }
	r, err := pg.One[row](ctx, tx, `select member_id, space_id from occurrences where business_id = $1 and id = $2`, tx.Business(), occurrence)
	return r.MemberID, r.SpaceID, err
}

// resizeOccurrence makes the time of an appointment or a rental one for so many people.
func resizeOccurrence(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, party int) error {
	_, err := tx.Exec(ctx, `update occurrences set capacity = $3, online_capacity = $3, taken = case when taken > 0 then $3 else 0 end,
			taken_online = case when taken_online > 0 then $3 else 0 end, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), occurrence, party, tx.Now())
	return err
}
