package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// EditedDate is one date as an edit has left it.
type EditedDate struct {
	Occurrence
	EditID    *uuid.UUID `json:"editId" doc:"For taking it back, as an edit of its series."`
	UndoUntil *time.Time `json:"undoUntil" doc:"Until when it can be taken back."`
	Plan      SeriesPlan `json:"plan"`
}

// ChangedDate is one date that was cancelled or restored.
type ChangedDate struct {
	Occurrence
	Plan SeriesPlan `json:"plan"`
}

// SubstitutedDate is one date with another instructor.
type SubstitutedDate struct {
	Occurrence
	Conflicts []SeriesConflict `json:"conflicts" doc:"What else the substitute has then, when that was set aside."`
	Notices   int              `json:"notices" doc:"Messages that are sent."`
}

type updateOccurrenceIn struct {
	DatePath
	Body updateOccurrenceBody
}

type updateOccurrenceBody struct {
	Version        int64                  `json:"version" minimum:"1"`
	StartsAt       *time.Time             `json:"startsAt,omitempty"`
	Minutes        *int                   `json:"minutes,omitempty" minimum:"5" maximum:"1440"`
	MemberID       op.Nullable[uuid.UUID] `json:"memberId,omitzero" doc:"With a conflict check and notices: substituteOccurrence."`
	SpaceID        op.Nullable[uuid.UUID] `json:"spaceId,omitzero"`
	Capacity       *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	OnlineCapacity *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Left out: all seats stay sold online where all were; a number that was set apart stays, and is at most capacity."`
	AllowConflicts bool                   `json:"allowConflicts,omitempty" doc:"The instructor and the space may be double-booked; otherwise 409 lists the conflicts."`
	WhyChanged
	op.Quote
}

