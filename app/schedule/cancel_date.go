package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CancelDateInput cancels one date.
type CancelDateInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	Reason       string // for the customers; may be empty
	Notify       bool   // customers are told
}

// Validate checks the input.
func (in CancelDateInput) Validate() error {
	var c fault.Checks
	checkCarry(&c, CancelBooked, in.Reason)
	return c.Err()
}

// ChangedDate is what cancelling or restoring a date has done.
type ChangedDate struct {
	Occurrence
	Plan Plan
}

// Effects is the plan.
func (d ChangedDate) Effects() any { return d.Plan }

// CancelDate cancels one date that has not begun: its bookings are cancelled by the studio, with everything given back,
// its waitlist ends, and its teacher and its space are free. Edits of the series do not bring it back; RestoreDate does. It
// needs booking.manage at the location, or for the caller's own sessions when this is one. Conflicts: ErrBegun,
// ErrDateCancelled.
func (s *Service) CancelDate(ctx context.Context, sc tenancy.Scope, in CancelDateInput) (ChangedDate, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return ChangedDate{}, err
	}
	if err := in.Validate(); err != nil {
		return ChangedDate{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (ChangedDate, error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return ChangedDate{}, err
		}
		d, err := findDate(ctx, tx, in.OfferingID, in.OccurrenceID)
		if err != nil {
			return ChangedDate{}, err
		}
		if err := policy.RequireRow(sc, policy.BookingManage, d.LocationID, d.taughtBy(sc)); err != nil {
			return ChangedDate{}, err
		}
		return s.cancelDate(ctx, tx, sc, d, Because{in.Reason, in.Notify})
	})
}

// taughtBy tells whether the caller teaches the date.
func (d oneDate) taughtBy(sc tenancy.Scope) bool {
	return d.Teacher != nil && *d.Teacher == sc.Person()
}

func (s *Service) cancelDate(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, d oneDate, why Because) (ChangedDate, error) {
	if _, err := s.bookedOn(ctx, tx, d.ending()); err != nil { // locks the holds there, before the date
		return ChangedDate{}, err
	}
	if err := d.lock(ctx, tx, nil, nil); err != nil {
		return ChangedDate{}, err
	}
	if err := d.open(tx.Now()); err != nil {
		return ChangedDate{}, err
	}
	w := d.ending()
	w.steps[0].is.CancelReason = why.Reason
	booked, err := s.bookedOn(ctx, tx, w)
	if err != nil {
		return ChangedDate{}, err
	}
	plan := w.plan()
	plan.hit(booked, w, CancelBooked)
	k := newKeeping(Series{}, nil)
	if _, _, err := makeBusy(ctx, tx, w.busyChange(Series{}), k); err != nil {
		return ChangedDate{}, err
	}
	if err := writeDate(ctx, tx, &w, nil, k); err != nil {
		return ChangedDate{}, err
	}
	l := leaving{dates: []uuid.UUID{d.ID}, on: CancelBooked, why: why}
	for id := range booked {
		l.booked = append(l.booked, id)
	}
	if err := s.leave(ctx, tx, sc, l, &plan); err != nil {
		return ChangedDate{}, err
	}
	plan.Undoable = false // there is RestoreDate
	o, err := occurrenceByID(ctx, tx, d.ID)
	return ChangedDate{o, plan}, err
}

// ending is the date being cancelled by hand.
func (d oneDate) ending() work {
	is := d.written
	is.State = Cancelled
	is.Overrides = append([]Field{}, is.Overrides...)
	is.differ(FieldState)
	return work{steps: []step{{d.written, is}}}
}
