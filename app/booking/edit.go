package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EditInput changes what is written on a booking; nil leaves a field as it is.
type EditInput struct {
	BookingID uuid.UUID
	Version   int64 // that was read
	Note      *string
	Attendee  *string
	Party     *int
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *EditInput) Validate() error {
	var c fault.Checks
	if in.Note != nil {
		*in.Note = checkText(&c, "note", *in.Note, NoteMax)
	}
	if in.Attendee != nil {
		*in.Attendee = CheckLine(&c, "attendee", *in.Attendee, AttendeeMax)
	}
	c.That(in.Party == nil || *in.Party >= 1 && *in.Party <= PartyMax, "party", "Use 1 to 1000.")
	return c.Err()
}

// Edit changes the studio's note, who is coming, or how many. More people need room; the price stays. It needs
// booking.manage at the booking's location, or for the caller's own occurrences. Errors: Validation; not found; fault.ErrStale with
// details.version; ErrState for who or how many, when the booking is over; ErrDuplicate; ErrFull.
func (s *Service) Edit(ctx context.Context, sc tenancy.Scope, in EditInput) (StudioBooking, error) {
	return s.change(ctx, sc, policy.BookingManage, in.BookingID, in.Validate, nil, func(tx *pg.Tx) error {
		b, err := lockBooking(ctx, tx, sc.Person(), in.BookingID, in.Attendee != nil)
		if err == nil {
			err = mayManage(sc, b.LocationID, b.Own, false)
		}
		if err != nil {
			return err
		}
		if err := fault.Stale(in.Version, b.Version); err != nil {
			return err
		}
		if err := in.apply(ctx, tx, sc, &b); err != nil {
			return err
		}
		return saveEdit(ctx, tx, b.Booking)
	})
}

func (in EditInput) apply(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, b *subject) error {
	attendee := in.Attendee != nil && *in.Attendee != b.Attendee
	party := in.Party != nil && *in.Party != b.Party
	if (attendee || party) && !b.State.Live() {
		return WrongState(b.State)
	}
	if in.Note != nil {
		b.Note = *in.Note
	}
	if party {
		if err := resize(ctx, tx, sc, b, *in.Party); err != nil {
			return err
		}
	}
	if !attendee {
		return nil
	}
	b.Attendee = *in.Attendee
	return NoSeatYet(ctx, tx, b.CustomerID, b.Attendee, b.OccurrenceID)
}

// resize takes or gives back the seats by which a party grows or shrinks. A request has none yet.
func resize(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, b *subject, party int) error {
	more := party - b.Party
	was := *b
	b.Party = party
	if b.Kind != catalog.Class {
		return resizeTime(ctx, tx, b)
	}
	if !TakesSeat(b.State) {
		return nil
	}
	places, err := lockPlaces(ctx, tx, sc.Person(), b.OccurrenceID)
	if err != nil {
		return err
	}
	if more < 0 {
		was.Party = -more
		if err := freePlaces(ctx, tx, []subject{was}); err != nil {
			return err
		}
		return RoundTx(ctx, tx, []uuid.UUID{b.OccurrenceID})
	}
	if p := places[b.OccurrenceID]; !p.room(more, b.Online) {
		return At(ErrFull, p.ID)
	}
	return takePlaces(ctx, tx, []taking{{b.OccurrenceID, more, b.Online}}, false)
}

// resizeTime finds room for another party at the same time with the same people and space. A request keeps none.
func resizeTime(ctx context.Context, tx *pg.Tx, b *subject) error {
	if !TakesSeat(b.State) {
		return schedule.ResizeSingleTx(ctx, tx, b.OccurrenceID, b.Party)
	}
	member, space, err := resourcesOf(ctx, tx, b.OccurrenceID)
	if err != nil {
		return err
	}
	placed, err := availability.PlaceTx(ctx, tx, []availability.SlotAsk{{
		OfferingID: b.OfferingID, StartsAt: b.StartsAt, Minutes: int(b.EndsAt.Sub(b.StartsAt) / time.Minute), MemberID: member,
		SpaceID: space, Party: b.Party, ExcludeOccurrence: b.OccurrenceID,
	}}, availability.Audience{Staff: true, Override: true})
	if err != nil {
		return err
	}
	if err := availability.ReplaceTx(ctx, tx, b.OccurrenceID, placed[0]); err != nil {
		return err
	}
	return schedule.ResizeSingleTx(ctx, tx, b.OccurrenceID, b.Party)
}
