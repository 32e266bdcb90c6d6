package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/availability"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// TimeOff is a time at which a member is away from all locations.
type TimeOff struct {
	ID        uuid.UUID `json:"id"`
	StartsAt  time.Time `json:"startsAt"`
	EndsAt    time.Time `json:"endsAt"`
	Note      string    `json:"note" doc:"Reason, visible to the member and to managers of the team; empty for others."`
	CreatedAt time.Time `json:"createdAt"`
}

// AddedTimeOff is time off with the bookings in its time.
type AddedTimeOff struct {
	TimeOff
	Hits Hits `json:"hits"`
}

// Hits are bookings affected by a closed location, an absent member or a blocked space. They do not change.
type Hits struct {
	Bookings int   `json:"bookings" doc:"Number of bookings."`
	First    []Hit `json:"first" doc:"The earliest bookings, at most 50."`
	Dates    int   `json:"dates" doc:"Number of affected dates of classes, booked or not."`
}

// Hit is one affected booking.
type Hit struct {
	BookingID uuid.UUID `json:"bookingId"`
	StartsAt  time.Time `json:"startsAt"`
	Customer  string    `json:"customerName"`
}

// AbsenceFilter selects a part of a list of absences.
type AbsenceFilter struct {
	op.Page
	From time.Time `query:"from" doc:"Only absences that end after this time. The default is now."`
}

type listTimeOffIn struct {
	MemberPath
	AbsenceFilter
}

type addTimeOffIn struct {
	MemberPath
	Body addAwayBody
}

type addAwayBody struct {
	StartsAt time.Time `json:"startsAt"`
	EndsAt   time.Time `json:"endsAt" doc:"End, at most 366 days after the start."`
	Note     string    `json:"note,omitempty" maxLength:"200"`
	op.Quote
}

// TimeOffPath is the path of time off of a member.
type TimeOffPath struct {
	MemberPath
	TimeOffID uuid.UUID `path:"timeOffId" doc:"The time off."`
}

func (a *surface) timeOff() {
	declare(a, op.Spec{
		ID: "listTimeOff", Method: "GET", Path: "/businesses/{businessId}/team/{memberId}/time-off", Tag: "team", Feature: "location.view",
		Summary: "List time off", Description: "Returns the absences of a member, sorted by end.",
	}, a.listTimeOff)
	declare(a, op.Spec{
		ID: "addTimeOff", Method: "POST", Path: "/businesses/{businessId}/team/{memberId}/time-off", Tag: "team",
		Summary: "Create time off",
		Description: "Creates the caller's own time off or, with team.manage, any member's. The response lists the " +
			"bookings in this time; they do not change.",
		Feature: "location.view", Success: 201, Quoted: true,
	}, a.addTimeOff)
	declare(a, op.Spec{
		ID: "deleteTimeOff", Method: "DELETE", Path: "/businesses/{businessId}/team/{memberId}/time-off/{timeOffId}", Tag: "team", Feature: "location.view",
		Summary: "Delete time off", Description: "Deletes the caller's own time off or, with team.manage, any member's.",
	}, func(ctx context.Context, sc tenancy.Scope, in *TimeOffPath) (op.NoContent, error) {
		return op.NoContent{}, a.Availability.RemoveTimeOff(ctx, sc, in.MemberID, in.TimeOffID)
	})
}

func (a *surface) listTimeOff(ctx context.Context, sc tenancy.Scope, in *listTimeOffIn) (op.List[TimeOff], error) {
	list := op.ListKey("timeOff", in.MemberID, in.From)
	away, err := a.away(sc, list, in.AbsenceFilter)
	if err != nil {
		return op.List[TimeOff]{}, err
	}
	page, err := a.Availability.TimeOff(ctx, sc, in.MemberID, away)
	return wire.List(a.Cursors, sc, list, page, showTimeOff), err
}

// away returns the requested part of a list of absences.
func (a *surface) away(sc tenancy.Scope, list string, f AbsenceFilter) (availability.AbsencesInput, error) {
	page, err := wire.In[paging.Moment](a.Cursors, sc, list, f.Page)
	return availability.AbsencesInput{From: f.From, Page: page}, err
}

func (a *surface) addTimeOff(ctx context.Context, sc tenancy.Scope, in *addTimeOffIn) (op.Quoted[AddedTimeOff, Hits], error) {
	b := in.Body
	added, err := a.Availability.RecordTimeOff(ctx, sc, availability.TimeOffInput{
		MemberID: in.MemberID, StartsAt: b.StartsAt, EndsAt: b.EndsAt, Note: b.Note,
	})
	hits := showHits(added.Hits)
	return op.Quoted[AddedTimeOff, Hits]{Done: AddedTimeOff{TimeOff: showTimeOff(added.Absence), Hits: hits}, Effects: hits}, err
}

func showTimeOff(t availability.Absence) TimeOff { return TimeOff(t) }

func showHits(h availability.Hits) Hits {
	return Hits{Bookings: h.Count, Dates: h.Dates, First: wire.Show(h.First, func(h availability.Hit) Hit { return Hit(h) })}
}
