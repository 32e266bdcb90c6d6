package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// historyMax is more than any booking has.
const historyMax = 500

func history(ctx context.Context, r pg.Reader, booking uuid.UUID) ([]Change, error) {
	type row struct {
		ID                 uuid.UUID
		FromState, ToState State
		ActorKind          tenancy.ActorKind
		ActorID            *uuid.UUID
		ActorName          string
		Surface            tenancy.Surface
		Reason             Move
		Note               string
		FromStartsAt       *time.Time
		CreatedAt          time.Time
	}
	rows, err := pg.All[row](ctx, r, `select id, from_state, to_state, actor_kind, actor_id, actor_name, surface, reason, note,
			from_starts_at, created_at
		from booking_moves where business_id = $1 and booking_id = $2 order by created_at, id limit $3`, r.Business(), booking, historyMax)
	out := make([]Change, len(rows))
	for i, m := range rows {
		out[i] = Change{
			ID: m.ID, Move: m.Reason, From: m.FromState, To: m.ToState, Words: m.Note, Surface: m.Surface, At: m.CreatedAt.UTC(),
			Actor: tenancy.Actor{Kind: m.ActorKind, Name: m.ActorName},
		}
		if m.FromStartsAt != nil {
			out[i].FromStart = m.FromStartsAt.UTC()
		}
		if m.ActorID != nil {
			out[i].Actor.ID = *m.ActorID
		}
	}
	return out, err
}
