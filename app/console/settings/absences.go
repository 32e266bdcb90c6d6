package settings

import (
	"context"
	"time"

	"foyer/app/availability"
	"foyer/app/console/desk"
	"foyer/app/fault"
	"foyer/app/view"
)

// absences are times at which a person is away or a room out of use.
type absences struct {
	List  []availability.Absence
	Words view.Words // of the clock that they are told on
	Base  string     // address of the list
	May   bool
	None  string // what an empty list means
	About string
	Add   string
}

// absenceForm adds one.
type absenceForm struct {
	Action string
	Zone   *time.Location
	Words  view.Words
	Hits   *availability.Hits // nil: nothing was asked yet
	Do     string
	Kept   []view.Param // fields that go along
}

// spanTyped reads the two ends of an absence.
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

// rehearseAbsence says whom an absence would hit; nil while nothing was asked, or what was asked cannot be.
func rehearseAbsence(c *desk.Call, op string, zone *time.Location,
	verb func(ctx context.Context, from, to time.Time) (availability.AddedAbsence, error)) (*availability.Hits, error) {
	if !c.Asked().Has("startsAt") {
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
