package audit

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// eventRow is an event with the columns that are not fields of one.
type eventRow struct {
	Event
	ActorKind     tenancy.ActorKind
	ActorID       *uuid.UUID
	ActorName     string
	Before, After []byte
}

func (r eventRow) event() (Event, error) {
	r.Actor = tenancy.Actor{Kind: r.ActorKind, Name: r.ActorName}
	if r.ActorID != nil {
		r.Actor.ID = *r.ActorID
	}
	var err error
	r.Changes, err = changes(r.Before, r.After)
	return r.Event, err
}

// place is where an event happened: a location's own row names itself.
const place = "(case record when 'locations' then record_id else location_id end)"

// list reads a part of the events that cover opens. Only the filters that are set become conditions.
func list(ctx context.Context, v *pg.View, in ListInput, cover policy.Cover) ([]Event, error) {
	var sql strings.Builder
	args := []any{v.Business()}
	sql.WriteString(`select seq, at, actor_kind, actor_id, actor_name, surface, action, record, record_id,
		` + place + ` as location_id, before, after, reason from audit_events where business_id = $1`)
	and := func(set bool, condition string, value any) {
		if set {
			args = append(args, value)
			fmt.Fprintf(&sql, " and "+condition, len(args))
		}
	}
	and(in.Actor != uuid.Nil, "actor_id = $%d", in.Actor)
	and(in.Record != "", "record = $%d", in.Record)
	and(in.RecordID != uuid.Nil, "record_id = $%d", in.RecordID)
	and(in.LocationID != uuid.Nil, place+" = $%d", in.LocationID)
	and(in.Surface != "", "surface = $%d", in.Surface)
	and(!in.From.IsZero(), "at >= $%d", in.From)
	and(!in.To.IsZero(), "at < $%d", in.To)
	and(!cover.Everywhere, place+" = any($%d::uuid[])", cover.Locations)
	and(in.Page.After != nil, "seq < $%d", in.Page.After)
	args = append(args, in.Page.Size()+1)
	fmt.Fprintf(&sql, " order by seq desc limit $%d", len(args))
	rows, err := pg.All[eventRow](ctx, v, sql.String(), args...)
	if err != nil {
		return nil, err
	}
	out := make([]Event, len(rows))
	for i, r := range rows {
		if out[i], err = r.event(); err != nil {
			return nil, fmt.Errorf("audit: event %d: %w", r.Seq, err)
		}
	}
	return out, nil
}
