package catalog

import (
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/money"
	"foyer/app/words"
)

// starter is a template of an offering with the defaults of a trade. Amounts are in whole units of the currency.
type starter struct {
	Key         string
	Trade, Name words.Text
	About       words.Text
	Offering    catalog.Offering
	Price       int64
}

// starters are the templates, one for each trade, and then the plain kinds.
var starters = []starter{
	{
		"yoga", "Yoga or fitness class", "Morning flow", "Weekly dates with an instructor, spots, and a waitlist when it is full.",
		catalog.Offering{Kind: catalog.Class, DurationMinutes: 60, Capacity: 14}, 20,
	},
	{
		"course", "Dance course", "Beginners' course", "Eight evenings, booked and paid for together.",
		catalog.Offering{Kind: catalog.Class, DurationMinutes: 75, Capacity: 20, Settings: catalog.Settings{Enrolment: catalog.BySeries}}, 160,
	},
	{
		"climbing", "Climbing hall entry", "Day entry", "Priced per person. Customers share the hall during opening hours.",
		catalog.Offering{Kind: catalog.Rental, DurationMinutes: 120, Capacity: 10, Settings: catalog.Settings{SoldAs: catalog.PerPerson, GridMinutes: new(30), Walkins: true}}, 15,
	},
	{
		"room", "Room rental", "Studio rental", "A whole room by the hour, with buffer time in between.",
		catalog.Offering{Kind: catalog.Rental, DurationMinutes: 60, Capacity: 20, Settings: catalog.Settings{SoldAs: catalog.WholeSpace, BufferAfterMinutes: 15, GridMinutes: new(30)}}, 45,
	},
	{
		"coaching", "One-to-one coaching", "Coaching session", "A session with a staff member, during their hours.",
		catalog.Offering{Kind: catalog.Appointment, DurationMinutes: 50, Capacity: 1, Settings: catalog.Settings{BufferAfterMinutes: 10, GridMinutes: new(60)}}, 80,
	},
	{
		"salon", "Salon treatment", "Facial", "A choice of lengths, and start times that leave no gaps in the day.",
		catalog.Offering{Kind: catalog.Appointment, DurationMinutes: 45, Capacity: 1, Settings: catalog.Settings{
			BufferAfterMinutes: 10, GridMinutes: new(15), Compact: true,
			Durations: []catalog.Duration{{Minutes: 45, PriceAmount: 60}, {Minutes: 75, PriceAmount: 90}},
		}}, 60,
	},
	{
		"class", "Custom class", "", "Scheduled dates with spots that customers book.",
		catalog.Offering{Kind: catalog.Class, DurationMinutes: 60, Capacity: 10}, -1,
	},
	{
		"appointment", "Custom appointment", "", "Times when a staff member is available.",
		catalog.Offering{Kind: catalog.Appointment, DurationMinutes: 60, Capacity: 1}, -1,
	},
	{
		"rental", "Custom rental", "", "Times when a room, a court or a hall is available.",
		catalog.Offering{Kind: catalog.Rental, DurationMinutes: 60, Capacity: 1}, -1,
	},
}

// starterOf returns the template of a key; a kind is one, too. False for none.
func starterOf(key string) (starter, bool) {
	for _, s := range starters {
		if s.Key == key {
			return s, true
		}
	}
	return starter{}, false
}

// begun returns the initial offering of the form, at a location and in its currency.
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
