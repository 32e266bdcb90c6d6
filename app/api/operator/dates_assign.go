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

// AssignedDates is what giving dates an instructor has done.
type AssignedDates struct {
	MemberID   uuid.UUID      `json:"memberId"`
	Instructor string         `json:"instructor" doc:"Their name."`
	Dates      []AssignedDate `json:"dates" doc:"By their start."`
	Notices    int            `json:"notices" doc:"Messages that are sent."`
	EditID     *uuid.UUID     `json:"editId" doc:"For taking it back, as an edit of the series; null when the dates are of several series, or none has changed."`
	UndoUntil  *time.Time     `json:"undoUntil" doc:"Until when it can be taken back."`
}

// AssignedDate is one of the dates.
type AssignedDate struct {
	ID        uuid.UUID              `json:"id"`
	StartsAt  time.Time              `json:"startsAt"`
	EndsAt    time.Time              `json:"endsAt"`
	Outcome   schedule.AssignOutcome `json:"outcome" doc:"unchanged: it was theirs already. busy: they are busy or away then, and it stays as it was."`
	Conflicts []SeriesConflict       `json:"conflicts" doc:"What else they have then."`
}

// AssignEffects is what giving dates an instructor would do.
type AssignEffects struct {
	Dates   []AssignedDate `json:"dates" doc:"By their start."`
	Notices int            `json:"notices" doc:"Messages that are sent."`
}

type assignIn struct {
	OfferingPath
	Body assignBody
}

type assignBody struct {
	OccurrenceIDs []uuid.UUID      `json:"occurrenceIds" minItems:"1" maxItems:"200" uniqueItems:"true" doc:"Dates of this offering."`
	MemberID      uuid.UUID        `json:"memberId" doc:"An active member of the team."`
	OnBusy        schedule.OnBusy  `json:"onBusy,omitempty" doc:"Where they are busy or away: refuse (409 names the dates) when left out, skip leaves these dates as they are, override needs booking.override and a reason."`
	Reason        string           `json:"reason,omitempty" maxLength:"500"`
	Notify        substituteNotify `json:"notify,omitzero" doc:"Who is notified by mail: everybody unless false."`
	op.Quote
}

func (a *surface) assign() {
	declare(a, op.Spec{
		ID: "assignInstructor", Method: "POST", Path: "/offerings/{id}/occurrences/assign", Tag: "catalog", Compact: true,
		Summary: "Give dates an instructor",
		Description: "Several dates at once, whatever becomes of their series. Where the instructor is busy, 409 staff_busy lists what they have then, and details.occurrenceIds the dates, " +
			"unless onBusy says what to do. Customers of dates that had another instructor, and both instructors, are notified: of several dates in one message.",
		Feature: "booking.manage", Quoted: true,
	}, a.assignInstructor)
}

func (a *surface) assignInstructor(ctx context.Context, sc tenancy.Scope, in *assignIn) (op.Quoted[AssignedDates, AssignEffects], error) {
	b := in.Body
	done, err := a.Schedule.Assign(ctx, sc, schedule.AssignInput{
		OfferingID: in.ID, OccurrenceIDs: b.OccurrenceIDs, MemberID: b.MemberID, OnBusy: b.OnBusy, Reason: b.Reason, Silent: b.Notify.silence(),
	})
	dates := wire.Show(done.Dates, func(d schedule.AssignedDate) AssignedDate {
		return AssignedDate{ID: d.ID, StartsAt: d.StartsAt, EndsAt: d.EndsAt, Outcome: d.Outcome, Conflicts: wire.Show(d.Conflicts, showConflict)}
	})
	return op.Quoted[AssignedDates, AssignEffects]{Done: AssignedDates{
		MemberID: done.MemberID, Instructor: done.Instructor, Dates: dates, Notices: done.Notices,
		EditID: wire.AppointmentOptions(done.EditID), UndoUntil: wire.TimeOrNull(done.UndoUntil),
	}, Effects: AssignEffects{Dates: dates, Notices: done.Notices}}, err
}
