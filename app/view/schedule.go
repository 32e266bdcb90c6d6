package view

import (
	"cmp"
	"strconv"
	"time"
)

// Action is what a customer can do with one date of a class.
type Action string

// The actions of a row: values that code and markup know. What customers read is Words.Action.
const (
	ActionBook     Action = "Book"
	ActionWaitlist Action = "Waitlist" // full, and there is a list to wait on
	ActionFull     Action = "Full"     // full, and nobody can wait; its page has other dates
	ActionDetails  Action = "Details"  // cannot be booked now; its page says why
)

// Action is what a link says; in English the values themselves, which contract E47 freezes for the embeds.
func (w Words) Action(a Action) string {
	switch a {
	case ActionBook:
		return w.C("action", "Book")
	case ActionWaitlist:
		return w.C("action", "Waitlist")
	case ActionFull:
		return w.C("action", "Full")
	case ActionDetails:
		return w.C("action", "Details")
	}
	return string(a)
}

// Schedule is what a location offers in the next two weeks.
type Schedule struct {
	Policy string        // one line: how to book, and until when it costs nothing to cancel
	Walkin *WalkinStatus // what who walks in now finds; nil where nobody can
	Photo  *Photo        // of the place; nil: it has none
	Title  string        // which days it lists; "Book a time" without a timetable
	Filter *Filter       // what the classes can be narrowed by; nil where there is one of each only
	Strip  []StripDay
	Days   []Day
	Groups []Group // what is booked by the time, under its headings
	Later  string  // address of the next two weeks with something to book; empty without
	Empty  string  // the sentence when no day has rows; there is one for every case when empty
}

// Filter narrows the timetable: a GET to Action with a field for each choice. Hidden keeps other parameters.
type Filter struct {
	Action  string
	Selects []Select
	Hidden  []Param
	On      bool   // something is left out now
	Reset   string // address without it
}

// WalkinStatus is what the place says to people who walk in: "7 spots free", "Until 9:00 pm".
type WalkinStatus struct {
	Open  bool // somebody can come in now
	Words string
	Until string // may be empty
}

// Group is some appointments or rentals under a heading.
type Group struct {
	Heading string
	Rows    []GroupRow
}

// GroupRow is one appointment or rental.
type GroupRow struct {
	Name    string
	Lengths string // "60 min", "45 to 90 min"
	Price   string // "$60", "from $45", "$15 each"
	Next    *time.Time
	Href    string
	Photo   *Photo // nil: it has none
}

// StripDay is one of the fourteen days on top.
type StripDay struct {
	Date    time.Time
	Href    string // the day's place on this page (DayHref) when empty
	Open    bool   // there is something to book
	Plain   bool   // it is not known whether there is
	Current bool
}

// Day is one day's rows. Days without rows are left out.
type Day struct {
	Date time.Time
	Rows []Row
}

// Row is one date of a class.
type Row struct {
	Start   time.Time
	Minutes int
	Name    string
	Who     string // instructor
	Where   string // room
	Price   *Price
	Spots   int // free spots; told when few
	Action  Action
	Href    string
	Course  bool // a date of a course; the price is that of all of them
}

// CartBar is the foot of a studio's pages while the customer has a cart.
type CartBar struct {
	Label string // "1 class", see Words.CountOf
	Total Price
	Hold  *Hold
	Href  string
}

func (v Schedule) title(w Words) string {
	if v.timesOnly() {
		return w.T("Book a time")
	}
	return cmp.Or(v.Title, w.T("What’s on"))
}

// timesOnly reports whether the place has no timetable: there is nothing but what is booked by the time.
func (v Schedule) timesOnly() bool { return len(v.Groups) > 0 && len(v.Days) == 0 && v.Later == "" }

// groupID names a group's place on the page.
func groupID(n int) string { return "group-" + strconv.Itoa(n) }

func (v Schedule) empty(w Words) string {
	return cmp.Or(v.Empty, w.T("Nothing can be booked in the next two weeks. New times will show here."))
}

// DayID names a day's place on a page; the address of it is "#" and the same.
func (w Words) DayID(t time.Time) string { return w.in(t).Format("d2006-01-02") }

func (d StripDay) href(w Words) string { return cmp.Or(d.Href, "#"+w.DayID(d.Date)) }
