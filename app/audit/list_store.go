package audit

import (
	"context"
	"fmt"

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
	ConnectionID  *uuid.UUID
	Client        string
	Before, After []byte
}

func (r eventRow) event() (Event, error) {
	r.Actor = tenancy.Actor{Kind: r.ActorKind, Name: r.ActorName}
	if r.ActorID != nil {
		r.Actor.ID = *r.ActorID
	}
	if r.ConnectionID != nil {
		r.Actor.Via = tenancy.Assistant{ID: *r.ConnectionID, Client: r.Client}
	}
	var err error
	r.Changes, err = changes(r.Before, r.After)
	return r.Event, err
}

// place is where an event happened: a location's own row names itself.
const place = "(case record when 'locations' then record_id else location_id end)"

// list reads a part of the events that cover opens. Only the filters that are set become conditions.
func list(ctx context.Context, v *pg.View, in ListInput, cover policy.Cover) ([]Event, error) {
	s := pg.NewShape(`select seq, at, actor_kind, actor_id, actor_name, surface, action, record, record_id,
		`+place+` as location_id, before, after, reason, connection_id,
			client from audit_events where business_id = $1`, v.Business())
	s.AndIf(in.Actor != uuid.Nil, "actor_id = ?", in.Actor)
	s.AndIf(in.Assistant != uuid.Nil, "connection_id = ?", in.Assistant)
	s.AndIf(in.Record != "", "record = ?", in.Record)
	s.AndIf(in.RecordID != uuid.Nil, "record_id = ?", in.RecordID)
	s.AndIf(in.LocationID != uuid.Nil, place+" = ?", in.LocationID)
	s.AndIf(in.Surface != "", "surface = ?", in.Surface)
	s.AndIf(!in.From.IsZero(), "at >= ?", in.From)
	s.AndIf(!in.To.IsZero(), "at < ?", in.To)
	s.AndIf(!cover.Everywhere, place+" = any(?::uuid[])", cover.Locations)
	s.AndIf(in.Page.After != nil, "seq < ?", in.Page.After)
	s.Add(" order by seq desc limit ?", in.Page.Size()+1)
	rows, err := pg.All[eventRow](ctx, v.Kept(), s.SQL(), s.Args()...)
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
