package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// HoldTx holds all of the seats for the cart, or none: then the error ends the caller's transaction. A cart without
// seats has a hold of none, under which others keep what is in it. If the cart's
// hold has all of them already, it is returned unchanged; seats added since come under the same hold and its time. An
// expired hold is ended and a new one made.
//
// A person who holds the same seat in another cart does not get a second one: the other cart's hold is released and
// the seat is transferred to this cart. Seats of other people's expired holds still count; ExpireAt releases them.
//
// The caller holds the locks of the cart and of the customer (crm.EnsureTx). A74.
//
// Errors, with details.occurrenceId where there is one:
//   - ErrFull; for a course with details.dates, all of its full dates
//   - ErrStarted, ErrCancelled, ErrNotBookable
//   - ErrDuplicate
//   - ErrPaymentStarted
//   - ErrTooManyHolds
//   - ErrHoldExpired if the hold ended at this very moment
//   - not found for an occurrence of another location
//   - ErrCourse for a single date of a course
func HoldTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in HoldInput) (Hold, error) {
	h, begun, err := in.begin(ctx, tx, sc)
	if err != nil {
		return Hold{}, err
	}
	seats := h.missing(in.Seats)
	if len(seats) == 0 && in.Current != nil && h.ID == in.Current.ID {
		return h, nil
	}
	for first := !begun; ; first = false {
		kept, booked, err := takeSeats(ctx, tx, sc, h, in, seats)
		if err != nil {
			return Hold{}, err
		}
		h.Seats = append(h.Seats, booked...)
		if seats = h.missing(in.Seats); kept && len(seats) == 0 {
			return h, nil
		}
		own, err := in.obstacle(ctx, tx, h, seats, kept)
		if err != nil {
			return Hold{}, err
		}
		if !first {
			return Hold{}, ErrHoldExpired
		}
		if err := makeWay(ctx, tx, sc, h, nil, own, seats); err != nil {
			return Hold{}, err
		}
	}
}

// HoldIn queues HoldTx for a cart without a hold: all of its seats or, as pg.ErrUnmet, none. HoldTx returns the
// reason. An earlier statement of the batch has locked the cart and the customer (crm.Ensured). The hold is returned
// as it will be, except for its CustomerID: only that statement finds it.
func HoldIn(b *pg.Batch, tx *pg.Tx, sc tenancy.Scope, in HoldInput) Hold {
	h := in.fresh(tx.Now())
	seats, args := ask(tx, sc, h, in, in.Seats, true)
	pg.QueueExec(b, seatsSQL, args)
	h.Seats = seats
	return h
}

// fresh is a new hold.
func (in HoldInput) fresh(now time.Time) Hold {
	return Hold{
		ID: pg.NewID(), CartID: in.CartID, PersonID: in.PersonID, CustomerID: in.CustomerID,
		State: HoldLive, CreatedAt: now, ExpiresAt: now.Add(HoldLife),
	}
}

// begin returns the hold to put seats under: the live one, or a new one. When the cart's last one has expired, begin
// ends it and the person's other holds that are in the way, all at once: way has been made. A hold met only after
// occurrences were locked would be locked too late, and two waiting for each other would be a deadlock.
func (in HoldInput) begin(ctx context.Context, tx *pg.Tx, sc tenancy.Scope) (h Hold, way bool, err error) {
	if in.Current != nil && in.Current.Live(tx.Now()) {
		return *in.Current, false, nil
	}
	h = in.fresh(tx.Now())
	if in.Current == nil {
		return h, false, nil
	}
	own, _, err := ownSeats(ctx, tx, h, in.Seats)
	if err != nil {
		return h, false, err
	}
	var others []uuid.UUID
	for _, s := range own {
		if s.refusal(tx.Now()) == nil && *s.HoldID != in.Current.ID {
			others = append(others, *s.HoldID)
		}
	}
	return h, true, makeWay(ctx, tx, sc, h, []uuid.UUID{in.Current.ID}, others, in.Seats)
}