// WhyChanged is why a date changes and whether its customers are notified.
type WhyChanged struct {
	Notify *bool  `json:"notify,omitempty" doc:"Whether the customers are notified: yes when left out, false is silence."`
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"Why, for the customers and the record."`
}

type changeDateIn struct {
	DatePath
	Body *changeDateBody
}

type changeDateBody struct {
	WhyChanged
	op.Quote
}

// input is what is asked for; the body may be left out.
func (in changeDateIn) input() schedule.CancelDateInput {
	out := schedule.CancelDateInput{OfferingID: in.ID, OccurrenceID: in.OccurrenceID}
	if in.Body != nil {
		out.Reason, out.Silent = in.Body.Reason, silent(in.Body.Notify)
	}
	return out
}

type substituteIn struct {
	DatePath
	Body substituteBody
}

type substituteBody struct {
	MemberID uuid.UUID        `json:"memberId" doc:"An active member of the team."`
	Override bool             `json:"override,omitempty" doc:"Although they are busy: needs booking.override and a reason."`
	Reason   string           `json:"reason,omitempty" maxLength:"500"`
	Notify   substituteNotify `json:"notify,omitzero" doc:"Who is notified by mail: everybody unless false."`
}

type substituteNotify struct {
	Customers  *bool `json:"customers,omitempty"`
	Original   *bool `json:"original,omitempty" doc:"Who was to teach; left out: yes."`
	Substitute *bool `json:"substitute,omitempty" doc:"Who teaches now; left out: yes."`
}

// silence is who is not notified.
func (n substituteNotify) silence() schedule.SubstituteSilence {
	return schedule.SubstituteSilence{Customers: silent(n.Customers), Original: silent(n.Original), Substitute: silent(n.Substitute)}
}

// silent reports whether people are not to be notified: only false is silence.
func silent(notify *bool) bool { return notify != nil && !*notify }

func (a *surface) dates() {
	declare(a, op.Spec{
		ID: "updateOccurrence", Method: "PATCH", Path: "/offerings/{id}/occurrences/{occurrenceId}", Tag: "catalog", Compact: true,
		Summary:     "Change one date",
		Description: "What is given is the date's own from then on: changes of the series leave it alone. Bookings follow it to another time.",
		Feature:     "catalog.manage", Versioned: true, Quoted: true,
	}, a.updateOccurrence)
	declare(a, op.Spec{
		ID: "cancelOccurrence", Method: "POST", Path: "/offerings/{id}/occurrences/{occurrenceId}/cancel", Tag: "catalog", Compact: true,
		Summary:     "Cancel one date",
		Description: "Its bookings are cancelled by the studio with everything refunded, its waitlist ends, and its instructor and space are free.",
		Feature:     "booking.manage", Quoted: true,
	}, a.cancelOccurrence)
	declare(a, op.Spec{
		ID: "restoreOccurrence", Method: "POST", Path: "/offerings/{id}/occurrences/{occurrenceId}/restore", Tag: "catalog",
		Summary:     "Restore a cancelled date",
		Description: "It takes place after all, if its instructor and space are free. Who was booked is not booked again.",
		Feature:     "booking.manage", Quoted: true,
	}, a.restoreOccurrence)
	declare(a, op.Spec{
		ID: "substituteOccurrence", Method: "POST", Path: "/offerings/{id}/occurrences/{occurrenceId}/substitute", Tag: "catalog", Compact: true,
		Summary: "Name a substitute", Description: "Somebody else teaches one date. 409 staff_busy lists what they have then.",
		Feature: "booking.manage",
	}, a.substituteOccurrence)
	a.assign()
}

func (a *surface) updateOccurrence(ctx context.Context, sc tenancy.Scope, in *updateOccurrenceIn) (op.Quoted[EditedDate, SeriesPlan], error) {
	b := in.Body
	done, err := a.Schedule.EditDate(ctx, sc, schedule.EditDateInput{
		OfferingID: in.ID, OccurrenceID: in.OccurrenceID, Version: b.Version, StartsAt: b.StartsAt, Minutes: b.Minutes,
		MemberID: b.MemberID.Field, SpaceID: b.SpaceID.Field, Capacity: b.Capacity, OnlineCapacity: b.OnlineCapacity,
		AllowConflicts: b.AllowConflicts, Silent: silent(b.Notify), Reason: b.Reason,
	})
	plan := showPlan(done.Plan)
	return op.Quoted[EditedDate, SeriesPlan]{Done: EditedDate{
		Occurrence: showOccurrence(done.Occurrence), EditID: wire.AppointmentOptions(done.EditID), UndoUntil: wire.TimeOrNull(done.UndoUntil), Plan: plan,
	}, Effects: plan}, err
}

func (a *surface) cancelOccurrence(ctx context.Context, sc tenancy.Scope, in *changeDateIn) (op.Quoted[ChangedDate, SeriesPlan], error) {
	done, err := a.Schedule.CancelDate(ctx, sc, in.input())
	return showChanged(done), err
}

func (a *surface) restoreOccurrence(ctx context.Context, sc tenancy.Scope, in *changeDateIn) (op.Quoted[ChangedDate, SeriesPlan], error) {
	done, err := a.Schedule.RestoreDate(ctx, sc, in.input())
	return showChanged(done), err
}

func showChanged(d schedule.ChangedDate) op.Quoted[ChangedDate, SeriesPlan] {
	plan := showPlan(d.Plan)
	return op.Quoted[ChangedDate, SeriesPlan]{Done: ChangedDate{Occurrence: showOccurrence(d.Occurrence), Plan: plan}, Effects: plan}
}

func (a *surface) substituteOccurrence(ctx context.Context, sc tenancy.Scope, in *substituteIn) (SubstitutedDate, error) {
	b := in.Body
	done, err := a.Schedule.Substitute(ctx, sc, schedule.SubstituteInput{
		OfferingID: in.ID, OccurrenceID: in.OccurrenceID, MemberID: b.MemberID, Override: b.Override, Reason: b.Reason,
		Silent: b.Notify.silence(),
	})
	return SubstitutedDate{Occurrence: showOccurrence(done.Occurrence), Conflicts: wire.Show(done.Conflicts, showConflict), Notices: done.Notices}, err
}
