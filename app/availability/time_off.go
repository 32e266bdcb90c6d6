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
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// TimeOff is a time at which somebody is away, from all locations.
type TimeOff struct {
	ID        uuid.UUID
	MemberID  uuid.UUID
	StartsAt  time.Time
	EndsAt    time.Time
	Note      string // why: for the member and whoever runs the team; empty for others
	CreatedAt time.Time
}

// The bounds of time off and blocks.
const (
	AwayMaxDays = 366 // the longest
	NoteMax     = 200 // characters
)

// TimeOffInput is new time off.
type TimeOffInput struct {
	MemberID         uuid.UUID
	StartsAt, EndsAt time.Time
	Note             string
}

// AddedTimeOff is time off with whom it hits.
type AddedTimeOff struct {
	TimeOff TimeOff
	Hits    Hits
}

// Effects are the bookings that are hit.
func (a AddedTimeOff) Effects() any { return a.Hits }

// checkAway checks a span of absence and the note about it, and trims the note.
func checkAway(c *fault.Checks, from, to, now time.Time, note *string) {
	c.That(from.Before(to), "endsAt", "The end must be after the beginning.")
	c.That(to.After(now), "endsAt", "This is over already.")
	c.That(!to.After(from.AddDate(0, 0, AwayMaxDays)), "endsAt", "Use at most 366 days.")
	c.That(!from.After(now.AddDate(0, 0, schedule.StartMaxDays)), "startsAt", "Use a beginning within two years.")
	*note = strings.TrimSpace(*note)
	checkNote(c, "note", *note)
}

// checkNote allows one line, short.
func checkNote(c *fault.Checks, field, s string) {
	bad := func(r rune) bool { return r == utf8.RuneError || unicode.IsControl(r) }
	c.That(utf8.RuneCountInString(s) <= NoteMax && !strings.ContainsFunc(s, bad), field,
		fmt.Sprintf("Write at most %d characters on one line.", NoteMax))
}

// TakeTimeOff takes a member away. It needs location.view for oneself and team.manage for others; an unknown member is not
// found. Bookings it hits stay as they are and are told. Times off may overlap.
//
// The member's row is locked before anybody asks who is booked: a booking that is being made comes wholly before, and is
// told, or wholly after, and finds the member away.
func (s *Service) TakeTimeOff(ctx context.Context, sc tenancy.Scope, in TimeOffInput) (AddedTimeOff, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return AddedTimeOff{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (AddedTimeOff, error) {
		if err := lockMember(ctx, tx, sc, in.MemberID); err != nil {
			return AddedTimeOff{}, err
		}
		var c fault.Checks
		checkAway(&c, in.StartsAt, in.EndsAt, tx.Now(), &in.Note)
		if err := c.Err(); err != nil {
			return AddedTimeOff{}, err
		}
		off := TimeOff{ID: pg.NewID(), MemberID: in.MemberID, StartsAt: in.StartsAt.UTC(), EndsAt: in.EndsAt.UTC(), Note: in.Note,
			CreatedAt: tx.Now()}
		if err := insertTimeOff(ctx, tx, off); err != nil {
			return AddedTimeOff{}, err
		}
		hit, err := standingOfMember(ctx, tx, in.MemberID, in.StartsAt, in.EndsAt)
		if err != nil {
			return AddedTimeOff{}, err
		}
		hits, err := s.hitsOf(ctx, tx, hit)
		return AddedTimeOff{TimeOff: off, Hits: hits}, err
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

// AwayKey is where a page of absences ended: they are in the order of their end.
type AwayKey struct {
	EndsAt time.Time
	ID     uuid.UUID
}

// AwayInput chooses times off of a member, or blocks of a space.
type AwayInput struct {
	From  time.Time // what ends after it; zero: after now
	After *AwayKey  // nil: from the beginning
	Limit int       // 0: PageDefault
}

// AwayPage is a part of a list. Next is nil on the last page, and only there.
type AwayPage[T any] struct {
	Items []T
	Next  *AwayKey
}

func awayPage[T any](rows []T, limit int, key func(T) AwayKey) AwayPage[T] {
	if len(rows) <= limit {
		return AwayPage[T]{Items: rows}
	}
	next := key(rows[limit-1])
	return AwayPage[T]{Items: rows[:limit], Next: &next}
}

// start is the key behind which a list begins.
func (in AwayInput) start(now time.Time) AwayKey {
	from := in.From
	if from.IsZero() {
		from = now
	}
	if in.After != nil && !in.After.EndsAt.Before(from) {
		return *in.After
	}
	return AwayKey{EndsAt: from, ID: uuid.Max} // behind everything that ends at from
}

// TimeOff lists when a member is away. It needs location.view; the notes are for the member and for team.manage. An
// unknown member is not found.
func (s *Service) TimeOff(ctx context.Context, sc tenancy.Scope, member uuid.UUID, in AwayInput) (AwayPage[TimeOff], error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return AwayPage[TimeOff]{}, err
	}
	var c fault.Checks
	schedule.CheckLimit(&c, in.Limit)
	if err := c.Err(); err != nil {
		return AwayPage[TimeOff]{}, err
	}
	v := s.db.View(sc.Tenant)
	m, err := business.MemberOf(ctx, v, member)
	if err != nil {
		return AwayPage[TimeOff]{}, err
	}
	limit := schedule.LimitOf(in.Limit)
	rows, err := listTimeOff(ctx, v, member, in.start(v.Now()), limit+1)
	if ownOrTeam(sc, m) != nil {
		for i := range rows {
			rows[i].Note = ""
		}
	}
	return awayPage(rows, limit, func(t TimeOff) AwayKey { return AwayKey{t.EndsAt, t.ID} }), err
}
