package schedule

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CancelDateInput cancels one date, or restores a cancelled one.
type CancelDateInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	Reason       string // for the customers; may be empty
	Silent       bool   // customers are not notified: those with a booking, or those cancelled with it
}

// Validate checks the input.
func (in CancelDateInput) Validate() error {
	var c fault.Checks
	checkCarry(&c, "", in.Reason)
	return c.Err()
}

// The errors of restoring.
var (
	// ErrNotCancelled: the date is not cancelled.
	ErrNotCancelled = fault.New(fault.Conflict, "not_cancelled", "This date is not cancelled.")
	// ErrNotInSeries: the series was changed or ended and does not have the date any more.
	ErrNotInSeries = fault.New(fault.Conflict, "not_in_series", "The series does not have this date any more. Add it to the series.")
)

// ChangedDate is the result of cancelling or restoring a date.
type ChangedDate struct {
	Occurrence
	Plan Plan
}

// Effects returns the plan.
func (d ChangedDate) Effects() any { return d.Plan }

// CancelDate cancels one date that has not begun: its bookings are cancelled by the studio with full refunds, its
// waitlist ends, and its instructor and its space become available. Edits of the series do not bring it back;
// RestoreDate does. It needs booking.manage at the location, or for the caller's own dates when this is one.
// Conflicts: ErrBegun, ErrDateCancelled.
func (s *Service) CancelDate(ctx context.Context, sc tenancy.Scope, in CancelDateInput) (ChangedDate, error) {
	of := dateRef{in.OfferingID, in.OccurrenceID}
	return changeDate(ctx, s, sc, policy.BookingManage, in.Validate(), of, in.Reason, func(tx *pg.Tx, d oneDate) (ChangedDate, error) {
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
		if err := s.tell(ctx, tx, sc, c, CancelBooked, Because{in.Reason, in.Silent}); err != nil {
			return ChangedDate{}, err
		}
		c.plan.Undoable = false // there is RestoreDate
		o, err := occurrenceByID(ctx, tx, d.ID)
		return ChangedDate{o, c.plan}, err
	})
}

// RestoreDate undoes CancelDate: the date is scheduled at its time and space, and can be booked. Its former bookings
// stay cancelled. It needs booking.manage at the location, or for the caller's own dates when this is one.
//
// Conflicts:
//   - ErrNotCancelled, ErrNotInSeries
//   - ErrBegun
//   - catalog.ErrArchived
//   - ErrStaffBusy or ErrSpaceBusy with details.conflicts when the instructor or the space has become busy
func (s *Service) RestoreDate(ctx context.Context, sc tenancy.Scope, in CancelDateInput) (ChangedDate, error) {
	of := dateRef{in.OfferingID, in.OccurrenceID}
	return changeDate(ctx, s, sc, policy.BookingManage, in.Validate(), of, in.Reason, func(tx *pg.Tx, d oneDate) (ChangedDate, error) {
		if err := d.lock(ctx, tx, written{}); err != nil {
			return ChangedDate{}, err
		}
		switch {
		case d.State != Cancelled:
			return ChangedDate{}, ErrNotCancelled
		case d.takenAway():
			return ChangedDate{}, ErrNotInSeries
		case !d.StartsAt.After(tx.Now()):
			return ChangedDate{}, ErrBegun
		case d.OfferingState == catalog.Archived:
			return ChangedDate{}, catalog.ErrArchived
		}
		given, err := ruleGives(ctx, tx, d.SeriesID, d.RuleDate)
		if err == nil && !given { // it was cancelled by hand before the series lost it
			err = ErrNotInSeries
		}
		if err != nil {
			return ChangedDate{}, err
		}
		return s.restoreDate(ctx, tx, d, Because{in.Reason, in.Silent})
	})
}

func (s *Service) restoreDate(ctx context.Context, tx *pg.Tx, d oneDate, why Because) (ChangedDate, error) {
	is := d.written
	is.State, is.CancelReason = Scheduled, ""
	is.Overrides = slices.DeleteFunc(slices.Clone(is.Overrides), func(f Field) bool { return f == FieldState })
	c, err := s.prepare(ctx, tx, d.to(is), Series{}, "")
	if err != nil {
		return ChangedDate{}, err
	}
	if err := claim.Refusal(c.clashes); err != nil {
		return ChangedDate{}, err
	}
	if err := c.saveDate(ctx, tx); err != nil {
		return ChangedDate{}, err
	}
	if !why.Silent {
		n := Notice{Kind: NoticeRestored, DateID: d.ID, Was: d.StartsAt, Reason: why.Reason}
		if c.plan.Notices, err = s.notify(ctx, tx, n); err != nil {
			return ChangedDate{}, err
		}
	}
	o, err := occurrenceByID(ctx, tx, d.ID)
	return ChangedDate{o, c.plan}, err
}
