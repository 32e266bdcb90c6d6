package schedule

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EditDateInput changes one date of a series; nil leaves a field unchanged. Given fields are the date's own from then
// on: edits of the series do not change them.
type EditDateInput struct {
	OfferingID     uuid.UUID
	OccurrenceID   uuid.UUID
	Version        int64 // the version the caller has read
	StartsAt       *time.Time
	Minutes        *int
	MemberID       patch.Field[uuid.UUID]
	SpaceID        patch.Field[uuid.UUID]
	Capacity       *int
	OnlineCapacity *int
	AllowConflicts bool // the instructor and the space may be double-booked
	Silent         bool // customers are not notified of another time, instructor or space
	Reason         string
}

// Validate checks the input without the database.
func (in EditDateInput) Validate() error {
	var c fault.Checks
	c.That(in.Version >= 0, "version", "Send the version that you have read.")
	if in.Minutes != nil {
		c.That(*in.Minutes >= MinutesMin && *in.Minutes <= MinutesMax, "minutes",
			fmt.Sprintf("The length must be between %d and %d minutes.", MinutesMin, MinutesMax))
	}
	CreateSeriesInput{Capacity: in.Capacity, OnlineCapacity: in.OnlineCapacity}.checkSeats(&c)
	checkCarry(&c, "", in.Reason)
	return c.Err()
}

// EditedDate is the result of an edit of one date.
type EditedDate struct {
	Occurrence // as it is now
	RecordedEdit
}

// The errors of single dates.
var (
	// ErrBegun: dates that have begun stay as they were.
	ErrBegun = fault.New(fault.Conflict, "started", "This date has begun.")
	// ErrDateCancelled: the date is cancelled.
	ErrDateCancelled = fault.New(fault.Conflict, "cancelled", "This date is cancelled.")
)

// EditDate changes one date that has not begun. Its bookings are rescheduled with it. It needs catalog.manage at the
// location.
//
// Conflicts:
//   - fault.ErrStale
//   - ErrBegun, ErrDateCancelled
//   - ErrDatesTooFull
//   - ErrStaffBusy and ErrSpaceBusy with details.conflicts, unless AllowConflicts
func (s *Service) EditDate(ctx context.Context, sc tenancy.Scope, in EditDateInput) (EditedDate, error) {
	of := dateRef{in.OfferingID, in.OccurrenceID}
	return changeDate(ctx, s, sc, policy.CatalogManage, in.Validate(), of, in.Reason, func(tx *pg.Tx, d oneDate) (EditedDate, error) {
		g, err := groundOf(ctx, tx, in.change().ground(in.OfferingID, d.SpaceID))
		if err != nil {
			return EditedDate{}, err
		}
		if _, err := s.bookedOn(ctx, tx, d.ending("")); err != nil { // locks holds and bookings before the date
			return EditedDate{}, err
		}
		if err := d.lock(ctx, tx, g.named(in)); err != nil {
			return EditedDate{}, err
		}
		if err := fault.Stale(in.Version, d.Version); err != nil {
			return EditedDate{}, err
		}
		is, err := in.apply(d, g, tx.Now())
		if err != nil {
			return EditedDate{}, err
		}
		return s.editDate(ctx, tx, sc, d, is, in)
	})
}

// change is the part that a series has, too.
func (in EditDateInput) change() SeriesChange {
	return SeriesChange{MemberID: in.MemberID, SpaceID: in.SpaceID, Capacity: in.Capacity, OnlineCapacity: in.OnlineCapacity}
}

// named is the date as far as it is to be locked for a change: with the member and the space of the change, if they
// exist.
func (g ground) named(in EditDateInput) (to written) {
	if g.Instructor != nil {
		to.MemberID = in.MemberID.Value
	}
	if g.Space != nil {
		to.SpaceID = in.SpaceID.Value
	}
	return to
}

// apply is the date after the change.
func (in EditDateInput) apply(d oneDate, g ground, now time.Time) (written, error) {
	is := d.written
	if err := d.open(now); err != nil {
		return is, err
	}
	loc, err := civil.LoadZone(d.Zone)
	if err != nil {
		return is, err
	}
	var c fault.Checks
	length := is.EndsAt.Sub(is.StartsAt)
	if in.Minutes != nil {
		length = time.Duration(*in.Minutes) * time.Minute
		is.differ(FieldMinutes)
	}
	if in.StartsAt != nil {
		c.That(in.StartsAt.After(now), "startsAt", "The date must not be in the past.")
		c.That(in.StartsAt.Before(now.AddDate(0, 0, StartMaxDays)), "startsAt", "The date must be within two years.")
		is.StartsAt, is.LocalDate = in.StartsAt.UTC(), civil.LocalDate(*in.StartsAt, loc)
		is.differ(FieldStartsAt)
	}
	is.EndsAt = is.StartsAt.Add(length)
	in.assign(&is, g, &c)
	if err := c.Err(); err != nil {
		return is, err
	}
	if is.Capacity < is.seats() {
		return is, ErrDatesTooFull.With("dates", []string{is.LocalDate.String()})
	}
	return is, nil
}

// assign changes member, space and seats, and notes the fields that become the date's own: also a number of seats
// that a smaller space has cut, and the online seats that have followed it.
func (in EditDateInput) assign(is *written, g ground, c *fault.Checks) {
	capacity, online := is.Capacity, is.OnlineCapacity
	in.change().assign(g, &is.MemberID, &is.SpaceID, &is.Capacity, &is.OnlineCapacity, c)
	if in.MemberID.Set {
		is.differ(FieldMemberID)
	}
	if in.SpaceID.Set {
		is.differ(FieldSpaceID)
	}
	if in.Capacity != nil || is.Capacity != capacity {
		is.differ(FieldCapacity)
	}
	if in.OnlineCapacity != nil || is.OnlineCapacity != online {
		is.differ(FieldOnlineCapacity)
	}
}

// editDate writes a change of one date, with its effects.
func (s *Service) editDate(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, d oneDate, is written, in EditDateInput) (EditedDate, error) {
	c, err := s.prepare(ctx, tx, d.to(is), Series{}, "")
	if err != nil {
		return EditedDate{}, err
	}
	if len(c.clashes) > 0 && !in.AllowConflicts {
		c.plan.Undoable = true
		return EditedDate{}, fault.From(claim.Refusal(c.clashes)).With("plan", c.plan)
	}
	if err := c.saveDate(ctx, tx); err != nil {
		return EditedDate{}, err
	}
	why := Because{in.Reason, in.Silent}
	if err := s.tell(ctx, tx, sc, c, "", why); err != nil {
		return EditedDate{}, err
	}
	if _, err := s.tellTeam(ctx, tx, c.work, why.team()); err != nil {
		return EditedDate{}, err
	}
	c.after.Silent = why.Silent
	now, err := occurrenceByID(ctx, tx, d.ID)
	if err != nil {
		return EditedDate{}, err
	}
	edit, err := c.keep(ctx, tx, seriesRef{d.OfferingID, d.SeriesID})
	return EditedDate{now, edit}, err
}
