package my

import (
	"cmp"
	"slices"
	"time"

	"foyer/app/view"
	"foyer/app/words"
)

// Bookings is what one customer has booked, and what they wait for.
type Bookings struct {
	Email    string
	Waiting  []Booking
	Upcoming []Booking
	Past     []Booking
	More     string // address of older ones
	SignOut  view.Form
}

// Booking is one line of My bookings, or a place on a waitlist.
type Booking struct {
	view.Line
	Zone    *time.Location // of its place; nil for the page's own
	Studio  string         // when it is not the studio whose page this is
	Href    string         // address of its page
	Receipt string         // address; may be empty
	Offer   bool           // of a place on a waitlist: there is something to accept
	Each    []view.Link    // of several people in one row: the page of each, by how they are called; Href is empty then
}

// Friends joins bookings of one order that differ in nothing but who is coming: three friends at one class are one row, with a way to each
// of them.
func Friends(w view.Words, list []Booking) []Booking {
	var out []Booking
	people := map[int][]Booking{} // by the place in out
	for _, b := range list {
		i := slices.IndexFunc(out, func(o Booking) bool {
			return o.Receipt == b.Receipt && o.Studio == b.Studio && o.Line.SameBut(b.Line)
		})
		if i < 0 {
			i, out = len(out), append(out, b)
		}
		people[i] = append(people[i], b)
	}
	for i, of := range people {
		if len(of) < 2 {
			continue
		}
		lines := make([]view.Line, len(of))
		for j, b := range of {
			lines[j] = b.Line
			out[i].Each = append(out[i].Each, view.Link{Text: cmp.Or(b.Who, w.C("who comes", "you")), Href: b.Href})
		}
		out[i].Line, out[i].Href = view.Together(w, lines)[0], ""
	}
	return out
}

// Details is one booking with what can be done about it.
type Details struct {
	view.Line // its State is never empty: "Confirmed", "Requested", "Cancelled late"
	Stands    view.Standing
	Notes     []string
	Address   string
	Map       string // address of a map; empty leaves the link out
	// Addresses of what can be done; empty where it cannot.
	Calendar                     view.Calendar // nothing for what is over or does not stand
	Move, Cancel, Receipt, Again string
	CancelWord                   string      // "Cancel", or "Withdraw" for a request
	Balance                      *PayBalance // a deposit was paid, and this is left; nil when nothing is
	Agreed                       []view.Agreed
	Agree                        string // address of what is to be agreed to before it begins; empty when nothing is
	Trouble                      *view.Trouble
}

// calendar is its calendar; a page has one button that stands out.
func (v Details) calendar() view.Calendar {
	c := v.Calendar
	c.Quiet = v.Balance != nil || v.Agree != ""
	return c
}

// PayBalance is what of a price a deposit has left, and the form that goes on to pay it by card.
type PayBalance struct {
	Form   view.Form
	Amount view.Price
}

// Change asks before something is done to a booking and says exactly what it costs.
type Change struct {
	Title     string
	view.Line               // of a course, its Dates are those that are cancelled
	To        *view.Line    // what it becomes; nil when it is cancelled
	Choices   []view.Choice // of what is to be changed; each leads to this page for it
	Points    []Outcome     // what it brings
	Form      view.Form
	Button    string
	Keep      view.Link // the way back
	Trouble   *view.Trouble
}

// What cancelling brings that costs something, as its page tells it. apptest/terms reads these back.
const (
	OutcomeLost     words.Text = "Not paid back"
	OutcomeFee      words.Text = "Fee"
	OutcomeForgiven words.Text = "None this time. Cancelling has been late since {when}, but the fee of {fee} is forgiven."
)

// Outcome is one thing that a change brings: an amount or a word, and why.
type Outcome struct {
	Label  string // "Back to your card"
	Amount *view.Price
	Text   string
	More   []string // further sentences
	Bad    bool     // it costs the customer something
}

// Move shows the times that a booking can be moved to, each a link to the page that asks.
type Move struct {
	view.Line
	view.Times
	Note    string // until when and how often; may be empty
	Keep    view.Link
	Trouble *view.Trouble
}

// sparse reports whether days have so few times that each is a line.
func sparse(days []view.TimesDay) bool {
	for _, d := range days {
		if len(d.Times) > 3 {
			return false
		}
	}
	return true
}
