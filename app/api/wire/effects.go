package wire

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/sales"
	"foyer/app/till"
	"foyer/billing/giftcard"
)

// CancelEffects describes the effects of cancelling a booking, in minor units.
type CancelEffects struct {
	BookingID uuid.UUID `json:"bookingId"`
	StartsAt  time.Time `json:"startsAt"`
	State     string    `json:"state" enum:"cancelled,late_cancelled,studio_cancelled" doc:"State of the booking after the cancellation."`
	Late      bool      `json:"late"`
	Currency  string    `json:"currency"`
	Refund    int64     `json:"refund" doc:"Amount refunded to the card."`
	Credit    int64     `json:"credit" doc:"Amount refunded as account credit: payments by credit, and all of the refund if credit is the chosen destination."`
	GiftCard  int64     `json:"giftCard" doc:"Amount refunded to the gift cards that it was paid with."`
	Desk      int64     `json:"desk" doc:"Amount paid at the desk, to be refunded there."`
	Forfeited int64     `json:"forfeited" doc:"Amount paid and not refunded."`
	Plan      string    `json:"plan" doc:"Plan of the customer to which the booking is returned; empty if none paid for it, or it is not returned."`
	Credits   int       `json:"planCredits" doc:"Credits returned to the plan; 0 for a plan with any number of bookings."`
	Fee       int64     `json:"fee" doc:"Fee of the policy."`
	FeeState  string    `json:"feeState" enum:",due,waived,grace_waived" doc:"State of the fee; empty if there is none."`
	Told      bool      `json:"notified" doc:"Whether the customer is notified by email."`

	Dates []time.Time `json:"dates" doc:"For a course: the starts of all dates cancelled with it; otherwise empty."`

	Others []CancelledToo `json:"others" doc:"For a recurring booking: the other bookings cancelled, by scope. The amounts above are those of the booking in the request."`
}

// CancelledToo is another cancelled booking of a recurring booking, in minor units.
type CancelledToo struct {
	BookingID uuid.UUID `json:"bookingId"`
	StartsAt  time.Time `json:"startsAt"`
	State     string    `json:"state" enum:"cancelled,late_cancelled,studio_cancelled" doc:"State of the booking after the cancellation."`
	Late      bool      `json:"late"`
	Refund    int64     `json:"refund" doc:"Amount refunded to the card."`
	Credit    int64     `json:"credit" doc:"Amount refunded as account credit: payments by credit, and all of the refund if credit is the chosen destination."`
	GiftCard  int64     `json:"giftCard" doc:"Amount refunded to the gift cards that it was paid with."`
	Desk      int64     `json:"desk" doc:"Amount paid at the desk, to be refunded there."`
	Forfeited int64     `json:"forfeited" doc:"Amount paid and not refunded."`
	Plan      string    `json:"plan" doc:"Plan of the customer to which the booking is returned; empty if none paid for it, or it is not returned."`
	Credits   int       `json:"planCredits" doc:"Credits returned to the plan; 0 for a plan with any number of bookings."`
	Fee       int64     `json:"fee" doc:"Fee of the policy."`
	FeeState  string    `json:"feeState" enum:",due,waived,grace_waived" doc:"State of the fee; empty if there is none."`
}

// RescheduledToo is another rescheduled booking of a recurring booking, in minor units.
type RescheduledToo struct {
	BookingID        uuid.UUID `json:"bookingId"`
	FromOccurrenceID uuid.UUID `json:"fromOccurrenceId"`
	FromStartsAt     time.Time `json:"fromStartsAt"`
	OccurrenceID     uuid.UUID `json:"occurrenceId"`
	StartsAt         time.Time `json:"startsAt"`
	EndsAt           time.Time `json:"endsAt"`
	Difference       int64     `json:"difference" doc:"Price of the new time less the price of the booking; negative if the new time is cheaper."`
	Overridden       []string  `json:"overridden" enum:"capacity,started,notice,window,rules,course" doc:"Rules overridden."`
}

