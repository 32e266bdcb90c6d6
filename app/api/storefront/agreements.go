package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// CartAgreements is what a cart asks of its caller. A172.
type CartAgreements struct {
	ToAccept []wire.CartAgreement       `json:"toAccept" doc:"What the caller still needs to agree to."`
	Agreed   []wire.AgreedCartAgreement `json:"agreed" doc:"What they have agreed to, each as it was then, with acceptedAt."`
}

// ListingAgreements is what the caller has agreed to of what a listing asks once. A185.
type ListingAgreements struct {
	Agreed []ListingAgreement `json:"agreed" doc:"What is asked once and they hold a current acceptance of."`
}

// ListingAgreement is a document that the caller has agreed to.
type ListingAgreement struct {
	ID         uuid.UUID `json:"id" doc:"The agreement document."`
	AcceptedAt time.Time `json:"acceptedAt" doc:"When they agreed to it."`
}

// ListingName names an offering whose id may be none: such a one asks for nothing.
type ListingName struct {
	OfferingID string `path:"offeringId" doc:"The offering."`
}

type acceptIn struct {
	CartPath
	Agent string `header:"User-Agent" hidden:"true"`
	Body  acceptBody
}

type acceptBody struct {
	Accept []acceptedBody `json:"accept" minItems:"1" maxItems:"100" doc:"What the caller agrees to: all of it is recorded, or nothing."`
}

type acceptedBody struct {
	ContentID uuid.UUID       `json:"contentId" doc:"The copy that was shown."`
	Shown     agreement.Shown `json:"shown" doc:"How it was shown: a tick, or read in full to its end, which a full document needs."`
	Language  string          `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Of the words that were shown, as they are at path with words=es. Left out, or one that the copy is not in: the words themselves."`
	Attendees []string        `json:"attendees,omitempty" minItems:"1" maxItems:"100" maxLength:"120" doc:"For whom: who comes with the caller by the names that the cart has, as a parent or guardian or with their permission, and the caller as an empty one. Each is agreed for once; somebody who joins the cart later is asked for. Left out: nobody is named, and it is for all of the cart."`
}

func (a *surface) agreements() {
	const of = "/storefront/carts/{token}/agreements"
	op.Declare(a.Ops, op.Spec{
		ID: "getCartAgreements", Method: "GET", Path: of, Tag: "storefront", Compact: true, Frozen: true,
		Summary: "See what a cart asks to agree to",
		Description: "What the caller still needs to agree to and what they have agreed to, on their own record with this business, whoever's the cart is. " +
			"Somebody who is not signed in is asked for the whole agreements of the cart.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{401, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (CartAgreements, error) {
		asks, err := a.Checkout.Agreements(ctx, sc, in.Token)
		return showAsks(sc.Tenant, asks), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "acceptCartAgreements", Method: "POST", Path: of, Tag: "storefront", Compact: true,
		Summary: "Agree to what a cart asks",
		Description: "Records that the caller agrees to copies that were shown to them, on their own record. Sent again, it is the same acceptance. " +
			"409 with details.reason agreement_changed when the words have changed since: details.agreements are the documents with their copies of now. " +
			"Answers what getCartAgreements does.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *acceptIn) (CartAgreements, error) {
		asks, err := a.Checkout.Accept(ctx, sc, in.Token, agreement.AcceptInput{
			UserAgent: in.Agent,
			Accept:    wire.Show(in.Body.Accept, func(b acceptedBody) agreement.Accepted { return agreement.Accepted(b) }),
		})
		return showAsks(sc.Tenant, asks), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "getListingAgreements", Method: "GET", Path: "/storefront/offerings/{offeringId}/agreements", Tag: "storefront", Frozen: true,
		Summary: "See what one has agreed to of an offering",
		Description: "The documents that the offering asks once and the caller holds a current acceptance of. What is asked for every booking is never among them. " +
			"An offering that is not there asks for nothing. An address that cannot be read, such as one with a bare %, is not found.",
		Access: op.StorefrontSession, Target: op.InOffering("offeringId"), AnyTarget: true, Rate: op.RateStorefront,
		Errors: []int{401, 404},
	}, a.listingAgreements)
}

func (a *surface) listingAgreements(ctx context.Context, sc tenancy.Scope, in *ListingName) (ListingAgreements, error) {
	offering, err := uuid.Parse(in.OfferingID)
	if err != nil {
		return ListingAgreements{}, nil
	}
	asks, err := a.Agreement.Of(ctx, sc, offering)
	return ListingAgreements{wire.Show(asks, func(k agreement.Requirement) ListingAgreement { return ListingAgreement{k.ID, k.Agreed.CreatedAt} })}, err
}

func showAsks(business uuid.UUID, asks []agreement.Requirement) CartAgreements {
	out := CartAgreements{ToAccept: []wire.CartAgreement{}, Agreed: []wire.AgreedCartAgreement{}}
	for _, k := range asks {
		if len(k.Open) > 0 {
			out.ToAccept = append(out.ToAccept, ofCart(wire.ShowRequired(business, k), k))
			continue
		}
		asked, at := wire.ShowAgreed(business, k)
		out.Agreed = append(out.Agreed, wire.AgreedCartAgreement{CartAgreement: ofCart(asked, k), AcceptedAt: at})
	}
	return out
}

// ofCart puts the items of a cart that ask for a document beside it.
func ofCart(asked wire.RequiredAgreement, k agreement.Requirement) wire.CartAgreement {
	return wire.CartAgreement{RequiredAgreement: asked, ItemIDs: k.Subjects}
}
