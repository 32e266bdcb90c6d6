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