// RescheduleEffects describes the effects of rescheduling a booking, in minor units.
type RescheduleEffects struct {
	BookingID        uuid.UUID `json:"bookingId"`
	FromOccurrenceID uuid.UUID `json:"fromOccurrenceId"`
	FromStartsAt     time.Time `json:"fromStartsAt"`
	OccurrenceID     uuid.UUID `json:"occurrenceId"`
	StartsAt         time.Time `json:"startsAt"`
	EndsAt           time.Time `json:"endsAt"`
	Currency         string    `json:"currency"`
	Price            int64     `json:"price" doc:"Price of the booking. It does not change, and nothing is charged again."`
	Difference       int64     `json:"difference" doc:"Price of the new time less the price of the booking; negative if the new time is cheaper."`
	Overridden       []string  `json:"overridden" enum:"capacity,started,notice,window,rules,course" doc:"Rules overridden."`
	Told             bool      `json:"notified" doc:"Whether the customer is notified by email."`

	Others []RescheduledToo `json:"others" doc:"For a recurring booking: the other bookings rescheduled, by scope."`

	Dates []EnrolledDate `json:"dates" doc:"For a course: the new times of all of its dates; otherwise empty."`
}

// BookEffects describes a new booking, in minor units.
type BookEffects struct {
	OfferingID uuid.UUID  `json:"offeringId"`
	StartsAt   time.Time  `json:"startsAt"`
	EndsAt     time.Time  `json:"endsAt"`
	MemberID   *uuid.UUID `json:"memberId" doc:"The instructor of an appointment or a rental."`
	SpaceID    *uuid.UUID `json:"spaceId" doc:"The space of an appointment or a rental."`
	Party      int        `json:"party"`
	Price      int64      `json:"price" doc:"Price, payable later."`
	Currency   string     `json:"currency"`
	Overridden []string   `json:"overridden" enum:"capacity,started,notice,window,rules,course" doc:"Rules overridden."`
	Told       bool       `json:"notified" doc:"Whether the customer is notified by email."`

	Dates []EnrolledDate `json:"dates" doc:"For a course: all dates booked; otherwise empty."`
}

// EnrolledDate is one date of a booked course.
type EnrolledDate struct {
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	StartsAt     time.Time `json:"startsAt"`
}

// ShowCancelled returns the effects of a cancellation.
func ShowCancelled(c booking.Cancellation) CancelEffects {
	return CancelEffects{
		BookingID: c.BookingID, StartsAt: c.StartsAt, State: string(c.State), Late: c.Late, Currency: string(c.Currency),
		Refund: c.RefundAmount, Credit: c.CreditAmount, GiftCard: c.GiftCardAmount, Desk: c.DeskAmount,
		Plan: c.Plan, Credits: c.PlanCredits,
		Forfeited: c.ForfeitedAmount, Fee: c.FeeAmount, FeeState: string(c.Fee), Told: c.Mail, Dates: slices.Clone(c.Dates),
		Others: Show(c.Others, func(c booking.Cancellation) CancelledToo {
			return CancelledToo{
				BookingID: c.BookingID, StartsAt: c.StartsAt, State: string(c.State), Late: c.Late, Refund: c.RefundAmount,
				Credit: c.CreditAmount, GiftCard: c.GiftCardAmount, Desk: c.DeskAmount, Forfeited: c.ForfeitedAmount,
				Plan: c.Plan, Credits: c.PlanCredits, Fee: c.FeeAmount, FeeState: string(c.Fee),
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
		Others: Show(r.Others, func(r booking.Rescheduled) RescheduledToo {
			return RescheduledToo{
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

// Refuses returns the sentence of a description that lists the values of details.reason in a 409, in addition to
// those of quotes and keys.
func Refuses(reasons ...string) string {
	for _, r := range reasons {
		if !slices.Contains(slices.Concat(booking.Reasons, sales.Reasons, till.Reasons, giftcard.Reasons), r) {
			panic("api: " + r + " is not a documented reason")
		}
	}
	return " 409 carries details.reason: " + strings.Join(reasons, ", ") + "."
}
