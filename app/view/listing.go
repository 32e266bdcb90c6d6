package view

import "time"

// Listing is one class, appointment or rental.
type Listing struct {
	Name    string
	Text    string // the studio's words; a blank line parts paragraphs
	Price   *Price
	Minutes int
	Who     string
	Where   string
	Policy  []string // in plain words, a sentence each
	Chosen  *Chosen
	Next    []Time // the next few, as buttons on top
	Days    []TimesDay
	Later   string // address of the next page of times; empty on the last
	Jump    *Jump
	Bar     *CartBar
	Trouble *Trouble // why a time that the page does not show could not be booked; Chosen has its own
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

// Chosen is the time a customer came with. Form books it, and Href leads to its waitlist; neither is offered with
// ActionFull and ActionDetails, and then Note says why.
type Chosen struct {
	Start   time.Time
	Minutes int
	Spots   int
	Price   *Price
	Action  Action
	Form    Form
	Href    string // address of the page that leads on, in place of Form
	Note    string
	Asks    bool // the studio answers each booking
	Trouble *Trouble
}

func (c Chosen) button() string {
	if c.Action == ActionWaitlist {
		return "Join the waitlist"
	}
	if c.Asks {
		return "Ask for this time"
	}
	return "Book this time"
}
