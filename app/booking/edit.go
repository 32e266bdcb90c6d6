package booking

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Difference is the handling of the additional price of a larger party, when the booking has been sold.
type Difference string

// The values of Difference.
const (
	DifferenceRefuse Difference = "refuse" // the party stays, and the error has the additional price
	DifferenceLater  Difference = "later"  // due at the studio, and the customer is notified
	DifferenceWaive  Difference = "waive"  // the price stays
)

// All lists them.
func (Difference) All() []Difference {
	return []Difference{DifferenceRefuse, DifferenceLater, DifferenceWaive}
}

// EditInput changes the fields of a booking; nil leaves a field unchanged.
type EditInput struct {
	BookingID  uuid.UUID
	Version    int64 // that was read
	Note       *string
	Attendee   *string
	Party      *int
	Difference Difference // empty: DifferenceRefuse
	Reason     string     // needed for DifferenceWaive
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
	in.Difference = cmp.Or(in.Difference, DifferenceRefuse)
	c.That(slices.Contains(in.Difference.All(), in.Difference), "difference", "Use refuse, later or waive.")
	CheckReason(&c, &in.Reason, in.Difference == DifferenceWaive)
	return c.Err()
}

// Edit changes the studio's note, the attendee, or the party. A larger party needs room and costs today's price of a
// seat. For a booking that has been sold, the difference is refused, due at the studio or waived, according to
// in.Difference; no card is charged. The price of one that has not been sold changes with the party. A smaller party
// has no refund. The customer is notified of the new party.
//
// It needs booking.manage at the booking's location, or for the caller's own occurrences; to waive also
// booking.override and a reason.
//
// Errors:
//   - Validation, not found
//   - fault.ErrStale with details.version
//   - ErrState for attendee or party after the end of the booking, and for a larger party on a request that has been
//     sold
//   - ErrCourse for a larger party on one date of a course
//   - ErrDuplicate
//   - ErrFull
//   - ErrPriceDifference with details.difference, the amount in minor units of details.currency
func (s *Service) Edit(ctx context.Context, sc tenancy.Scope, in EditInput) (StudioBooking, error) {
	return s.change(ctx, sc, policy.BookingManage, in.BookingID, in.Validate, &in.Reason, func(tx *pg.Tx) error {
		b, err := lockBooking(ctx, tx, sc.Person(), in.BookingID, in.Attendee != nil)
		if err == nil {
			err = mayManage(sc, b.LocationID, b.Own, in.Difference == DifferenceWaive)
		}
		if err != nil {
			return err
		}
		if err := fault.Stale(in.Version, b.Version); err != nil {
			return err
		}
		was := b.Booking
		if err := in.apply(ctx, tx, sc, &b); err != nil {
			return err
		}
		if err := saveEdit(ctx, tx, b.Booking); err != nil || b.Party == was.Party {
			return err
		}
		return jobs.EnqueueTx(ctx, tx, NoticeJob{
			Business: tx.Business(), Booking: b.ID, Notice: ToldParty, Party: b.Party, MoreAmount: max(0, b.PriceAmount-was.PriceAmount),
		})
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
		if err := in.resize(ctx, tx, sc, b); err != nil {
			return err
		}
	}
	if !attendee {
		return nil
	}
	same := names.Same(b.Attendee, *in.Attendee)
	if b.Attendee = *in.Attendee; same {
		return nil
	}
	return NoSeatYet(ctx, tx, b.CustomerID, b.Attendee, b.OccurrenceID)
}

// resize changes a party, and handles the additional price.
func (in EditInput) resize(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, b *subject) error {
	was, sold, grows := b.Booking, b.OrderID != nil, *in.Party > b.Party
	switch {
	case grows && b.Course():
		return NotCourse(b.OfferingID).WithMessage("A course is booked with all its dates, so people cannot be added to one of them.")
	case grows && sold && b.State == Requested:
		return ErrState.WithMessage("Approve or decline the request first.").With("state", string(b.State))
	}
	take := resizeSeats
	if b.Kind != catalog.Class {
		take = resizeTime
	}
	b.Party = *in.Party
	price, err := take(ctx, tx, sc, b, was.Party)
	if err != nil {
		return err
	}
	switch more := price - was.PriceAmount; {
	case more <= 0 && sold:
	case !sold && in.Difference != DifferenceWaive:
		b.PriceAmount = max(0, price)
	case in.Difference == DifferenceLater:
		b.PriceAmount = price
	case in.Difference == DifferenceRefuse:
		return ErrPriceDifference.WithMessage("More people cost more than the booked price.").With("difference", more).With("currency", string(b.Currency))
	}
	return nil
}

// resizeSeats occupies or releases the seats by which a party at a class grows or shrinks, and returns the price for
// it: additional seats at today's price, a smaller party its share of the present price. A request has no seats yet.
func resizeSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, b *subject, was int) (price int64, err error) {
	places, err := lockPlaces(ctx, tx, sc.Person(), b.OccurrenceID)
	if err != nil {
		return 0, err
	}
	p, more := places[b.OccurrenceID], b.Party-was
	if more < 0 {
		price = money.RoundHalfUp(b.PriceAmount, int64(b.Party), int64(was))
	} else {
		price = b.PriceAmount + priceOf(b.Kind, p.PriceAmount, more)
	}
	switch {
	case !TakesSeat(b.State):
		return price, nil
	case more < 0:
		fewer := *b
		fewer.Party = -more
		if err := freePlaces(ctx, tx, []subject{fewer}); err != nil {
			return 0, err
		}
		return price, RoundTx(ctx, tx, []uuid.UUID{b.OccurrenceID})
	case !p.room(more, b.Online):
		return 0, At(ErrFull, p.ID)
	}
	return price, takePlaces(ctx, tx, []taking{{b.OccurrenceID, more, b.Online}}, false)
}

// resizeTime finds room for another party at the same time with the same instructors and space, and returns the
// price. A request occupies no room, and its price stays.
func resizeTime(ctx context.Context, tx *pg.Tx, _ tenancy.Scope, b *subject, _ int) (price int64, err error) {
	if !TakesSeat(b.State) {
		return b.PriceAmount, schedule.ResizeSingleTx(ctx, tx, b.OccurrenceID, b.Party)
	}
	member, space, err := resourcesOf(ctx, tx, b.OccurrenceID)
	if err != nil {
		return 0, err
	}
	placed, err := availability.AssignTx(ctx, tx, []availability.SlotRequestAt{{
		OfferingID: b.OfferingID, StartsAt: b.StartsAt, Minutes: int(b.EndsAt.Sub(b.StartsAt) / time.Minute), MemberID: member,
		SpaceID: space, Party: b.Party, ExcludeOccurrence: b.OccurrenceID,
	}}, availability.Audience{Staff: true, Override: true})
	if err != nil {
		return 0, err
	}
	if err := availability.ReplaceTx(ctx, tx, b.OccurrenceID, placed[0]); err != nil {
		return 0, err
	}
	return placed[0].PriceAmount, schedule.ResizeSingleTx(ctx, tx, b.OccurrenceID, b.Party)
}
