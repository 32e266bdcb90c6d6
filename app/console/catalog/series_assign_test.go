package catalog_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/schedule"
)

// An instructor is assigned to many dates in one form: all of them, or, with conflicts, by the choice in the form.
func TestInstructorOfManyDates(t *testing.T) {
	s := consoletest.Open(t)
	mia, ben := s.AddInstructor(t, "Mia Moss"), s.AddInstructor(t, "Ben Lund")
	class, other := s.AddOffering(t), s.AddOffering(t)
	count, one := 4, 1
	rule := schedule.Rule{Weekdays: schedule.Weekdays{time.Thursday}, Start: apptest.Day("2026-06-11"), At: apptest.WallClock("18:00"), Minutes: 60, Count: &count}
	made, err := s.Schedule.CreateSeries(t.Context(), s.Owner, schedule.CreateSeriesInput{OfferingID: class.ID, Rule: rule, MemberID: &mia.ID})
	if err != nil {
		t.Fatal(err)
	}
	rule.Start, rule.Count = apptest.Day("2026-06-18"), &one
	if _, err := s.Schedule.CreateSeries(t.Context(), s.Owner, schedule.CreateSeriesInput{OfferingID: other.ID, Rule: rule, MemberID: &ben.ID}); err != nil {
		t.Fatal(err)
	}
	series := "/catalog/" + class.ID.String() + "/series/" + made.ID.String()
	owner := s.As(t, consoletest.Owner)
	if !owner.Get(series).Has("/instructor") {
		t.Error("the series has no way to the page")
	}
	page := owner.Get(series+"/instructor?all=1").Is(t, 200).Shows(t, "Thu 11 Jun", "Thu 2 Jul", "Mia Moss", "Notify customers")
	form := page.Posts("/instructor")
	if n := len(form.Values["occurrenceIds"]); n != 4 {
		t.Fatalf("%d dates are ticked", n)
	}
	owner.Send(form, "memberId", "").Is(t, 400).Shows(t, "Choose an instructor.")
	owner.Send(form, "memberId", ben.ID.String()).Is(t, 400).Shows(t, "Thu 18 Jun", "Choose what to do with these dates.")
	teaches := func() int {
		return apptest.Value[int](t, s.World, "select count(*) from occurrences where series_id = $1 and member_id = $2", made.ID, ben.ID)
	}
	if n := teaches(); n != 0 {
		t.Errorf("a refusal has given him %d dates", n)
	}
	done := owner.Send(form, "memberId", ben.ID.String(), "onBusy", "skip").Is(t, 200).
		Shows(t, "Assigned Ben Lund to 3 dates.", "1 date is unchanged because the instructor is unavailable: Thu 18 Jun", "You can undo it until")
	if n := teaches(); n != 3 {
		t.Errorf("he teaches %d dates", n)
	}
	owner.Send(done.Posts("/undo")).Is(t, 200).Shows(t, "Undid the change to the series.")
	if n := teaches(); n != 0 {
		t.Errorf("after the undo he teaches %d dates", n)
	}
}

// Undo is on the series' page and on the class's for a day: also of an edit that has split the series, on both parts.
func TestUndoStandsOnTheSeries(t *testing.T) {
	s := consoletest.Open(t)
	mia, ben, hall := s.AddInstructor(t, "Mia Moss"), s.AddInstructor(t, "Ben Lund"), s.AddSpace(t, "Hall")
	class := s.AddOffering(t)
	count := 6
	made, err := s.Schedule.CreateSeries(t.Context(), s.Owner, schedule.CreateSeriesInput{OfferingID: class.ID, MemberID: &mia.ID, Rule: schedule.Rule{
		Weekdays: schedule.Weekdays{time.Thursday}, Start: apptest.Day("2026-06-11"), At: apptest.WallClock("18:00"), Minutes: 60, Count: &count,
	}})
	if err != nil {
		t.Fatal(err)
	}
	list := "/catalog/" + class.ID.String() + "/series"
	owner := s.As(t, consoletest.Owner)
	plan := owner.Send(owner.Get(list+"/"+made.ID.String()).Form("/plan"), "scope", "following", "from", "2026-06-25", "memberId", ben.ID.String(),
		"spaceId", hall.ID.String(), "capacity", "10").Is(t, 200)
	plan.Shows(t, "Ben Lund teaches 4 dates, instead of Mia Moss", "4 dates that had no room are in Hall", "4 dates have 10 spots, 10 of them sold online")
	owner.Send(plan.Posts("/plan")).Is(t, 200)
	next := apptest.Value[uuid.UUID](t, s.World, "select id from series where split_from = $1", made.ID)
	for _, page := range []string{list, list + "/" + made.ID.String(), list + "/" + next.String()} {
		if p := owner.Get(page).Is(t, 200).Shows(t, "4 dates changed", "You can undo it until"); !strings.Contains(p.Posts("/undo").Action, made.ID.String()) {
			t.Errorf("%s undoes at %s", page, p.Posts("/undo").Action)
		}
	}
	s.World.Clock.Advance(23 * time.Hour)
	owner = s.As(t, consoletest.Owner)
	owner.Send(owner.Get(list+"/"+next.String()).Posts("/undo")).Is(t, 200).Shows(t, "Undid the change to the series.")
	owner.Get(list).Silent(t, "You can undo it")
	if n := apptest.Value[int](t, s.World, "select count(*) from occurrences where member_id = $1", ben.ID); n != 0 {
		t.Errorf("he still teaches %d dates", n)
	}
}
