package waiting

import (
	"time"

	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// Join is the page on which somebody puts themself on a waitlist.
type Join struct {
	view.Line
	Price    *view.Price
	How      []string    // what happens when a place is free, a sentence each
	SignIn   *kit.SignIn // who it is has to be said first; nil when it is known
	Form     view.Form   // posts "attendee", "drop" and, with AskName, "name"
	AskName  bool        // somebody new, whose name is not known
	Named    string
	Attendee string // who is coming, as it was written
	Drop     bool
	Back     view.Link
	Trouble  *view.Trouble
}

// Entry is one place on a waitlist: what it has become, and what can be said to it.
type Entry struct {
	Title     string
	view.Line // its State is "2nd in line", or empty
	Stands    view.Standing
	Price     *view.Price // what taking it costs
	Until     *time.Time  // while a place is kept: the last instant to take it
	Lines     []string
	Accept    view.Form
	Take      string // the words of that button
	Decline   view.Form
	Leave     view.Form
	Other     *view.Form // signs out, for somebody whose place it is not
	Links     []view.Link
	Trouble   *view.Trouble
}

// longOffer is from when on an offer says when it ends and counts nothing down.
const longOffer = time.Hour

// counts reports whether the end of the offer is so near that every second counts.
func (v Entry) counts(now time.Time) bool {
	return v.Until != nil && v.Until.Sub(now) < longOffer
}
