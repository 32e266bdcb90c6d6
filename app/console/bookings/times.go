package bookings

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/fault"
	"foyer/app/schedule"
)

// offer is the choice of times of an offering: dates of a class, or starts of an appointment or a rental.
type offer struct {
	catalog.Offering
	Zone    *time.Location
	From    civil.Date
	Dates   []agenda.Date           // of a class
	Days    []availability.StartDay // of other offerings
	People  []catalog.Named
	Spaces  []catalog.Named
	Refused string // reason why there are none
}

// Span of one page of times.
const (
	datesAhead  = 28
	startsAhead = 7
)

// wish is a search among the times.
type wish struct {
	Party, Minutes int
	Member, Space  uuid.UUID
	Instead        *uuid.UUID // this booking is rescheduled
}

func wishOf(c *desk.Call) wish {
	w := wish{Member: giver(c), Space: c.UUID("space")}
	w.Party, _ = c.Number("party")
	w.Minutes, _ = c.Number("minutes")
	return w
}

// offerOf reads an offering with its times from the day of the address on.
func (s *screens) offerOf(c *desk.Call, id uuid.UUID, w wish) (o offer, err error) {
	if o.Offering, err = s.Catalog.Get(c.Context(), c.Scope, id); err != nil {
		return o, err
	}
	o.Zone = c.Zone()
	for _, l := range c.Workspace.Locations {
		if l.ID == o.LocationID {
			o.Zone = civil.ZoneOrUTC(l.Zone)
		}
	}
	today := civil.LocalDate(s.Clock.Now(), o.Zone)
	if o.From, _ = civil.ParseDate(c.Value("day")); o.From.IsZero() || o.From.Before(today) {
		o.From = today
	}
	from, _ := civil.DayBounds(o.From, o.Zone)
	if o.Kind == catalog.Class {
		o.Dates, err = s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{From: from, To: from.AddDate(0, 0, datesAhead), OfferingID: id})
		return o, err
	}
	if now := s.Clock.Now(); from.Before(now) {
		from = now
	}
	in := availability.SearchInput{LocationID: o.LocationID, From: from, To: civil.StartOfDay(o.From.AddDays(startsAhead), o.Zone), Party: w.Party,
		Segments: []availability.Segment{{OfferingID: id, Minutes: w.Minutes}}, ExcludeBookingID: w.Instead}
	if w.Member != uuid.Nil {
		in.Segments[0].MemberIDs = []uuid.UUID{w.Member}
	}
	if w.Space != uuid.Nil {
		in.Segments[0].SpaceID = &w.Space
	}
	page, err := s.Availability.Search(c.Context(), c.Scope, in)
	if err != nil {
		o.Refused, err = c.Cannot(err)
		return o, err
	}
	o.Days, o.People, o.Spaces = page.Days, page.People, page.Spaces
	return o, nil
}

// free returns the starts of a day with free instructors and rooms.
func free(list []availability.Start) []availability.Start {
	var out []availability.Start
	for _, s := range list {
		if s.Available() {
			out = append(out, s)
		}
	}
	return out
}

// ahead keeps the dates that have not ended.
func (o offer) ahead(now time.Time) []agenda.Date {
	var out []agenda.Date
	for _, d := range o.Dates {
		if d.EndsAt.After(now) && d.State == schedule.Scheduled {
			out = append(out, d)
		}
	}
	return out
}

// startOf returns the instant in the address: one chosen from a list, or a day and a wall-clock time of the location.
func startOf(c *desk.Call, zone *time.Location) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, c.Value("start")); err == nil {
		return at, nil
	}
	return wall(c.Value("date"), c.Value("time"), zone)
}

// wall returns an instant by the location's clock; the zero time while it is empty.
func wall(date, clock string, zone *time.Location) (time.Time, error) {
	if date == "" || clock == "" {
		return time.Time{}, nil
	}
	day, err := civil.ParseDate(date)
	if err != nil {
		return time.Time{}, fault.Invalid("date", "This date does not exist.")
	}
	at, err := civil.ParseClock(clock)
	if err != nil {
		return time.Time{}, fault.Invalid("time", "Enter a time such as 18:30.")
	}
	if _, gap := civil.Resolve(day, at, zone); gap {
		return time.Time{}, fault.Invalid("time", "The clocks go forward that day, and this time is skipped. Choose another one.")
	}
	return civil.Instant(day, at, zone), nil
}

// orNil returns a pointer to an id; nil for none.
func orNil(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}
