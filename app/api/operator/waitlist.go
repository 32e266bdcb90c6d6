package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/catalog"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/app/web/op"
)

// Waitlist is the waitlist of a date for the team.
type Waitlist struct {
	OccurrenceID   uuid.UUID            `json:"occurrenceId"`
	OfferingID     uuid.UUID            `json:"offeringId"`
	LocationID     uuid.UUID            `json:"locationId"`
	StartsAt       time.Time            `json:"startsAt"`
	Zone           string               `json:"zone" doc:"Time zone of the times."`
	State          schedule.State       `json:"state"`
	Mode           catalog.WaitlistMode `json:"mode" doc:"Mode: how a free seat is offered to the next entry."`
	OffersUntil    time.Time            `json:"offersUntil" doc:"Time from which the waitlist accepts no entries and makes no offers."`
	Capacity       int                  `json:"capacity"`
	OnlineCapacity int                  `json:"onlineCapacity"`
	Taken          int                  `json:"taken" doc:"Seats held or booked."`
	Offered        int                  `json:"offered" doc:"Seats offered to waitlist entries; they count as booked."`
	Entries        []WaitlistEntry      `json:"entries" doc:"Entries, in order."`
	NextCursor     *string              `json:"nextCursor" doc:"Cursor of the next page of entries; null at the end."`
}

// WaitlistEntry is one entry of a waitlist with the log that explains its position.
type WaitlistEntry struct {
	ID             uuid.UUID              `json:"id"`
	CustomerID     uuid.UUID              `json:"customerId"`
	CustomerName   string                 `json:"customerName" doc:"The customer's name; may be empty."`
	CustomerEmail  string                 `json:"customerEmail"`
	CustomerPhone  string                 `json:"customerPhone"`
	Attendee       string                 `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	Party          int                    `json:"party" doc:"Number of seats."`
	State          waitlist.State         `json:"state" doc:"State of the entry. offer_expired and skipped_payment return to waiting once every entry had an offer."`
	Position       *int                   `json:"position" doc:"Position; 1 is first. Null if the entry does not wait now."`
	PaymentChoice  waitlist.PaymentChoice `json:"paymentChoice"`
	ConsentAt      *time.Time             `json:"consentAt" doc:"When the customer consented to a charge of the saved card."`
	DropIfPromoted bool                   `json:"dropIfPromoted"`
	OfferedAt      *time.Time             `json:"offeredAt" doc:"When the latest offer was made."`
	OfferUntil     *time.Time             `json:"offerUntil" doc:"Until when the open offer is valid."`
	BookingID      *uuid.UUID             `json:"bookingId" doc:"The resulting booking."`
	Version        int64                  `json:"version"`
	CreatedAt      time.Time              `json:"createdAt"`
	Log            []WaitlistTransition   `json:"log" doc:"Every transition with its reason, oldest first."`
}

// WaitlistTransition is one change of an entry.
type WaitlistTransition struct {
	From      string    `json:"from" doc:"State before the transition; empty for the first one, and the same as to for a remark."`
	To        string    `json:"to"`
	Reason    string    `json:"reason"`
	ActorKind string    `json:"actorKind" enum:",person,key,system"`
	ActorName string    `json:"actorName" doc:"Name of the actor; may be empty."`
	At        time.Time `json:"at"`
}

// DatePath is the path of a date of an offering.
type DatePath struct {
	OfferingPath
	OccurrenceID uuid.UUID `path:"occurrenceId" doc:"The date."`
}

// EntryPath is the path of a waitlist entry.
type EntryPath struct {
	DatePath
	EntryID uuid.UUID `path:"entryId" doc:"The entry."`
}

type getWaitlistIn struct {
	DatePath
	op.Page
	Show string `query:"show" enum:"open,all" default:"open" doc:"Open entries only, or all entries."`
}

type addWaiterIn struct {
	DatePath
	Body addWaiterBody
}

type addWaiterBody struct {
	CustomerID     uuid.UUID `json:"customerId"`
	Party          int       `json:"party,omitempty" minimum:"1" maximum:"100" doc:"Number of seats. The default is 1."`
	Attendee       string    `json:"attendee,omitempty" maxLength:"120" doc:"Name of the attendee, if it is not the customer."`
	DropIfPromoted bool      `json:"dropIfPromoted,omitempty"`
	Reason         string    `json:"reason,omitempty" maxLength:"500" doc:"Reason, for the log."`
}

type decideIn struct {
	EntryPath
	Body *decideBody
}

type decideBody struct {
	Override bool   `json:"override,omitempty" doc:"Adds seats to the date if it is full. Requires booking.override and a reason."`
	Reason   string `json:"reason,omitempty" maxLength:"500" doc:"Reason, for the log."`
}

type skipIn struct {
	EntryPath
	Body *skipBody
}

type skipBody struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"Reason, for the log."`
}

