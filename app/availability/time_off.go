package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// TimeOffInput is new time off.
type TimeOffInput struct {
	MemberID         uuid.UUID
	StartsAt, EndsAt time.Time
	Note             string
}

// TakeTimeOff takes a member away. It needs location.view for oneself and team.manage for others; an unknown member is not
// found. Bookings it hits stay as they are and are told. Times off may overlap.
//
// The member's row is locked before anybody asks who is booked: a booking that is being made comes wholly before, and is
// told, or wholly after, and finds the member away.
func (s *Service) TakeTimeOff(ctx context.Context, sc tenancy.Scope, in TimeOffInput) (AddedAbsence, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return AddedAbsence{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (AddedAbsence, error) {
		if err := lockMember(ctx, tx, sc, in.MemberID); err != nil {
			return AddedAbsence{}, err
		}
		off, err := newAbsence(pg.NewID(), in.StartsAt, in.EndsAt, in.Note, tx.Now())
		if err != nil {
			return AddedAbsence{}, err
		}
		if err := insertTimeOff(ctx, tx, in.MemberID, off); err != nil {
			return AddedAbsence{}, err
		}
		hits, err := s.hitsOf(ctx, tx, off.StartsAt, off.EndsAt, nil, `oc.member_id = $6`, in.MemberID)
		return AddedAbsence{off, hits}, err
	})
}

// RemoveTimeOff lets a member come back. It needs what TakeTimeOff needs; an unknown member, and time off that is not
// theirs, is not found.
func (s *Service) RemoveTimeOff(ctx context.Context, sc tenancy.Scope, member, id uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return err
	}
	_, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		if err := lockMember(ctx, tx, sc, member); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, deleteTimeOff(ctx, tx, member, id)
	})
	return err
}

// TimeOff lists when a member is away. It needs location.view; the notes are for the member and for team.manage. An
// unknown member is not found.
func (s *Service) TimeOff(ctx context.Context, sc tenancy.Scope, member uuid.UUID, in AwayInput) (paging.Page[Absence, paging.Moment], error) {
	var none paging.Page[Absence, paging.Moment]
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return none, err
	}
	if err := in.check(); err != nil {
		return none, err
	}
	v := s.db.View(sc.Tenant)
	m, err := business.MemberOf(ctx, v, member)
	if err != nil {
		return none, err
	}
	rows, err := listTimeOff(ctx, v, member, in.start(v.Now()), in.Page.Size()+1)
	if ownOrTeam(sc, m) != nil {
		for i := range rows {
			rows[i].Note = ""
		}
	}
	return in.page(rows), err
}
