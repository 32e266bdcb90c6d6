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

// BookingTarget is the new time of a rescheduled booking.
type BookingTarget struct {
	OccurrenceID *uuid.UUID `json:"occurrenceId,omitempty" doc:"Another date of the class."`
	StartsAt     *time.Time `json:"startsAt,omitempty" doc:"Another time of the appointment or rental."`
	Minutes      int        `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. The default is the current length."`
	MemberID     *uuid.UUID `json:"memberId,omitempty" doc:"The instructor. The default is any available one."`
	SpaceID      *uuid.UUID `json:"spaceId,omitempty" doc:"The space. The default is any of the offering's."`
}

// Target returns the target as a type of the booking package.
func (t BookingTarget) Target() booking.Target {
	out := booking.Target{Minutes: t.Minutes, MemberID: t.MemberID, SpaceID: t.SpaceID}
	patch.Set(&out.OccurrenceID, t.OccurrenceID)
	patch.Set(&out.StartsAt, t.StartsAt)
	return out
}
