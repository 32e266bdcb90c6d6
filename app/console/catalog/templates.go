package catalog

import (
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/words"
)

// starter is an offering to begin with: what is usual in a trade. Amounts are in whole units of the currency.
type starter struct {
	Key         string
	Trade, Name words.Text
	About       words.Text
	Offering    catalog.Offering
	Price       int64
}

// starters are the templates, one for each trade, and then the bare kinds.
var starters = []starter{
	{
		"yoga", "Yoga or fitness class", "Morning flow", "Weekly dates with a teacher, spots, and a waitlist when it is full.",
		catalog.Offering{Kind: catalog.Class, DurationMinutes: 60, Capacity: 14}, 20,
	},
	{
		"course", "Dance course", "Beginners' course", "Eight evenings that are booked and paid together.",
		catalog.Offering{Kind: catalog.Class, DurationMinutes: 75, Capacity: 20, Settings: catalog.Settings{Enrolment: catalog.BySeries}}, 160,
	},
	{
		"climbing", "Climbing hall entry", "Day entry", "Everybody pays for themselves and shares the hall while it is open.",
		catalog.Offering{Kind: catalog.Rental, DurationMinutes: 120, Capacity: 10, Settings: catalog.Settings{SoldAs: catalog.PerPerson, GridMinutes: new(30), Walkins: true}}, 15,
	},
	{
		"room", "Room rental", "Studio rental", "A whole room by the hour, with time to tidy up in between.",
		catalog.Offering{Kind: catalog.Rental, DurationMinutes: 60, Capacity: 20, Settings: catalog.Settings{SoldAs: catalog.WholeSpace, BufferAfterMinutes: 15, GridMinutes: new(30)}}, 45,
	},
	{
		"coaching", "One-to-one coaching", "Coaching session", "A time with one of your team, from the hours that they have.",
		catalog.Offering{Kind: catalog.Appointment, DurationMinutes: 50, Capacity: 1, Settings: catalog.Settings{BufferAfterMinutes: 10, GridMinutes: new(60)}}, 80,
	},
	{
		"salon", "Salon treatment", "Facial", "Lengths to choose from, and starts that leave no gaps in the day.",
		catalog.Offering{Kind: catalog.Appointment, DurationMinutes: 45, Capacity: 1, Settings: catalog.Settings{
			BufferAfterMinutes: 10, GridMinutes: new(15), Compact: true,
			Durations: []catalog.Duration{{Minutes: 45, PriceAmount: 60}, {Minutes: 75, PriceAmount: 90}},
		}}, 60,
	},
	{
		"class", "A class of your own", "", "Dates of its own, and spots that people book.",
		catalog.Offering{Kind: catalog.Class, DurationMinutes: 60, Capacity: 10}, -1,
	},
	{
		"appointment", "An appointment of your own", "", "Times that somebody of your team has free.",
		catalog.Offering{Kind: catalog.Appointment, DurationMinutes: 60, Capacity: 1}, -1,
	},
	{
		"rental", "A rental of your own", "", "Times that a room, a court or a hall is free.",
		catalog.Offering{Kind: catalog.Rental, DurationMinutes: 60, Capacity: 1}, -1,
	},
}

// starterOf is the template of a key; a kind is one, too. False for none.
func starterOf(key string) (starter, bool) {
	for _, s := range starters {
		if s.Key == key {
			return s, true
		}
	}
	return starter{}, false
}

// begun is the offering that the form begins with, at a place and in its currency.
func (s starter) begun(name string, place uuid.UUID, tax *uuid.UUID, cur money.Currency) catalog.Offering {
	o := s.Offering
	o.Name, o.LocationID, o.Currency, o.TaxRateID, o.State = name, place, cur, tax, catalog.Draft
	o.OnlineCapacity = o.Capacity
	unit := int64(1)
	if info, ok := money.Lookup(cur); ok {
		for range info.Digits {
			unit *= 10
		}
	}
	if s.Price >= 0 {
		o.PriceAmount = new(s.Price * unit)
	}
	o.Durations = nil
	for _, d := range s.Offering.Durations {
		o.Durations = append(o.Durations, catalog.Duration{Minutes: d.Minutes, PriceAmount: d.PriceAmount * unit})
	}
	if o.Enrolment == "" {
		o.Enrolment = catalog.ByDate
	}
	if o.SoldAs == "" {
		o.SoldAs = catalog.PerPerson
	}
	return o
}
