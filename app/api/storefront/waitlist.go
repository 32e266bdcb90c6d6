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

// AcceptedOffer is a place that was accepted: a cart whose seats are kept for ten minutes.
type AcceptedOffer struct {
	EntryID      uuid.UUID `json:"entryId"`
	BookingID    uuid.UUID `json:"bookingId"`
	CartToken    string    `json:"cartToken" doc:"Pay for this cart and confirm it, like any other."`
	ExpiresAt    time.Time `json:"expiresAt" doc:"When the seats are let go."`
	ReceiptToken *string   `json:"receiptToken" doc:"It cost nothing and is booked; null when it is to be paid for."`
}

// WaitlistPath names a date of an offering on the storefront.
type WaitlistPath struct {
	ListingPath
	OccurrenceID uuid.UUID `path:"occurrenceId" doc:"The date."`
}

type joinWaitlistIn struct {
	WaitlistPath
	Body *joinWaitlistBody
}

type joinWaitlistBody struct {
	Party          int                    `json:"party,omitempty" minimum:"1" maximum:"100" doc:"Seats; 1 when left out."`
	Attendee       string                 `json:"attendee,omitempty" maxLength:"120" doc:"Who is coming, when it is somebody else."`
	PaymentChoice  waitlist.PaymentChoice `json:"paymentChoice,omitempty" doc:"How it will be paid for; ask when left out."`
	Consent        bool                   `json:"consent,omitempty" doc:"To the saved card being charged: needed with card."`
	DropIfPromoted bool                   `json:"dropIfPromoted,omitempty" doc:"When a seat is had at the same time, here or elsewhere in the business, the other place is left."`
}

type leaveWaitlistIn struct {
	WaitlistPath
	Attendee string `query:"attendee" maxLength:"120" doc:"Whose place it is, when it is somebody else's."`
}

// OfferPath names a place on a waitlist by its token.
type OfferPath struct {
	Token string `path:"token" doc:"The place's token."`
}

func (p *OfferPath) token() string { return p.Token }

func (a *surface) waitlist() {
	op.Declare(a.Ops, op.Spec{
		ID: "joinWaitlist", Method: "POST", Path: "/storefront/offerings/{offeringId}/occurrences/{occurrenceId}/waitlist",
		Tag: "storefront", Compact: true, Summary: "Join a waitlist",
		Description: "Puts the signed-in person on the waitlist of a date that is full for their party. Who waits there already keeps the place. " +
			"409 seats_free when there is room, waitlist_closed shortly before the start, waitlist_off where there is none." + wire.WaitReasons,
		Access: op.StorefrontSession, Target: op.InOffering("offeringId"), Rate: op.RateStorefrontWrite, Success: 201,
		Errors: []int{400, 401, 404, 409},
	}, a.joinWaitlist)
	op.Declare(a.Ops, op.Spec{
		ID: "leaveWaitlist", Method: "DELETE", Path: "/storefront/offerings/{offeringId}/occurrences/{occurrenceId}/waitlist",
		Tag: "storefront", Summary: "Leave a waitlist",
		Description: "Also while a seat is on offer, which then goes to the next in line. Leaving again changes nothing.",
		Access:      op.StorefrontSession, Target: op.InOffering("offeringId"), Rate: op.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *leaveWaitlistIn) (op.NoContent, error) {
		return op.NoContent{}, a.Waitlist.Leave(ctx, sc, in.OfferingID, in.OccurrenceID, in.Attendee)
	})
	op.Declare(a.Ops, op.Spec{
		ID: "getWaitlistOffer", Method: "GET", Path: "/storefront/waitlist-offers/{token}", Tag: "storefront", Compact: true,
		Summary: "See a place on a waitlist", Description: "What is on offer, until when, and what it costs. The token is the right to see it.",
		Access: op.Public, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefront, Errors: []int{404},
	}, wire.ByName(a.Waitlist.Find, (*OfferPath).token, a.ShowPlace))
	a.offerAnswers()
}

// offerAnswers are what can be said to an offer.
func (a *surface) offerAnswers() {
	op.Declare(a.Ops, op.Spec{
		ID: "acceptWaitlistOffer", Method: "POST", Path: "/storefront/waitlist-offers/{token}/accept", Tag: "storefront", Compact: true,
		Summary: "Accept an offer",
		Description: "The seats that were kept become a hold of ten minutes under a new cart; what costs nothing is booked at once. Only whom it is " +
			"offered to may accept. Accepting again gives the same cart. 409 full for who came second where the first to accept wins." + wire.WaitReasons,
		Access: op.StorefrontSession, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefrontWrite, Errors: []int{401, 404, 409},
	}, a.acceptOffer)
	op.Declare(a.Ops, op.Spec{
		ID: "declineWaitlistOffer", Method: "POST", Path: "/storefront/waitlist-offers/{token}/decline", Tag: "storefront",
		Summary: "Decline an offer", Description: "The seats go to the next in line at once. Declining again changes nothing.",
		Access: op.Public, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
	}, wire.ByName(a.Waitlist.Decline, (*OfferPath).token, a.ShowPlace))
	op.Declare(a.Ops, op.Spec{
		ID: "leaveWaitlistOffer", Method: "POST", Path: "/storefront/waitlist-offers/{token}/leave", Tag: "storefront",
		Summary: "Leave a waitlist by its link", Description: "One click, without signing in, also while an offer is open. Leaving again changes nothing.",
		Access: op.Public, Target: op.InWaitlistOffer("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
	}, wire.ByName(a.Waitlist.LeaveBy, (*OfferPath).token, a.ShowPlace))
}

func (a *surface) joinWaitlist(ctx context.Context, sc tenancy.Scope, in *joinWaitlistIn) (wire.WaitlistPlace, error) {
	join := waitlist.JoinInput{OfferingID: in.OfferingID, OccurrenceID: in.OccurrenceID}
	if b := in.Body; b != nil {
		join.Party, join.Attendee, join.PaymentChoice = b.Party, b.Attendee, b.PaymentChoice
		join.Consent, join.DropIfPromoted = b.Consent, b.DropIfPromoted
	}
	w, err := a.Waitlist.Join(ctx, sc, join)
	return a.ShowPlace(w), err
}

func (a *surface) acceptOffer(ctx context.Context, sc tenancy.Scope, in *OfferPath) (AcceptedOffer, error) {
	got, err := a.Waitlist.Accept(ctx, sc, in.Token)
	return AcceptedOffer{
		EntryID: got.EntryID, BookingID: got.BookingID, CartToken: a.Checkout.CartToken(got.CartID), ExpiresAt: got.ExpiresAt,
		ReceiptToken: wire.OrNil(got.OrderID, a.Checkout.ReceiptToken),
	}, err
}
