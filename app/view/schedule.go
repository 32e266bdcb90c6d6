package view

import (
	"bytes"
	"cmp"
	"context"
	"strconv"
	"time"
)

// Action is the action that one date of a class offers the customer.
type Action string

// The actions of a row: values for code and markup. Customers read the result of Words.Action.
const (
	ActionBook     Action = "Book"
	ActionWaitlist Action = "Waitlist" // full, with an open waitlist
	ActionFull     Action = "Full"     // full, without a waitlist; its page has other dates
	ActionDetails  Action = "Details"  // cannot be booked now; its page has the reason
)

// Action returns the text of a link. In English it is the value itself, frozen by contract E47 for the embeds.
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

// Schedule is a location's schedule of the next two weeks.
type Schedule struct {
	Policy string        // one line: how to book, and the deadline for cancelling free of charge
	Walkin *WalkinStatus // the walk-in status; nil without walk-ins
	Photo  *Photo        // of the location; nil: it has none
	Title  string        // title of the days; "Book a time" without a timetable
	Filter *Filter       // choices that narrow the classes; nil where there is one of each only
	Strip  []StripDay
	Days   []Day
	Groups []Group // appointments and rentals, under their headings
	Shop   string  // address of the shop; empty: nothing is sold
	Plans  string  // address of the plans that are sold; empty: none
	Later  string  // address of the next two weeks with bookable dates; empty without
	Empty  string  // the sentence for a page without rows; by default the one that fits the case
}

// Filter narrows the timetable: a GET to Action with a field for each choice. Hidden keeps other parameters.
type Filter struct {
	Action  string
	Selects []Select
	Hidden  []Param
	On      bool   // a choice is active
	Reset   string // address without it
}

// WalkinStatus is a location's status for walk-in customers: "7 spots free", "Until 9:00 pm".
type WalkinStatus struct {
	Open  bool // walk-ins are welcome now
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
	Href    string // the day's anchor on this page (DayHref) when empty
	Open    bool   // it has bookable dates
	Plain   bool   // availability is unknown
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
	Spots   int // free spots; shown when few
	Action  Action
	Href    string
	Course  bool // a date of a course; the price is that of the whole course
}

// CartBar is the bar at the foot of a studio's pages while the customer has a cart.
type CartBar struct {
	Label string // "1 class", see Words.CountOf
	Total Price
	Hold  *Hold
	Href  string
}

// WithBar inserts the bar of a cart into a page that was rendered without one, where Page has it. sh is the shell of
// the page.
func WithBar(ctx context.Context, sh Shell, bar *CartBar, page []byte) ([]byte, error) {
	at := bytes.Index(page, []byte("<main "))
	if end := []byte("</main>"); !sh.Embed {
		at = bytes.LastIndex(page, end) + len(end)
	}
	var b bytes.Buffer
	b.Grow(len(page) + 1<<10)
	b.Write(page[:at])
	if err := cartBar(sh, bar).Render(ctx, &b); err != nil {
		return nil, err
	}
	b.Write(page[at:])
	return b.Bytes(), nil
}

func (v Schedule) title(w Words) string {
	if v.timesOnly() {
		return w.T("Book a time")
	}
	return cmp.Or(v.Title, w.T("Schedule"))
}

// timesOnly reports whether the location has no timetable, only appointments and rentals.
func (v Schedule) timesOnly() bool { return len(v.Groups) > 0 && len(v.Days) == 0 && v.Later == "" }

// groupID returns a group's anchor on the page.
func groupID(n int) string { return "group-" + strconv.Itoa(n) }

func (v Schedule) empty(w Words) string {
	return cmp.Or(v.Empty, w.T("Nothing can be booked in the next two weeks. New times will show here."))
}

// DayID returns a day's anchor on a page; its address is "#" and the same.
func (w Words) DayID(t time.Time) string { return w.in(t).Format("d2006-01-02") }

func (d StripDay) href(w Words) string { return cmp.Or(d.Href, "#"+w.DayID(d.Date)) }
