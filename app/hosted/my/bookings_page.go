package my

import (
	"cmp"
	"slices"
	"time"

	"foyer/app/view"
	"foyer/app/words"
)

// Bookings has the bookings and waitlist entries of one customer.
type Bookings struct {
	Email    string
	Waiting  []Booking
	Upcoming []Booking
	Past     []Booking
	More     string // address of older ones
	SignOut  view.Form
}

// Booking is one line of My bookings: a booking or a waitlist entry.
type Booking struct {
	view.Line
	Zone    *time.Location // of its location; nil for the page's own
	Studio  string         // when it is not the studio of the page
	Href    string         // address of its page
	Receipt string         // address; may be empty
	Offer   bool           // of a waitlist entry: there is an offer to accept
	Each    []view.Link    // of several people in one row: the page of each, by name; Href is empty then
}

// Friends joins bookings of one order that differ only in the attendee: three friends at one class are one row, with
// a link to each of them.
func Friends(w view.Words, list []Booking) []Booking {
	var out []Booking
	people := map[int][]Booking{} // by the index in out
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

// Details is one booking with its actions.
type Details struct {
	view.Line // its State is never empty: "Confirmed", "Requested", "Cancelled late"
	Stands    view.Standing
	Notes     []string
	Address   string
	Map       string // address of a map; empty leaves the link out
	// Addresses of actions; empty where one is not possible.
	Calendar                           view.Calendar // nothing for an ended booking, or one that does not stand
	Reschedule, Cancel, Receipt, Again string
	CancelWord                         string      // "Cancel", or "Withdraw" for a request
	Balance                            *PayBalance // the balance due after a deposit; nil when nothing is due
	Agreed                             []view.Agreed
	Agree                              string // address of the outstanding agreements; empty without any
	Trouble                            *view.Trouble
}

// calendar is its calendar; a page has one prominent button.
func (v Details) calendar() view.Calendar {
	c := v.Calendar
	c.Quiet = v.Balance != nil || v.Agree != ""
	return c
}

// PayBalance is the balance due of a price after a deposit, with the form to pay it by card.
type PayBalance struct {
	Form   view.Form
	Amount view.Price
}

// Change is the page to confirm a change of a booking, with its exact cost.
type Change struct {
	Title     string
	view.Line               // of a course, its Dates are the cancelled ones
	To        *view.Line    // the new time; nil for a cancellation
	Choices   []view.Choice // of the scope; each leads to this page for it
	Points    []Outcome     // its effects
	Form      view.Form
	Button    string
	Keep      view.Link // the link back
	Trouble   *view.Trouble
}

// The effects of cancelling that cost something, as its page shows them. apptest/terms reads these back.
const (
	OutcomeLost   words.Text = "Not refunded"
	OutcomeFee    words.Text = "Fee"
	OutcomeWaived words.Text = "None this time. Cancelling has been late since {when}, but the late-cancellation fee of {fee} is waived."
)

// Outcome is one effect of a change: an amount or a word, and its reason.
type Outcome struct {
	Label  string // "Back to your card"
	Amount *view.Price
	Text   string
	More   []string // further sentences
	Bad    bool     // it costs the customer something
}

// Reschedule shows the times to reschedule a booking to, each a link to the page to confirm.
type Reschedule struct {
	view.Line
	view.Times
	Note    string // the deadline and the number of times; may be empty
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
