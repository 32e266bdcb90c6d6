package view

import (
	"strings"
	"time"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/words"
)

// StateOf is what a booking says beside its time; nothing when it is simply booked.
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

// StateOnce is StateOf when it is told some time after it ended: nobody is booked then for what is over. Whoever was checked in
// has been there before the job that says so has run; whether the others came the studio has not said.
func StateOnce(w Words, s booking.State, ends time.Time) string {
	if w.Now.Before(ends) {
		return w.StateOf(s)
	}
	switch s {
	case booking.CheckedIn:
		return w.StateOf(booking.Completed)
	case booking.Confirmed:
		return w.T("Took place")
	}
	return w.StateOf(s)
}

// LineOf is a booking of somebody's own, without its deadlines.
func LineOf(w Words, b booking.CustomerBooking) Line {
	return Line{
		Name: b.OfferingName, Start: b.StartsAt, Minutes: Minutes(b.StartsAt, b.EndsAt), Where: w.WhereWith(b.Space, b.Instructor),
		Party: b.Party, Who: w.Attendee(b.Attendee), State: StateOnce(w, b.State, b.EndsAt), Dates: BookedDates(w, b.Dates, b.State),
	}
}

// BookedDates are the dates of somebody's course, each with its state where that is not the one of the whole.
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

// cityFirst lists the countries whose addresses say "Brooklyn, NY 11201"; elsewhere it is "10115 Berlin".
const cityFirst = "US CA GB IE AU NZ IN BR MX"

// AddressLine is an address in one line, in the order of its country.
func AddressLine(a business.Address) string {
	parts := []string{a.Street, strings.TrimSpace(a.PostalCode + " " + a.City), a.Region}
	if a.Country != "" && strings.Contains(cityFirst, a.Country) {
		parts = []string{a.Street, a.City, strings.TrimSpace(a.Region + " " + a.PostalCode)}
	}
	return Joined(", ", parts...)
}

// Minutes is a length as pages count it.
func Minutes(start, end time.Time) int { return int(end.Sub(start) / time.Minute) }

// Elsewhere is the name of a location where it says more than that of its business; empty otherwise.
func Elsewhere(business, location string) string {
	if location == business {
		return ""
	}
	return location
}

// WhereWith is the room and the instructor: "Studio A, with Ana Ruiz".
func (w Words) WhereWith(space, instructor string) string {
	switch {
	case instructor == "":
		return space
	case space == "":
		return w.T("With {name}", "name", instructor)
	}
	return w.T("{place}, with {name}", "place", space, "name", instructor)
}

// Standing is how a booking stands, as far as it looks different.
type Standing string

// The standings.
const (
	StandsWell  Standing = "ok"
	StandsAsked Standing = "ask"
	StandsOver  Standing = "over"
)

// Icon is the name of its icon.
func (s Standing) Icon() string {
	switch s {
	case StandsWell:
		return "check"
	case StandsAsked:
		return "clock"
	}
	return "calendar"
}
