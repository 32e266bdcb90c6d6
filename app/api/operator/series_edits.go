package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/civil"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// SeriesPath names a series of an offering.
type SeriesPath struct {
	OfferingPath
	SeriesID uuid.UUID `path:"seriesId" doc:"The series."`
}

// EditPath names an edit of a series.
type EditPath struct {
	SeriesPath
	EditID uuid.UUID `path:"editId" doc:"The edit."`
}

// EditedSeries is a series as an edit has left it.
type EditedSeries struct {
	Series
	EditID    *uuid.UUID `json:"editId" doc:"For taking it back; null when nothing changed."`
	UndoUntil *time.Time `json:"undoUntil" doc:"Until when it can be taken back."`
	Plan      SeriesPlan `json:"plan"`
}

// SeriesEdit is what was done to a series, or to one of its dates.
type SeriesEdit struct {
	ID        uuid.UUID  `json:"id"`
	SeriesID  uuid.UUID  `json:"seriesId" doc:"Where it can be taken back: of a split, the series that was split."`
	CreatedAt time.Time  `json:"createdAt"`
	UndoUntil time.Time  `json:"undoUntil"`
	UndoneAt  *time.Time `json:"undoneAt"`
	Undoable  bool       `json:"undoable" doc:"Whether it can be taken back now, if the dates have not changed since."`
	Added     int        `json:"added" doc:"Dates."`
	Removed   int        `json:"removed"`
	Moved     int        `json:"moved"`
	Changed   int        `json:"changed" doc:"Dates with another instructor, space or number of seats."`
	Split     bool       `json:"split"`
}

// UndoneEdit is what taking an edit back has done.
type UndoneEdit struct {
	Series  Series `json:"series" doc:"As it was before the edit."`
	Dates   int    `json:"dates" doc:"Dates that are as they were."`
	Removed int    `json:"removed" doc:"Dates that the edit had made, and that are gone."`
	Joined  bool   `json:"joined" doc:"The series that it had split are one again."`
	Notices int    `json:"notices" doc:"Messages to customers: who was notified of the edit is notified that it was taken back."`
}

type listEditsIn struct {
	SeriesPath
	op.Page
}

type updateSeriesIn struct {
	SeriesPath
	Body updateSeriesBody
}

type updateSeriesBody struct {
	Version        int64                   `json:"version" minimum:"1"`
	Scope          schedule.EditScope      `json:"scope" doc:"all: every date that has not begun. following: those from a date on; the series is split there. One date alone: updateOccurrence."`
	From           *civil.Date             `json:"from,omitempty" format:"date" doc:"The first date that changes, with scope following."`
	Freq           *schedule.Freq          `json:"freq,omitempty"`
	Every          *int                    `json:"every,omitempty" minimum:"1" maximum:"52"`
	Weekdays       []int                   `json:"weekdays,omitempty" minimum:"0" maximum:"6" minItems:"1" maxItems:"7" uniqueItems:"true" doc:"0 is Sunday."`
	MonthlyBy      *schedule.MonthlyBy     `json:"monthlyBy,omitempty"`
	Start          *civil.Date             `json:"start,omitempty" format:"date" doc:"The first date of the new rule; as soon as it gives one when left out."`
	At             *civil.Clock            `json:"at,omitempty" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$"`
	Minutes        *int                    `json:"minutes,omitempty" minimum:"5" maximum:"1440"`
	Until          op.Nullable[civil.Date] `json:"until,omitzero" format:"date" doc:"The last possible date; null runs on. Takes the place of count, too."`
	Count          op.Nullable[int]        `json:"count,omitzero" minimum:"1" maximum:"1000" doc:"How many dates from start on. Takes the place of until, too."`
	Except         *[]civil.Date           `json:"except,omitempty" format:"date" maxItems:"1000" doc:"All dates to leave out."`
	ExtraDates     *[]civil.Date           `json:"extraDates,omitempty" format:"date" maxItems:"366" doc:"All dates beside the rule."`
	MemberID       op.Nullable[uuid.UUID]  `json:"memberId,omitzero"`
	SpaceID        op.Nullable[uuid.UUID]  `json:"spaceId,omitzero"`
	Capacity       *int                    `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	OnlineCapacity *int                    `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Left out: all seats stay sold online where all were; a number that was set apart stays, and is at most capacity."`
	AllowConflicts bool                    `json:"allowConflicts,omitempty" doc:"The instructor and the space may be double-booked; otherwise 409 lists the conflicts."`
	BookedChoice
	op.Quote
}

