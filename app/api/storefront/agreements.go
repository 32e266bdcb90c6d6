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

// CartAgreements are the required agreements of a cart for its caller. A172.
type CartAgreements struct {
	ToAccept []wire.CartAgreement       `json:"toAccept" doc:"Agreements the caller still has to sign."`
	Agreed   []wire.AgreedCartAgreement `json:"agreed" doc:"Signed agreements, each with its signed copy and acceptedAt."`
}

// ListingAgreements are the signed agreements of the caller among those a listing requires once. A185.
type ListingAgreements struct {
	Agreed []ListingAgreement `json:"agreed" doc:"Agreements required once, with a current acceptance of the caller."`
}

// ListingAgreement is a document signed by the caller.
type ListingAgreement struct {
	ID         uuid.UUID `json:"id" doc:"The agreement document."`
	AcceptedAt time.Time `json:"acceptedAt" doc:"When the caller signed it."`
}

// ListingName is an offering id that need not exist. A nonexistent offering requires no agreements.
type ListingName struct {
	OfferingID string `path:"offeringId" doc:"The offering."`
}

type acceptIn struct {
	CartPath
	Agent string `header:"User-Agent" hidden:"true"`
	Body  acceptBody
}

type acceptBody struct {
	Accept []acceptedBody `json:"accept" minItems:"1" maxItems:"100" doc:"Copies the caller signs. All are recorded, or none."`
}

type acceptedBody struct {
	ContentID uuid.UUID       `json:"contentId" doc:"The displayed copy."`
	Shown     agreement.Shown `json:"shown" doc:"Presentation: with a checkbox, or read in full to its end, as a full document requires."`
	Language  string          `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Language of the displayed text, as at path with words=es. By default, or for a language without a translation, the text itself."`
	Attendees []string        `json:"attendees,omitempty" minItems:"1" maxItems:"100" maxLength:"120" doc:"Attendees signed for, by their names in the cart, as a parent or guardian or with their permission; an empty name is the caller. Each is signed for once; an attendee added later needs a signature. By default no attendee is named, and the signature covers the whole cart."`
}

func (a *surface) agreements() {
	const of = "/storefront/carts/{token}/agreements"
	op.Declare(a.Ops, op.Spec{
		ID: "getCartAgreements", Method: "GET", Path: of, Tag: "storefront", Frozen: true,
		Summary: "List the agreements of a cart",
		Description: "Returns the agreements the caller still has to sign and those signed already, on the caller's own " +
			"record with this business, for any cart. Without a session, all agreements of the cart are required.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefront, Errors: []int{401, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (CartAgreements, error) {
		asks, err := a.Checkout.Agreements(ctx, sc, in.Token)
		return showAsks(sc.Tenant, asks), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "acceptCartAgreements", Method: "POST", Path: of, Tag: "storefront",
		Summary: "Sign the agreements of a cart",
		Description: "Records the caller's acceptance of displayed copies on the caller's own record. A repeated call " +
			"records the same acceptance. Returns 409 with details.reason agreement_changed if the text has changed since: " +
			"details.agreements lists the documents with their current copies. The response is that of getCartAgreements.",
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
		Summary: "List signed agreements of an offering",
		Description: "Returns the agreements the offering requires once and for which the caller has a current acceptance. " +
			"Agreements required for every booking are never included. A nonexistent offering requires none. Returns 404 for " +
			"an unreadable address, such as one with a bare %.",
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

// ofCart adds the items of a cart that require a document.
func ofCart(asked wire.RequiredAgreement, k agreement.Requirement) wire.CartAgreement {
	return wire.CartAgreement{RequiredAgreement: asked, ItemIDs: k.Subjects}
}
