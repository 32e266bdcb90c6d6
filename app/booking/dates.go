package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// The port schedule.Bookings: cancelling and rescheduling dates, and assigning another instructor.

// Calendar returns the functions of this package for schedule.Bookings.
func (s *Service) Calendar() schedule.Bookings {
	return schedule.Bookings{
		BookedTx: BookedTx, CancelBookedTx: s.CancelBookedTx, RescheduleBookedTx: s.RescheduleBookedTx,
		RetimeBookedTx: RetimeBookedTx, RoundTx: RoundTx, NoticeTx: NoticeTx,
	}
}

// BookedTx returns the customers with a booking or a request on dates, and locks the live holds and then the bookings
// there, each in the order of their ids. It must run before the dates themselves are locked.
func BookedTx(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (map[uuid.UUID][]uuid.UUID, error) {
	if _, err := lockHoldsAt(ctx, tx, dates); err != nil {
		return nil, err
	}
	ids, err := lockLiveAt(ctx, tx, dates)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	list, err := lockBookings(ctx, tx, uuid.Nil, ids, false)
	if err != nil {
		return nil, err
	}
	out := map[uuid.UUID][]uuid.UUID{}
	for _, id := range ids {
		if b := list[id]; b.State.Live() && slices.Contains(dates, b.OccurrenceID) {
			out[b.OccurrenceID] = append(out[b.OccurrenceID], id)
		}
	}
	return out, nil
}

// CancelBookedTx ends everything that is booked on cancelled dates. Bookings and requests are cancelled by the
// studio: everything is refunded and no fee is due. Holds end, and a payment in progress for one is refunded when it
// arrives. No seat can be booked meanwhile: holds, bookings and then the dates are locked. The caller cancels the
// dates and removes their claims.
//
// A course continues without the cancelled dates, and nothing is refunded for them. It is cancelled as a whole only
// when none of its dates remains.
func (s *Service) CancelBookedTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, dates []uuid.UUID, why schedule.Because) ([]schedule.CancelledBooking, error) {
	list, err := clearDates(ctx, tx, sc, dates, dates)
	if err != nil {
		return nil, err
	}
	ends := make([]ending, len(list))
	for i, b := range list {
		ends[i] = ending{subject: b, Consequence: Consequence{Transition: TransitionStudioCancel, RefundsPrice: true, Whole: true}, words: why.Reason,
			silent: why.Silent, sold: b.ID}
	}
	if err := keepCourses(ctx, tx, ends); err != nil {
		return nil, err
	}
	done, err := s.cancelTx(ctx, tx, sc, ends)
	out := make([]schedule.CancelledBooking, len(done))
	for i, c := range done {
		out[i] = schedule.CancelledBooking{RefundAmount: c.RefundAmount, Currency: c.Currency, CourseGoesOn: c.CourseGoesOn}
	}
	return out, err
}

// clearDates ends the holds at dates, and locks their live bookings and then the dates of all, before they are
// cancelled or rescheduled. The bookings are in the order of their ids.
func clearDates(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, dates, all []uuid.UUID) ([]subject, error) {
	if len(dates) == 0 {
		return nil, nil
	}
	holds, err := lockHoldsAt(ctx, tx, dates)
	if err != nil {
		return nil, err
	}
	if _, err := lockLiveAt(ctx, tx, dates); err != nil {
		return nil, err
	}
	if _, err := lockPlaces(ctx, tx, sc.Person(), all...); err != nil {
		return nil, err
	}
	// Holds made between the two locks are found now, and no more can follow.
	if holds, err = lockHoldsAt(ctx, tx, dates, holds...); err != nil {
		return nil, err
	}
	if err := endHolds(ctx, tx, sc, TransitionExpire, holds...); err != nil {
		return nil, err
	}
	ids, err := lockLiveAt(ctx, tx, dates)
	if err != nil {
		return nil, err
	}
	byID, err := lockBookings(ctx, tx, sc.Person(), ids, false)
	out := make([]subject, 0, len(ids))
	for _, id := range ids {
		if b, found := byID[id]; found && b.State.Live() && slices.Contains(dates, b.OccurrenceID) {
			out = append(out, b)
		}
	}
	return out, err
}

