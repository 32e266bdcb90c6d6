package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// SubstituteInput gives one date another teacher.
type SubstituteInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	MemberID     uuid.UUID // an active member of the team
	Override     bool      // although they are busy: needs booking.override and a reason
	Reason       string
	Notify       SubstituteNotices
}

// SubstituteNotices says who is told.
type SubstituteNotices struct {
	Customers  bool
	Original   bool // who was to teach
	Substitute bool
}

// Validate checks the input.
func (in SubstituteInput) Validate() error {
	var c fault.Checks
	c.That(!in.Override || in.Reason != "", "reason", "Say why the conflict is set aside.")
	checkCarry(&c, "", in.Reason)
	return c.Err()
}

// Substituted is what came of it.
type Substituted struct {
	Occurrence
	Conflicts []claim.ConflictDetail // what else they have, when that was set aside
	Notices   int                    // messages that are sent
}

// Substitute gives one date another teacher, who teaches it whatever becomes of the series. It needs booking.manage at the
// location, or for the caller's own sessions when this is one. Somebody who is busy or away is ErrStaffBusy with
// details.conflicts, unless Override. The other conflicts: ErrBegun, ErrDateCancelled, catalog.ErrArchived.
func (s *Service) Substitute(ctx context.Context, sc tenancy.Scope, in SubstituteInput) (Substituted, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return Substituted{}, err
	}
	if err := in.Validate(); err != nil {
		return Substituted{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Substituted, error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return Substituted{}, err
		}
		d, err := findDate(ctx, tx, in.OfferingID, in.OccurrenceID)
		if err != nil {
			return Substituted{}, err
		}
		if err := policy.RequireRow(sc, policy.BookingManage, d.LocationID, d.taughtBy(sc)); err != nil {
			return Substituted{}, err
		}
		if in.Override {
			if err := policy.RequireAt(sc, policy.BookingOverride, d.LocationID); err != nil {
				return Substituted{}, err
			}
		}
		return s.substitute(ctx, tx, d, in)
	})
}

func (s *Service) substitute(ctx context.Context, tx *pg.Tx, d oneDate, in SubstituteInput) (Substituted, error) {
	g, err := groundOf(ctx, tx, CreateSeriesInput{OfferingID: in.OfferingID, MemberID: &in.MemberID})
	if err != nil {
		return Substituted{}, err
	}
	if g.Instructor == nil {
		return Substituted{}, fault.Invalid("memberId", "There is no such active member of the team.")
	}
	if err := d.lock(ctx, tx, &in.MemberID, nil); err != nil {
		return Substituted{}, err
	}
	if err := d.open(tx.Now()); err != nil {
		return Substituted{}, err
	}
	is := d.written
	is.Overrides = append([]Field{}, is.Overrides...)
	is.MemberID = &in.MemberID
	is.differ(FieldMemberID)
	w := work{steps: []step{{d.written, is}}}
	k := newKeeping(Series{}, nil)
	clashes, rows, err := makeBusy(ctx, tx, w.busyChange(Series{}), k)
	if err != nil {
		return Substituted{}, err
	}
	if len(clashes) > 0 && !in.Override {
		return Substituted{}, claim.Refusal(clashes)
	}
	if err := writeDate(ctx, tx, &w, rows, k); err != nil {
		return Substituted{}, err
	}
	out := Substituted{Conflicts: claim.ConflictDetails(clashes)}
	if out.Notices, err = s.tellSubstitute(ctx, tx, d, in); err != nil {
		return Substituted{}, err
	}
	out.Occurrence, err = occurrenceByID(ctx, tx, d.ID)
	return out, err
}

// tellSubstitute sends the messages that were asked for and says how many those are.
func (s *Service) tellSubstitute(ctx context.Context, tx *pg.Tx, d oneDate, in SubstituteInput) (int, error) {
	var notices []Notice
	sent := 0
	n := Notice{DateID: d.ID, Was: d.StartsAt, Reason: in.Reason}
	if in.Notify.Customers {
		n.Kind = NoticeSubstituted
		people, err := s.customers(ctx, tx, d.written)
		if err != nil {
			return 0, err
		}
		if people > 0 {
			notices = append(notices, n)
		}
		sent += people
	}
	if in.Notify.Original && d.MemberID != nil && *d.MemberID != in.MemberID {
		n.Kind, n.MemberID = NoticeTaken, d.MemberID
		notices = append(notices, n)
		sent++
	}
	if in.Notify.Substitute {
		n.Kind, n.MemberID = NoticeGiven, &in.MemberID
		notices = append(notices, n)
		sent++
	}
	return sent, s.notify(ctx, tx, notices)
}

// customers counts the bookings of a date.
func (s *Service) customers(ctx context.Context, tx *pg.Tx, d written) (int, error) {
	booked, err := s.bookedOn(ctx, tx, oneDate{written: d}.ending())
	return len(booked[d.ID].Bookings), err
}
