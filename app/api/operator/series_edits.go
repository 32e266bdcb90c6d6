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

// SeriesPath is the path of a series of an offering.
type SeriesPath struct {
	OfferingPath
	SeriesID uuid.UUID `path:"seriesId" doc:"The series."`
}

// EditPath is the path of an edit of a series.
type EditPath struct {
	SeriesPath
	EditID uuid.UUID `path:"editId" doc:"The edit."`
}

// EditedSeries is a series after an edit.
type EditedSeries struct {
	Series
	EditID    *uuid.UUID `json:"editId" doc:"The edit, to undo it; null if nothing changed."`
	UndoUntil *time.Time `json:"undoUntil" doc:"Until when the edit can be undone."`
	Plan      SeriesPlan `json:"plan"`
}

// SeriesEdit is an edit of a series or of one of its dates.
type SeriesEdit struct {
	ID        uuid.UUID  `json:"id"`
	SeriesID  uuid.UUID  `json:"seriesId" doc:"The series of the edit; for a split, the series that was split."`
	CreatedAt time.Time  `json:"createdAt"`
	UndoUntil time.Time  `json:"undoUntil"`
	UndoneAt  *time.Time `json:"undoneAt"`
	Undoable  bool       `json:"undoable" doc:"Whether it can be undone now, provided that the dates have not changed since."`
	Added     int        `json:"added" doc:"Number of added dates."`
	Removed   int        `json:"removed"`
	Moved     int        `json:"moved"`
	Changed   int        `json:"changed" doc:"Number of dates with another instructor, space or number of seats."`
	Split     bool       `json:"split"`
}

// UndoneEdit is the result of undoing an edit.
type UndoneEdit struct {
	Series  Series `json:"series" doc:"The series as before the edit."`
	Dates   int    `json:"dates" doc:"Number of dates restored to their earlier state."`
	Removed int    `json:"removed" doc:"Number of deleted dates that the edit had created."`
	Joined  bool   `json:"joined" doc:"Whether the split series are one again."`
	Notices int    `json:"notices" doc:"Messages to customers: those notified of the edit are notified that it was undone."`
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
	Scope          schedule.EditScope      `json:"scope" doc:"Dates to edit. all: every date that has not started. following: those from a date on; the series is split there. For a single date use updateOccurrence."`
	From           *civil.Date             `json:"from,omitempty" format:"date" doc:"First date to change, with scope following."`
	Freq           *schedule.Freq          `json:"freq,omitempty"`
	Every          *int                    `json:"every,omitempty" minimum:"1" maximum:"52"`
	Weekdays       []int                   `json:"weekdays,omitempty" minimum:"0" maximum:"6" minItems:"1" maxItems:"7" uniqueItems:"true" doc:"Weekdays; 0 is Sunday."`
	MonthlyBy      *schedule.MonthlyBy     `json:"monthlyBy,omitempty"`
	Start          *civil.Date             `json:"start,omitempty" format:"date" doc:"First date of the new rule. The default is the earliest possible."`
	At             *civil.Clock            `json:"at,omitempty" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$"`
	Minutes        *int                    `json:"minutes,omitempty" minimum:"5" maximum:"1440"`
	Until          op.Nullable[civil.Date] `json:"until,omitzero" format:"date" doc:"Last possible date; null for no end. Replaces count, too."`
	Count          op.Nullable[int]        `json:"count,omitzero" minimum:"1" maximum:"1000" doc:"Number of dates from start on. Replaces until, too."`
	Except         *[]civil.Date           `json:"except,omitempty" format:"date" maxItems:"1000" doc:"Excluded dates. Replaces the whole list."`
	ExtraDates     *[]civil.Date           `json:"extraDates,omitempty" format:"date" maxItems:"366" doc:"Additional dates. Replaces the whole list."`
	MemberID       op.Nullable[uuid.UUID]  `json:"memberId,omitzero"`
	SpaceID        op.Nullable[uuid.UUID]  `json:"spaceId,omitzero"`
	Capacity       *int                    `json:"capacity,omitempty" minimum:"1" maximum:"10000"`
	OnlineCapacity *int                    `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Seats that can be booked online. By default all seats stay online if all were; a separate number stays, up to capacity."`
	AllowConflicts bool                    `json:"allowConflicts,omitempty" doc:"Whether the instructor and the space can be double-booked. Otherwise 409 lists the conflicts."`
	BookedChoice
	op.Quote
}

// BookedChoice decides the treatment of bookings and customers when dates change.
type BookedChoice struct {
	OnBooked schedule.OnBooked `json:"onBooked,omitempty" doc:"Treatment of bookings on deleted dates. refuse (the default): 409 lists the dates. cancel_and_refund: cancelled with a full refund. reschedule: rescheduled to the nearest date of the series with free seats."`
	Notify   *bool             `json:"notify,omitempty" doc:"Whether the customers are notified. The default is true."`
	Reason   string            `json:"reason,omitempty" maxLength:"500" doc:"Reason, for the customers and the activity log."`
}

func (a *surface) seriesEdits() {
	declare(a, op.Spec{
		ID: "updateSeries", Method: "PATCH", Path: "/offerings/{id}/series/{seriesId}", Tag: "catalog",
		Summary: "Update a series",
		Description: "Changes the dates that have not started: all, or those from a date on. Rescheduled dates keep their " +
			"ids and bookings, and a date keeps its own values. The dry run lists added, deleted and rescheduled dates, " +
			"affected bookings and conflicts.",
		Feature: "catalog.manage", Versioned: true, Quoted: true,
	}, a.updateSeries)
	declare(a, op.Spec{
		ID: "listSeriesEdits", Method: "GET", Path: "/offerings/{id}/series/{seriesId}/edits", Tag: "catalog", Feature: "location.view",
		Summary:     "List edits of a series",
		Description: "Returns the edits of a series and of its single dates, and the edit that split it off, newest first.",
	}, wire.Filtered(a.Cursors, "seriesEdits", a.Schedule.Edits, showEdit,
		func(_ tenancy.Scope, in *listEditsIn, page paging.In[paging.Moment]) schedule.EditsInput {
			return schedule.EditsInput{OfferingID: in.ID, SeriesID: in.SeriesID, Page: page}
		}))
	declare(a, op.Spec{
		ID: "undoSeriesEdit", Method: "POST", Path: "/offerings/{id}/series/{seriesId}/edits/{editId}/undo", Tag: "catalog",
		Summary: "Undo an edit",
		Description: "Restores the state before the edit. Available within 24 hours, unless these dates have changed since " +
			"or the edit cancelled a booking.",
		Feature: "catalog.manage", Errors: wire.ChangeErrors,
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

// change returns the changes of the series itself.
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
		Series: showSeries(e.Series), EditID: wire.Optional(e.EditID), UndoUntil: wire.TimeOrNull(e.UndoUntil), Plan: plan,
	}, Effects: plan}
}
