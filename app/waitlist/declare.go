package waitlist

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	// waiting: an entry cannot be changed.
	waiting := []*fault.Error{ErrHasSeat, ErrNotWaiting, ErrClosed}
	return declare.Domain{
		Package: "app/waitlist",
		Tables: []declare.Table{
			{Name: "waitlist_entries", Life: declare.Trade, Record: "Place on a waitlist", Readers: []string{
				"app/agenda", "app/booking", "app/crm", "app/integrity", "app/notice", "app/schedule",
			}},
			{Name: "waitlist_transitions", Life: declare.Trade, Readers: []string{"app/integrity"}},
		},
		Refuses: map[string][]*fault.Error{
			"joinWaitlist":         {ErrSeatsFree, ErrOff, ErrClosed},
			"addToWaitlist":        {ErrSeatsFree, ErrOff, ErrClosed},
			"promoteFromWaitlist":  waiting,
			"offerFromWaitlist":    waiting,
			"skipOnWaitlist":       waiting,
			"moveOnWaitlist":       waiting,
			"removeFromWaitlist":   waiting,
			"leaveWaitlist":        waiting,
			"leaveMyWaitlist":      waiting,
			"leaveWaitlistOffer":   waiting,
			"acceptWaitlistOffer":  {ErrNoOffer, ErrOfferExpired, ErrOfferTo, ErrHasSeat, ErrClosed},
			"declineWaitlistOffer": {ErrNoOffer, ErrOfferExpired, ErrHasSeat},
		},
		Messages: []words.Text{
			"There is room: book it instead.",
			"There is no waitlist for this.",
			"The waitlist is closed.",
			"Nothing is on offer to you here.",
			"The time for answering is over: the place went to the next in line.",
			"This place is kept for somebody else. Sign in with the address that the mail came to.",
			"You have got a seat already. Cancel the booking instead.",
			"This is not possible any more.",
			"There are fewer seats than that.",
		},
	}
}
