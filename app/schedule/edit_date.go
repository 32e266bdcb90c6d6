package schedule

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// EditDateInput changes one date of a series; what is nil stays. What is given is the date's own from then on: edits of
// the series do not change it.
type EditDateInput struct {
	OfferingID     uuid.UUID
	OccurrenceID   uuid.UUID
	Version        int64 // the version the caller has read
	StartsAt       *time.Time
	Minutes        *int
	MemberID       *uuid.NullUUID
	SpaceID        *uuid.NullUUID
	Capacity       *int
	OnlineCapacity *int
	AllowConflicts bool // the teacher and the space may be double-booked
	Notify         bool // customers are told of another time
	Reason         string
}

// Validate checks the input as far as it goes without the database.
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

// EditedDate is what an edit of one date has done. Undo takes it back for a day, by EditID.
type EditedDate struct {
	Occurrence // as it is now
	EditID     uuid.UUID
	UndoUntil  time.Time
	Plan       Plan
}

// Effects is the plan.
func (e EditedDate) Effects() any { return e.Plan }

// The refusals about single dates.
var (
	// ErrBegun: what has begun stays as it was.
	ErrBegun = fault.New(fault.Conflict, "started", "This date has begun.")
	// ErrDateCancelled: the date does not take place.
	ErrDateCancelled = fault.New(fault.Conflict, "cancelled", "This date is cancelled.")
)

// EditDate changes one date that has not begun. Its bookings follow it to another time. It needs catalog.manage at the
// location. Conflicts: fault.ErrStale, ErrBegun, ErrDateCancelled, ErrDatesTooFull, and, unless AllowConflicts, ErrStaffBusy and
// ErrSpaceBusy with details.conflicts.
func (s *Service) EditDate(ctx context.Context, sc tenancy.Scope, in EditDateInput) (EditedDate, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return EditedDate{}, err
	}
	if err := in.Validate(); err != nil {
		return EditedDate{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (EditedDate, error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return EditedDate{}, err
		}
		d, err := findDate(ctx, tx, in.OfferingID, in.OccurrenceID)
		if err != nil {
			return EditedDate{}, err
		}
		if err := policy.RequireAt(sc, policy.CatalogManage, d.LocationID); err != nil {
			return EditedDate{}, err
		}
		g, err := groundOf(ctx, tx, in.change().ground(Series{OfferingID: in.OfferingID, SpaceID: d.SpaceID}))
		if err != nil {
			return EditedDate{}, err
		}
		if _, err := s.bookedOn(ctx, tx, d.ending()); err != nil { // locks the holds and bookings there, before the date
			return EditedDate{}, err
		}
		if err := d.lock(ctx, tx, g.member(in.MemberID), g.space(in.SpaceID)); err != nil {
			return EditedDate{}, err
		}
		if err := fault.Stale(in.Version, d.Version); err != nil {
			return EditedDate{}, err
		}
		is, err := in.apply(d, g, tx.Now())
		if err != nil {
			return EditedDate{}, err
		}
		return s.carryDate(ctx, tx, d, is, in.AllowConflicts, Because{in.Reason, in.Notify})
	})
}

// change is the part that a series has, too.
func (in EditDateInput) change() SeriesChange {
	return SeriesChange{MemberID: in.MemberID, SpaceID: in.SpaceID, Capacity: in.Capacity, OnlineCapacity: in.OnlineCapacity}
}

// member is who is to be locked for a change: whoever it names, if there is such a person.
func (g ground) member(id *uuid.NullUUID) *uuid.UUID {
	if id == nil || !id.Valid || g.Instructor == nil {
		return nil
	}
	return &id.UUID
}

func (g ground) space(id *uuid.NullUUID) *uuid.UUID {
	if id == nil || !id.Valid || g.Space == nil {
		return nil
	}
	return &id.UUID
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
	is.Overrides = slices.Clone(is.Overrides)
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
	in.who(&is, g, &c)
	in.seats(&is, g, &c)
	if err := c.Err(); err != nil {
		return is, err
	}
	if is.Capacity < is.seats() {
		return is, ErrDatesTooFull.With("dates", []string{is.LocalDate.String()})
	}
	return is, nil
}

// differ notes a field as the date's own.
func (w *written) differ(f Field) {
	if !w.own(f) {
		w.Overrides = append(w.Overrides, f)
	}
}

