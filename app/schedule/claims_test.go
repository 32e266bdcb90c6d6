package schedule_test

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
	"foyer/app/schedule"
	"foyer/policy"
)

// claim claims in a transaction of its own.
func (s *studio) claim(t *testing.T, claims ...claim.Claim) error {
	t.Helper()
	_, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, claim.TakeTx(t.Context(), tx, claims)
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
	mia, hall := s.AddTeacher(t, "Mia").ID, s.AddSpace(t, "Hall").ID
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
		if err := s.claim(t, step.in); !errors.Is(err, step.want) {
			t.Errorf("%s: %v", step.name, err)
		}
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from claims where not direct"); n != 3 {
		t.Errorf("%d parts are blocked", n)
	}
	// all or none
	if err := s.claim(t, person(20, 21), person(8, 9)); !errors.Is(err, claim.ErrStaffBusy) {
		t.Error(err)
	}
	if err := s.claim(t, person(20, 21), person(20, 22)); !errors.Is(err, claim.ErrStaffBusy) {
		t.Errorf("two that are in each other's way: %v", err)
	}
	if err := s.claim(t, person(20, 21)); err != nil {
		t.Errorf("a refusal left something: %v", err)
	}
	_, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, claim.ReleaseTx(t.Context(), tx, first.OccurrenceID)
	})
	if err != nil {
		t.Fatal(err)
	}
	clashes, err := claim.Clashes(t.Context(), s.w.DB.View(s.Business.ID), []claim.Claim{person(9, 10)})
	if err != nil || len(clashes) != 1 || clashes[0].Reason != claim.BusyStaff || clashes[0].With.Name != "Morning Yoga" {
		t.Errorf("what was forced is still in the way: %+v, %v", clashes, err)
	}
	if err := s.claim(t, claim.Claim{OccurrenceID: first.OccurrenceID}); err == nil {
		t.Error("a claim of nobody")
	}
}

// Many claim one person and one room at once, some in one order, some in the other: one gets both, and nobody waits for
// ever.
func TestClaimRace(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	mia, hall := s.AddTeacher(t, "Mia").ID, s.AddSpace(t, "Hall").ID
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
				switch err := s.claim(t, claims...); {
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

// A series with clashes is refused with the list, or made by force; the sweep forces, and the list of dates says so.
func TestSeriesConflicts(t *testing.T) {
	s := open(t)
	o, mia, hall := s.AddOffering(t), s.AddTeacher(t, "Mia").ID, s.AddSpace(t, "Hall", holds(20)).ID
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &mia, SpaceID: &hall, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(2) })})
	s.w.SQL(t, `insert into time_off (id, business_id, member_id, starts_at, ends_at, note, created_at)
		values ($1, $2, $3, '2026-06-24', '2026-06-26', 'holiday', $4)`, pg.NewID(), s.Business.ID, mia, s.w.Clock.Now())
	later := schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &mia, Rule: wednesdays(func(r *schedule.Rule) { r.At, r.Count = apptest.WallClock("18:30"), ptr(5) })}
	_, err := s.CreateSeries(t.Context(), s.System(), later)
	apptest.Is(t, err, claim.ErrStaffBusy)
	list := fault.From(err).Details["conflicts"].([]claim.ConflictDetail)
	if len(list) != 3 || list[0].With != "Morning Yoga" || !list[0].WithFrom.Equal(apptest.Instant("2026-06-10T22:00:00Z")) || list[2].With != "Time off" {
		t.Errorf("%+v", list)
	}
	later.AllowConflicts = true
	made, err := s.CreateSeries(t.Context(), s.System(), later)
	if err != nil || len(made.First.Conflicts) != 3 || len(made.First.Dates) != 5 {
		t.Fatalf("%+v, %v", made.First, err)
	}
	doubles := func() (n int) {
		page, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{OfferingID: o.ID, Limit: 200})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range page.Items {
			if x.DoubleBooked {
				n++
			}
		}
		return n
	}
	if n := doubles(); n != 2 {
		t.Errorf("%d double bookings are told", n)
	}
	endless := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, SpaceID: &hall, Rule: wednesdays(func(r *schedule.Rule) { r.At = apptest.WallClock("12:00") })})
	busy := s.AddOccurrence(t, o, apptest.Instant("2026-12-16T17:00:00Z"))
	if err := s.claim(t, claim.Claim{OccurrenceID: busy.ID, SpaceID: hall, StartsAt: apptest.Instant("2026-12-16T16:00:00Z"), EndsAt: apptest.Instant("2026-12-16T19:00:00Z")}); err != nil {
		t.Fatal(err)
	}
	s.w.Clock.Advance(week)
	s.sweep(t)
	if s.last(t, endless.ID) != "2026-12-16" || doubles() != 3 {
		t.Errorf("up to %s, %d double bookings", s.last(t, endless.ID), doubles())
	}
}