// BookedChoice says what happens to people when dates change.
type BookedChoice struct {
	OnBooked schedule.OnBooked `json:"onBooked,omitempty" doc:"What happens to bookings of dates that go: refuse (409 names the dates) when left out, cancel_and_refund, or move to the nearest date of the series with room."`
	Notify   *bool             `json:"notify,omitempty" doc:"Whether the customers are notified: yes when left out, false is silence."`
	Reason   string            `json:"reason,omitempty" maxLength:"500" doc:"Why, for the customers and the record."`
}

func (a *surface) seriesEdits() {
	declare(a, op.Spec{
		ID: "updateSeries", Method: "PATCH", Path: "/offerings/{id}/series/{seriesId}", Tag: "catalog", Compact: true,
		Summary: "Change a series",
		Description: "Changes its dates that have not begun: all, or those from a date on. Dates keep their ids and bookings when they move, " +
			"and what a date has of its own stays. The dry run lists dates added, removed and moved, bookings hit and conflicts.",
		Feature: "catalog.manage", Versioned: true, Quoted: true,
	}, a.updateSeries)
	declare(a, op.Spec{
		ID: "listSeriesEdits", Method: "GET", Path: "/offerings/{id}/series/{seriesId}/edits", Tag: "catalog", Feature: "location.view",
		Summary: "List edits of a series", Description: "What was done to a series and its single dates, and the edit that split it off, the newest first.",
	}, wire.Filtered(a.Cursors, "seriesEdits", a.Schedule.Edits, showEdit,
		func(_ tenancy.Scope, in *listEditsIn, page paging.In[paging.Moment]) schedule.EditsInput {
			return schedule.EditsInput{OfferingID: in.ID, SeriesID: in.SeriesID, Page: page}
		}))
	declare(a, op.Spec{
		ID: "undoSeriesEdit", Method: "POST", Path: "/offerings/{id}/series/{seriesId}/edits/{editId}/undo", Tag: "catalog",
		Summary:     "Take an edit back",
		Description: "Within 24 hours, if nothing was done to these dates since and nobody lost a booking by it: everything is as it was before.",
		Feature:     "catalog.manage", Errors: wire.ChangeErrors,
	}, a.undoSeriesEdit)
}

func (a *surface) updateSeries(ctx context.Context, sc tenancy.Scope, in *updateSeriesIn) (op.Quoted[EditedSeries, SeriesPlan], error) {
	b := in.Body
	done, err := a.Schedule.EditSeries(ctx, sc, schedule.EditSeriesInput{
		OfferingID: in.ID, SeriesID: in.SeriesID, Version: b.Version, Scope: b.Scope, From: b.From, Change: b.change(),
		OnBooked: b.OnBooked, AllowConflicts: b.AllowConflicts, Silent: silent(b.Notify), Reason: b.Reason,
	})
	return showEdited(done), err
}

// change is what the body says about the series itself.
func (b updateSeriesBody) change() schedule.SeriesChange {
	c := schedule.SeriesChange{
		Freq: b.Freq, Every: b.Every, MonthlyBy: b.MonthlyBy, Start: b.Start, At: b.At, Minutes: b.Minutes,
		Except: b.Except, Extra: b.ExtraDates, MemberID: b.MemberID.Field, SpaceID: b.SpaceID.Field,
		Capacity: b.Capacity, OnlineCapacity: b.OnlineCapacity,
	}
	if b.Weekdays != nil {
		c.Weekdays = wire.Show(b.Weekdays, weekday)
	}
	if b.Until.Set || b.Count.Set {
		c.End = &schedule.SeriesEnd{Until: b.Until.Value, Count: b.Count.Value}
	}
	return c
}

func (a *surface) undoSeriesEdit(ctx context.Context, sc tenancy.Scope, in *EditPath) (UndoneEdit, error) {
	u, err := a.Schedule.UndoEdit(ctx, sc, schedule.UndoEditInput{OfferingID: in.ID, SeriesID: in.SeriesID, EditID: in.EditID})
	return UndoneEdit{Series: showSeries(u.Series), Dates: u.Dates, Removed: u.Removed, Joined: u.Joined, Notices: u.Notices}, err
}

func showEdit(e schedule.Edit) SeriesEdit {
	return SeriesEdit{
		ID: e.ID, SeriesID: e.SeriesID, CreatedAt: e.CreatedAt, UndoUntil: e.UndoUntil, UndoneAt: e.UndoneAt,
		Undoable: e.Undoable, Added: e.Added, Removed: e.Removed, Moved: e.Moved, Changed: e.Changed, Split: e.Split,
	}
}

func showEdited(e schedule.Edited) op.Quoted[EditedSeries, SeriesPlan] {
	plan := showPlan(e.Plan)
	return op.Quoted[EditedSeries, SeriesPlan]{Done: EditedSeries{
		Series: showSeries(e.Series), EditID: wire.AppointmentOptions(e.EditID), UndoUntil: wire.TimeOrNull(e.UndoUntil), Plan: plan,
	}, Effects: plan}
}
