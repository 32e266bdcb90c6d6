package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Target is where a booking goes: another date of its class, or another time of its appointment or rental.
type Target struct {
	OccurrenceID uuid.UUID // of a class
	StartsAt     time.Time // of an appointment or a rental
	Minutes      int       // 0: as long as before
	MemberID     *uuid.UUID
	SpaceID      *uuid.UUID
}

// RescheduleInput moves a booking.
type RescheduleInput struct {
	BookingID uuid.UUID
	Target    Target
	Override  bool   // set the rules aside: full, closed for booking, begun
	Reason    string // needed for it
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *RescheduleInput) Validate() error {
	var c fault.Checks
	in.Target.check(&c)
	in.Reason = checkWords(&c, "reason", in.Reason)
	c.That(!in.Override || in.Reason != "", "reason", "Say why.")
	return c.Err()
}

func (t Target) check(c *fault.Checks) {
	c.That((t.OccurrenceID == uuid.Nil) != t.StartsAt.IsZero(), "occurrenceId", "Name either a date of the class or a time.")
	c.That(t.Minutes >= 0 && t.Minutes <= catalog.MinutesMax, "minutes", "Use at most 1440.")
}

// Rescheduled is where a booking went. What was paid stays paid; what the new time would cost more or less is told and
// not charged. It is the same in a rehearsal.
type Rescheduled struct {
	BookingID        uuid.UUID
	FromOccurrenceID uuid.UUID
	FromStartsAt     time.Time
	OccurrenceID     uuid.UUID
	StartsAt         time.Time
	EndsAt           time.Time
	Currency         money.Currency
	PriceAmount      int64 // of the booking, as it was and stays
	DifferenceAmount int64 // what the new time costs more; negative: less
	Overridden       []string
	Mail             bool // the customer is told
}

// Reschedule moves a booking to another time; it keeps its id. The new seats are taken before the old ones are given back,
// in one transaction, so there is no moment at which the customer has neither, and none at which they have both.
//
// It needs booking.manage at the booking's location, or for the caller's own sessions when this is one; setting rules
// aside needs booking.override and a reason. Errors: Validation; not found; ErrState; ErrCourse; ErrDuplicate; what place.sold
// and availability.PlaceTx refuse; ErrFull.
func (s *Service) Reschedule(ctx context.Context, sc tenancy.Scope, in RescheduleInput) (Did[Rescheduled], error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return Did[Rescheduled]{}, err
	}
	if err := in.Validate(); err != nil {
		return Did[Rescheduled]{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Did[Rescheduled], error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return Did[Rescheduled]{}, err
		}
		b, err := lockBooking(ctx, tx, sc.Person(), in.BookingID)
		if err != nil {
			return Did[Rescheduled]{}, err
		}
		if err := policy.RequireRow(sc, policy.BookingManage, b.LocationID, b.Own); err != nil {
			return Did[Rescheduled]{}, err
		}
		if in.Override {
			if err := policy.RequireAt(sc, policy.BookingOverride, b.LocationID); err != nil {
				return Did[Rescheduled]{}, err
			}
		}
		if _, ok := b.State.After(MoveReschedule); !ok {
			return Did[Rescheduled]{}, WrongState(b.State)
		}
		if b.Course() {
			return Did[Rescheduled]{}, NotCourse(b.OfferingID).Say("A course is not moved: its dates are booked together.")
		}
		m := moving{sc: sc, subject: b, target: in.Target, staff: true, override: in.Override, words: in.Reason}
		done, err := m.move(ctx, tx)
		if err != nil {
			return Did[Rescheduled]{}, err
		}
		return did(ctx, tx, sc, b.ID, done)
	})
}

// RescheduleMine moves a booking of the signed-in person, as far as its policy lets them. Errors: identity.ErrSignIn,
// ErrKeyRefused; Validation; not found; ErrState, ErrCourse, ErrStarted, ErrNotAllowed, ErrTooLate; ErrDuplicate; what the storefront
// would refuse of the new time; ErrFull; ErrPriceDifference.
func (s *Service) RescheduleMine(ctx context.Context, sc tenancy.Scope, id uuid.UUID, to Target) (DidMine[Rescheduled], error) {
	var c fault.Checks
	if to.check(&c); c.Err() != nil {
		return DidMine[Rescheduled]{}, c.Err()
	}
	sc, err := s.myScope(ctx, sc, id)
	if err != nil {
		return DidMine[Rescheduled]{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (DidMine[Rescheduled], error) {
		b, err := lockBooking(ctx, tx, sc.Person(), id)
		if err != nil {
			return DidMine[Rescheduled]{}, err
		}
		if err := b.MayReschedule(tx.Now()); err != nil {
			return DidMine[Rescheduled]{}, err
		}
		done, err := moving{sc: sc, subject: b, target: to}.move(ctx, tx)
		if err != nil {
			return DidMine[Rescheduled]{}, err
		}
		return didMine(ctx, tx, sc, id, done)
	})
}
