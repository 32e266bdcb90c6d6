package schedule_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/schedule"
	"foyer/policy"
)

// kinds are those of the notices so far, to customers and to the team, and forgets them.
func (p *people) kinds() (customers, team []schedule.NoticeKind) {
	for _, n := range p.notices {
		if n.MemberID == nil {
			customers = append(customers, n.Kind)
		} else {
			team = append(team, n.Kind)
		}
	}
	p.notices = nil
	return customers, team
}

// Customers are notified of every change of their bookings unless the studio silences it: of another instructor and
// another room as of another time; and of its undoing.
func TestEveryChangeOfABookedDateNotifies(t *testing.T) {
	s, p := openBooked(t)
	o, mia, ben := s.AddOffering(t), s.AddInstructor(t, "Mia").ID, s.AddInstructor(t, "Ben").ID
	hall, loft := s.AddSpace(t, "Hall", holds(20)).ID, s.AddSpace(t, "Loft", holds(20)).ID
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(), MemberID: &mia, SpaceID: &hall})
	d := on(t, s.dates(t, o.ID), "2026-06-17")
	s.sit(t, 2, d.ID)
	later := d.Starts.Add(90 * 60e9)
	for name, c := range map[string]struct {
		change    func(*schedule.EditDateInput)
		customers []schedule.NoticeKind
		team      []schedule.NoticeKind
	}{
		"room":       {func(in *schedule.EditDateInput) { in.SpaceID = patch.Some(loft) }, []schedule.NoticeKind{schedule.NoticeRoom}, nil},
		"instructor": {func(in *schedule.EditDateInput) { in.MemberID = patch.Some(ben) }, []schedule.NoticeKind{schedule.NoticeSubstituted}, []schedule.NoticeKind{schedule.NoticeUnassigned, schedule.NoticeGiven}},
		"time and room": {func(in *schedule.EditDateInput) { in.StartsAt, in.SpaceID = &later, patch.Some(loft) },
			[]schedule.NoticeKind{schedule.NoticeRescheduled}, nil},
		"seats": {func(in *schedule.EditDateInput) { in.Capacity = ptr(5) }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, silent := range []bool{true, false} {
				in := schedule.EditDateInput{OfferingID: o.ID, OccurrenceID: d.ID, Version: on(t, s.dates(t, o.ID), "2026-06-17").Version, Silent: silent}
				c.change(&in)
				e, err := s.EditDate(t.Context(), s.System(), in)
				if err != nil {
					t.Fatal(err)
				}
				wantC, wantT := c.customers, c.team
				if silent {
					wantC, wantT = nil, nil
				}
				customers, team := p.kinds()
				if !slices.Equal(customers, wantC) || !slices.Equal(team, wantT) || e.Plan.Notices != 2*len(wantC) {
					t.Errorf("silent %v: %v and %v, %d messages", silent, customers, team, e.Plan.Notices)
				}
				u, err := s.UndoEdit(t.Context(), s.System(), schedule.UndoEditInput{OfferingID: o.ID, SeriesID: made.ID, EditID: e.EditID})
				customers, team = p.kinds()
				if err != nil || !slices.Equal(customers, wantC) || len(team) != len(wantT) || u.Notices != 2*len(wantC) {
					t.Errorf("taken back, silent %v: %v and %v, %+v (%v)", silent, customers, team, u, err)
				}
			}
		})
	}
	e := s.edit(t, toAll(made, schedule.SeriesChange{MemberID: patch.Some(ben), SpaceID: patch.Some(loft), Capacity: ptr(8)}))
	if got := e.Plan; got.Notices != 2 || len(got.Instructors) != 1 || got.Instructors[0] != (schedule.Replaced{From: "Mia", To: "Ben", Dates: 27}) ||
		len(got.Spaces) != 1 || got.Spaces[0] != (schedule.Replaced{From: "Hall", To: "Loft", Dates: 27}) ||
		len(got.Seats) != 1 || got.Seats[0] != (schedule.ReplacedCapacity{From: 12, To: 8, OnlineFrom: 12, OnlineTo: 8, Dates: 27}) {
		t.Errorf("the plan does not name what changes: %+v", got)
	}
}

