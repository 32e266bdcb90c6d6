package catalog

import "github.com/google/uuid"

// Page is what the page of a published offering shows beside its times.
type Page struct {
	Listing
	Capacity int // people of one booking at most
	Rules    Rules
	Members  []Named // who gives it, the first choice first
	Spaces   []Named // where it can be, the first choice first
}

// Named is somebody who gives an offering, or a space in which it can be.
type Named struct {
	ID   uuid.UUID
	Name string
}

// Lengths is how long it takes and what that costs.
func (l Listing) Lengths() Lengths {
	return Lengths{Kind: l.Kind, SoldAs: l.SoldAs, Minutes: l.DurationMinutes, Amount: &l.PriceAmount, Durations: l.Durations}
}

// Party is how many people one booking can be for.
func (p Page) Party() (least, most int) {
	least, most = max(1, p.Rules.PartyMin), p.Capacity
	if p.Rules.PartyMax > 0 {
		most = min(most, p.Rules.PartyMax)
	}
	return least, max(least, most)
}

// Terms is what somebody should know of an offering before they pay for it.
type Terms struct {
	Approval bool // the studio answers each booking
	Each     bool // every person of a party pays
	Course   bool // one booking is for all its dates
	Rules    Rules
}
