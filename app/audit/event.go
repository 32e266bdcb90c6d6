package audit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/tenancy"
)

// Visitor is the kind of an actor without a credential; the other kinds are those of tenancy.
const Visitor tenancy.ActorKind = "visitor"

// Action is what happened to a record.
type Action string

// The actions.
const (
	Create Action = "create"
	Update Action = "update"
	Delete Action = "delete"
)

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
	was, is := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for _, half := range []struct {
		text []byte
		into *map[string]json.RawMessage
	}{{before, &was}, {after, &is}} {
		if half.text == nil {
			continue
		}
		if err := json.Unmarshal(half.text, half.into); err != nil {
			return nil, err
		}
	}
	out := []Change{}
	for column := range was {
		out = add(out, column, was[column], is[column])
	}
	for column := range is {
		if _, both := was[column]; !both {
			out = add(out, column, nil, is[column])
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.Field, b.Field) })
	return out, nil
}

func add(list []Change, column string, before, after json.RawMessage) []Change {
	c := Change{Field: camel(column), Before: known(before), After: known(after)}
	if secret(column) || column == "id" || c.Before == nil && c.After == nil {
		return list
	}
	return append(list, c)
}

// known is nil for what is not there.
func known(v json.RawMessage) json.RawMessage {
	if string(v) == "null" {
		return nil
	}
	return v
}

// secret reports whether a column could prove something to somebody. The triggers leave those out already; this is for the
// one that somebody forgets.
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
