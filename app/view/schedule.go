package view

import "time"

// Action is what a customer can do with one date of a class.
type Action string

// The actions of a row.
const (
	ActionBook     Action = "Book"
	ActionWaitlist Action = "Waitlist" // full, and there is a list to wait on
	ActionFull     Action = "Full"     // full, and nobody can wait; its page has other dates
	ActionDetails  Action = "Details"  // cannot be booked now; its page says why
)

// Schedule is what a location offers in the next two weeks.
type Schedule struct {
	Title  string // "What's on this week" when empty
	Policy string // one line: how to book, and until when it costs nothing to cancel
	Strip  []StripDay
	Days   []Day
	Later  string   // address of the next two weeks with something to book; empty without
	Empty  string   // the sentence when no day has rows; there is one for every case when empty
	Bar    *CartBar // what is in the customer's cart; nil without
}

// StripDay is one of the fourteen days on top.
type StripDay struct {
	Date    time.Time
	Href    string // the day's place on this page (DayHref) when empty
	Open    bool   // there is something to book
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
}

// CartBar is the foot of the schedule while the customer has a cart.
type CartBar struct {
	Label string // "1 class", see Counted
	Total Price
	Hold  *Hold
	Href  string
}

func (v Schedule) title() string {
	if v.Title != "" {
		return v.Title
	}
	return "What’s on this week"
}

func (v Schedule) empty() string {
	if v.Empty != "" {
		return v.Empty
	}
	return "Nothing can be booked in the next two weeks. New times will show here."
}

// DayID names a day's place on a page; the address of it is "#" and the same.
func (w Words) DayID(t time.Time) string { return w.in(t).Format("d2006-01-02") }

func (d StripDay) href(w Words) string {
	if d.Href != "" {
		return d.Href
	}
	return "#" + w.DayID(d.Date)
}
