package view

import (
	"time"

	"foyer/app/catalog"
)

// About describes a class, an appointment or a rental.
type About struct {
	Name          string
	Text          string // the studio's words; a blank line parts paragraphs
	Price         *Price // of one booking; with Each, of one person
	Each          bool   // every person pays
	Plans         string // address of the plans, if one of those on sale pays for it; empty: none does
	Minutes       int
	Who           string   // the instructor, when always the same
	Where         string   // the location and room, when always the same
	NeedsApproval bool     // the studio approves each booking
	Policy        []string // in plain words, a sentence each; the first is visible, the others are folded
	Photos        []Photo  // the cover first
	Trouble       *Trouble // why booking failed
}

// AboutOf describes a class, or an appointment or a rental of the default length.
func AboutOf(w Words, p catalog.Page) About {
	return About{
		Name: p.Name, Text: p.Description, Price: new(Shown(p.PriceAmount, 1, p.Pricing, p.Currency)), Each: p.PerHead(), Minutes: p.DurationMinutes,
		NeedsApproval: p.Approval, Policy: p.Rules.FinePrint(p.Kind, p.Enrolment == catalog.BySeries, p.Free(), p.Currency, w.Lang()),
	}
}

// Listing is a class.
type Listing struct {
	About // its Trouble is about a time not on the page; Chosen has its own
	Times
	Chosen *Chosen
	First  bool // the times are the next available ones
}

// timesTitle returns the title of the page's times.
func (v Listing) timesTitle(w Words) string {
	switch {
	case v.Chosen != nil:
		return w.T("All times")
	case v.First || len(v.Days) == 0:
		return w.T("Next times")
	}
	return w.T("Times from {day}", "day", w.ShortDate(v.Days[0].Date))
}

// Times are the times to choose from, and the choices that narrow them.
type Times struct {
	Choices []Choice
	Selects []Select // choices with too many options for a row of links
	Strip   []StripDay
	Days    []TimesDay
	Later   string // address of the next page of times; empty on the last
	Jump    *Jump
}

// Time is one start that can be chosen.
type Time struct {
	Start  time.Time
	Spots  int
	Action Action
	Href   string
}

// TimesDay is one day of a listing's times.
type TimesDay struct {
	Date  time.Time
	Times []Time
}

// Jump is the form that goes to a date: a GET to Action with the field "from". Hidden keeps other parameters.
type Jump struct {
	Action string
	From   time.Time
	Min    time.Time
	Hidden []Param
}

// Chosen is the time that a customer has selected. Form books it, and Href leads to its waitlist. With ActionFull and
// ActionDetails neither is offered, and Note has the reason.
type Chosen struct {
	Start         time.Time
	Minutes       int
	Spots         int
	Price         *Price
	Action        Action
	Form          Form
	Href          string // address of the next page, instead of Form
	Note          string
	NeedsApproval bool          // the studio approves each booking
	People        *PeoplePrompt // shown where several people can attend
	Trouble       *Trouble
}

func (c Chosen) button(w Words) string {
	if c.Action == ActionWaitlist {
		return w.T("Join the waitlist")
	}
	if c.People != nil && c.People.Have > 0 {
		return w.T("Add to cart")
	}
	if c.NeedsApproval {
		return w.T("Request this time")
	}
	return w.T("Book this time")
}
