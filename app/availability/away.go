package availability

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Absence is a time at which a member is away from all locations, or a space, with its parts, is out of use.
type Absence struct {
	ID        uuid.UUID
	StartsAt  time.Time
	EndsAt    time.Time
	Note      string // reason: of time off, for the member and the team's managers; empty for others
	CreatedAt time.Time
}

// The limits of time off and blocks.
const (
	AbsenceMaxDays = 366 // the longest
	NoteMax        = 200 // characters
)

// AddedAbsence is time off or a block, with the affected bookings.
type AddedAbsence struct {
	Absence
	Hits Hits
}

// Effects returns the affected bookings.
func (a AddedAbsence) Effects() any { return a.Hits }

// newAbsence is the row of an absence; the note is trimmed.
func newAbsence(id uuid.UUID, from, to time.Time, note string, now time.Time) (Absence, error) {
	a := Absence{ID: id, StartsAt: from, EndsAt: to, Note: strings.TrimSpace(note), CreatedAt: now}
	var c fault.Checks
	c.That(from.Before(to), "endsAt", "The end must be after the beginning.")
	c.That(to.After(now), "endsAt", "This has ended already.")
	c.That(!to.After(from.AddDate(0, 0, AbsenceMaxDays)), "endsAt", "Use at most 366 days.")
	c.That(!from.After(now.AddDate(0, 0, schedule.StartMaxDays)), "startsAt", "Use a beginning within two years.")
	checkNote(&c, "note", a.Note)
	return a, c.Err()
}

// checkNote allows one line, short.
func checkNote(c *fault.Checks, field, s string) {
	bad := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }
	c.That(utf8.RuneCountInString(s) <= NoteMax && !strings.ContainsFunc(s, bad), field,
		fmt.Sprintf("Write at most %d characters on one line.", NoteMax))
}

// AbsencesInput chooses times off of a member, or blocks of a space, in the order of their end.
type AbsencesInput struct {
	From time.Time // absences that end after it; zero: after now
	Page paging.In[paging.Moment]
}

// start returns the key behind which a list begins.
func (in AbsencesInput) start(now time.Time) paging.Moment {
	from := in.From
	if from.IsZero() {
		from = now
	}
	if after := in.Page.After; after != nil && !after.At.Before(from) {
		return *after
	}
	return paging.Moment{At: from, ID: uuid.Max} // behind everything that ends at from
}

// page makes a page of rows that were read with one more than its size.
func (in AbsencesInput) page(rows []Absence) paging.Page[Absence, paging.Moment] {
	return paging.Of(rows, in.Page.Size(), func(a Absence) paging.Moment { return paging.Moment{At: a.EndsAt, ID: a.ID} })
}

func (in AbsencesInput) check() error {
	var c fault.Checks
	in.Page.Check(&c)
	return c.Err()
}

// TimeOffInput is new time off.
type TimeOffInput struct {
	MemberID         uuid.UUID
	StartsAt, EndsAt time.Time
	Note             string
}

// RecordTimeOff records time off of a member. It needs location.view for oneself and team.manage for others; an
// unknown member is not found. Affected bookings stay as they are and are returned. Times off may overlap.
//
// The member's row is locked before bookings are read: a concurrent booking comes wholly before, and is returned, or
// wholly after, and finds the member away.
func (s *Service) RecordTimeOff(ctx context.Context, sc tenancy.Scope, in TimeOffInput) (AddedAbsence, error) {
	return begin(ctx, s, sc, policy.LocationView, nil, func(tx *pg.Tx) (AddedAbsence, error) {
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

// RemoveTimeOff removes time off of a member. It needs the same grants as RecordTimeOff; an unknown member, and time
// off of another member, is not found.
func (s *Service) RemoveTimeOff(ctx context.Context, sc tenancy.Scope, member, id uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		if err := lockMember(ctx, tx, sc, member); err != nil {
			return err
		}
		return deleteTimeOff(ctx, tx, member, id)
	})
}

// TimeOff lists the times off of a member. It needs location.view; the notes are for the member and for team.manage.
// An unknown member is not found.
func (s *Service) TimeOff(ctx context.Context, sc tenancy.Scope, member uuid.UUID, in AbsencesInput) (page paging.Page[Absence, paging.Moment], err error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return page, err
	}
	if err := in.check(); err != nil {
		return page, err
	}
	v := s.db.View(sc.Tenant)
	m, err := business.MemberOf(ctx, v, member)
	if err != nil {
		return page, err
	}
	rows, err := listTimeOff(ctx, v, member, in.start(v.Now()), in.Page.Size()+1)
	if ownOrTeam(sc, m) != nil {
		for i := range rows {
			rows[i].Note = ""
		}
	}
	return in.page(rows), err
}

// BlockInput is a new block: a time at which a space is out of use for maintenance, a private event.
type BlockInput struct {
	LocationID, SpaceID uuid.UUID
	StartsAt, EndsAt    time.Time
	Note                string
}

// BlockSpace blocks a space for a time. It needs booking.manage at the location; an unknown location or space is not
// found, an archived space business.ErrSpaceArchived. Affected bookings, in the space, in a whole it is a part of and
// in its parts, stay as they are and are returned; like RecordTimeOff it locks before it reads. Blocks may overlap.
func (s *Service) BlockSpace(ctx context.Context, sc tenancy.Scope, in BlockInput) (AddedAbsence, error) {
	return begin(ctx, s, sc, policy.BookingManage, nil, func(tx *pg.Tx) (AddedAbsence, error) {
		if err := lockSpace(ctx, tx, sc, policy.BookingManage, in.LocationID, in.SpaceID); err != nil {
			return AddedAbsence{}, err
		}
		block, err := newAbsence(pg.NewID(), in.StartsAt, in.EndsAt, in.Note, tx.Now())
		if err != nil {
			return AddedAbsence{}, err
		}
		if err := insertBlock(ctx, tx, in.LocationID, in.SpaceID, block); err != nil {
			return AddedAbsence{}, err
		}
		hits, err := s.hitsOf(ctx, tx, block.StartsAt, block.EndsAt, nil, inSpace, in.LocationID, in.SpaceID)
		return AddedAbsence{block, hits}, err
	})
}

// RemoveBlock removes a block of a space. It needs booking.manage at the location; an unknown location or space, and
// a block of another space, is not found.
func (s *Service) RemoveBlock(ctx context.Context, sc tenancy.Scope, location, space, id uuid.UUID) error {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return err
	}
	return pg.Do(ctx, s.db, sc.Tenant, func(tx *pg.Tx) error {
		if _, err := placeOf(ctx, tx, sc, policy.BookingManage, location); err != nil {
			return err
		}
		return deleteBlock(ctx, tx, location, space, id)
	})
}

// Blocks lists the blocks of a space, without those of its whole. It needs booking.manage at the location; an unknown
// location or space is not found.
func (s *Service) Blocks(ctx context.Context, sc tenancy.Scope, location, space uuid.UUID, in AbsencesInput) (page paging.Page[Absence, paging.Moment], err error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return page, err
	}
	if err := in.check(); err != nil {
		return page, err
	}
	v := s.db.View(sc.Tenant)
	if _, err := placeOf(ctx, v, sc, policy.BookingManage, location); err != nil {
		return page, err
	}
	if _, err := business.SpaceOf(ctx, v, location, space); err != nil {
		return page, err
	}
	rows, err := listBlocks(ctx, v, location, space, in.start(v.Now()), in.Page.Size()+1)
	return in.page(rows), err
}
