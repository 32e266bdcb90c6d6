package operator

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/audit"
	"foyer/app/integrity"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// AuditEvent is one change of one record.
type AuditEvent struct {
	Seq        int64           `json:"seq" doc:"Sequence number; ascending, with gaps."`
	At         time.Time       `json:"at"`
	Actor      AuditActor      `json:"actor"`
	Surface    tenancy.Surface `json:"surface" doc:"Surface of the change; job is the product itself."`
	Action     audit.Action    `json:"action"`
	Record     string          `json:"record" doc:"Kind of record, in the plural: bookings, locations, member_hours."`
	RecordID   uuid.UUID       `json:"recordId"`
	LocationID *uuid.UUID      `json:"locationId" doc:"Location of the record; null if it belongs to the whole business."`
	Changes    []AuditChange   `json:"changes" doc:"Changes by field; for a created or deleted record, all of its fields."`
	Reason     string          `json:"reason" doc:"Reason given by the actor; often empty."`
}

// AuditActor is the actor of a change.
type AuditActor struct {
	Kind string     `json:"kind" enum:"person,key,visitor,system"`
	ID   *uuid.UUID `json:"id" doc:"Id of the person or the API key; null for a visitor and the system."`
	Name string     `json:"name" doc:"Name at the time of the change; may be empty."`

	AssistantID *uuid.UUID `json:"assistantId" doc:"Id of the assistant through which a person made the change; null without one."`
	Assistant   string     `json:"assistant" doc:"Name of that assistant; empty without one."`
}

// AuditChange is one field of a record.
type AuditChange struct {
	Field  string  `json:"field"`
	Before *string `json:"before" doc:"Value before, as text, or as JSON if it is not text; null if there was none."`
	After  *string `json:"after" doc:"Value after; null if there is none."`
}

// Integrity is the result of a data check.
type Integrity struct {
	Differences []Difference `json:"differences" doc:"Differences found; empty if there are none. At most 200 of each check."`
	CheckedAt   time.Time    `json:"checkedAt"`
}

// Difference is a stored value that differs from the one computed from the records.
type Difference struct {
	Check    string    `json:"check" doc:"Check that found it: seats, claims, holds, offered, order_lines, refunds, audit_seals and others."`
	Record   string    `json:"record" doc:"Kind of record, in the plural."`
	RecordID uuid.UUID `json:"recordId"`
	Expected string    `json:"expected" doc:"Value computed from the other records."`
	Found    string    `json:"found" doc:"Stored value."`
}

type listAuditIn struct {
	op.Page
	Actor      uuid.UUID       `query:"actor" doc:"Only events of this person or API key."`
	Assistant  uuid.UUID       `query:"assistantId" doc:"Only events of this connected assistant."`
	Record     string          `query:"record" maxLength:"63" pattern:"^[a-z_]+$" doc:"Only events of this kind of record."`
	RecordID   uuid.UUID       `query:"recordId"`
	LocationID uuid.UUID       `query:"locationId"`
	Surface    tenancy.Surface `query:"surface"`
	From       time.Time       `query:"from" doc:"Earliest change."`
	To         time.Time       `query:"to" doc:"Only changes before this time."`
}

func (a *surface) auditLog() {
	declare(a, op.Spec{
		ID: "listAudit", Method: "GET", Path: "/businesses/{businessId}/audit", Tag: "business", Feature: "audit.view",
		Summary: "List audit events",
		Description: "Returns the activity log, newest first: the actor, the record, the time, the surface and the reason " +
			"of each change. Events cannot be removed.",
	}, wire.Filtered(a.Cursors, "audit", a.Audit.List, showEvent,
		func(_ tenancy.Scope, in *listAuditIn, page paging.In[int64]) audit.ListInput {
			return audit.ListInput{
				Actor: in.Actor, Assistant: in.Assistant, Record: in.Record, RecordID: in.RecordID, LocationID: in.LocationID,
				Surface: in.Surface, From: in.From, To: in.To, Page: page,
			}
		}))
	declare(a, op.Spec{
		ID: "checkIntegrity", Method: "GET", Path: "/businesses/{businessId}/integrity", Tag: "business", Feature: "business.manage",
		Summary: "Run the data check",
		Description: "Computes seats, busy times, holds, waitlists, money and the seals of the activity log from the " +
			"records, and returns every stored value that differs. The same check runs every night.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Integrity, error) {
		r, err := a.Integrity.Check(ctx, sc)
		return Integrity{CheckedAt: r.CheckedAt, Differences: wire.Show(r.Differences, func(d integrity.Difference) Difference {
			return Difference(d)
		})}, err
	})
}

func showEvent(e audit.Event) AuditEvent {
	actor := AuditActor{Kind: string(e.Actor.Kind), ID: wire.Optional(e.Actor.ID), Name: e.Actor.Name,
		AssistantID: wire.Optional(e.Actor.Via.ID), Assistant: e.Actor.Via.Client}
	return AuditEvent{
		Seq: e.Seq, At: e.At, Actor: actor, Surface: e.Surface, Action: e.Action, Record: e.Record,
		RecordID: e.RecordID, LocationID: e.LocationID, Reason: e.Reason,
		Changes: wire.Show(e.Changes, func(c audit.Change) AuditChange {
			return AuditChange{Field: c.Field, Before: value(c.Before), After: value(c.After)}
		}),
	}
}

// value returns a JSON string as its text, other JSON as it is, and nil for null.
func value(v json.RawMessage) *string {
	if v == nil {
		return nil
	}
	text := string(v)
	_ = json.Unmarshal(v, &text) // leaves other JSON alone
	return &text
}
