package waiting

import (
	"time"

	"foyer/app/hosted/kit"
	"foyer/app/view"
)

// Join is the page for joining a waitlist.
type Join struct {
	view.Line
	Price     *view.Price
	How       []string    // the procedure when a seat is free, a sentence each
	SignIn    *kit.SignIn // sign-in before joining; nil when signed in
	Form      view.Form   // posts "attendee", "drop" and, with NeedsName, "name"
	NeedsName bool        // a new customer without a name
	Named     string
	Attendee  string // the attendee, as entered
	Drop      bool
	Back      view.Link
	Trouble   *view.Trouble
}

// Entry is one waitlist entry: its state and its actions.
type Entry struct {
	Title     string
	view.Line // its State is "2nd in line", or empty
	Stands    view.Standing
	Price     *view.Price // price of the seat
	Until     *time.Time  // while a seat is offered: the last instant to accept
	Lines     []string
	Accept    view.Form
	Take      string // text of that button
	Decline   view.Form
	Leave     view.Form
	Other     *view.Form // signs out, for a person other than the customer
	Links     []view.Link
	Trouble   *view.Trouble
}

// longOffer is the remaining time from which an offer shows its end without a countdown.
const longOffer = time.Hour

// counts reports whether the end of the offer is near enough for a countdown.
func (v Entry) counts(now time.Time) bool {
	return v.Until != nil && v.Until.Sub(now) < longOffer
}
