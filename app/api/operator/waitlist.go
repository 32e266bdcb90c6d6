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

// Waitlist is who waits for a date, as operators see it.
type Waitlist struct {
	OccurrenceID   uuid.UUID            `json:"occurrenceId"`
	OfferingID     uuid.UUID            `json:"offeringId"`
	LocationID     uuid.UUID            `json:"locationId"`
	StartsAt       time.Time            `json:"startsAt"`
	Zone           string               `json:"zone" doc:"The wall clock of the times."`
	State          schedule.State       `json:"state"`
	Mode           catalog.WaitlistMode `json:"mode" doc:"How a free seat finds its next person."`
	AsksUntil      time.Time            `json:"asksUntil" doc:"From then on nobody is added or asked."`
	Capacity       int                  `json:"capacity"`
	OnlineCapacity int                  `json:"onlineCapacity"`
	Taken          int                  `json:"taken" doc:"Seats held or booked."`
	Offered        int                  `json:"offered" doc:"Seats on offer to those who wait: they count as taken."`
	Entries        []WaitlistEntry      `json:"entries" doc:"In their order."`
	NextCursor     *string              `json:"nextCursor" doc:"Pass it as cursor for the next page of entries; null at the end."`
}

// WaitlistEntry is one entry of a waitlist, and why it stands where it stands.
type WaitlistEntry struct {
	ID             uuid.UUID              `json:"id"`
	CustomerID     uuid.UUID              `json:"customerId"`
	CustomerName   string                 `json:"customerName" doc:"May be empty."`
	CustomerEmail  string                 `json:"customerEmail"`
	CustomerPhone  string                 `json:"customerPhone"`
	Attendee       string                 `json:"attendee" doc:"Who is coming, when it is somebody else."`
	Party          int                    `json:"party" doc:"Seats."`
	State          waitlist.State         `json:"state" doc:"offer_expired and skipped_payment wait again once everybody was asked."`
	Position       *int                   `json:"position" doc:"1 is first; null for who does not wait now."`
	PaymentChoice  waitlist.PaymentChoice `json:"paymentChoice"`
	ConsentAt      *time.Time             `json:"consentAt" doc:"To the saved card being charged."`
	DropIfPromoted bool                   `json:"dropIfPromoted"`
	OfferedAt      *time.Time             `json:"offeredAt" doc:"The last offer."`
	OfferUntil     *time.Time             `json:"offerUntil" doc:"While one is open."`
	BookingID      *uuid.UUID             `json:"bookingId" doc:"What it became."`
	Version        int64                  `json:"version"`
	CreatedAt      time.Time              `json:"createdAt"`
	Log            []WaitlistTransition   `json:"log" doc:"Every change, and why; the oldest first."`
}

// WaitlistTransition is one change of an entry.
type WaitlistTransition struct {
	From      string    `json:"from" doc:"Empty for the first; the same as to for a remark."`
	To        string    `json:"to"`
	Reason    string    `json:"reason"`
	ActorKind string    `json:"actorKind" enum:",person,key,system"`
	ActorName string    `json:"actorName" doc:"May be empty."`
	At        time.Time `json:"at"`
}

// DatePath names a date of an offering.
type DatePath struct {
	OfferingPath
	OccurrenceID uuid.UUID `path:"occurrenceId" doc:"The date."`
}

// EntryPath names an entry of its waitlist.
type EntryPath struct {
	DatePath
	EntryID uuid.UUID `path:"entryId" doc:"The entry."`
}

type getWaitlistIn struct {
	DatePath
	op.Page
	Show string `query:"show" enum:"open,all" default:"open" doc:"Who may still get a seat, or everybody who ever waited."`
}

type addWaiterIn struct {
	DatePath
	Body addWaiterBody
}

type addWaiterBody struct {
	CustomerID     uuid.UUID `json:"customerId"`
	Party          int       `json:"party,omitempty" minimum:"1" maximum:"100" doc:"Seats; 1 when left out."`
	Attendee       string    `json:"attendee,omitempty" maxLength:"120" doc:"Who is coming, when it is somebody else."`
	DropIfPromoted bool      `json:"dropIfPromoted,omitempty"`
	Reason         string    `json:"reason,omitempty" maxLength:"500" doc:"For the log."`
}

