package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EntryInput selects an entry of the waitlist of an offering's date, for a decision by the studio.
type EntryInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	EntryID      uuid.UUID
	Override     bool   // promote, offer: add seats where there are none
	Reason       string // written into the entry's log; needed with Override
}

// Validate trims the input and checks it. The error names every wrong field.
func (in *EntryInput) Validate() error {
	var c fault.Checks
	booking.CheckReason(&c, &in.Reason, in.Override)
	return c.Err()
}

// because joins an event and the studio's reason for it.
func (in EntryInput) because(what string) string {
	if in.Reason == "" {
		return what
	}
	return what + ": " + in.Reason
}

// managed runs a decision of the studio about an entry: under the locks of its customer and its date, with
// booking.manage at its location or for the caller's own occurrence. Expired offers are ended first; where one has
// ended, the next entry gets an offer in the end. It returns the entry after the decision.
func (s *Service) managed(ctx context.Context, sc tenancy.Scope, in EntryInput, do func(r *listRound, w Entry) error) (StudioEntry, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return StudioEntry{}, err
	}
	if err := in.Validate(); err != nil {
		return StudioEntry{}, err
	}
	err := pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return err
		}
		w, err := findEntry(ctx, tx, in.EntryID)
		if err == nil && (w.OfferingID != in.OfferingID || w.OccurrenceID != in.OccurrenceID) {
			err = fault.Missing()
		}
		if err != nil {
			return err
		}
		if err := lockCustomers(ctx, tx, []uuid.UUID{w.CustomerID}); err != nil {
			return err
		}
		r, w, err := beginList(ctx, tx, sc, w.ID)
		if err != nil {
			return err
		}
		r.customers = []uuid.UUID{w.CustomerID}
		if err := r.mayManage(); err != nil {
			return err
		}
		if err := r.expire(ctx); err != nil {
			return err
		}
		if w, err = findEntry(ctx, tx, w.ID); err != nil {
			return err
		}
		if err := do(r, w); err != nil || !r.ended {
			return err
		}
		return r.goOn(ctx)
	})
	if err != nil {
		return StudioEntry{}, err
	}
	return s.entryOf(ctx, sc.Tenant, in.EntryID)
}

// mayManage checks whether the actor manages this list.
func (r *listRound) mayManage() error {
	own := r.d.Instructor != uuid.Nil && r.d.Instructor == r.sc.Person()
	return policy.RequireRow(r.sc, policy.BookingManage, r.d.LocationID, own)
}

// ahead checks whether the date can still be booked: nil, ErrCancelled or ErrStarted.
func (r *listRound) ahead() error {
	switch {
	case r.d.State != schedule.Scheduled:
		return booking.At(booking.ErrCancelled, r.d.ID)
	case !r.d.StartsAt.After(r.tx.Now()):
		return booking.At(booking.ErrStarted, r.d.ID)
	}
	return nil
}

// backToWaiting returns a skipped entry to the waiting ones, so that it can get a seat.
func (r *listRound) backToWaiting(ctx context.Context, w Entry) error {
	switch w.State {
	case Waiting, Offered:
		return nil
	case Expired, Skipped:
		_, err := transit(ctx, r.tx, r.sc, TransitionAgain, "taken up again by the studio", w.ID)
		return err
	}
	return w.notWaiting()
}

func (w Entry) notWaiting() error {
	if w.State == Promoted {
		return ErrHasSeat.With("bookingId", w.BookingID.String())
	}
	return ErrNotWaiting.With("state", string(w.State))
}

// makeRoom raises the capacity of the date by the seats that a party lacks. It needs booking.override at the location
// and a reason, and returns ErrFull without them.
func (r *listRound) makeRoom(ctx context.Context, in EntryInput, party int, online bool) error {
	d := &r.d
	seats, sold := max(0, d.Taken+d.Offered+party-d.Capacity), 0
	if online {
		sold = max(0, d.TakenOnline+d.Offered+party-d.OnlineCapacity)
		seats = max(seats, d.OnlineCapacity+sold-d.Capacity)
	}
	if seats == 0 && sold == 0 {
		return nil
	}
	if !in.Override {
		return booking.At(booking.ErrFull, d.ID)
	}
	if err := policy.RequireAt(r.sc, policy.BookingOverride, d.LocationID); err != nil {
		return err
	}
	d.Capacity, d.OnlineCapacity = d.Capacity+seats, d.OnlineCapacity+sold
	return schedule.RaiseTx(ctx, r.tx, d.ID, seats, sold)
}
