package settings

import (
	"context"
	"time"

	"foyer/app/availability"
	"foyer/app/console/desk"
	"foyer/app/fault"
	"foyer/app/view"
)

// absences are times at which a member is away or a room unavailable.
type absences struct {
	List  []availability.Absence
	Words view.Words // in the time zone of the times
	Base  string     // address of the list
	May   bool
	None  string // meaning of an empty list
	About string
	Add   string
}

// absenceForm adds one.
type absenceForm struct {
	Action string
	Zone   *time.Location
	Words  view.Words
	Hits   *availability.Hits // nil: no input yet
	Do     string
	Kept   []view.Param // hidden fields
}

// spanTyped reads start and end of an absence.
func spanTyped(c *desk.Call, zone *time.Location) (from, to time.Time, err error) {
	from, err = c.Moment("startsAt", zone)
	var wrong error
	if to, wrong = c.Moment("endsAt", zone); wrong != nil && err != nil {
		err = fault.From(err).And("endsAt", fault.From(wrong).Fields[0].Message)
	} else if wrong != nil {
		err = wrong
	}
	return from, to, err
}

// rehearseAbsence returns the bookings and dates affected by an absence; nil without input, or for a refused one.
func rehearseAbsence(c *desk.Call, op string, zone *time.Location,
	verb func(ctx context.Context, from, to time.Time) (availability.AddedAbsence, error)) (*availability.Hits, error) {
	if !c.Inputs().Has("startsAt") {
		return nil, nil
	}
	from, to, err := spanTyped(c, zone)
	if err == nil {
		var added availability.AddedAbsence
		if added, err = desk.Quote(c, op, func(ctx context.Context) (availability.AddedAbsence, error) { return verb(ctx, from, to) }); err == nil {
			return &added.Hits, nil
		}
	}
	if c.Told(err) {
		err = nil
	}
	return nil, err
}