// RescheduleBookedTx reschedules all bookings and requests of cancelled dates to other dates of the same class, each
// to the first of its candidates with room. Holds there end. It returns the number of bookings. It is free of charge
// and does not count as a rescheduling by the customer. The error is ErrFull with details.occurrenceId, the date with
// bookings that fit no candidate.
func (s *Service) RescheduleBookedTx(
	ctx context.Context, tx *pg.Tx, sc tenancy.Scope, transfers []schedule.Transfer, why schedule.Because,
) (int, error) {
	var from, all []uuid.UUID
	to := map[uuid.UUID][]uuid.UUID{}
	for _, t := range transfers {
		from, all = append(from, t.From), append(append(all, t.From), t.To...)
		to[t.From] = t.To
	}
	list, err := clearDates(ctx, tx, sc, from, all)
	if err != nil {
		return 0, err
	}
	places, err := lockPlaces(ctx, tx, sc.Person(), all...)
	if err != nil {
		return 0, err
	}
	for _, b := range list {
		if err := transfer(ctx, tx, sc, b, to[b.OccurrenceID], places, why); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// transfer reschedules one booking to the first date with room for it.
func transfer(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, b subject, to []uuid.UUID, places map[uuid.UUID]place, why schedule.Because) error {
	has, err := hasSeat(ctx, tx, b.CustomerID, b.Attendee, to...)
	if err != nil {
		return err
	}
	at := firstWithRoom(b, to, has, places)
	if at == uuid.Nil {
		return ErrFull.WithMessage("There are not enough spots on the other dates.").With("occurrenceId", b.OccurrenceID.String())
	}
	p := places[at]
	online := b.Online && p.room(b.Party, true)
	if TakesSeat(b.State) {
		if err := takePlaces(ctx, tx, []taking{{at, b.Party, online}}, false); err != nil {
			return err
		}
		if err := freePlaces(ctx, tx, []subject{b}); err != nil {
			return err
		}
		p.Taken += b.Party
		if online {
			p.TakenOnline += b.Party
		}
		places[at] = p
	}
	if err := moveBooking(ctx, tx, b.Booking, at, p.StartsAt, p.EndsAt, online, false); err != nil {
		return err
	}
	if err := recordTimes(ctx, tx, sc, TransitionRetime, why.Reason, []subject{b}); err != nil {
		return err
	}
	if !why.Silent {
		moved := b.Booking
		moved.StartsAt = p.StartsAt
		if err := tell(ctx, tx, moved, ToldRescheduled); err != nil {
			return err
		}
	}
	return nil
}

func firstWithRoom(b subject, to, has []uuid.UUID, places map[uuid.UUID]place) uuid.UUID {
	for _, id := range to {
		p, found := places[id]
		if !found || p.State != schedule.Scheduled || slices.Contains(has, id) {
			continue
		}
		if !TakesSeat(b.State) || p.room(b.Party, false) {
			return id
		}
	}
	return uuid.Nil
}

// RetimeBookedTx updates the bookings of rescheduled dates to the new times. The customers are notified by NoticeTx.
func RetimeBookedTx(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) error {
	list, err := retime(ctx, tx, dates)
	if err != nil || len(list) == 0 {
		return err
	}
	return recordTimes(ctx, tx, actingScope(ctx, tx), TransitionRetime, "", list)
}

// actingScope returns the actor of this context, for the records of a change.
func actingScope(ctx context.Context, tx *pg.Tx) tenancy.Scope {
	actor, surface := tenancy.ActingFrom(ctx)
	return tenancy.Scope{Principal: tenancy.Principal{Actor: actor}, Tenant: tx.Business(), Surface: surface}
}
