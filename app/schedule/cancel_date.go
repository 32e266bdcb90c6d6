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
// its waitlist ends, and its instructor and its space are free. Edits of the series do not bring it back; RestoreDate does. It
// needs booking.manage at the location, or for the caller's own dates when this is one. Conflicts: ErrBegun,
// ErrDateCancelled.
func (s *Service) CancelDate(ctx context.Context, sc tenancy.Scope, in CancelDateInput) (ChangedDate, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return ChangedDate{}, err
	}
	if err := in.Validate(); err != nil {
		return ChangedDate{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (ChangedDate, error) {
		d, err := findDate(ctx, tx, sc, policy.BookingManage, DateRef{in.OfferingID, in.OccurrenceID}, in.Reason)
		if err != nil {
			return ChangedDate{}, err
		}
		if _, err := s.bookedOn(ctx, tx, d.ending("")); err != nil { // locks the holds there, before the date
			return ChangedDate{}, err
		}
		if err := d.lock(ctx, tx, written{}); err != nil {
			return ChangedDate{}, err
		}
		if err := d.open(tx.Now()); err != nil {
			return ChangedDate{}, err
		}
		c, err := s.prepare(ctx, tx, d.ending(in.Reason), Series{}, CancelBooked)
		if err != nil {
			return ChangedDate{}, err
		}
		if err := c.saveDate(ctx, tx); err != nil {
			return ChangedDate{}, err
		}
		if err := s.tell(ctx, tx, sc, c, CancelBooked, Because{in.Reason, in.Notify}); err != nil {
			return ChangedDate{}, err
		}
		c.plan.Undoable = false // there is RestoreDate
		o, err := occurrenceByID(ctx, tx, d.ID)
		return ChangedDate{o, c.plan}, err
	})
}
