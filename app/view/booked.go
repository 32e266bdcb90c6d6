package view

import (
	"strings"
	"time"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/words"
)

// StateOf returns the label of a booking's state; empty for a plain booking.
func (w Words) StateOf(s booking.State) string { return w.T(stateWords[s]) }

var stateWords = map[booking.State]words.Text{
	booking.Expired:         "Not booked",
	booking.Requested:       "Requested",
	booking.Declined:        "Declined by the studio",
	booking.Cancelled:       "Cancelled",
	booking.LateCancelled:   "Cancelled late",
	booking.StudioCancelled: "Cancelled by the studio",
	booking.CheckedIn:       "Checked in",
	booking.NoShow:          "No-show",
	booking.Completed:       "Attended",
}

// StateOnce is StateOf for a time after the end of the booking: it never returns "booked". A customer who was checked
// in has attended, even before the job that sets the state has run. For the others attendance is unknown.
func StateOnce(w Words, s booking.State, ends time.Time) string {
	if w.Now.Before(ends) {
		return w.StateOf(s)
	}
	switch s {
	case booking.CheckedIn:
		return w.StateOf(booking.Completed)
	case booking.Confirmed:
		return w.T("Completed")
	}
	return w.StateOf(s)
}

// LineOf shows a customer's own booking, without its deadlines.
func LineOf(w Words, b booking.CustomerBooking) Line {
	return Line{
		Name: b.OfferingName, Start: b.StartsAt, Minutes: Minutes(b.StartsAt, b.EndsAt), Where: w.WhereWith(b.Space, b.Instructor),
		Party: b.Party, Who: w.Attendee(b.Attendee), State: StateOnce(w, b.State, b.EndsAt), Dates: BookedDates(w, b.Dates, b.State),
	}
}

// BookedDates shows the dates of a customer's course. A date has a state where it differs from the state of the whole
// course.
func BookedDates(w Words, list []booking.CourseDate, whole booking.State) []CourseDate {
	var out []CourseDate
	for _, d := range list {
		date := CourseDate{Start: d.StartsAt, Minutes: Minutes(d.StartsAt, d.EndsAt)}
		if d.State != whole || !w.Now.Before(d.EndsAt) {
			date.State = StateOnce(w, d.State, d.EndsAt)
		}
		out = append(out, date)
	}
	return out
}

// cityFirst lists the countries with addresses in the order "Brooklyn, NY 11201"; in other countries it is "10115
// Berlin".
const cityFirst = "US CA GB IE AU NZ IN BR MX"

// AddressLine returns an address on one line, in the order of its country.
func AddressLine(a business.Address) string {
	parts := []string{a.Street, strings.TrimSpace(a.PostalCode + " " + a.City), a.Region}
	if a.Country != "" && strings.Contains(cityFirst, a.Country) {
		parts = []string{a.Street, a.City, strings.TrimSpace(a.Region + " " + a.PostalCode)}
	}
	return Joined(", ", parts...)
}

// Minutes returns the length of a period in minutes.
func Minutes(start, end time.Time) int { return int(end.Sub(start) / time.Minute) }

// LocationSuffix returns the name of a location if it differs from the name of its business; empty otherwise.
func LocationSuffix(business, location string) string {
	if location == business {
		return ""
	}
	return location
}

// WhereWith returns the room and the instructor: "Studio A, with Ana Ruiz".
func (w Words) WhereWith(space, instructor string) string {
	switch {
	case instructor == "":
		return space
	case space == "":
		return w.T("With {name}", "name", instructor)
	}
	return w.T("{place}, with {name}", "place", space, "name", instructor)
}

// Standing is the state of a booking, as far as it is shown.
type Standing string

// The standings.
const (
	StandsWell      Standing = "ok"
	StandsRequested Standing = "ask"
	StandsOver      Standing = "over"
)

// Icon returns the name of the icon.
func (s Standing) Icon() string {
	switch s {
	case StandsWell:
		return "check"
	case StandsRequested:
		return "clock"
	}
	return "calendar"
}
