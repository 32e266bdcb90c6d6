package catalog

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
)

// Enrolment is the unit of a booking of a class: one date, or the whole course.
type Enrolment string

// The enrolments.
const (
	ByDate   Enrolment = "date"   // one date
	BySeries Enrolment = "series" // a course: all dates of a series at once
)

// All lists them.
func (Enrolment) All() []Enrolment { return []Enrolment{ByDate, BySeries} }

// Settings are the settings for the engine beside name, length and seats. A setting without meaning for a kind has
// its default; check refuses any other value.
type Settings struct {
	PolicyID            *uuid.UUID // nil: the location's
	BufferBeforeMinutes int        // people and spaces are busy so long before an appointment or a rental
	BufferAfterMinutes  int
	GridMinutes         *int // grid of starts from opening: 5, 10, 15, 30 or 60; nil: one length after the other
	LastStartMinute     *int // latest start, minutes after midnight on the wall clock; nil: as long as it fits
	Compact             bool // list starts that touch another booking first
	Approval            bool // the studio approves each booking
	Enrolment           Enrolment
	SoldAs              SoldAs
	Durations           []Duration // lengths to choose from, the first one is the default; none: the offering's only
	NeedsMember         bool       // a rental with an attending member of the team
	Walkins             bool       // a per-person rental that takes walk-ins
}

// The limits of settings. The database has them, too.
const (
	BufferMax    = 240 // minutes
	DurationsMax = 12
)

// Grids are the possible distances of starts, in minutes.
var Grids = []int{5, 10, 15, 30, 60}

// check records the problems of the settings of an offering of that kind.
func (s Settings) check(c *fault.Checks, kind Kind) {
	computed, rental := kind == Appointment || kind == Rental, kind == Rental
	checkRange(c, "bufferBeforeMinutes", s.BufferBeforeMinutes, 0, BufferMax, "minutes")
	checkRange(c, "bufferAfterMinutes", s.BufferAfterMinutes, 0, BufferMax, "minutes")
	c.That(s.GridMinutes == nil || slices.Contains(Grids, *s.GridMinutes), "gridMinutes", "Use 5, 10, 15, 30 or 60, or null.")
	c.That(s.LastStartMinute == nil || *s.LastStartMinute >= 0 && *s.LastStartMinute < 24*60, "lastStart", "This is not a time of day.")
	c.That(s.Enrolment == ByDate || s.Enrolment == BySeries, "enrolment", "Use date or series.")
	c.That(s.SoldAs == PerPerson || s.SoldAs == WholeSpace, "soldAs", "Use person or space.")
	checkDurations(c, s.Durations)

	const noClass = "A class takes place on its dates: this is for appointments and rentals."
	c.That(computed || s.BufferBeforeMinutes == 0, "bufferBeforeMinutes", noClass)
	c.That(computed || s.BufferAfterMinutes == 0, "bufferAfterMinutes", noClass)
	c.That(computed || s.GridMinutes == nil, "gridMinutes", noClass)
	c.That(computed || s.LastStartMinute == nil, "lastStart", noClass)
	c.That(computed || !s.Compact, "compact", noClass)
	c.That(computed || len(s.Durations) == 0, "durations", noClass)
	c.That(kind == Class || s.Enrolment != BySeries, "enrolment", "Only a class can be booked as a series.")
	c.That(rental || s.SoldAs != WholeSpace, "soldAs", "Only a rental is sold as a whole space.")
	c.That(rental || !s.NeedsMember, "needsMember", "This is for rentals only: an appointment always has a staff member, and a class has an instructor.")
	c.That(rental && s.SoldAs == PerPerson || !s.Walkins, "walkins", "Walk-ins are for rentals that are sold per person.")
}

// checkDurations wants each length once, the shortest first.
func checkDurations(c *fault.Checks, list []Duration) {
	c.That(len(list) <= DurationsMax, "durations", fmt.Sprintf("Use at most %d.", DurationsMax))
	for i, d := range list {
		at := fmt.Sprintf("durations[%d]", i)
		checkRange(c, at+".minutes", d.Minutes, MinutesMin, MinutesMax, "minutes")
		checkPrice(c, at+".priceAmount", d.PriceAmount)
		c.That(i == 0 || d.Minutes > list[i-1].Minutes, at+".minutes", "List each length once, the shortest first.")
	}
}

func checkPrice(c *fault.Checks, field string, amount int64) {
	c.That(amount >= 0 && amount <= PriceMax, field, fmt.Sprintf("The price must be between 0 and %d minor units.", PriceMax))
}

// followDurations makes the first of the durations the offering's own length and price. Values given beside them must
// agree: minutes and price are those of the request, nil for none.
func (o *Offering) followDurations(c *fault.Checks, minutes *int, price *int64) {
	if len(o.Durations) == 0 {
		return
	}
	first := o.Durations[0]
	c.That(minutes == nil || *minutes == first.Minutes, "durationMinutes", "The first of the durations is the length: omit this field.")
	c.That(price == nil || *price == first.PriceAmount, "price", "Each of the durations has its price: omit this field.")
	o.DurationMinutes, o.PriceAmount = first.Minutes, &first.PriceAmount
}

// SoldAs is the unit of the price of a rental.
type SoldAs string

// The units of a rental's price.
const (
	PerPerson  SoldAs = "person"
	WholeSpace SoldAs = "space"
)

// All lists them.
func (SoldAs) All() []SoldAs { return []SoldAs{PerPerson, WholeSpace} }

// ByTheHead reports whether every person pays, and shares the space with others: a rental that is not sold as a whole
// space. A class is paid by the seat, an appointment once.
func (k Kind) ByTheHead(s SoldAs) bool { return k == Rental && s != WholeSpace }

// Duration is one of the lengths of an appointment or a rental.
type Duration struct {
	Minutes     int   `json:"minutes"`
	PriceAmount int64 `json:"priceAmount"` // minor units, for this length
}

// Lengths are the length and price of an offering: its own, or a choice of several.
type Lengths struct {
	Kind      Kind
	SoldAs    SoldAs
	Minutes   int    // the offering's own length
	Amount    *int64 // its price; nil: not set yet
	Durations []Duration
}

// Price returns the price for a party for a time of that length; false when the offering has no such length or no
// price. A rental sold by the person is paid for each; an appointment and a whole space once.
func (l Lengths) Price(minutes, party int) (int64, bool) {
	amount, ok := l.price(minutes)
	if l.Kind.ByTheHead(l.SoldAs) {
		amount *= int64(party)
	}
	return amount, ok
}

func (l Lengths) price(minutes int) (int64, bool) {
	for _, d := range l.Durations {
		if d.Minutes == minutes {
			return d.PriceAmount, true
		}
	}
	if len(l.Durations) > 0 || minutes != l.Minutes || l.Amount == nil {
		return 0, false
	}
	return *l.Amount, true
}

// Default returns the default length.
func (l Lengths) Default() int {
	if len(l.Durations) > 0 {
		return l.Durations[0].Minutes
	}
	return l.Minutes
}
