package schedule_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

// claim claims in a transaction of its own.
func (s *studio) claim(t *testing.T, claims ...claim.Claim) error {
	t.Helper()
	_, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, apptest.Claim(t.Context(), tx, claims)
	})
	return err
}

// A series with clashes is refused with the list, or made by force; the sweep forces, and the list of dates marks it.
func TestSeriesConflicts(t *testing.T) {
	s := open(t)
	o, mia, hall := s.AddOffering(t), s.AddInstructor(t, "Mia").ID, s.AddSpace(t, "Hall", holds(20)).ID
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
		page, err := s.Occurrences(t.Context(), s.System(), schedule.OccurrencesInput{OfferingID: o.ID, Page: paging.In[paging.Moment]{Limit: 200}})
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

// A class of a whole day overlaps with itself when a day has 23 hours: it is reported, and is not an error.
func TestSeriesInItsOwnWay(t *testing.T) {
	s := open(t)
	s.w.Clock.Set(apptest.Instant("2026-03-01T12:00:00Z"))
	o, mia := s.AddOffering(t), s.AddInstructor(t, "Mia").ID
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
	o, mia, ben := s.AddOffering(t), s.AddInstructor(t, "Mia").ID, s.AddInstructor(t, "Ben").ID
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &mia, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(3) })})
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &ben, Rule: wednesdays(func(r *schedule.Rule) { r.At, r.Count = apptest.WallClock("18:30"), ptr(1) })})
	list := s.dates(t, o.ID)
	first, second := list[0], on(t, list, "2026-06-17")
	s.sit(t, 2, second.ID)
	in := schedule.SubstituteInput{OfferingID: o.ID, OccurrenceID: second.ID, MemberID: ben}
	got, err := s.Substitute(t.Context(), s.System(), in)
	if err != nil || got.Instructor != "Ben" || got.Notices != 4 || len(p.notices) != 3 || *p.notices[1].MemberID != mia || *p.notices[2].MemberID != ben {
		t.Fatalf("%+v, %+v, %v", got, p.notices, err)
	}
	in.OccurrenceID, in.Silent = first.ID, schedule.SubstituteSilence{Customers: true, Original: true, Substitute: true}
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
