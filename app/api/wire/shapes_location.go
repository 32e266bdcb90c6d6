package wire

import (
	"context"
	"time"

	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/pg"
)

// Address is the postal address of a location. Any part may be empty.
type Address struct {
	Street     string `json:"street"`
	City       string `json:"city"`
	Region     string `json:"region"`
	PostalCode string `json:"postalCode"`
	Country    string `json:"country" doc:"ISO 3166 code, two capital letters." example:"US"`
}

// ShowAddress returns an address.
func ShowAddress(a business.Address) Address { return Address(a) }

// Hours are the weekly opening hours of a location, starting on Sunday.
type Hours struct {
	Intervals []OpenInterval `json:"intervals"`
}

// ShowHours returns opening hours.
func ShowHours(h business.Hours) Hours {
	return Hours{Intervals: Show(h.Intervals, ShowInterval)}
}

// PublicClosure is the public view of a closure.
type PublicClosure struct {
	Name     string         `json:"name"`
	StartsOn string         `json:"startsOn" format:"date"`
	EndsOn   string         `json:"endsOn" format:"date" doc:"Last day."`
	Hours    []SpecialHours `json:"hours" doc:"Special hours on each of the days. None means closed."`
}

// OpenInterval is a time of the week at which a location, a space or a member can be booked. An interval past
// midnight is written as two.
type OpenInterval struct {
	Weekday int    `json:"weekday" minimum:"0" maximum:"6" doc:"Day of the week; 0 is Sunday."`
	Opens   string `json:"opens" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Opening time, on the location's wall clock." example:"09:00"`
	Closes  string `json:"closes" pattern:"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$" doc:"Closing time. 24:00 is the end of the day." example:"17:30"`
}

// ShowInterval returns an interval of opening hours.
func ShowInterval(v business.Interval) OpenInterval {
	return OpenInterval{Weekday: int(v.Weekday), Opens: WallTime(v.Opens), Closes: WallTime(v.Closes)}
}

// SpecialHours is a time of day at which a location is open during a closure.
type SpecialHours struct {
	Opens  string `json:"opens" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Opening time, on the location's wall clock." example:"10:00"`
	Closes string `json:"closes" pattern:"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$" doc:"Closing time. 24:00 is the end of the day." example:"14:00"`
}

// ShowSpecial returns the hours of a special day.
func ShowSpecial(h availability.DayHours) SpecialHours {
	return SpecialHours{Opens: WallTime(h.Opens), Closes: WallTime(h.Closes)}
}

// publicClosureMax is the number of upcoming closures in public shapes.
const publicClosureMax = 20

// PublicClosures returns the upcoming closures of a location in their public form.
func PublicClosures(ctx context.Context, r pg.Reader, l business.Location) ([]PublicClosure, error) {
	loc, err := civil.LoadZone(l.Zone)
	if err != nil {
		return nil, err
	}
	list, err := availability.ClosuresOf(ctx, r, l.ID, civil.LocalDate(r.Now(), loc), publicClosureMax)
	return Show(list, func(c availability.Closure) PublicClosure {
		return PublicClosure{Name: c.Name, StartsOn: c.StartsOn.String(), EndsOn: c.EndsOn.String(), Hours: Show(c.Hours, ShowSpecial)}
	}), err
}

// Interval is the inverse of ShowInterval.
func (v OpenInterval) Interval() business.Interval {
	return business.Interval{Weekday: time.Weekday(v.Weekday), Opens: WallMinutes(v.Opens), Closes: WallMinutes(v.Closes)}
}
