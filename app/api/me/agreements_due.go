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

// BookingAgreements are what an own booking asks to agree to.
type BookingAgreements struct {
	Attendee string                   `json:"attendee" doc:"Who is coming, when it is somebody else: what is asked is asked for them."`
	ToAccept []BookingAgreement       `json:"toAccept" doc:"What the caller still needs to agree to before their visit."`
	Agreed   []AgreedBookingAgreement `json:"agreed" doc:"What of it they have agreed to, each as it was then, with acceptedAt."`
}

// BookingAgreement is a document that an own booking asks for.
type BookingAgreement struct{ wire.RequiredAgreement }

// AgreedBookingAgreement is a document that an own booking asks for and the caller has agreed to.
type AgreedBookingAgreement struct {
	BookingAgreement
	AcceptedAt time.Time `json:"acceptedAt" doc:"When the caller agreed to it. kind, path, contentId and the words are those of the copy that they agreed to."`
}

type signAgreementsIn struct {
	Agent string `header:"User-Agent" hidden:"true"`
	Body  signBody
}

type signBody struct {
	BookingID uuid.UUID    `json:"bookingId" doc:"An own booking, which says with which studio."`
	Accept    []signedCopy `json:"accept" minItems:"1" maxItems:"100" doc:"What the caller agrees to: all of it is recorded, or nothing."`
}

type signedCopy struct {
	ContentID uuid.UUID       `json:"contentId" doc:"The copy that was shown."`
	Shown     agreement.Shown `json:"shown" doc:"How it was shown: a tick, or read in full to its end, which a full document needs."`
	Language  string          `json:"language,omitempty" enum:"en,de,es,fr,it,nl,pt" doc:"Of the words that were shown, as they are at path with words=es. Left out, or one that the copy is not in: the words themselves."`
	Attendees []string        `json:"attendees,omitempty" minItems:"1" maxItems:"100" maxLength:"120" doc:"For whom: who comes with the caller by the names that the bookings have, as a parent or guardian or with their permission, and the caller as an empty one. Left out: the caller."`
}

func (a *surface) dueAgreements() {
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBookingAgreements", Method: "GET", Path: "/me/bookings/{bookingId}/agreements", Tag: "me", Compact: true,
		Summary: "See what an own booking asks to agree to", Description: "What the signed-in person still needs to agree to before the visit, because the studio booked it or asks anew, " +
			"and what of it they have agreed to. A booking that is over asks for nothing, and somebody else's is not found.",
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
		ID: "signMyAgreements", Method: "POST", Path: "/me/agreements", Tag: "me", Compact: true,
		Summary: "Agree to what own bookings ask", Description: "Records that the signed-in person agrees to copies that were shown to them: a document that is asked once for good, one of every booking " +
			"for each of their bookings with that studio that is to come and lacks it, of those whom they name. Sent again, it is the same acceptance. 409 with details.reason agreement_changed when the words " +
			"have changed since: details.agreements are the documents with their copies of now. Answers what getMyBookingAgreements does.",
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

// ownBooking is a booking of the caller, with their scope in its business.
func (a *surface) ownBooking(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (booking.CustomerBooking, tenancy.Scope, error) {
	b, err := a.Booking.MyBooking(ctx, sc.Principal, id)
	at := tenancy.Visitor(sc.Principal, b.BusinessID, sc.Surface)
	at.Visitor = sc.Visitor
	return b, at, err
}

// showDue shows what one booking asks for.
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
