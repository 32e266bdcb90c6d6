package schedule_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// asCourse makes an offering a course, as publishing it does, and returns the obstacle.
func (s *studio) asCourse(t *testing.T, offering uuid.UUID) string {
	t.Helper()
	s.w.SQL(t, "update offerings set enrolment = 'series' where id = $1", offering)
	why, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (string, error) {
		return schedule.CourseTx(t.Context(), tx, offering)
	})
	if err != nil {
		t.Fatal(err)
	}
	return why
}

func (s *studio) written(t *testing.T, offering uuid.UUID) int {
	t.Helper()
	return apptest.Value[int](t, s.w, "select count(*) from occurrences where offering_id = $1 and state = 'scheduled'", offering)
}

// fieldOf is the first wrong field of a refusal.
func fieldOf(err error) string {
	if f := fault.From(err); f != nil && len(f.Fields) > 0 {
		return f.Fields[0].Field
	}
	return ""
}

// A class becomes a course when each of its series ends: then all dates are written, however far ahead.
func TestCourseIsWrittenWhole(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(40) })})
	if n := s.written(t, o.ID); n != 27 {
		t.Fatalf("a class has %d dates", n)
	}
	if why := s.asCourse(t, o.ID); why != "" {
		t.Fatal(why)
	}
	due := apptest.Value[int](t, s.w, "select count(*) from series where due_at is not null")
	if n := s.written(t, o.ID); n != 40 || due != 0 {
		t.Errorf("%d dates, %d series to be continued", n, due)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from claims"); n != 0 {
		t.Errorf("%d claims of a course without anybody", n)
	}
	if why := s.asCourse(t, o.ID); why != "" || s.written(t, o.ID) != 40 {
		t.Errorf("again: %q, %d dates", why, s.written(t, o.ID))
	}
	endless := s.AddOffering(t)
	s.series(t, schedule.CreateSeriesInput{OfferingID: endless.ID, Rule: wednesdays()})
	if why := s.asCourse(t, endless.ID); why != "A course has an end: give its series a last date or a number of dates." {
		t.Errorf("endless: %q", why)
	}
	long := s.AddOffering(t)
	for range 2 {
		s.series(t, schedule.CreateSeriesInput{OfferingID: long.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count = ptr(201) }), AllowConflicts: true})
	}
	if why := s.asCourse(t, long.ID); why != "A course has at most 400 dates." {
		t.Errorf("long: %q", why)
	}
}

// The series of a course end, and are written whole when they are made and when they are edited.
func TestSeriesOfACourse(t *testing.T) {
	s := open(t)
	o := s.AddOffering(t)
	s.w.SQL(t, "update offerings set enrolment = 'series' where id = $1", o.ID)
	create := func(change func(*schedule.Rule)) error {
		_, err := s.CreateSeries(t.Context(), s.Owner, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(change)})
		return err
	}
	if err := create(func(*schedule.Rule) {}); fieldOf(err) != "until" {
		t.Errorf("endless: %v", err)
	}
	if err := create(func(r *schedule.Rule) { r.Until = &civil.Date{Year: 9000, Month: time.January, Day: 1} }); fieldOf(err) != "until" {
		t.Errorf("until doomsday: %v", err)
	}
	extra := civil.Date{Year: 2027, Month: time.March, Day: 2}
	made := s.series(t, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: wednesdays(func(r *schedule.Rule) { r.Count, r.Extra = ptr(30), []civil.Date{extra} })})
	if n := s.written(t, o.ID); n != 31 || made.DueAt != nil {
		t.Errorf("%d dates, due %v", n, made.DueAt)
	}
	edit := func(end schedule.SeriesEnd) (schedule.Edited, error) {
		v := apptest.Value[int64](t, s.w, "select version from series where id = $1", made.ID)
		return s.EditSeries(t.Context(), s.Owner, schedule.EditSeriesInput{
			OfferingID: o.ID, SeriesID: made.ID, Version: v, Scope: schedule.ScopeAll, Change: schedule.SeriesChange{End: &end},
		})
	}
	if _, err := edit(schedule.SeriesEnd{}); fieldOf(err) != "until" {
		t.Errorf("made endless: %v", err)
	}
	longer, err := edit(schedule.SeriesEnd{Count: ptr(60)})
	if err != nil || s.written(t, o.ID) != 61 || longer.DueAt != nil {
		t.Errorf("longer: %v, %d dates, due %v", err, s.written(t, o.ID), longer.DueAt)
	}
}

// A course in short has the number of upcoming dates, and the fewest seats of any of these dates.
func TestCourseInShort(t *testing.T) {
	s := open(t)
	o, dates := s.AddCourse(t, 4)
	short := func() schedule.Course {
		t.Helper()
		var c schedule.Course
		if trips := s.w.Statements(func() {
			var err error
			if c, err = schedule.CourseInShort(t.Context(), s.w.DB.View(s.Business.ID), o.ID); err != nil {
				t.Fatal(err)
			}
		}); trips != 1 {
			t.Errorf("%d trips", trips)
		}
		return c
	}
	s.w.SQL(t, "update occurrences set taken = 5, taken_online = 2 where id = $1", dates[2].ID)
	s.w.SQL(t, "update occurrences set taken = 12, taken_online = 12 where id = $1", dates[0].ID)
	if c := short(); c.Dates != 4 || c.Total != 4 || c.Spots != 0 || !c.First.Equal(dates[0].StartsAt) || !c.Last.Equal(dates[3].StartsAt) || !c.Open() {
		t.Errorf("%+v", c)
	}
	s.w.Clock.Set(dates[0].StartsAt)
	if c := short(); c.Dates != 3 || c.Total != 4 || c.Spots != 7 || !c.First.Equal(dates[1].StartsAt) {
		t.Errorf("begun: %+v", c)
	}
	t1, err := s.availability.Times(t.Context(), s.Business.ID, schedule.TimesInput{OfferingID: o.ID})
	if err != nil || t1.Course == nil || t1.Course.Dates != 3 || !t1.Days[0].Occurrences[0].Course || t1.Days[0].Occurrences[0].Waitlist {
		t.Errorf("%+v, %v", t1.Course, err)
	}
	s.w.Clock.Set(dates[3].StartsAt)
	if c := short(); c.Dates != 0 || c.Total != 4 || c.First != nil || c.Open() {
		t.Errorf("over: %+v", c)
	}
}
