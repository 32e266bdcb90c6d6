package booking

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ApproveInput approves a request.
type ApproveInput struct {
	BookingID uuid.UUID
	Override  bool   // more come than there is room for
	Reason    string // needed for it
}

// Validate trims the input and checks it.
func (in *ApproveInput) Validate() error {
	var c fault.Checks
	CheckReason(&c, &in.Reason, in.Override)
	return c.Err()
}

// Approve approves a request. A request occupies no seat, so the seat is occupied here, under the lock: of two
// requests for the last seat only one can be approved, in whatever order they arrive. Approve needs booking.manage at
// the booking's location, or for the caller's own occurrences; going over capacity also needs booking.override and a
// reason. A course is approved with all of its dates, or not at all.
//
// Errors:
//   - Validation, not found
//   - ErrState
//   - ErrStarted, ErrCancelled, ErrNotBookable
//   - ErrFull, also when instructors or spaces have become busy
func (s *Service) Approve(ctx context.Context, sc tenancy.Scope, in ApproveInput) (StudioBooking, error) {
	return s.change(ctx, sc, policy.BookingManage, in.BookingID, in.Validate, &in.Reason, func(tx *pg.Tx) error {
		list, b, err := lockCourse(ctx, tx, sc.Person(), in.BookingID)
		if err == nil {
			err = mayDecide(sc, b, in.Override)
		}
		if err != nil {
			return err
		}
		return s.approve(ctx, tx, sc, in, b.asked(list))
	})
}

// mayDecide reports whether the caller may approve or decline a request.
func mayDecide(sc tenancy.Scope, b subject, override bool) error {
	if err := mayManage(sc, b.LocationID, b.Own, override); err != nil || b.State == Requested {
		return err
	}
	return WrongState(b.State)
}

// asked returns the requests that are decided together with b.
func (b subject) asked(list map[uuid.UUID]subject) []subject {
	return slices.DeleteFunc(b.group(list), func(x subject) bool { return x.State != Requested })
}

// approve occupies the seats of requests that belong together, all of them or none, and captures their authorized
// payments.
func (s *Service) approve(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in ApproveInput, parts []subject) error {
	first := parts[0]
	if first.Kind != catalog.Class { // its people and spaces are claimed again
		ok, err := availability.ReopenTx(ctx, tx, []uuid.UUID{first.OccurrenceID})
		if err != nil {
			return err
		}
		if !ok {
			return At(ErrFull, first.OccurrenceID)
		}
	}
	places, err := lockPlaces(ctx, tx, sc.Person(), occurrencesOf(parts)...)
	if err != nil {
		return err
	}
	takes, full, err := seatsFor(parts, places, tx.Now())
	if err != nil {
		return err
	}
	switch {
	case len(full) == 0 || in.Override:
	case first.Course():
		return fullDates(full)
	default:
		return At(ErrFull, full[0].OccurrenceID)
	}
	if err := takePlaces(ctx, tx, takes, in.Override); err != nil {
		return err
	}
	for i, b := range parts {
		if err := approveBooking(ctx, tx, b.ID, takes[i].Online); err != nil {
			return err
		}
	}
	approved := each(parts, func(b subject) leaving { return leaving{ID: b.ID, From: Requested} })
	if err := record(ctx, tx, sc, TransitionApprove, in.Reason, approved); err != nil {
		return err
	}
	if err := s.Ports().ApprovedTx(ctx, tx, each(parts, func(b subject) uuid.UUID { return b.ID })); err != nil {
		return err
	}
	return tell(ctx, tx, first.Booking, ToldApproved)
}

// seatsFor finds the seats that requests take, and the dates that have too few.
func seatsFor(parts []subject, places map[uuid.UUID]place, now time.Time) (takes []taking, full []FreeDate, err error) {
	for _, b := range parts {
		p := places[b.OccurrenceID]
		if err := p.takesPlace(); err != nil {
			return nil, nil, err
		}
		if !now.Before(p.StartsAt) {
			return nil, nil, At(ErrStarted, p.ID)
		}
		online := b.Online && p.room(b.Party, true)
		if !p.room(b.Party, online) {
			full = append(full, FreeDate{p.ID, p.StartsAt})
		}
		takes = append(takes, taking{p.ID, b.Party, online})
	}
	return takes, full, nil
}
