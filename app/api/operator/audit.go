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
	Seq        int64           `json:"seq" doc:"Grows from event to event, with gaps."`
	At         time.Time       `json:"at"`
	Actor      AuditActor      `json:"actor"`
	Surface    tenancy.Surface `json:"surface" doc:"The door that the change came through; job: the product itself."`
	Action     audit.Action    `json:"action"`
	Record     string          `json:"record" doc:"The kind of record, in the plural: bookings, locations, member_hours."`
	RecordID   uuid.UUID       `json:"recordId"`
	LocationID *uuid.UUID      `json:"locationId" doc:"Null: the record belongs to the whole business."`
	Changes    []AuditChange   `json:"changes" doc:"By field. Of a new or a deleted record, all that it has."`
	Reason     string          `json:"reason" doc:"In the words of whoever acted; often empty."`
}

// AuditActor is who made a change.
type AuditActor struct {
	Kind string     `json:"kind" enum:"person,key,visitor,system"`
	ID   *uuid.UUID `json:"id" doc:"Of the person or the API key; null for a visitor and the system."`
	Name string     `json:"name" doc:"At the time of the change; may be empty."`
}

// AuditChange is one field of a record.
type AuditChange struct {
	Field  string  `json:"field"`
	Before *string `json:"before" doc:"As text; what is no text, as JSON. Null: there was nothing."`
	After  *string `json:"after" doc:"Null: there is nothing any more."`
}

// Integrity is what counting everything again found.
type Integrity struct {
	Differences []Difference `json:"differences" doc:"Empty: all adds up. At most 200 of each check."`
	CheckedAt   time.Time    `json:"checkedAt"`
}

// Difference is one place where what is written down is not what the records add up to.
type Difference struct {
	Check    string    `json:"check" doc:"What was counted: seats, claims, holds, offered, order_lines, refunds, audit_seals and others."`
	Record   string    `json:"record" doc:"The kind of record, in the plural."`
	RecordID uuid.UUID `json:"recordId"`
	Expected string    `json:"expected" doc:"What the other records add up to."`
	Found    string    `json:"found" doc:"What is written down."`
}

type listAuditIn struct {
	op.Page
	Actor      uuid.UUID       `query:"actor" doc:"A person or an API key."`
	Record     string          `query:"record" maxLength:"63" pattern:"^[a-z_]+$" doc:"A kind of record."`
	RecordID   uuid.UUID       `query:"recordId"`
	LocationID uuid.UUID       `query:"locationId"`
	Surface    tenancy.Surface `query:"surface"`
	From       time.Time       `query:"from" doc:"The earliest change."`
	To         time.Time       `query:"to" doc:"Changes before this."`
}

func (a *surface) auditLog() {
	declare(a, op.Spec{
		ID: "listAudit", Method: "GET", Path: "/businesses/{businessId}/audit", Tag: "business", Feature: "audit.view",
		Summary: "List what was changed", Description: "Who changed which record, when, through which door and why; the newest change first. Nothing can be taken off this list.",
	}, wire.Filtered(a.Cursors, "audit", a.Audit.List, showEvent,
		func(_ tenancy.Scope, in *listAuditIn, page paging.In[int64]) audit.ListInput {
			return audit.ListInput{
				Actor: in.Actor, Record: in.Record, RecordID: in.RecordID, LocationID: in.LocationID,
				Surface: in.Surface, From: in.From, To: in.To, Page: page,
			}
		}))
	declare(a, op.Spec{
		ID: "checkIntegrity", Method: "GET", Path: "/businesses/{businessId}/integrity", Tag: "business", Feature: "business.manage",
		Summary: "Count everything again", Description: "Adds up seats, busy times, holds, waitlists, money and the seals of the list of changes from the records, and answers where that is not what is written down. The same is done every night.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Integrity, error) {
		r, err := a.Integrity.Check(ctx, sc)
		return Integrity{CheckedAt: r.CheckedAt, Differences: wire.Show(r.Differences, func(d integrity.Difference) Difference {
			return Difference(d)
		})}, err
	})
}

func showEvent(e audit.Event) AuditEvent {
	actor := AuditActor{Kind: string(e.Actor.Kind), ID: wire.AppointmentOptions(e.Actor.ID), Name: e.Actor.Name}
	return AuditEvent{
		Seq: e.Seq, At: e.At, Actor: actor, Surface: e.Surface, Action: e.Action, Record: e.Record,
		RecordID: e.RecordID, LocationID: e.LocationID, Reason: e.Reason,
		Changes: wire.Show(e.Changes, func(c audit.Change) AuditChange {
			return AuditChange{Field: c.Field, Before: value(c.Before), After: value(c.After)}
		}),
	}
}

// value is a text as it is and other JSON as it is written; nothing is null.
func value(v json.RawMessage) *string {
	if v == nil {
		return nil
	}
	text := string(v)
	_ = json.Unmarshal(v, &text) // leaves what is no text alone
	return &text
}