type reorderWaitlistIn struct {
	EntryPath
	Body reorderWaitlistBody
}

type reorderWaitlistBody struct {
	Position int    `json:"position" minimum:"1" doc:"Position; 1 is first. A number beyond the end is the last position."`
	Reason   string `json:"reason,omitempty" maxLength:"500" doc:"Reason, for the log."`
}

func (a *surface) waitlists() {
	const path = "/offerings/{id}/occurrences/{occurrenceId}/waitlist"
	declare(a, op.Spec{
		ID: "getWaitlist", Method: "GET", Path: path, Tag: "bookings", Summary: "Get a waitlist", Feature: "booking.view",
		Description: "Returns the waitlist of a date in order, each entry with a log that explains its position. The " +
			"instructor of the date can see it too.",
	}, a.getWaitlist)
	declare(a, op.Spec{
		ID: "addToWaitlist", Method: "POST", Path: path, Tag: "bookings",
		Summary: "Add a customer to a waitlist", Feature: "booking.manage", Success: 201,
		Description: "Adds the customer at the end, for a date that is full for the party. A customer who waits already " +
			"keeps the position.",
	}, a.addEntry)
	declare(a, op.Spec{
		ID: "removeFromWaitlist", Method: "DELETE", Path: path + "/{entryId}", Tag: "bookings",
		Summary:     "Remove an entry from a waitlist",
		Description: "An open offer goes to the next entry.",
		Feature:     "booking.manage", Errors: wire.ChangeErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *EntryPath) (op.NoContent, error) {
		return op.NoContent{}, a.Waitlist.Remove(ctx, sc, in.input())
	})
	a.waitlistDecisions(path + "/{entryId}")
}

// waitlistDecisions declares the studio's actions on an entry.
func (a *surface) waitlistDecisions(path string) {
	declare(a, op.Spec{
		ID: "promoteFromWaitlist", Method: "POST", Path: path + "/promote", Tag: "bookings",
		Summary: "Book an entry of a waitlist",
		Description: "Books the entry at any position. Over capacity this requires booking.override and a reason, and the " +
			"date gets more seats." +
			wire.WaitReasons,
		Feature: "booking.manage",
	}, a.decide((*waitlist.Service).Promote))
	declare(a, op.Spec{
		ID: "offerFromWaitlist", Method: "POST", Path: path + "/offer", Tag: "bookings",
		Summary: "Offer a seat to an entry", Feature: "booking.manage",
		Description: "Offers a seat to the entry at any position. Over capacity this requires booking.override and a " +
			"reason, and the date gets more seats.",
	}, a.decide((*waitlist.Service).Offer))
	declare(a, op.Spec{
		ID: "skipOnWaitlist", Method: "POST", Path: path + "/skip", Tag: "bookings",
		Summary: "Skip an entry", Feature: "booking.manage",
		Description: "An open offer is withdrawn and goes to the next entry. Once every entry had an offer, this entry " +
			"waits at its position again.",
	}, func(ctx context.Context, sc tenancy.Scope, in *skipIn) (WaitlistEntry, error) {
		input := in.input()
		if in.Body != nil {
			input.Reason = in.Body.Reason
		}
		e, err := a.Waitlist.Skip(ctx, sc, input)
		return showWaitlistEntry(e), err
	})
	declare(a, op.Spec{
		ID: "reorderWaitlist", Method: "POST", Path: path + "/reorder", Tag: "bookings",
		Summary: "Reposition an entry", Feature: "booking.manage",
		Description: "Changes the position of a waiting entry.",
	}, func(ctx context.Context, sc tenancy.Scope, in *reorderWaitlistIn) (WaitlistEntry, error) {
		input := in.input()
		input.Reason = in.Body.Reason
		e, err := a.Waitlist.Reorder(ctx, sc, input, in.Body.Position)
		return showWaitlistEntry(e), err
	})
}

