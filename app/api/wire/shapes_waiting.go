package wire

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/waitlist"
)

// CustomerWaitlistEntry is a waitlist entry for its customer.
type CustomerWaitlistEntry struct {
	ID             uuid.UUID              `json:"id"`
	Token          string                 `json:"token" doc:"Token of the entry. It authorizes accepting, declining and leaving, and is part of the entry's address."`
	BusinessID     uuid.UUID              `json:"businessId"`
	BusinessName   string                 `json:"businessName"`
	LocationID     uuid.UUID              `json:"locationId"`
	LocationName   string                 `json:"locationName"`
	OfferingID     uuid.UUID              `json:"offeringId"`
	OfferingName   string                 `json:"offeringName"`
	OccurrenceID   uuid.UUID              `json:"occurrenceId"`
	StartsAt       time.Time              `json:"startsAt"`
	EndsAt         time.Time              `json:"endsAt"`
	Zone           string                 `json:"zone" doc:"Time zone of the times."`
	Instructor     string                 `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space          string                 `json:"space" doc:"Name of the space; empty if none is assigned."`
	Cancelled      bool                   `json:"cancelled" doc:"Whether the date is cancelled."`
	State          waitlist.State         `json:"state" doc:"State of the entry. offer_expired and skipped_payment return to waiting once every entry had an offer."`
	Mode           catalog.WaitlistMode   `json:"mode" doc:"Mode of the waitlist. auto: the first entry is booked and notified. offer: entries get an offer one after another. race: all are notified, and the first to accept is booked."`
	Position       *int                   `json:"position" doc:"Position on the waitlist; 1 is first. Null if it is hidden or the entry no longer waits."`
	Party          int                    `json:"party" doc:"Number of seats."`
	Attendee       string                 `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	PaymentChoice  waitlist.PaymentChoice `json:"paymentChoice"`
	DropIfPromoted bool                   `json:"dropIfPromoted"`
	Price          int64                  `json:"price" doc:"Listed price of all seats, in minor units."`
	Currency       string                 `json:"currency"`
	Acceptable     bool                   `json:"acceptable" doc:"Whether there is an offer to accept now."`
	OfferUntil     *time.Time             `json:"offerUntil" doc:"Until when the offered seat is reserved."`
	OffersUntil    time.Time              `json:"offersUntil" doc:"Time from which no more offers are made."`
	GraceUntil     *time.Time             `json:"graceUntil" doc:"For a late promotion without consent: until when cancelling is free of charge."`
	BookingID      *uuid.UUID             `json:"bookingId" doc:"The resulting booking."`
	CreatedAt      time.Time              `json:"createdAt"`
}

// WaitReasons describes the reasons of a waitlist refusal in addition to those of booking itself.
var WaitReasons = " details.reason of a refusal, in addition to those of booking: " +
	strings.Join(waitlist.Reasons, ", ") + "."

// ShowWaitlistEntry returns a waitlist entry for its customer.
func (a Surface) ShowWaitlistEntry(w waitlist.CustomerEntry) CustomerWaitlistEntry {
	return CustomerWaitlistEntry{
		ID: w.ID, Token: a.Waitlist.Token(w.ID), BusinessID: w.BusinessID, BusinessName: w.BusinessName, LocationID: w.LocationID,
		LocationName: w.LocationName, OfferingID: w.OfferingID, OfferingName: w.OfferingName, OccurrenceID: w.OccurrenceID,
		StartsAt: w.StartsAt, EndsAt: w.EndsAt, Zone: w.Zone, Instructor: w.Instructor, Space: w.Space,
		Cancelled: w.Cancelled, State: w.State, Mode: w.Mode, Position: w.Position, Party: w.Party, Attendee: w.Attendee,
		PaymentChoice: w.PaymentChoice, DropIfPromoted: w.DropIfPromoted, Price: w.PriceAmount, Currency: string(w.Currency),
		Acceptable: w.Acceptable, OfferUntil: w.OfferUntil, OffersUntil: w.OffersUntil,
		GraceUntil: w.GraceUntil, BookingID: w.BookingID, CreatedAt: w.CreatedAt,
	}
}
