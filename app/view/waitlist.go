package view

import "time"

// WaitJoin is the page on which somebody puts themself on a waitlist.
type WaitJoin struct {
	Line
	Price    *Price
	How      []string // what happens when a place is free, a sentence each
	SignIn   *SignIn  // who it is has to be said first; nil when it is known
	Form     Form     // posts "attendee", "drop" and, with AskName, "name"
	AskName  bool     // somebody new, whose name is not known
	Named    string
	Attendee string // who is coming, as it was written
	Drop     bool
	Back     Link
	Trouble  *Trouble
}

// WaitPlace is one place on a waitlist: what it has become, and what can be said to it.
type WaitPlace struct {
	Title   string
	Line    // its State is "2nd in line", or empty
	Stands  Standing
	Price   *Price     // what taking it costs
	Until   *time.Time // while a place is kept: the last instant to take it
	Lines   []string
	Accept  Form
	Take    string // the words of that button
	Decline Form
	Leave   Form
	Other   *Form // signs out, for somebody whose place it is not
	Links   []Link
	Trouble *Trouble
}

// longOffer is from when on an offer says when it ends and counts nothing down.
const longOffer = time.Hour

// counts reports whether the end of the offer is so near that every second counts.
func (v WaitPlace) counts(now time.Time) bool {
	return v.Until != nil && v.Until.Sub(now) < longOffer
}
