package wire

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/sales"
	"foyer/app/till"
)

// CancelEffects is what cancelling a booking does, in minor units.
type CancelEffects struct {
	BookingID uuid.UUID `json:"bookingId"`
	StartsAt  time.Time `json:"startsAt"`
	State     string    `json:"state" enum:"cancelled,late_cancelled,studio_cancelled" doc:"That it leads to."`
	Late      bool      `json:"late"`
	Currency  string    `json:"currency"`
	Refund    int64     `json:"back" doc:"Goes back to the card."`
	Credit    int64     `json:"credit" doc:"Becomes account credit: what was paid with it, or all that comes back where it was asked for."`
	Desk      int64     `json:"desk" doc:"Was paid at the desk, and is to be handed back there."`
	Forfeited int64     `json:"forfeited" doc:"Was paid and does not come back."`
	Fee       int64     `json:"fee" doc:"Of the policy."`
	FeeState  string    `json:"feeState" enum:",due,waived,forgiven" doc:"What becomes of the fee; empty without one."`
	Told      bool      `json:"told" doc:"The customer gets a mail."`

	Dates []time.Time `json:"dates" doc:"Of a course: the starts of all dates that are cancelled with it; none of anything else."`

	Others []CancelledToo `json:"others" doc:"Of a recurring booking, by scope: those that are cancelled with it. The amounts above are those of the booking that was named."`
}

// CancelledToo is a booking that is cancelled with another one that recurs, in minor units.
type CancelledToo struct {
	BookingID uuid.UUID `json:"bookingId"`
	StartsAt  time.Time `json:"startsAt"`
	State     string    `json:"state" enum:"cancelled,late_cancelled,studio_cancelled" doc:"That it leads to."`
	Late      bool      `json:"late"`
	Refund    int64     `json:"back" doc:"Goes back to the card."`
	Credit    int64     `json:"credit" doc:"Becomes account credit: what was paid with it, or all that comes back where it was asked for."`
	Desk      int64     `json:"desk" doc:"Was paid at the desk, and is to be handed back there."`
	Forfeited int64     `json:"forfeited" doc:"Was paid and does not come back."`
	Fee       int64     `json:"fee" doc:"Of the policy."`
	FeeState  string    `json:"feeState" enum:",due,waived,forgiven" doc:"What becomes of the fee; empty without one."`
}

// MovedToo is a booking that moves with another one that recurs, in minor units.
type MovedToo struct {
	BookingID        uuid.UUID `json:"bookingId"`
	FromOccurrenceID uuid.UUID `json:"fromOccurrenceId"`
	FromStartsAt     time.Time `json:"fromStartsAt"`
	OccurrenceID     uuid.UUID `json:"occurrenceId"`
	StartsAt         time.Time `json:"startsAt"`
	EndsAt           time.Time `json:"endsAt"`
	Difference       int64     `json:"difference" doc:"What the new time would cost more; negative: less."`
	Overridden       []string  `json:"overridden" enum:"capacity,started,notice,window,rules,course" doc:"What was set aside."`
}

// RescheduleEffects is where a booking goes, in minor units.
type RescheduleEffects struct {
	BookingID        uuid.UUID `json:"bookingId"`
	FromOccurrenceID uuid.UUID `json:"fromOccurrenceId"`
	FromStartsAt     time.Time `json:"fromStartsAt"`
	OccurrenceID     uuid.UUID `json:"occurrenceId"`
	StartsAt         time.Time `json:"startsAt"`
	EndsAt           time.Time `json:"endsAt"`
	Currency         string    `json:"currency"`
	Price            int64     `json:"price" doc:"Of the booking, as it was and stays: nothing is charged again."`
	Difference       int64     `json:"difference" doc:"What the new time would cost more; negative: less."`
	Overridden       []string  `json:"overridden" enum:"capacity,started,notice,window,rules,course" doc:"What was set aside."`
	Told             bool      `json:"told" doc:"The customer gets a mail."`

	Others []MovedToo `json:"others" doc:"Of a recurring booking, by scope: those that move with it."`

	Dates []EnrolledDate `json:"dates" doc:"Of a course: where all of its dates go; none of anything else."`
}

