package wire

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/waitlist"
)

// WaitlistPlace is a place on the waitlist of a date, as its customer sees it.
type WaitlistPlace struct {
	ID             uuid.UUID              `json:"id"`
	Token          string                 `json:"token" doc:"The right to answer and to leave, and the place's name in addresses."`
	BusinessID     uuid.UUID              `json:"businessId"`
	BusinessName   string                 `json:"businessName"`
	LocationID     uuid.UUID              `json:"locationId"`
	LocationName   string                 `json:"locationName"`
	OfferingID     uuid.UUID              `json:"offeringId"`
	OfferingName   string                 `json:"offeringName"`
	OccurrenceID   uuid.UUID              `json:"occurrenceId"`
	StartsAt       time.Time              `json:"startsAt"`
	EndsAt         time.Time              `json:"endsAt"`
	Zone           string                 `json:"zone" doc:"The wall clock of the times."`
	Instructor     string                 `json:"instructor" doc:"Empty: nobody is named."`
	Space          string                 `json:"space" doc:"Empty: none is named."`
	Cancelled      bool                   `json:"cancelled" doc:"The date does not take place."`
	State          waitlist.State         `json:"state" doc:"offer_expired and skipped_payment wait again once everybody was asked."`
	Mode           catalog.WaitlistMode   `json:"mode" doc:"auto: the first in line is booked and told. offer: they are asked. race: all are told, and the first to accept wins."`
	Position       *int                   `json:"position" doc:"1 is first. Null where it is not shown, and when nobody waits any more."`
	Party          int                    `json:"party" doc:"Seats."`
	Attendee       string                 `json:"attendee" doc:"Who is coming, when it is somebody else."`
	PaymentChoice  waitlist.PaymentChoice `json:"paymentChoice"`
	DropIfPromoted bool                   `json:"dropIfPromoted"`
	Price          int64                  `json:"price" doc:"As listed, of all seats, in minor units."`
	Currency       string                 `json:"currency"`
	Acceptable     bool                   `json:"acceptable" doc:"There is something to accept now."`
	OfferUntil     *time.Time             `json:"offerUntil" doc:"While a seat is kept: until when."`
	AsksUntil      time.Time              `json:"asksUntil" doc:"From then on nobody is asked."`
	GraceUntil     *time.Time             `json:"graceUntil" doc:"Booked late and unasked: until then cancelling is free of charge."`
	BookingID      *uuid.UUID             `json:"bookingId" doc:"What it became."`
	CreatedAt      time.Time              `json:"createdAt"`
}

// WaitReasons tells which codes a refusal can carry besides those of booking itself.
var WaitReasons = " details.reason of a refusal, besides those of booking: " + strings.Join(waitlist.Reasons, ", ") + "."

// ShowPlace returns a waitlist entry as its customer sees it.
func (a Surface) ShowPlace(w waitlist.CustomerEntry) WaitlistPlace {
	return WaitlistPlace{
		ID: w.ID, Token: a.Waitlist.Token(w.ID), BusinessID: w.BusinessID, BusinessName: w.BusinessName, LocationID: w.LocationID,
		LocationName: w.LocationName, OfferingID: w.OfferingID, OfferingName: w.OfferingName, OccurrenceID: w.OccurrenceID,
		StartsAt: w.StartsAt, EndsAt: w.EndsAt, Zone: w.Zone, Instructor: w.Instructor, Space: w.Space,
		Cancelled: w.Cancelled, State: w.State, Mode: w.Mode, Position: w.Position, Party: w.Party, Attendee: w.Attendee,
		PaymentChoice: w.PaymentChoice, DropIfPromoted: w.DropIfPromoted, Price: w.PriceAmount, Currency: string(w.Currency),
		Acceptable: w.Acceptable, OfferUntil: w.OfferUntil, AsksUntil: w.AsksUntil,
		GraceUntil: w.GraceUntil, BookingID: w.BookingID, CreatedAt: w.CreatedAt,
	}
}
