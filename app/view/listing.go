package view

import (
	"time"

	"foyer/app/catalog"
)

// About is what a class, an appointment or a rental is.
type About struct {
	Name    string
	Text    string // the studio's words; a blank line parts paragraphs
	Price   *Price // of one booking; with Each, of one person
	Each    bool   // every person pays
	Minutes int
	Who     string   // who gives it, when it is the same every time
	Where   string   // where it is, when it is the same every time
	Asks    bool     // the studio answers each booking
	Policy  []string // in plain words, a sentence each; the first stands alone, the others behind a "more"
	Photos  []Photo  // the cover first
	Trouble *Trouble // why booking it did not work
}

// AboutOf is what a class is, or an appointment or a rental of the default length.
func AboutOf(w Words, p catalog.Page) About {
	return About{
		Name: p.Name, Text: p.Description, Price: new(Shown(p.PriceAmount, 1, p.Pricing, p.Currency)), Each: p.PerHead(), Minutes: p.DurationMinutes,
		Asks: p.Approval, Policy: p.Rules.FinePrint(p.Kind, p.Enrolment == catalog.BySeries, p.Free(), p.Currency, w.Lang()),
	}
}

// Listing is a class.
type Listing struct {
	About // its Trouble is about a time that the page does not show; Chosen has its own
	Times
	Chosen *Chosen
	First  bool // the times are the next ones there are
}

// timesTitle says which times the page has.
func (v Listing) timesTitle(w Words) string {
	switch {
	case v.Chosen != nil:
		return w.T("All times")
	case v.First || len(v.Days) == 0:
		return w.T("Next times")
	}
	return w.T("Times from {day}", "day", w.ShortDate(v.Days[0].Date))
}

// Times are the times to choose from, and what can be chosen about them.
type Times struct {
	Choices []Choice
	Selects []Select // the choices that have too many ways for a row of links
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
	Asks    bool       // the studio answers each booking
	People  *PeopleAsk // asked where several can come
	Trouble *Trouble
}

func (c Chosen) button(w Words) string {
	if c.Action == ActionWaitlist {
		return w.T("Join the waitlist")
	}
	if c.People != nil && c.People.Have > 0 {
		return w.T("Add to your cart")
	}
	if c.Asks {
		return w.T("Ask for this time")
	}
	return w.T("Book this time")
}