// A first instructor or room is no substitution.
func TestNamingAnInstructorIsNoSubstitution(t *testing.T) {
	s, p := openBooked(t)
	o, mia := s.AddOffering(t), s.AddInstructor(t, "Mia").ID
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	s.sit(t, 2, s.dates(t, o.ID)[1].ID)
	e := s.edit(t, toAll(made, schedule.SeriesChange{MemberID: patch.Some(mia)}))
	if customers, team := p.kinds(); len(customers) != 0 || len(team) != 27 || e.Plan.Notices != 0 {
		t.Errorf("%v, %v", customers, team)
	}
}

// All seats sold online stay all; a number that was set apart stays, and is at most all of them.
func TestOnlineSeatsFollowTheCapacity(t *testing.T) {
	s, _ := openBooked(t)
	o := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 2, 2 })
	series := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	alone := on(t, s.dates(t, o.ID), "2026-06-17")
	own := func(capacity, online *int) schedule.EditedDate {
		t.Helper()
		e, err := s.EditDate(t.Context(), s.System(), schedule.EditDateInput{OfferingID: o.ID, OccurrenceID: alone.ID,
			Version: on(t, s.dates(t, o.ID), "2026-06-17").Version, Capacity: capacity, OnlineCapacity: online})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := own(ptr(5), nil); e.OnlineCapacity != 5 || e.Spots() != 5 {
		t.Errorf("a date raised to 5 sells %d online, %d are free", e.OnlineCapacity, e.Spots())
	}
	if e := own(nil, ptr(3)); e.OnlineCapacity != 3 {
		t.Errorf("%d", e.OnlineCapacity)
	}
	if e := own(ptr(9), nil); e.OnlineCapacity != 3 {
		t.Errorf("a number that was set apart became %d", e.OnlineCapacity)
	}
	if e := own(ptr(2), nil); e.OnlineCapacity != 2 {
		t.Errorf("of 2 seats %d are sold online", e.OnlineCapacity)
	}
	own(ptr(4), nil)
	e := s.edit(t, toAll(series, schedule.SeriesChange{Capacity: ptr(5)}))
	if e.OnlineCapacity != 5 {
		t.Errorf("a series of 5 sells %d online", e.OnlineCapacity)
	}
	e = s.edit(t, toAll(e.Series, schedule.SeriesChange{Capacity: ptr(1)}))
	sold := apptest.Values[int](t, s.w, "select online_capacity from occurrences where series_id = $1 order by starts_at limit 3", series.ID)
	if e.OnlineCapacity != 1 || !slices.Equal(sold, []int{1, 4, 1}) {
		t.Errorf("lowered to 1: the series sells %d, its dates %v", e.OnlineCapacity, sold)
	}
}

