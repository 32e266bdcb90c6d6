package view

import "time"

// MyBookings is what one customer has booked.
type MyBookings struct {
	Email    string
	Upcoming []Booking
	Past     []Booking
	More     string // address of older ones
	SignOut  Form
}

// Booking is one line of My bookings.
type Booking struct {
	Name       string
	Start      time.Time
	Zone       *time.Location // of its place; nil for the page's own
	Minutes    int
	Where      string
	Studio     string // when it is not the studio whose page this is
	State      string // "On the waitlist, 2nd in line", "Cancelled"; empty when simply booked
	Receipt    string // address
	Cancel     string // address of the page that asks; empty when it cannot be cancelled
	CancelLine string // "Free until Thu 19 Nov, 18:30"
}

// Cancel asks before a booking is cancelled and says exactly what it costs.
type Cancel struct {
	Booking Booking
	Costs   string // "You get $22.00 back on Visa ending 4242."
	Form    Form
	Keep    string // address to go back to
	Trouble *Trouble
}

// at is the shell with the wall clock of a place.
func (s Shell) at(zone *time.Location) Shell {
	if zone != nil {
		s.Zone = zone
	}
	return s
}
