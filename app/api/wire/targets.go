package wire

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/patch"
)

// BookingIn is the input of an operation on a booking.
type BookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
}

// BookingTarget is where a booking goes.
type BookingTarget struct {
	OccurrenceID *uuid.UUID `json:"occurrenceId,omitempty" doc:"Another date of the class."`
	StartsAt     *time.Time `json:"startsAt,omitempty" doc:"Another time of the appointment or rental."`
	Minutes      int        `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"As long as before when left out."`
	MemberID     *uuid.UUID `json:"memberId,omitempty" doc:"Anyone when left out."`
	SpaceID      *uuid.UUID `json:"spaceId,omitempty" doc:"Any of the offering's when left out."`
}

// Target returns the target as the booking package takes it.
func (t BookingTarget) Target() booking.Target {
	out := booking.Target{Minutes: t.Minutes, MemberID: t.MemberID, SpaceID: t.SpaceID}
	patch.Set(&out.OccurrenceID, t.OccurrenceID)
	patch.Set(&out.StartsAt, t.StartsAt)
	return out
}
