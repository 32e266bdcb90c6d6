package waitlist

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares the package's tables, jobs and errors.
func (*Service) Declare() declare.Domain {
	// waiting: an entry cannot be changed.
	waiting := []*fault.Error{ErrHasSeat, ErrNotWaiting, ErrClosed}
	return declare.Domain{
		Package: "app/waitlist",
		Tables: []declare.Table{
			{Name: "waitlist_entries", Life: declare.Trade, Record: "Waitlist entry", Readers: []string{
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
			"reorderWaitlist":      waiting,
			"removeFromWaitlist":   waiting,
			"leaveWaitlist":        waiting,
			"leaveMyWaitlist":      waiting,
			"leaveWaitlistOffer":   waiting,
			"acceptWaitlistOffer":  {ErrNoOffer, ErrOfferExpired, ErrOfferTo, ErrHasSeat, ErrClosed},
			"declineWaitlistOffer": {ErrNoOffer, ErrOfferExpired, ErrHasSeat},
		},
		Messages: []words.Text{
			"There are spots available: book one instead.",
			"There is no waitlist for this.",
			"The waitlist is closed.",
			"You have no open offer here.",
			"The offer has expired: the spot went to the next person in line.",
			"This spot is held for another customer. Sign in with the address that the e-mail was sent to.",
			"You already have a spot. Cancel the booking instead.",
			"This is no longer possible.",
			"There are not that many spots.",
		},
	}
}
