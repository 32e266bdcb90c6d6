package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Visitor is the kind of an actor without a credential; the other kinds are those of tenancy.
const Visitor tenancy.ActorKind = "visitor"

// Action is the kind of change of a record.
type Action string

// The actions.
const (
	Create Action = "create"
	Update Action = "update"
	Delete Action = "delete"
)

// All lists them.
func (Action) All() []Action { return []Action{Create, Update, Delete} }

// Event is one change of one record.
type Event struct {
	Seq        int64 // grows with time; events of one transaction are neighbours
	At         time.Time
	Actor      tenancy.Actor
	Surface    tenancy.Surface
	Action     Action
	Record     string // the kind of record: its table
	RecordID   uuid.UUID
	LocationID *uuid.UUID // where the record has one
	Changes    []Change   // by field; of a new or a deleted record, all that it has
	Reason     string
}

// Change is a field of a record, before and after, as JSON; nil where the field or the record was not there.
type Change struct {
	Field         string // lowerCamelCase, as the API calls it
	Before, After json.RawMessage
}

// changes puts the two halves of an event side by side.
func changes(before, after []byte) ([]Change, error) {
	was, err := fields(before)
	if err != nil {
		return nil, err
	}
	is, err := fields(after)
	if err != nil {
		return nil, err
	}
	columns := maps.Clone(was)
	maps.Copy(columns, is)
	out := []Change{}
	for column := range columns {
		c := Change{Field: camel(column), Before: known(was[column]), After: known(is[column])}
		if !secret(column) && column != "id" && (c.Before != nil || c.After != nil) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.Field, b.Field) })
	return out, nil
}

// fields are those of half an event; none of a half that is not there.
func fields(half []byte) (out map[string]json.RawMessage, err error) {
	out = map[string]json.RawMessage{}
	if half != nil {
		err = json.Unmarshal(half, &out)
	}
	return out, err
}

// known returns nil for a missing value.
func known(v json.RawMessage) json.RawMessage {
	if string(v) == "null" {
		return nil
	}
	return v
}

// secret reports whether a column could be a credential. The triggers leave those out already; this catches a
// forgotten one.
func secret(column string) bool {
	for _, part := range strings.Split(column, "_") {
		if part == "hash" || part == "secret" || part == "token" || part == "password" {
			return true
		}
	}
	return false
}

// camel turns starts_at into startsAt.
func camel(column string) string {
	parts := strings.Split(column, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// ListInput chooses events; a filter that is not set chooses all.
type ListInput struct {
	Actor      uuid.UUID // a person or a key
	Assistant  uuid.UUID // one that a person connected
	Record     string
	RecordID   uuid.UUID
	LocationID uuid.UUID
	Surface    tenancy.Surface
	From, To   time.Time        // at or after From and before To
	Page       paging.In[int64] // by Seq, the newest first
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.From.IsZero() || in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	return c.Err()
}

// List returns events in one round trip, the newest first. It needs audit.view, and shows the events of the whole
// business or those at the locations where the caller holds it.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (page paging.Page[Event, int64], err error) {
	cover, err := policy.Where(sc, policy.AuditView)
	if err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	events, err := list(ctx, s.db.View(sc.Tenant), in, cover)
	return paging.Of(events, in.Page.Size(), func(e Event) int64 { return e.Seq }), err
}