// A class of a whole day overlaps with itself when a day has 23 hours: it is told, and is not an error.
func TestSeriesInItsOwnWay(t *testing.T) {
	s := open(t)
	s.w.Clock.Set(apptest.Instant("2026-03-01T12:00:00Z"))
	o, mia := s.AddOffering(t), s.AddTeacher(t, "Mia").ID
	in := schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &mia, Rule: schedule.Rule{
		Freq: schedule.Daily, Start: apptest.Day("2026-03-06"), At: apptest.WallClock("09:00"), Minutes: 1440, Count: ptr(4),
	}}
	_, err := s.CreateSeries(t.Context(), s.System(), in)
	apptest.Is(t, err, claim.ErrStaffBusy)
	in.AllowConflicts = true
	if made, err := s.CreateSeries(t.Context(), s.System(), in); err != nil || len(made.First.Conflicts) != 1 {
		t.Errorf("%+v, %v", made.First, err)
	}
}

func TestSubstitute(t *testing.T) {
	s, p := openBooked(t)
	o, mia, ben := s.AddOffering(t), s.AddTeacher(t, "Mia").ID, s.AddTeacher(t, "Ben").ID
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &mia, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(3) })})
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &ben, Rule: wednesdays(func(r *schedule.Rule) { r.At, r.Count = apptest.WallClock("18:30"), ptr(1) })})
	list := s.dates(t, o.ID)
	first, second := list[0], on(t, list, "2026-06-17")
	s.sit(t, 2, second.ID)
	in := schedule.SubstituteInput{OfferingID: o.ID, OccurrenceID: second.ID, MemberID: ben,
		Notify: schedule.SubstituteNotices{Customers: true, Original: true, Substitute: true}}
	got, err := s.Substitute(t.Context(), s.System(), in)
	if err != nil || got.Instructor != "Ben" || got.Notices != 4 || len(p.notices) != 3 || *p.notices[1].MemberID != mia || *p.notices[2].MemberID != ben {
		t.Fatalf("%+v, %+v, %v", got, p.notices, err)
	}
	in.OccurrenceID, in.Notify = first.ID, schedule.SubstituteNotices{}
	_, err = s.Substitute(t.Context(), s.System(), in)
	apptest.Is(t, err, claim.ErrStaffBusy)
	in.Override = true
	_, err = s.Substitute(t.Context(), s.System(), in)
	if apptest.Wrong(err) != "reason" {
		t.Errorf("without a reason: %v", err)
	}
	in.Reason = "there is nobody else"
	_, err = s.Substitute(t.Context(), s.Holding(s.Location.ID, policy.BookingManage), in)
	apptest.Refused(t, err, fault.Forbidden)
	if got, err = s.Substitute(t.Context(), s.Holding(s.Location.ID, policy.BookingManage, policy.BookingOverride), in); err != nil || len(got.Conflicts) != 1 || !got.DoubleBooked {
		t.Errorf("%+v, %v", got, err)
	}
	in.MemberID = pg.NewID()
	if _, err = s.Substitute(t.Context(), s.System(), in); apptest.Wrong(err) != "memberId" {
		t.Errorf("a stranger: %v", err)
	}
	s.w.Clock.Advance(week)
	in.MemberID = mia
	_, err = s.Substitute(t.Context(), s.System(), in)
	apptest.Is(t, err, schedule.ErrBegun)
}