// BookEffects is a booking as it is made, in minor units.
type BookEffects struct {
	OfferingID uuid.UUID  `json:"offeringId"`
	StartsAt   time.Time  `json:"startsAt"`
	EndsAt     time.Time  `json:"endsAt"`
	MemberID   *uuid.UUID `json:"memberId" doc:"Of an appointment or a rental."`
	SpaceID    *uuid.UUID `json:"spaceId" doc:"Of an appointment or a rental."`
	Party      int        `json:"party"`
	Price      int64      `json:"price" doc:"To be paid later."`
	Currency   string     `json:"currency"`
	Overridden []string   `json:"overridden" enum:"capacity,started,notice,window,rules,course" doc:"What was set aside."`
	Told       bool       `json:"told" doc:"The customer gets a mail."`

	Dates []EnrolledDate `json:"dates" doc:"Of a course: all dates that are booked; none of anything else."`
}

// EnrolledDate is one date of a course that is booked.
type EnrolledDate struct {
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	StartsAt     time.Time `json:"startsAt"`
}

// ShowCancelled returns the effects of a cancellation.
func ShowCancelled(c booking.Cancellation) CancelEffects {
	return CancelEffects{
		BookingID: c.BookingID, StartsAt: c.StartsAt, State: string(c.State), Late: c.Late, Currency: string(c.Currency),
		Refund: c.RefundAmount, Credit: c.CreditAmount, Desk: c.DeskAmount,
		Forfeited: c.ForfeitedAmount, Fee: c.FeeAmount, FeeState: string(c.Fee), Told: c.Mail, Dates: slices.Clone(c.Dates),
		Others: Show(c.Others, func(c booking.Cancellation) CancelledToo {
			return CancelledToo{
				BookingID: c.BookingID, StartsAt: c.StartsAt, State: string(c.State), Late: c.Late, Refund: c.RefundAmount,
				Credit: c.CreditAmount, Desk: c.DeskAmount, Forfeited: c.ForfeitedAmount, Fee: c.FeeAmount, FeeState: string(c.Fee),
			}
		}),
	}
}

// ShowRescheduled returns the effects of rescheduling a booking.
func ShowRescheduled(r booking.Rescheduled) RescheduleEffects {
	return RescheduleEffects{
		BookingID: r.BookingID, FromOccurrenceID: r.FromOccurrenceID, FromStartsAt: r.FromStartsAt, OccurrenceID: r.OccurrenceID,
		StartsAt: r.StartsAt, EndsAt: r.EndsAt, Currency: string(r.Currency), Price: r.PriceAmount,
		Difference: r.DifferenceAmount, Overridden: r.Overridden, Told: true,
		Others: Show(r.Others, func(r booking.Rescheduled) MovedToo {
			return MovedToo{
				BookingID: r.BookingID, FromOccurrenceID: r.FromOccurrenceID, FromStartsAt: r.FromStartsAt, OccurrenceID: r.OccurrenceID,
				StartsAt: r.StartsAt, EndsAt: r.EndsAt, Difference: r.DifferenceAmount, Overridden: r.Overridden,
			}
		}),
		Dates: Show(r.Dates, func(d booking.FreeDate) EnrolledDate { return EnrolledDate(d) }),
	}
}

// ShowMade returns the effects of a new booking.
func ShowMade(m booking.Made) BookEffects {
	return BookEffects{
		OfferingID: m.OfferingID, StartsAt: m.StartsAt, EndsAt: m.EndsAt, MemberID: m.MemberID, SpaceID: m.SpaceID,
		Party: m.Party, Price: m.PriceAmount, Currency: string(m.Currency), Overridden: m.Overridden, Told: true,
		Dates: Show(m.Dates, func(d booking.FreeDate) EnrolledDate { return EnrolledDate(d) }),
	}
}

// Refuses tells a description which codes details.reason of a 409 can have, besides those of quotes and keys.
func Refuses(reasons ...string) string {
	for _, r := range reasons {
		if !slices.Contains(slices.Concat(booking.Reasons, sales.Reasons, till.Reasons), r) {
			panic("api: " + r + " is not a documented reason")
		}
	}
	return " 409 carries details.reason: " + strings.Join(reasons, ", ") + "."
}