// Many dates get an instructor at once: all of them, those on which she is free, or none, with the conflicts by date.
func TestAssign(t *testing.T) {
	s, p := openBooked(t)
	o, mia, ben := s.AddOffering(t), s.AddInstructor(t, "Mia").ID, s.AddInstructor(t, "Ben").ID
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &mia, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(4) })})
	list := s.dates(t, o.ID)
	other := s.AddOffering(t)
	s.series(t, schedule.CreateSeriesInput{OfferingID: other.ID, MemberID: &ben, Rule: wednesdays(func(r *schedule.Rule) {
		r.Start, r.At, r.Count = apptest.Day("2026-06-24"), apptest.WallClock("18:30"), ptr(1)
	})})
	s.sit(t, 2, list[1].ID)
	ids := func(n ...int) (out []uuid.UUID) {
		for _, i := range n {
			out = append(out, list[i].ID)
		}
		return out
	}
	in := schedule.AssignInput{OfferingID: o.ID, OccurrenceIDs: ids(3, 1, 2), MemberID: ben}
	_, err := s.Assign(t.Context(), s.System(), in)
	apptest.Is(t, err, claim.ErrStaffBusy)
	if busy := fault.From(err).Details["occurrenceIds"]; !slices.Equal(busy.([]uuid.UUID), ids(2)) {
		t.Errorf("busy on %v", busy)
	}
	teaches := func() []uuid.UUID {
		return apptest.Values[uuid.UUID](t, s.w, "select member_id from occurrences where series_id = $1 order by starts_at", made.ID)
	}
	if got := teaches(); !slices.Equal(got, []uuid.UUID{mia, mia, mia, mia}) {
		t.Errorf("a refusal changed %v", got)
	}
	in.OnBusy = schedule.SkipBusy
	got, err := s.Assign(t.Context(), s.System(), in)
	if err != nil || got.Instructor != "Ben" || len(got.Dates) != 3 || got.Dates[0].Outcome != schedule.AssignDone || got.Dates[1].Outcome != schedule.AssignBusy ||
		len(got.Dates[1].Conflicts) != 1 || got.Dates[2].Outcome != schedule.AssignDone || got.Notices != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got := teaches(); !slices.Equal(got, []uuid.UUID{mia, ben, mia, ben}) {
		t.Errorf("%v", got)
	}
	if customers, team := p.kinds(); !slices.Equal(customers, []schedule.NoticeKind{schedule.NoticeSubstituted}) || len(team) != 4 {
		t.Errorf("%v and %v", customers, team)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from claims where member_id = $1", ben); n != 3 {
		t.Errorf("he is busy %d times", n)
	}
	if u, err := s.UndoEdit(t.Context(), s.System(), schedule.UndoEditInput{OfferingID: o.ID, SeriesID: made.ID, EditID: got.EditID}); err != nil || u.Dates != 2 || u.Notices != 2 {
		t.Errorf("%+v, %v", u, err)
	}
	in.OnBusy, in.Silent = schedule.OverrideBusy, schedule.SubstituteSilence{Customers: true, Original: true, Substitute: true}
	if _, err = s.Assign(t.Context(), s.System(), in); apptest.Wrong(err) != "reason" {
		t.Errorf("without a reason: %v", err)
	}
	in.Reason = "there is nobody else"
	_, err = s.Assign(t.Context(), s.Holding(s.Location.ID, policy.BookingManage), in)
	apptest.Refused(t, err, fault.Forbidden)
	p.notices = nil
	got, err = s.Assign(t.Context(), s.Holding(s.Location.ID, policy.BookingManage, policy.BookingOverride), in)
	if err != nil || got.Dates[1].Outcome != schedule.AssignDone || got.Notices != 0 || len(p.notices) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = s.Assign(t.Context(), s.System(), in); err != nil || got.Dates[0].Outcome != schedule.AssignSame || got.EditID != uuid.Nil {
		t.Errorf("again: %+v, %v", got, err)
	}
}

func TestAssignRefuses(t *testing.T) {
	s, _ := openBooked(t)
	o, other, ben := s.AddOffering(t), s.AddOffering(t), s.AddInstructor(t, "Ben").ID
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	s.series(t, schedule.CreateSeriesInput{OfferingID: other.ID, Rule: wednesdays()})
	d := s.dates(t, o.ID)
	try := func(change func(*schedule.AssignInput)) error {
		in := schedule.AssignInput{OfferingID: o.ID, OccurrenceIDs: []uuid.UUID{d[0].ID, d[1].ID}, MemberID: ben}
		change(&in)
		_, err := s.Assign(t.Context(), s.System(), in)
		return err
	}
	for want, change := range map[string]func(*schedule.AssignInput){
		"occurrenceIds":    func(in *schedule.AssignInput) { in.OccurrenceIDs = nil },
		"occurrenceIds[1]": func(in *schedule.AssignInput) { in.OccurrenceIDs[1] = in.OccurrenceIDs[0] },
		"onBusy":           func(in *schedule.AssignInput) { in.OnBusy = "maybe" },
		"memberId":         func(in *schedule.AssignInput) { in.MemberID = uuid.New() },
	} {
		if err := try(change); apptest.Wrong(err) != want {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := try(func(in *schedule.AssignInput) { in.OccurrenceIDs[1] = s.dates(t, other.ID)[0].ID }); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("a date of another class: %v", err)
	}
	if _, err := s.cancel(t, d[1], o.ID); err != nil {
		t.Fatal(err)
	}
	apptest.Is(t, try(func(*schedule.AssignInput) {}), schedule.ErrDateCancelled)
	own := s.Join(t, "tess@example.com", apptest.Everywhere(policy.Instructor))
	_, err := s.Assign(t.Context(), own, schedule.AssignInput{OfferingID: o.ID, OccurrenceIDs: []uuid.UUID{d[0].ID}, MemberID: ben})
	apptest.Refused(t, err, fault.Forbidden)
}