func (in EditDateInput) who(is *written, g ground, c *fault.Checks) {
	if in.MemberID != nil {
		c.That(!in.MemberID.Valid || g.Instructor != nil, "memberId", "There is no such active member of the team.")
		is.MemberID = idOf(*in.MemberID)
		is.differ(FieldMemberID)
	}
	if in.SpaceID != nil {
		c.That(!in.SpaceID.Valid || g.Space != nil, "spaceId", "There is no such space at this location.")
		is.SpaceID = idOf(*in.SpaceID)
		is.differ(FieldSpaceID)
	}
}

// seats settles how many there are. A smaller space cuts them to what it holds, and that is the date's own then.
func (in EditDateInput) seats(is *written, g ground, c *fault.Checks) {
	if in.SpaceID == nil && in.Capacity == nil && in.OnlineCapacity == nil {
		return
	}
	was := *is
	g.Capacity, g.OnlineCapacity = is.Capacity, is.OnlineCapacity
	is.Capacity, is.OnlineCapacity = CreateSeriesInput{Capacity: in.Capacity, OnlineCapacity: in.OnlineCapacity}.seats(g, c)
	if is.Capacity != was.Capacity || in.Capacity != nil {
		is.differ(FieldCapacity)
	}
	if in.OnlineCapacity != nil {
		is.differ(FieldOnlineCapacity)
	}
}

// open is why a date cannot be changed; nil when it can.
func (d oneDate) open(now time.Time) error {
	switch {
	case !d.StartsAt.After(now):
		return ErrBegun
	case d.State == Cancelled:
		return ErrDateCancelled
	case d.OfferingState == catalog.Archived:
		return catalog.ErrArchived
	}
	return nil
}

// carryDate writes a change of one date down, with what follows from it.
func (s *Service) carryDate(ctx context.Context, tx *pg.Tx, d oneDate, is written, allow bool, why Because) (EditedDate, error) {
	w := work{steps: []step{{d.written, is}}}
	booked, err := s.bookedOn(ctx, tx, w)
	if err != nil {
		return EditedDate{}, err
	}
	k := newKeeping(Series{ID: d.SeriesID, OfferingID: d.OfferingID}, booked)
	k.before.Dates = append(k.before.Dates, d.Row)
	plan := w.plan()
	plan.hit(booked, w, "")
	clashes, rows, err := makeBusy(ctx, tx, w.busyChange(Series{}), k)
	if err != nil {
		return EditedDate{}, err
	}
	plan.Conflicts, plan.Undoable = claim.ConflictDetails(clashes), true
	if len(clashes) > 0 && !allow {
		return EditedDate{}, fault.From(claim.Refusal(clashes)).With("plan", plan)
	}
	if err := writeDate(ctx, tx, &w, rows, k); err != nil {
		return EditedDate{}, err
	}
	if len(booked) > 0 {
		if err := s.retime(ctx, tx, d.written, why, booked, &plan); err != nil {
			return EditedDate{}, err
		}
	}
	if err := s.bookings.lookAgain(ctx, tx, d.ID); err != nil {
		return EditedDate{}, err
	}
	now, err := occurrenceByID(ctx, tx, d.ID)
	if err != nil {
		return EditedDate{}, err
	}
	out := EditedDate{Occurrence: now, EditID: pg.NewID(), UndoUntil: tx.Now().Add(undoFor), Plan: plan}
	return out, k.insert(ctx, tx, Edited{EditID: out.EditID, UndoUntil: out.UndoUntil, Plan: plan})
}

// writeDate writes one date and its claims, as a version that was never given.
func writeDate(ctx context.Context, tx *pg.Tx, w *work, rows []claim.Row, k *keeping) error {
	st := &w.steps[0]
	spent, err := undoneVersions(ctx, tx, st.was.SeriesID)
	if err != nil {
		return err
	}
	st.is.Version = max(st.was.Version, spent[st.is.ID]) + 1
	k.after.Dates[st.is.ID] = st.is.Version
	if err := updateDates(ctx, tx, []written{st.is}); err != nil {
		return err
	}
	return k.claim(ctx, tx, rows)
}

// retime lets the bookings of a date that has moved follow it, and tells their customers.
func (s *Service) retime(ctx context.Context, tx *pg.Tx, was written, why Because, booked map[uuid.UUID]Booked, p *Plan) error {
	if s.bookings.RetimeBookedTx != nil {
		if err := s.bookings.RetimeBookedTx(ctx, tx, []uuid.UUID{was.ID}); err != nil {
			return err
		}
	}
	if !why.Notify {
		return nil
	}
	p.Notices = len(booked[was.ID].Bookings)
	return s.notify(ctx, tx, []Notice{{Kind: NoticeMoved, DateID: was.ID, Was: was.StartsAt, Reason: why.Reason}})
}
