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

// EditedDate is one date after an edit.
type EditedDate struct {
	Occurrence
	EditID    *uuid.UUID `json:"editId" doc:"The edit, to undo it as an edit of its series."`
	UndoUntil *time.Time `json:"undoUntil" doc:"Until when the edit can be undone."`
	Plan      SeriesPlan `json:"plan"`
}

// ChangedDate is one cancelled or restored date.
type ChangedDate struct {
	Occurrence
	Plan SeriesPlan `json:"plan"`
}

// SubstitutedDate is one date with a substitute.
type SubstitutedDate struct {
	Occurrence
	Conflicts []SeriesConflict `json:"conflicts" doc:"Conflicts of the substitute at this time, if they were overridden."`
	Notices   int              `json:"notices" doc:"Number of messages sent."`
}

type updateOccurrenceIn struct {
	DatePath
	Body updateOccurrenceBody
}

type updateOccurrenceBody struct {
	Version        int64                  `json:"version" minimum:"1"`
	StartsAt       *time.Time             `json:"startsAt,omitempty"`
	Minutes        *int                   `json:"minutes,omitempty" minimum:"5" maximum:"1440"`
	MemberID       op.Nullable[uuid.UUID] `json:"memberId,omitzero" doc:"The instructor. For a conflict check and notifications, use substituteOccurrence."`
	SpaceID        op.Nullable[uuid.UUID] `json:"spaceId,omitzero"`
	Capacity       *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	OnlineCapacity *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Seats that can be booked online. By default all seats stay online if all were; a separate number stays, up to capacity."`
	AllowConflicts bool                   `json:"allowConflicts,omitempty" doc:"Whether the instructor and the space can be double-booked. Otherwise 409 lists the conflicts."`
	WhyChanged
	op.Quote
}

// WhyChanged is the reason for a change of a date, and whether its customers are notified.
type WhyChanged struct {
	Notify *bool  `json:"notify,omitempty" doc:"Whether the customers are notified. The default is true."`
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"Reason, for the customers and the activity log."`
}

type changeDateIn struct {
	DatePath
	Body *changeDateBody
}

type changeDateBody struct {
	WhyChanged
	op.Quote
}

// input returns the request as a type of the schedule package; the body may be absent.
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
	MemberID uuid.UUID        `json:"memberId" doc:"An active team member."`
	Override bool             `json:"override,omitempty" doc:"Assign the substitute despite conflicts. Requires booking.override and a reason."`
	Reason   string           `json:"reason,omitempty" maxLength:"500"`
	Notify   substituteNotify `json:"notify,omitzero" doc:"Recipients of email notifications. All are notified unless false."`
}

type substituteNotify struct {
	Customers  *bool `json:"customers,omitempty"`
	Original   *bool `json:"original,omitempty" doc:"The original instructor. The default is true."`
	Substitute *bool `json:"substitute,omitempty" doc:"The substitute. The default is true."`
}

// silence returns the recipients to leave out.
func (n substituteNotify) silence() schedule.SubstituteSilence {
	return schedule.SubstituteSilence{Customers: silent(n.Customers), Original: silent(n.Original), Substitute: silent(n.Substitute)}
}

// silent reports whether notification is off: only false turns it off.
func silent(notify *bool) bool { return notify != nil && !*notify }

func (a *surface) dates() {
	declare(a, op.Spec{
		ID: "updateOccurrence", Method: "PATCH", Path: "/offerings/{id}/occurrences/{occurrenceId}", Tag: "catalog", Compact: true,
		Summary: "Update an occurrence",
		Description: "The values sent become the date's own: later changes of the series do not affect them. Bookings " +
			"follow the date to another time.",
		Feature: "catalog.manage", Versioned: true, Quoted: true,
	}, a.updateOccurrence)
	declare(a, op.Spec{
		ID: "cancelOccurrence", Method: "POST", Path: "/offerings/{id}/occurrences/{occurrenceId}/cancel", Tag: "catalog", Compact: true,
		Summary: "Cancel an occurrence",
		Description: "Its bookings are cancelled by the studio with a full refund, its waitlist ends, and its instructor " +
			"and space become free.",
		Feature: "booking.manage", Quoted: true,
	}, a.cancelOccurrence)
	declare(a, op.Spec{
		ID: "restoreOccurrence", Method: "POST", Path: "/offerings/{id}/occurrences/{occurrenceId}/restore", Tag: "catalog",
		Summary: "Restore a cancelled occurrence",
		Description: "Schedules the date again if its instructor and space are free. Its cancelled bookings are not " +
			"restored.",
		Feature: "booking.manage", Quoted: true,
	}, a.restoreOccurrence)
	declare(a, op.Spec{
		ID: "substituteOccurrence", Method: "POST", Path: "/offerings/{id}/occurrences/{occurrenceId}/substitute",
		Tag:         "catalog",
		Summary:     "Assign a substitute",
		Description: "Assigns another instructor to one date. 409 staff_busy lists the instructor's conflicts.",
		Feature:     "booking.manage",
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
		Occurrence: showOccurrence(done.Occurrence), EditID: wire.Optional(done.EditID),
		UndoUntil: wire.TimeOrNull(done.UndoUntil), Plan: plan,
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