// decide returns the entry after a verb that may add seats.
func (a *surface) decide(verb func(*waitlist.Service, context.Context, tenancy.Scope, waitlist.EntryInput) (waitlist.StudioEntry, error)) func(context.Context, tenancy.Scope, *decideIn) (WaitlistEntry, error) {
	return func(ctx context.Context, sc tenancy.Scope, in *decideIn) (WaitlistEntry, error) {
		input := in.input()
		if in.Body != nil {
			input.Override, input.Reason = in.Body.Override, in.Body.Reason
		}
		e, err := verb(a.Waitlist, ctx, sc, input)
		return showWaitlistEntry(e), err
	}
}

func (p EntryPath) input() waitlist.EntryInput {
	return waitlist.EntryInput{OfferingID: p.ID, OccurrenceID: p.OccurrenceID, EntryID: p.EntryID}
}

func (a *surface) getWaitlist(ctx context.Context, sc tenancy.Scope, in *getWaitlistIn) (Waitlist, error) {
	list := op.ListKey("waitlist", in.OccurrenceID, in.Show)
	page, err := wire.In[waitlist.Key](a.Cursors, sc, list, in.Page)
	if err != nil {
		return Waitlist{}, err
	}
	w, err := a.Waitlist.List(ctx, sc, waitlist.ListInput{
		OfferingID: in.ID, OccurrenceID: in.OccurrenceID, Ended: in.Show == "all", Page: page,
	})
	entries := wire.List(a.Cursors, sc, list, w.Entries, showWaitlistEntry)
	return Waitlist{
		OccurrenceID: w.OccurrenceID, OfferingID: w.OfferingID, LocationID: w.LocationID, StartsAt: w.StartsAt, Zone: w.Zone,
		State: w.State, Mode: w.Mode, OffersUntil: w.OffersUntil, Capacity: w.Capacity,
		OnlineCapacity: w.OnlineCapacity, Taken: w.Taken, Offered: w.Offered, Entries: entries.Items, NextCursor: entries.NextCursor,
	}, err
}

func (a *surface) addEntry(ctx context.Context, sc tenancy.Scope, in *addWaiterIn) (WaitlistEntry, error) {
	b := in.Body
	e, err := a.Waitlist.Add(ctx, sc, waitlist.AddInput{
		CustomerID: b.CustomerID, Reason: b.Reason,
		JoinInput: waitlist.JoinInput{
			OfferingID: in.ID, OccurrenceID: in.OccurrenceID, Party: b.Party, Attendee: b.Attendee, DropIfPromoted: b.DropIfPromoted,
		},
	})
	return showWaitlistEntry(e), err
}

func showWaitlistEntry(e waitlist.StudioEntry) WaitlistEntry {
	out := WaitlistEntry{
		ID: e.ID, CustomerID: e.CustomerID, CustomerName: e.CustomerName, CustomerEmail: e.CustomerEmail, CustomerPhone: e.CustomerPhone,
		Attendee: e.Attendee, Party: e.Party, State: e.State, PaymentChoice: e.PaymentChoice,
		ConsentAt: e.ConsentAt, DropIfPromoted: e.DropIfPromoted, OfferedAt: e.OfferedAt,
		OfferUntil: e.OfferUntil, BookingID: e.BookingID, Version: e.Version, CreatedAt: e.CreatedAt,
		Log: wire.Show(e.Log, func(m waitlist.Change) WaitlistTransition {
			return WaitlistTransition{
				From: string(m.From), To: string(m.To), Reason: m.Reason, ActorKind: string(m.ActorKind), ActorName: m.ActorName,
				At: m.At,
			}
		}),
	}
	if e.Position > 0 {
		out.Position = &e.Position
	}
	return out
}
