package view

import "time"

// Receipt is a booking that was made.
type Receipt struct {
	Title    string // "You're booked" when empty; "Booking cancelled" and the like otherwise
	Off      bool   // the booking does not stand any more: no tick
	Asked    bool   // all of it waits for the studio
	Order    Order
	Number   string
	Made     time.Time
	PaidWith string // "Visa ending 4242"; empty when nothing was paid
	Address  string
	Map      string // address of a map; empty leaves the link out
	Calendar string // address of the .ics file; empty leaves the link out
	Email    string // where the confirmation went
	Notes    []string
}

func (v Receipt) title() string {
	if v.Title != "" {
		return v.Title
	}
	return "You’re booked"
}
