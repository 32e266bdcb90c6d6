package view

import "time"

// MyBookings is what one customer has booked, and what they wait for.
type MyBookings struct {
	Email    string
	Waiting  []Waiting
	Upcoming []Booking
	Past     []Booking
	More     string // address of older ones
	SignOut  Form
}

// Booking is one line of My bookings.
type Booking struct {
	Name    string
	Start   time.Time
	Zone    *time.Location // of its place; nil for the page's own
	Minutes int
	Where   string
	Party   int          // how many people; told from two on
	Who     string       // who is coming, when not the customer
	Studio  string       // when it is not the studio whose page this is
	State   string       // "Requested", "Cancelled"; empty when simply booked
	Line    string       // "Free to cancel until Thu 19 Nov, 18:30."; may be empty
	Href    string       // address of its page
	Receipt string       // address; may be empty
	Dates   []CourseDate // of a course: all of them; Start is the next
}

// Waiting is a place on a waitlist.
type Waiting struct {
	Name    string
	Start   time.Time
	Zone    *time.Location
	Minutes int
	Where   string
	Studio  string
	State   string // "2nd in line", "A place is kept for you until 14:05"
	Offer   bool   // there is something to accept
	Href    string
}

// BookingDetails is one booking with what can be done about it.
type BookingDetails struct {
	Name    string
	Start   time.Time
	Minutes int
	Detail  string // where, with whom, for how many, for whom
	State   string // "Confirmed", "Requested", "Cancelled late"
	Stands  Standing
	Notes   []string
	Terms   []string // deadlines, a sentence each
	Address string
	Map     string // address of a map; empty leaves the link out
	// Addresses of what can be done; empty where it cannot.
	Calendar, Move, Cancel, Receipt, Again string
	CancelWord                             string       // "Cancel", or "Withdraw" for a request
	Dates                                  []CourseDate // of a course: all of them; Start is the next
	Trouble                                *Trouble
}

// Standing is how a booking stands, as far as it looks different.
type Standing string

// The standings.
const (
	StandsWell  Standing = "ok"
	StandsAsked Standing = "ask"
	StandsOver  Standing = "over"
)

// Change asks before something is done to a booking and says exactly what it costs.
type Change struct {
	Title   string
	Name    string
	Start   time.Time
	Minutes int
	Detail  string
	To      *Moved       // where it goes; nil when it is cancelled
	Dates   []CourseDate // of a course: those that are cancelled
	Points  []Outcome    // what it brings
	Form    Form
	Button  string
	Keep    Link // the way back
	Trouble *Trouble
}

// Moved is where a booking goes.
type Moved struct {
	Start   time.Time
	Minutes int
}

// Outcome is one thing that a change brings: an amount or a word, and why.
type Outcome struct {
	Label  string // "Back to your card"
	Amount *Price
	Text   string
	More   []string // further sentences
	Bad    bool     // it costs the customer something
}

// Move shows the times that a booking can be moved to, each a link to the page that asks.
type Move struct {
	Name    string
	Start   time.Time
	Minutes int
	Detail  string
	Note    string // until when and how often; may be empty
	Choices []Choice
	Selects []Select
	Strip   []StripDay
	Days    []TimesDay
	Later   string
	Jump    *Jump
	Keep    Link
	Trouble *Trouble
}

// sparse reports whether days have so few times that each is a line.
func sparse(days []TimesDay) bool {
	for _, d := range days {
		if len(d.Times) > 3 {
			return false
		}
	}
	return true
}

// at is the shell with the wall clock of a place.
func (s Shell) at(zone *time.Location) Shell {
	if zone != nil {
		s.Zone = zone
	}
	return s
}
