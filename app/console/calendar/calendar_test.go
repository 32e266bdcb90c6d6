package calendar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

func TestCalendarShowsAWeekADayAndTheAgenda(t *testing.T) {
	s := consoletest.Open(t)
	ines := s.AddInstructor(t, "Ines Vale")
	hall := s.AddSpace(t, "Hall")
	vinyasa := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" })
	flow := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Late Flow" })
	on := s.AddOccurrence(t, vinyasa, apptest.Start.Add(2*time.Hour), func(o *apptest.OccurrenceRow) { o.Member, o.Space = &ines.ID, &hall.ID })
	s.AddOccurrence(t, flow, apptest.Start.Add(150*time.Minute))
	s.AddOccurrence(t, flow, apptest.Start.AddDate(0, 0, 7).Add(5*time.Hour))
	owner := s.As(t, consoletest.Owner)

	week := owner.Get("/calendar").Is(t, 200).Shows(t, "Sunrise Vinyasa", "Late Flow", "Ines Vale · Hall", "0/12", "Mon 8 Jun", "Sun 14 Jun")
	// 10:00 and 10:30 in New York overlap for half an hour: they are side by side.
	for _, class := range []string{"h10 m0 x1 y0 l0 n2 s1", "h10 m30 x1 y0 l1 n2 s1"} {
		if !strings.Contains(week.Body, class) {
			t.Errorf("no date stands at %q", class)
		}
	}
	if !week.Has("/dates/" + on.ID.String()) {
		t.Error("a date does not lead to its roster")
	}
	if next := owner.Get("/calendar?day=2026-06-17").Shows(t, "0/12"); next.Has("/dates/" + on.ID.String()) {
		t.Error("next week shows a date of this one")
	}
	owner.Get("/calendar?view=day").Shows(t, "Wednesday 10 June", "No instructor")
	owner.Get("/calendar?view=day&by=room").Shows(t, "Hall", "No room")
	owner.Get("/calendar?view=agenda&member="+ines.ID.String()).Shows(t, "Sunrise Vinyasa Ines Vale · Hall 0/12").Silent(t, "0/12 Late Flow", "Late Flow 0/12")
	owner.Get("/calendar?view=agenda&day=2026-09-01").Shows(t, "Nothing scheduled")
	owner.Get("/calendar?day=never&view=agenda&space="+uuid.NewString()).Shows(t, "Nothing matches these filters", "Clear filters")
}

func TestCalendarMovesOnlyWhatTheRoleMay(t *testing.T) {
	s := consoletest.Open(t)
	o := s.AddOffering(t)
	to := "/dates/" + s.AddOccurrence(t, o, apptest.Start.Add(2*time.Hour)).ID.String() + "/move"
	s.AddOccurrence(t, o, apptest.Start.Add(-2*time.Hour))
	if n := strings.Count(s.As(t, consoletest.Owner).Get("/calendar?view=week").Body, "data-drag"); n != 1 {
		t.Errorf("%d dates can be dragged, want the one that has not begun", n)
	}
	if page := s.As(t, policy.FrontDesk).Get("/calendar?view=week"); strings.Contains(page.Body, to) {
		t.Error("the front desk can drag a date, which it may not move")
	}
}

func TestCalendarOfATeacherIsTheirOwn(t *testing.T) {
	s := consoletest.Open(t)
	d := s.AddOccurrence(t, s.AddOffering(t), apptest.Start.Add(time.Hour))
	if page := s.As(t, policy.Instructor).Get("/calendar").Is(t, 200).Shows(t, "Nothing scheduled"); page.Has("/dates/" + d.ID.String()) {
		t.Error("a teacher is shown a date of somebody else")
	}
}

// A date of a course is marked as part of one.
func TestCalendarSaysWhatIsPartOfACourse(t *testing.T) {
	s := consoletest.Open(t)
	_, dates := s.AddCourse(t, 2)
	s.AddOccurrence(t, s.AddOffering(t), apptest.Start.Add(time.Hour))
	owner := s.As(t, consoletest.Owner)
	for _, page := range []string{"/calendar", "/calendar?view=agenda", "/calendar?view=day&day=2026-06-12", "/dates/" + dates[0].ID.String()} {
		owner.Get(page).Is(t, 200).Shows(t, "Part of course")
	}
	owner.Get("/calendar?view=day").Silent(t, "Part of course")
}