type decideIn struct {
	EntryPath
	Body *decideBody
}

type decideBody struct {
	Override bool   `json:"override,omitempty" doc:"Where there is no room the date gets more seats. Needs booking.override and a reason."`
	Reason   string `json:"reason,omitempty" maxLength:"500" doc:"For the log."`
}

type skipIn struct {
	EntryPath
	Body *skipBody
}

type skipBody struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"For the log."`
}

type moveWaiterIn struct {
	EntryPath
	Body moveWaiterBody
}

type moveWaiterBody struct {
	Position int    `json:"position" minimum:"1" doc:"1 is first; a number beyond the end is the last place."`
	Reason   string `json:"reason,omitempty" maxLength:"500" doc:"For the log."`
}

func (a *surface) waitlists() {
	const path = "/offerings/{id}/occurrences/{occurrenceId}/waitlist"
	declare(a, op.Spec{
		ID: "getWaitlist", Method: "GET", Path: path, Tag: "bookings", Compact: true, Summary: "Get a waitlist", Feature: "booking.view",
		Description: "Who waits for a date, in order, each with a log that says why they stand where they stand. Who teaches it may see it too.",
	}, a.getWaitlist)
	declare(a, op.Spec{
		ID: "addToWaitlist", Method: "POST", Path: path, Tag: "bookings", Summary: "Put a customer on a waitlist", Feature: "booking.manage", Success: 201,
		Description: "At the end, for a date that is full for their party. Who waits there already keeps the place.",
	}, a.addEntry)
	declare(a, op.Spec{
		ID: "removeFromWaitlist", Method: "DELETE", Path: path + "/{entryId}", Tag: "bookings", Summary: "Take somebody off a waitlist",
		Description: "An open offer goes to the next in line.",
		Feature:     "booking.manage", Errors: wire.ChangeErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *EntryPath) (op.NoContent, error) {
		return op.NoContent{}, a.Waitlist.Remove(ctx, sc, in.input())
	})
	a.waitlistDecisions(path + "/{entryId}")
}

// waitlistDecisions are what the studio can decide about an entry.
func (a *surface) waitlistDecisions(path string) {
	declare(a, op.Spec{
		ID: "promoteFromWaitlist", Method: "POST", Path: path + "/promote", Tag: "bookings", Summary: "Book somebody from a waitlist",
		Description: "Whatever their place. Over capacity it needs booking.override and a reason, and the date gets more seats." + wire.WaitReasons,
		Feature:     "booking.manage",
	}, a.decide((*waitlist.Service).Promote))
	declare(a, op.Spec{
		ID: "offerFromWaitlist", Method: "POST", Path: path + "/offer", Tag: "bookings", Summary: "Offer somebody a seat", Feature: "booking.manage",
		Description: "Whatever their place. Over capacity it needs booking.override and a reason, and the date gets more seats.",
	}, a.decide((*waitlist.Service).Offer))
	declare(a, op.Spec{
		ID: "skipOnWaitlist", Method: "POST", Path: path + "/skip", Tag: "bookings", Summary: "Pass somebody over", Feature: "booking.manage",
		Description: "An open offer is taken back and the next in line is asked. Once everybody was asked they wait at their place again.",
	}, func(ctx context.Context, sc tenancy.Scope, in *skipIn) (WaitlistEntry, error) {
		input := in.input()
		if in.Body != nil {
			input.Reason = in.Body.Reason
		}
		e, err := a.Waitlist.Skip(ctx, sc, input)
		return showWaitlistEntry(e), err
	})
	declare(a, op.Spec{
		ID: "moveOnWaitlist", Method: "POST", Path: path + "/move", Tag: "bookings", Summary: "Give somebody another place in line", Feature: "booking.manage",
		Description: "Among those who wait.",
	}, func(ctx context.Context, sc tenancy.Scope, in *moveWaiterIn) (WaitlistEntry, error) {
		input := in.input()
		input.Reason = in.Body.Reason
		e, err := a.Waitlist.Reorder(ctx, sc, input, in.Body.Position)
		return showWaitlistEntry(e), err
	})
}

// decide answers with the entry after a verb that may make room.
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
		State: w.State, Mode: w.Mode, AsksUntil: w.AsksUntil, Capacity: w.Capacity,
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
