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

// AssignedDates is the result of assigning an instructor to dates.
type AssignedDates struct {
	MemberID   uuid.UUID      `json:"memberId"`
	Instructor string         `json:"instructor" doc:"Name of the instructor."`
	Dates      []AssignedDate `json:"dates" doc:"Dates, sorted by start."`
	Notices    int            `json:"notices" doc:"Number of messages sent."`
	EditID     *uuid.UUID     `json:"editId" doc:"The edit, to undo it as an edit of the series; null if the dates belong to several series or none has changed."`
	UndoUntil  *time.Time     `json:"undoUntil" doc:"Until when the edit can be undone."`
}

// AssignedDate is one of the dates.
type AssignedDate struct {
	ID        uuid.UUID              `json:"id"`
	StartsAt  time.Time              `json:"startsAt"`
	EndsAt    time.Time              `json:"endsAt"`
	Outcome   schedule.AssignOutcome `json:"outcome" doc:"Result for the date. unchanged: the instructor was assigned already. busy: the instructor is busy or away, and the date was not changed."`
	Conflicts []SeriesConflict       `json:"conflicts" doc:"The instructor's conflicts at this time."`
}

// AssignEffects describes the effects of assigning an instructor to dates.
type AssignEffects struct {
	Dates   []AssignedDate `json:"dates" doc:"Dates, sorted by start."`
	Notices int            `json:"notices" doc:"Number of messages to send."`
}

type assignIn struct {
	OfferingPath
	Body assignBody
}

type assignBody struct {
	OccurrenceIDs []uuid.UUID      `json:"occurrenceIds" minItems:"1" maxItems:"200" uniqueItems:"true" doc:"Dates of this offering."`
	MemberID      uuid.UUID        `json:"memberId" doc:"An active team member."`
	OnBusy        schedule.OnBusy  `json:"onBusy,omitempty" doc:"Treatment of dates on which the instructor is busy or away. refuse (the default): 409 lists the dates. skip: these dates are not changed. override: requires booking.override and a reason."`
	Reason        string           `json:"reason,omitempty" maxLength:"500"`
	Notify        substituteNotify `json:"notify,omitzero" doc:"Recipients of email notifications. All are notified unless false."`
	op.Quote
}

func (a *surface) assign() {
	declare(a, op.Spec{
		ID: "assignInstructor", Method: "POST", Path: "/offerings/{id}/occurrences/assign", Tag: "catalog",
		Summary: "Assign an instructor to dates",
		Description: "Assigns the instructor to several dates, independent of their series. If the instructor is busy, 409 " +
			"staff_busy lists the conflicts, and details.occurrenceIds the dates, unless onBusy is set. The customers of " +
			"dates with another instructor, and both instructors, are notified, with one message for several dates.",
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
		EditID: wire.Optional(done.EditID), UndoUntil: wire.TimeOrNull(done.UndoUntil),
	}, Effects: AssignEffects{Dates: dates, Notices: done.Notices}}, err
}
