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

// SubstituteInput assigns another instructor to one date.
type SubstituteInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	MemberID     uuid.UUID // an active member of the team
	Override     bool      // despite a conflict: needs booking.override and a reason
	Reason       string
	Silent       SubstituteSilence
}

// SubstituteSilence selects the recipients who are not notified; the others are.
type SubstituteSilence struct {
	Customers  bool
	Original   bool // the original instructor
	Substitute bool
}

// Validate checks the input.
func (in SubstituteInput) Validate() error {
	var c fault.Checks
	c.That(!in.Override || in.Reason != "", "reason", "Enter a reason for overriding the conflict.")
	checkCarry(&c, "", in.Reason)
	return c.Err()
}

// Substituted is the result of a substitution.
type Substituted struct {
	Occurrence
	Conflicts []claim.ConflictDetail // the instructor's conflicts, if overridden
	Notices   int                    // messages that are sent
}

// Effects returns the instructor, the conflicts, and the number of notices.
func (s Substituted) Effects() any { return []any{s.MemberID, s.Conflicts, s.Notices} }

// Substitute assigns another instructor to one date. The date keeps the instructor when its series is edited. It
// needs booking.manage at the location, or for the caller's own dates when this is one.
//
// Conflicts:
//   - ErrStaffBusy with details.conflicts for an instructor who is busy or away, unless Override
//   - ErrBegun, ErrDateCancelled
//   - catalog.ErrArchived
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

// tellSubstitute notifies all recipients that are not excepted and returns the number of messages.
func (s *Service) tellSubstitute(ctx context.Context, tx *pg.Tx, d oneDate, in SubstituteInput) (int, error) {
	var notices []Notice
	team := 0
	n := Notice{DateID: d.ID, Was: d.StartsAt, Reason: in.Reason}
	if !in.Silent.Customers {
		n.Kind = NoticeSubstituted
		notices = append(notices, n)
	}
	if !in.Silent.Original && d.MemberID != nil && *d.MemberID != in.MemberID {
		n.Kind, n.MemberID = NoticeUnassigned, d.MemberID
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
