package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
)

// TestFilterOfTheTimetable narrows it by class, by instructor and by space; values without a date are ignored, and
// with one of each there is nothing to choose.
func TestFilterOfTheTimetable(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v, path := s.visit(t), "/"+s.Location.Slug
	v.get(path).want(200, "Sunrise Vinyasa").lacks("Filter classes")

	slow := s.class(t, "Slow Burn", 2)
	ana, ben, room := s.AddInstructor(t, "Ana Ruiz"), s.AddInstructor(t, "Ben Okafor"), s.AddSpace(t, "Studio A")
	s.SQL(t, "update occurrences set member_id = $2, space_id = $3 where id = $1", yoga.Dates[0].ID, ana.ID, room.ID)
	s.SQL(t, "update occurrences set member_id = $2 where id = $1", slow.Dates[1].ID, ben.ID)
	all := v.get(path).want(200, "Filter classes", "All classes", "Any instructor", "Ana Ruiz", "Ben Okafor").lacks("Any room", "Show all")
	rows := func(p *page) int { return strings.Count(p.Body, `class="row"`) }
	if n := rows(all); n != 4 {
		t.Fatalf("%d rows", n)
	}
	for query, want := range map[string]int{
		"?class=slow-burn": 2, "?with=Ben+Okafor": 1, "?in=Studio+A": 1, "?class=slow-burn&with=Ana+Ruiz": 0,
		"?class=nothing": 4, "?with=Nobody&in=": 4, "?class=" + strings.Repeat("x", 2000): 4,
	} {
		p := v.get(path+query).want(200, "Filter classes")
		if n := rows(p); n != want {
			t.Errorf("%s shows %d rows, want %d", query, n, want)
		}
		if want == 0 {
			p.want(200, "No classes on these days match the filters", "Show all")
		}
	}
	narrow := v.get(path+"?class=slow-burn").want(200, "Show all")
	if !strings.Contains(narrow.Body, `value="slow-burn" selected`) || narrow.link("Show all") != path {
		t.Error("the choice is not shown, or cannot be undone")
	}
	s.AddOccurrence(t, slow.OfferingRow, apptest.Start.AddDate(0, 0, 20))
	if later := v.get(path + "?class=slow-burn").link("Later classes"); !strings.Contains(later, "class=slow-burn") {
		t.Errorf("later classes are at %s", later)
	}
}

// TestFilterTakesNoMoreTrips: the filter works on the rows already read.
func TestFilterTakesNoMoreTrips(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.class(t, "Sunrise Vinyasa", 2)
	s.class(t, "Slow Burn", 2)
	v := s.visit(t)
	if all, some := v.trips("/"+s.Location.Slug), v.trips("/"+s.Location.Slug+"?class=slow-burn"); some != all {
		t.Errorf("%d trips for all, %d for some", all, some)
	}
}

// TestSeveralLocationsAreNamed on top of the timetable and of a class, each with the way to the others; one that is
// alone is not.
func TestSeveralLocationsAreNamed(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	v.get("/" + s.Location.Slug).want(200).lacks("Change location")
	hill := s.AddLocation(t, "Hill")
	for _, path := range []string{"/" + s.Location.Slug, s.path(yoga, nil), s.path(yoga, &yoga.Dates[0])} {
		p := v.get(path).want(200, s.Location.Name+" 12 Quay Street, Portland", "Change location")
		if got := p.link("Hill"); got != "/"+hill.Slug {
			t.Errorf("%s leads to %q", path, got)
		}
	}
	v.get("/"+hill.Slug).want(200, "Hill", "Change location", s.Location.Name)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, s.Location.Name+", 12 Quay Street, Portland")
	ana.get("/my").want(200, s.Location.Name)
}
