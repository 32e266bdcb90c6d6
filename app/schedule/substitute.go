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

// SubstituteInput gives one date another instructor.
type SubstituteInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	MemberID     uuid.UUID // an active member of the team
	Override     bool      // although they are busy: needs booking.override and a reason
	Reason       string
	Silent       SubstituteSilence
}

// SubstituteSilence says who is not notified; the others are.
type SubstituteSilence struct {
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

// Effects are who teaches it, what else they have then, and how many are told.
func (s Substituted) Effects() any { return []any{s.MemberID, s.Conflicts, s.Notices} }

// Substitute gives one date another instructor, who teaches it whatever becomes of the series. It needs booking.manage at the
// location, or for the caller's own dates when this is one. Somebody who is busy or away is ErrStaffBusy with
// details.conflicts, unless Override. The other conflicts: ErrBegun, ErrDateCancelled, catalog.ErrArchived.
func (s *Service) Substitute(ctx context.Context, sc tenancy.Scope, in SubstituteInput) (Substituted, error) {
	of := dateRef{in.OfferingID, in.OccurrenceID}
	return changeDate(ctx, s, sc, policy.BookingManage, in.Validate(), of, in.Reason, func(tx *pg.Tx, d oneDate) (Substituted, error) {
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
	if err := d.lock(ctx, tx, written{MemberID: &in.MemberID}); err != nil {
		return Substituted{}, err
	}
	if err := d.open(tx.Now()); err != nil {
		return Substituted{}, err
	}
	is := d.written
	is.MemberID = &in.MemberID
	is.differ(FieldMemberID)
	c, err := s.prepare(ctx, tx, d.to(is), Series{}, "")
	if err != nil {
		return Substituted{}, err
	}
	if err := claim.Refusal(c.clashes); err != nil && !in.Override {
		return Substituted{}, err
	}
	if err := c.saveDate(ctx, tx); err != nil {
		return Substituted{}, err
	}
	out := Substituted{Conflicts: c.plan.Conflicts}
	if out.Notices, err = s.tellSubstitute(ctx, tx, d, in); err != nil {
		return Substituted{}, err
	}
	out.Occurrence, err = occurrenceByID(ctx, tx, d.ID)
	return out, err
}

// tellSubstitute notifies everybody whom nothing excepts and returns how many messages that is.
func (s *Service) tellSubstitute(ctx context.Context, tx *pg.Tx, d oneDate, in SubstituteInput) (int, error) {
	var notices []Notice
	team := 0
	n := Notice{DateID: d.ID, Was: d.StartsAt, Reason: in.Reason}
	if !in.Silent.Customers {
		n.Kind = NoticeSubstituted
		notices = append(notices, n)
	}
	if !in.Silent.Original && d.MemberID != nil && *d.MemberID != in.MemberID {
		n.Kind, n.MemberID = NoticeTaken, d.MemberID
		notices = append(notices, n)
		team++
	}
	if !in.Silent.Substitute {
		n.Kind, n.MemberID = NoticeGiven, &in.MemberID
		notices = append(notices, n)
		team++
	}
	customers, err := s.notify(ctx, tx, notices...)
	return customers + team, err
}
