package claim_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
)

// studio is a studio with people and spaces to claim.
type studio struct {
	apptest.Studio
	w *apptest.World
}

func open(t *testing.T) *studio {
	t.Helper()
	w := apptest.Open(t)
	return &studio{Studio: w.Studio(t), w: w}
}

// take claims in a transaction of its own.
func (s *studio) take(t *testing.T, claims ...claim.Claim) error {
	t.Helper()
	_, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, apptest.Claim(t.Context(), tx, claims)
	})
	return err
}

// hours is a time of 1 July 2026, in UTC.
func hours(from, to int) (time.Time, time.Time) {
	day := apptest.Instant("2026-07-01T00:00:00Z")
	return day.Add(time.Duration(from) * time.Hour), day.Add(time.Duration(to) * time.Hour)
}

func TestClaim(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	mia, hall := s.AddInstructor(t, "Mia").ID, s.AddSpace(t, "Hall").ID
	corner := s.AddSpace(t, "Corner", func(in *business.SpaceInput) { in.ParentID = &hall }).ID
	nook := s.AddSpace(t, "Nook", func(in *business.SpaceInput) { in.ParentID = &corner }).ID
	other := s.AddSpace(t, "Other").ID
	person := func(from, to int) claim.Claim {
		c := claim.Claim{OccurrenceID: s.AddOccurrence(t, o, apptest.Instant("2026-07-01T09:00:00Z")).ID, MemberID: mia}
		c.StartsAt, c.EndsAt = hours(from, to)
		return c
	}
	space := func(id uuid.UUID, from, to int) claim.Claim {
		c := person(from, to)
		c.MemberID, c.SpaceID = uuid.Nil, id
		return c
	}
	first := person(9, 10)
	for _, step := range []struct {
		name string
		in   claim.Claim
		want error
	}{
		{"a person", first, nil},
		{"from the end on", person(10, 11), nil},
		{"up to the beginning", person(8, 9), nil},
		{"inside", person(9, 10), claim.ErrStaffBusy},
		{"around", person(7, 12), claim.ErrStaffBusy},
		{"by force", func() claim.Claim { c := person(9, 10); c.Forced = true; return c }(), nil},
		{"a whole space", space(hall, 9, 10), nil},
		{"a part of it", space(nook, 9, 10), claim.ErrSpaceBusy},
		{"a part at another time", space(corner, 11, 12), nil},
		{"the whole while a part is used", space(hall, 11, 12), claim.ErrSpaceBusy},
		{"a part of the part", space(nook, 11, 12), claim.ErrSpaceBusy},
		{"another space", space(other, 9, 12), nil},
		{"a part that is left", space(nook, 10, 11), nil},
	} {
		if err := s.take(t, step.in); !errors.Is(err, step.want) {
			t.Errorf("%s: %v", step.name, err)
		}
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from claims where not direct"); n != 3 {
		t.Errorf("%d parts are blocked", n)
	}
	// all or none
	if err := s.take(t, person(20, 21), person(8, 9)); !errors.Is(err, claim.ErrStaffBusy) {
		t.Error(err)
	}
	if err := s.take(t, person(20, 21), person(20, 22)); !errors.Is(err, claim.ErrStaffBusy) {
		t.Errorf("two that are in each other's way: %v", err)
	}
	if err := s.take(t, person(20, 21)); err != nil {
		t.Errorf("a refusal left something: %v", err)
	}
	_, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, claim.ReleaseTx(t.Context(), tx, first.OccurrenceID)
	})
	if err != nil {
		t.Fatal(err)
	}
	clashes, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) ([]claim.Clash, error) {
		clashes, _, err := claim.CheckTx(t.Context(), tx, []claim.Claim{person(9, 10)})
		return clashes, err
	})
	if err != nil || len(clashes) != 1 || clashes[0].Reason() != claim.BusyStaff || clashes[0].Name != "Morning Yoga" {
		t.Errorf("what was forced is still in the way: %+v, %v", clashes, err)
	}
	if err := s.take(t, claim.Claim{OccurrenceID: first.OccurrenceID}); err == nil {
		t.Error("a claim of nobody")
	}
}

// Many claim one person and one room at once, in both orders: one gets both, and there is no deadlock.
func TestClaimRace(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	mia, hall := s.AddInstructor(t, "Mia").ID, s.AddSpace(t, "Hall").ID
	for hour := range 10 {
		var mu sync.Mutex
		var won int
		var wg sync.WaitGroup
		for i := range 8 {
			id := s.AddOccurrence(t, o, apptest.Instant("2026-07-01T09:00:00Z")).ID
			from, to := hours(hour, hour+1)
			claims := []claim.Claim{{OccurrenceID: id, MemberID: mia, StartsAt: from, EndsAt: to}, {OccurrenceID: id, SpaceID: hall, StartsAt: from, EndsAt: to}}
			if i%2 == 0 {
				slices.Reverse(claims)
			}
			wg.Go(func() {
				switch err := s.take(t, claims...); {
				case err == nil:
					mu.Lock()
					won++
					mu.Unlock()
				case !fault.IsKind(err, fault.Conflict):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if won != 1 {
			t.Fatalf("%d have the room", won)
		}
	}
}
