package schedule_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/claim"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

func (s *studio) cancel(t *testing.T, d aDate, offering uuid.UUID) (schedule.ChangedDate, error) {
	t.Helper()
	return s.CancelDate(t.Context(), s.System(), schedule.CancelDateInput{OfferingID: offering, OccurrenceID: d.ID, Reason: "storm"})
}

func (s *studio) restore(t *testing.T, d aDate, offering uuid.UUID) (schedule.ChangedDate, error) {
	t.Helper()
	return s.RestoreDate(t.Context(), s.System(), schedule.CancelDateInput{OfferingID: offering, OccurrenceID: d.ID})
}

func TestCancelAndRestoreADate(t *testing.T) {
	s, p := openBooked(t)
	o, mia := s.AddOffering(t), s.AddInstructor(t, "Mia").ID
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, MemberID: &mia, Rule: wednesdays()})
	d := on(t, s.dates(t, o.ID), "2026-06-17")
	s.sit(t, 3, d.ID)
	s.wait(t, d, o.ID)
	s.wait(t, d, o.ID)
	got, err := s.cancel(t, d, o.ID)
	if err != nil || got.State != schedule.Cancelled || got.CancelReason != "storm" || len(got.Plan.Refunds) != 1 || got.Plan.Waiting != 2 || p.closed != 2 ||
		len(got.Plan.Hit) != 1 || got.Plan.Notices != 1 || !slices.Equal(p.cancelled, []uuid.UUID{d.ID}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from claims where occurrence_id = $1", d.ID); n != 0 {
		t.Error("nobody teaches, and she is busy")
	}
	_, err = s.cancel(t, d, o.ID)
	apptest.Is(t, err, schedule.ErrDateCancelled)
	if _, err = s.EditDate(t.Context(), s.System(), schedule.EditDateInput{OfferingID: o.ID, OccurrenceID: d.ID, Version: got.Version, Capacity: ptr(5)}); err == nil {
		t.Error("changed a cancelled date")
	}
	back, err := s.restore(t, d, o.ID)
	if err != nil || back.State != schedule.Scheduled || back.CancelReason != "" || len(back.Overrides) != 0 || len(back.Plan.Added) != 1 {
		t.Errorf("%+v, %v", back, err)
	}
	_, err = s.restore(t, d, o.ID)
	apptest.Is(t, err, schedule.ErrNotCancelled)

	if _, err = s.cancel(t, d, o.ID); err != nil {
		t.Fatal(err)
	}
	other := s.AddOccurrence(t, o, d.Starts)
	if err := s.claim(t, claim.Claim{OccurrenceID: other.ID, MemberID: mia, StartsAt: d.Starts, EndsAt: d.Ends}); err != nil {
		t.Fatal(err)
	}
	_, err = s.restore(t, d, o.ID)
	apptest.Is(t, err, claim.ErrStaffBusy)

	ended, err := s.end(t, made, "2026-07-01")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.restore(t, on(t, s.dates(t, o.ID), "2026-07-08"), o.ID)
	apptest.Is(t, err, schedule.ErrNotInSeries)
	s.w.Clock.Advance(2 * week)
	_, err = s.restore(t, d, o.ID)
	apptest.Is(t, err, schedule.ErrBegun)
	_, err = s.cancel(t, on(t, s.dates(t, o.ID), "2026-06-10"), o.ID)
	apptest.Is(t, err, schedule.ErrBegun)
	if ended.EndedAt == nil {
		t.Error("nobody knows when it was ended")
	}
}

// A service without the ports for bookings and notices is not made.
func TestNewNeedsBookings(t *testing.T) {
	w := apptest.Open(t)
	for i := range reflect.TypeFor[schedule.Bookings]().NumField() {
		lacks := apptest.NoBookings()
		hook := reflect.ValueOf(&lacks).Elem().Field(i)
		hook.SetZero()
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("without %s", reflect.TypeFor[schedule.Bookings]().Field(i).Name)
				}
			}()
			schedule.New(schedule.Options{DB: w.DB, Bookings: lacks})
		}()
	}
}

// A47, A55: dates are found under their own offering only, and the instructor of a date may cancel it.
func TestDatesWhoMay(t *testing.T) {
	s, _ := openBooked(t)
	theirs := openIn(t, s.w)
	o, foreign := s.AddOffering(t), theirs.AddOffering(t)
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays()})
	d := s.dates(t, o.ID)[1]
	for _, at := range []struct {
		offering, date uuid.UUID
	}{{foreign.ID, d.ID}, {pg.NewID(), d.ID}, {o.ID, pg.NewID()}} {
		for name, err := range map[string]error{
			"edit": func() error {
				_, err := s.EditDate(t.Context(), s.System(), schedule.EditDateInput{OfferingID: at.offering, OccurrenceID: at.date})
				return err
			}(),
			"cancel": func() error {
				_, err := s.CancelDate(t.Context(), s.System(), schedule.CancelDateInput{OfferingID: at.offering, OccurrenceID: at.date})
				return err
			}(),
			"restore": func() error {
				_, err := s.RestoreDate(t.Context(), s.System(), schedule.CancelDateInput{OfferingID: at.offering, OccurrenceID: at.date})
				return err
			}(),
			"substitute": func() error {
				_, err := s.Substitute(t.Context(), s.System(), schedule.SubstituteInput{OfferingID: at.offering, OccurrenceID: at.date})
				return err
			}(),
		} {
			if !fault.IsKind(err, fault.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	instructor := s.Join(t, "tess@example.com", apptest.Everywhere(policy.Instructor))
	in := schedule.CancelDateInput{OfferingID: o.ID, OccurrenceID: d.ID}
	_, err := s.CancelDate(t.Context(), instructor, in)
	apptest.Refused(t, err, fault.Forbidden)
	s.w.SQL(t, `update occurrences set member_id = (select id from members where person_id = $1) where id = $2`, instructor.Person(), d.ID)
	if _, err = s.CancelDate(t.Context(), instructor, in); err != nil {
		t.Errorf("their own session: %v", err)
	}
}

func TestCourseOf(t *testing.T) {
	s, _ := openBooked(t)
	o := s.AddOffering(t)
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(4) })})
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count, r.Weekdays = ptr(2), []time.Weekday{time.Friday} })})
	if _, err := s.cancel(t, on(t, s.dates(t, o.ID), "2026-06-24"), o.ID); err != nil {
		t.Fatal(err)
	}
	s.w.Clock.Advance(24 * time.Hour)
	var got []schedule.Detail
	var err error
	trips := s.w.Statements(func() { got, err = schedule.CourseOf(t.Context(), s.w.DB.View(s.Business.ID), o.ID) })
	var days []civil.Date
	for _, d := range got {
		days = append(days, d.LocalDate)
	}
	if err != nil || trips != 1 || !slices.Equal(days, dates("2026-06-12 2026-06-17 2026-06-19 2026-07-01")) {
		t.Errorf("%v in %d trips, %v", days, trips, err)
	}
}