// obstacle returns the reason why these seats were not held. It is an error, unless only other holds of the
// same person are in the way: then it returns these.
func (in HoldInput) obstacle(ctx context.Context, tx *pg.Tx, h Hold, seats []Seat, kept bool) ([]uuid.UUID, error) {
	times, err := in.refusal(ctx, tx, seats)
	if err != nil {
		return nil, err
	}
	if kept {
		return nil, full(seats, times)
	}
	own, open, err := ownSeats(ctx, tx, h, seats)
	if err != nil {
		return nil, err
	}
	var holds []uuid.UUID
	for _, s := range own {
		if err := s.refusal(tx.Now()); err != nil {
			return nil, err
		}
		holds = append(holds, *s.HoldID)
	}
	switch {
	case len(holds) > 0:
		return holds, nil
	case open >= HoldsMax:
		return nil, ErrTooManyHolds
	}
	return nil, ErrHoldExpired
}

// full returns ErrFull for the first of these seats with the number of available seats, and every full date of its
// course.
func full(seats []Seat, times map[uuid.UUID]schedule.Detail) error {
	if seats[0].Group == uuid.Nil {
		id := seats[0].OccurrenceID
		return ErrFull.With("occurrenceId", id.String()).With("spots", times[id].Spots())
	}
	var dates []FreeDate
	for _, s := range seats {
		if s.Group == seats[0].Group {
			dates = append(dates, FreeDate{s.OccurrenceID, times[s.OccurrenceID].StartsAt})
		}
	}
	return fullDates(dates)
}

// refusal returns the reason why one of these times cannot be booked by any customer, or nil, and the times.
func (in HoldInput) refusal(ctx context.Context, tx *pg.Tx, seats []Seat) (map[uuid.UUID]schedule.Detail, error) {
	ids := each(seats, func(s Seat) uuid.UUID { return s.OccurrenceID })
	times, err := schedule.OccurrencesOf(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	byID, offerings := map[uuid.UUID]schedule.Detail{}, []uuid.UUID{}
	for _, s := range times {
		byID[s.ID] = s
		offerings = append(offerings, s.OfferingID)
	}
	rules, err := catalog.RulesOf(ctx, tx, offerings)
	if err != nil {
		return nil, err
	}
	for _, s := range seats {
		o, known := byID[s.OccurrenceID]
		if !known || o.LocationID != in.LocationID {
			return nil, fault.Missing()
		}
		ask := schedule.Query{Course: s.Group != uuid.Nil, Follows: s.Follows}
		if err := refused(o.Facts, ask, rules[o.OfferingID], tx.Now(), o.ID, o.OfferingID); err != nil {
			return nil, err
		}
	}
	return byID, nil
}

// refusal returns the reason why a seat of the same person cannot be transferred to another cart.
func (s ownSeat) refusal(now time.Time) error {
	switch {
	case s.State != Held || s.HoldID == nil:
		return ErrDuplicate.With("occurrenceId", s.OccurrenceID.String()).With("attendee", s.Attendee)
	case s.OrderID != nil && s.ExpiresAt != nil && now.Before(*s.ExpiresAt):
		return At(ErrPaymentStarted, s.OccurrenceID)
	}
	return nil
}

// BillTx puts the bookings of a live hold on an order that is about to be paid. From then on they can neither be
// transferred to another cart of the same person nor be dropped one by one. It returns ErrHoldExpired if the hold has
// expired. The caller holds the lock of the cart.
func BillTx(ctx context.Context, tx *pg.Tx, h Hold, order uuid.UUID) error {
	n, err := billSeats(ctx, tx, h, order)
	return fault.When(n != len(h.Seats), ErrHoldExpired, err)
}

// ConfirmTx confirms the bookings of a hold for an order, all of them. ok is false, and nothing is changed, if the
// hold has expired: see RetakeTx. No seat is counted here, as held bookings count already. If the offering needs
// approval (offerings.approval), a booking becomes a request, without a seat: the seat is released here, and occupied
// again on approval. The caller holds the lock of the cart, and h.Seats are the hold's bookings as read under it.
//
// beside has the caller's tables for the same statement, each with a comma before it. They join table kept, without a
// row if the hold has expired. args are their arguments.
func ConfirmTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID, beside string, args pg.Named) (ok bool, err error) {
	ok, requests, err := confirmSeats(ctx, tx, sc, h, order, beside, args)
	if err != nil {
		return false, err
	}
	return ok, RequestTx(ctx, tx, requests)
}
