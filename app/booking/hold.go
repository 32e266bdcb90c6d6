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

// HoldTx keeps all the seats for the cart, or none: then the error ends the caller's transaction. A cart whose hold keeps
// everything already gets that hold back, unchanged; seats that were added since come under the same hold and its time.
// A hold that is past its time is ended and a new one made.
//
// The same person asking for the same seat from another cart does not get a second one: the other cart's hold is let go
// and the seat moves here. Seats of other people's holds past their time are still counted; ExpireAt frees them.
//
// The caller holds the locks of the cart and of the customer (crm.EnsureTx). Errors: ErrFull, ErrStarted, ErrCancelled,
// ErrNotBookable, ErrDuplicate, ErrPaymentStarted with details.occurrenceId; ErrTooManyHolds; ErrHoldExpired when the hold
// ended this very moment; not found for an occurrence that the location does not have; ErrCourse for a single date of a
// course. Of a course ErrFull carries details.dates, all of its dates that are full. A74.
func HoldTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in HoldInput) (Hold, error) {
	h, begun, err := in.begin(ctx, tx, sc)
	if err != nil {
		return Hold{}, err
	}
	seats := h.missing(in.Seats)
	for first := !begun; len(seats) > 0; first = false {
		kept, booked, err := takeSeats(ctx, tx, sc, h, in, seats)
		if err != nil {
			return Hold{}, err
		}
		h.Seats = append(h.Seats, booked...)
		if seats = h.missing(in.Seats); len(seats) == 0 {
			break
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
	return h, nil
}

// HoldIn queues what HoldTx does for a cart that keeps nothing yet: all of its seats or, as pg.ErrUnmet, none, which does not say
// why; HoldTx does. An earlier statement of the batch has locked the cart and the customer (crm.Ensured). The hold that it returns
// is the one that there will be, but for its CustomerID: only that statement finds it.
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

// begin returns the hold to put seats under: the one that lives, or a new one. When the cart's last one is over, begin
// ends it and the person's other holds that are in the way, all at once: way has been made. A hold that was met only
// after occurrences were locked would be locked too late, and two who wait for each other would be a ring.
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

// obstacle says why these seats were not got. It is an error, except when all that is in the way is other holds of the
// same person: those it returns.
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

// full says that the first of these seats was not to be had and how many are left there, and names every date of its course that
// has none.
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

// refusal is why one of these times cannot be booked at all, by anybody; nil when they can. It returns them.
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
		ask := schedule.Ask{Course: s.Group != uuid.Nil, Follows: s.Follows}
		if err := refused(o.Facts, ask, rules[o.OfferingID], tx.Now(), o.ID, o.OfferingID); err != nil {
			return nil, err
		}
	}
	return byID, nil
}

// refusal is why a seat that the person has already cannot move to another cart.
func (s ownSeat) refusal(now time.Time) error {
	switch {
	case s.State != Held || s.HoldID == nil:
		return ErrDuplicate.With("occurrenceId", s.OccurrenceID.String()).With("attendee", s.Attendee)
	case s.OrderID != nil && s.ExpiresAt != nil && now.Before(*s.ExpiresAt):
		return At(ErrPaymentStarted, s.OccurrenceID)
	}
	return nil
}

// BillTx puts the bookings of a live hold on an order that is about to be paid. From then on they can neither move to
// another cart of the same person nor be dropped one by one. ErrHoldExpired when the hold is over. The caller holds the
// lock of the cart.
func BillTx(ctx context.Context, tx *pg.Tx, h Hold, order uuid.UUID) error {
	n, err := billSeats(ctx, tx, h, order)
	return fault.When(n != len(h.Seats), ErrHoldExpired, err)
}

// ConfirmTx confirms the bookings of a hold for an order, all of them. ok is false, and nothing is changed, when the hold
// is over: see RetakeTx. No seat is counted here: held bookings count already. Where the studio has the last word
// (offerings.approval) a booking becomes a request, which keeps no seat: it is given back here, and taken again when the
// studio says yes. The caller holds the lock of the cart, and h.Seats are the hold's bookings as read under it.
//
// beside is what the caller writes in the same statement: more of its tables, each with a comma before it, that look into
// table kept, which has no row when the hold is over. args are their arguments.
func ConfirmTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, order uuid.UUID, beside string, args pg.Named) (ok bool, err error) {
	ok, requests, err := confirmSeats(ctx, tx, sc, h, order, beside, args)
	if err != nil {
		return false, err
	}
	return ok, AskTx(ctx, tx, requests)
}
