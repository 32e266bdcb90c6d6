package me

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// BookingAgreements are the required agreements of an own booking.
type BookingAgreements struct {
	Attendee string                   `json:"attendee" doc:"Name of the attendee, if it is not the customer. The agreements are then required for the attendee."`
	ToAccept []BookingAgreement       `json:"toAccept" doc:"Agreements the caller still has to sign before the visit."`
	Agreed   []AgreedBookingAgreement `json:"agreed" doc:"Signed agreements, each with its signed copy and acceptedAt."`
}

// BookingAgreement is a required agreement of an own booking.
type BookingAgreement struct{ wire.RequiredAgreement }

// AgreedBookingAgreement is a required agreement of an own booking that the caller has signed.
type AgreedBookingAgreement struct {
	BookingAgreement
	AcceptedAt time.Time `json:"acceptedAt" doc:"When the caller signed it. kind, path, contentId and the text are those of the signed copy."`
}

type signAgreementsIn struct {
	Agent string `header:"User-Agent" hidden:"true"`
	Body  signBody
}

type signBody struct {
	BookingID uuid.UUID    `json:"bookingId" doc:"An own booking. It determines the studio."`
	Accept    []signedCopy `json:"accept" minItems:"1" maxItems:"100" doc:"Copies the caller signs. All are recorded, or none."`
}

type signedCopy struct {
	ContentID uuid.UUID       `json:"contentId" doc:"The displayed copy."`
	Shown     agreement.Shown `json:"shown" doc:"Presentation: with a checkbox, or read in full to its end, as a full document requires."`
	Language  string          `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Language of the displayed text, as at path with words=es. By default, or for a language without a translation, the text itself."`
	Attendees []string        `json:"attendees,omitempty" minItems:"1" maxItems:"100" maxLength:"120" doc:"Attendees signed for, by their names in the bookings, as a parent or guardian or with their permission; an empty name is the caller. The default is the caller."`
}

func (a *surface) dueAgreements() {
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBookingAgreements", Method: "GET", Path: "/me/bookings/{bookingId}/agreements", Tag: "me",
		Summary: "List the agreements of an own booking",
		Description: "Returns the agreements the signed-in person still has to sign before the visit, because the studio " +
			"made the booking or requires a new signature, and those signed already. A past booking requires none. Returns " +
			"404 for another person's booking.",
		Access: op.Session, Errors: []int{401, 403, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (BookingAgreements, error) {
		b, at, err := a.ownBooking(ctx, sc, in.BookingID)
		if err != nil {
			return BookingAgreements{}, err
		}
		asks, err := a.Agreement.MyOutstanding(ctx, at)
		return showDue(b, asks), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "signMyAgreements", Method: "POST", Path: "/me/agreements", Tag: "me",
		Summary: "Sign the agreements of own bookings",
		Description: "Records the signed-in person's acceptance of displayed copies. An agreement required once is signed " +
			"for good; one required for every booking is signed for each upcoming booking with that studio that lacks it, for " +
			"the given attendees. A repeated call records the same acceptance. Returns 409 with details.reason " +
			"agreement_changed if the text has changed since: details.agreements lists the documents with their current " +
			"copies. The response is that of getMyBookingAgreements.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *signAgreementsIn) (BookingAgreements, error) {
		b, at, err := a.ownBooking(ctx, sc, in.Body.BookingID)
		if err != nil {
			return BookingAgreements{}, err
		}
		asks, err := a.Agreement.Sign(ctx, at, agreement.AcceptInput{
			UserAgent: in.Agent,
			Accept:    wire.Show(in.Body.Accept, func(b signedCopy) agreement.Accepted { return agreement.Accepted(b) }),
		})
		return showDue(b, asks), err
	})
}

// ownBooking returns a booking of the caller, with the caller's scope in its business.
func (a *surface) ownBooking(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (booking.CustomerBooking, tenancy.Scope, error) {
	b, err := a.Booking.MyBooking(ctx, sc.Principal, id)
	at := tenancy.Visitor(sc.Principal, b.BusinessID, sc.Surface)
	at.Visitor = sc.Visitor
	return b, at, err
}

// showDue returns the required agreements of a booking.
func showDue(b booking.CustomerBooking, asks []agreement.Requirement) BookingAgreements {
	out := BookingAgreements{Attendee: b.Attendee, ToAccept: []BookingAgreement{}, Agreed: []AgreedBookingAgreement{}}
	for _, k := range asks {
		if !slices.Contains(k.Subjects, b.ID) {
			continue
		}
		if slices.Contains(k.Open, b.ID) {
			out.ToAccept = append(out.ToAccept, BookingAgreement{wire.ShowRequired(b.BusinessID, k)})
			continue
		}
		asked, at := wire.ShowAgreed(b.BusinessID, k)
		out.Agreed = append(out.Agreed, AgreedBookingAgreement{BookingAgreement{asked}, at})
	}
	return out
}
