package catalog

import "github.com/google/uuid"

// Page has the facts for the page of a published offering beside its times.
type Page struct {
	Listing
	Capacity int // maximum number of people of one booking
	Rules    Rules
	Members  []Named // its instructors, the first choice first
	Spaces   []Named // its spaces, the first choice first
}

// Named is an instructor or a space of an offering.
type Named struct {
	ID   uuid.UUID
	Name string
}

// Lengths returns the lengths to choose from and their prices.
func (l Listing) Lengths() Lengths {
	return Lengths{Kind: l.Kind, SoldAs: l.SoldAs, Minutes: l.DurationMinutes, Amount: &l.PriceAmount, Durations: l.Durations}
}

// Party returns the minimum and the maximum number of people of one booking.
func (p Page) Party() (least, most int) {
	least, most = max(1, p.Rules.PartyMin), p.Capacity
	if p.Rules.PartyMax > 0 {
		most = min(most, p.Rules.PartyMax)
	}
	return least, max(least, most)
}

// Terms are the facts that a customer should read about an offering before paying.
type Terms struct {
	Approval bool // the studio answers each booking
	Each     bool // every person of a party pays
	Course   bool // one booking is for all its dates
	Rules    Rules
}
