package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/app/web/op"
)

// AcceptedOffer is an accepted waitlist offer: a cart with seats held for ten minutes.
type AcceptedOffer struct {
	EntryID      uuid.UUID `json:"entryId"`
	BookingID    uuid.UUID `json:"bookingId"`
	CartToken    string    `json:"cartToken" doc:"Token of the cart. Pay and confirm it like any other."`
	ExpiresAt    time.Time `json:"expiresAt" doc:"When the hold on the seats expires."`
	ReceiptToken *string   `json:"receiptToken" doc:"Token of the receipt if it was free and is booked; null if payment is needed."`
}

// WaitlistPath is the path of a date of an offering on the storefront.
type WaitlistPath struct {
	ListingPath
	OccurrenceID uuid.UUID `path:"occurrenceId" doc:"The date."`
}

type joinWaitlistIn struct {
	WaitlistPath
	Body *joinWaitlistBody
}

type joinWaitlistBody struct {
	Party          int                    `json:"party,omitempty" minimum:"1" maximum:"100" doc:"Number of seats. The default is 1."`
	Attendee       string                 `json:"attendee,omitempty" maxLength:"120" doc:"Name of the attendee, if it is not the customer."`
	PaymentChoice  waitlist.PaymentChoice `json:"paymentChoice,omitempty" doc:"How the customer will pay. The default is a choice at the time of the offer."`
	Consent        bool                   `json:"consent,omitempty" doc:"Consent to a charge of the saved card. Required with card."`
	DropIfPromoted bool                   `json:"dropIfPromoted,omitempty" doc:"Whether the entry leaves the waitlist when the customer gets another seat at the same time, at any location of the business."`
}

type leaveWaitlistIn struct {
	WaitlistPath
	Attendee string `query:"attendee" maxLength:"120" doc:"Name of the attendee of the entry, if it is not the customer."`
}

// OfferPath is the path of a waitlist entry, by its token.
type OfferPath struct {
	Token string `path:"token" doc:"Token of the entry."`
}

func (p *OfferPath) token() string { return p.Token }

func (a *surface) waitlist() {
	op.Declare(a.Ops, op.Spec{
		ID: "joinWaitlist", Method: "POST", Path: "/storefront/offerings/{offeringId}/occurrences/{occurrenceId}/waitlist",
		Tag: "storefront", Summary: "Join a waitlist",
		Description: "Adds the signed-in person to the waitlist of a date that is full for the party. A person who waits " +
			"already keeps the position. Returns 409 seats_free if seats are free, waitlist_closed shortly before the start, " +
			"waitlist_off if there is no waitlist." +
			wire.WaitReasons,
		Access: op.StorefrontSession, Target: op.InOffering("offeringId"), Rate: op.RateStorefrontWrite, Success: 201,
		Errors: []int{400, 401, 404, 409},
	}, a.joinWaitlist)
	op.Declare(a.Ops, op.Spec{
		ID: "leaveWaitlist", Method: "DELETE", Path: "/storefront/offerings/{offeringId}/occurrences/{occurrenceId}/waitlist",
		Tag: "storefront", Summary: "Leave a waitlist",
		Description: "An open offer goes to the next entry. Repeating the call changes nothing.",
		Access:      op.StorefrontSession, Target: op.InOffering("offeringId"), Rate: op.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *leaveWaitlistIn) (op.NoContent, error) {
		return op.NoContent{}, a.Waitlist.Leave(ctx, sc, in.OfferingID, in.OccurrenceID, in.Attendee)
	})
	op.Declare(a.Ops, op.Spec{
		ID: "getWaitlistOffer", Method: "GET", Path: "/storefront/waitlist-offers/{token}", Tag: "storefront",
		Summary:     "Get a waitlist entry",
		Description: "Returns the entry with its open offer, the deadline and the price. The token authorizes access.",
		Access:      op.Public, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefront, Errors: []int{404},
	}, wire.ByName(a.Waitlist.Find, (*OfferPath).token, a.ShowWaitlistEntry))
	a.offerAnswers()
}

// offerAnswers declares the responses to an offer.
func (a *surface) offerAnswers() {
	op.Declare(a.Ops, op.Spec{
		ID: "acceptWaitlistOffer", Method: "POST", Path: "/storefront/waitlist-offers/{token}/accept", Tag: "storefront",
		Summary: "Accept an offer",
		Description: "The reserved seats become a hold of ten minutes in a new cart; a free booking is confirmed at once. " +
			"Only the recipient of the offer can accept it. Accepting again returns the same cart. In a race, returns 409 " +
			"full for all but the first." +
			wire.WaitReasons,
		Access: op.StorefrontSession, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefrontWrite, Errors: []int{401, 404, 409},
	}, a.acceptOffer)
	op.Declare(a.Ops, op.Spec{
		ID: "declineWaitlistOffer", Method: "POST", Path: "/storefront/waitlist-offers/{token}/decline", Tag: "storefront",
		Summary:     "Decline an offer",
		Description: "The seats are offered to the next entry at once. Repeating the call changes nothing.",
		Access:      op.Public, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
	}, wire.ByName(a.Waitlist.Decline, (*OfferPath).token, a.ShowWaitlistEntry))
	op.Declare(a.Ops, op.Spec{
		ID: "leaveWaitlistOffer", Method: "POST", Path: "/storefront/waitlist-offers/{token}/leave", Tag: "storefront",
		Summary:     "Leave a waitlist by link",
		Description: "Removes the entry without a sign-in, also during an open offer. Repeating the call changes nothing.",
		Access:      op.Public, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
	}, wire.ByName(a.Waitlist.LeaveBy, (*OfferPath).token, a.ShowWaitlistEntry))
}

func (a *surface) joinWaitlist(ctx context.Context, sc tenancy.Scope, in *joinWaitlistIn) (wire.CustomerWaitlistEntry, error) {
	join := waitlist.JoinInput{OfferingID: in.OfferingID, OccurrenceID: in.OccurrenceID}
	if b := in.Body; b != nil {
		join.Party, join.Attendee, join.PaymentChoice = b.Party, b.Attendee, b.PaymentChoice
		join.Consent, join.DropIfPromoted = b.Consent, b.DropIfPromoted
	}
	w, err := a.Waitlist.Join(ctx, sc, join)
	return a.ShowWaitlistEntry(w), err
}

func (a *surface) acceptOffer(ctx context.Context, sc tenancy.Scope, in *OfferPath) (AcceptedOffer, error) {
	got, err := a.Waitlist.Accept(ctx, sc, in.Token)
	return AcceptedOffer{
		EntryID: got.EntryID, BookingID: got.BookingID, CartToken: a.Checkout.CartToken(got.CartID), ExpiresAt: got.ExpiresAt,
		ReceiptToken: wire.OrNil(got.OrderID, a.Orders.ReceiptToken),
	}, err
}
