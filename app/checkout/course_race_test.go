package checkout_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
)

// A74. Two hundred people enrol in a course of four dates with three seats at once, half of them with a single class
// in the same cart, which others book by itself: three have all four dates, none has some, and none waits for ever.
// Built with the tag nolock more than three have to get in, or the race proves nothing.
func TestA74_LastPlacesOfACourse(t *testing.T) {
	const capacity = 3
	s := open(t)
	if apptest.Guarded {
		s.raceForACourse(t, capacity)
		s.w.CheckBooks(t)
		return
	}
	for range 10 {
		if s.raceForACourse(t, capacity) > capacity {
			return
		}
	}
	t.Error("without locks nothing was oversold: the race proves nothing")
}

// raceForACourse is one race, and returns how many have the course afterwards.
func (s shop) raceForACourse(t *testing.T, capacity int) int {
	t.Helper()
	const racers = 200
	course, dates := s.course(t, 4, 0, capacity)
	class := s.class(t, 0, racers)
	people, tokens := s.fill(t, racers)
	for i := range racers {
		items := []checkout.AddItemInput{{CourseID: course.ID}}
		switch i % 4 {
		case 1:
			items = []checkout.AddItemInput{{CourseID: course.ID}, {OccurrenceID: class.ID}}
		case 2:
			items = []checkout.AddItemInput{{OccurrenceID: class.ID}, {CourseID: course.ID}}
		}
		for _, in := range items {
			_, err := s.Checkout.AddItem(t.Context(), people[i], tokens[i], in)
			must(t, 0, err)
		}
	}
	singles, singleTokens := s.fill(t, racers/4, class)
	var enrolled, alone atomic.Int64
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range racers {
		done.Go(func() {
			start.Wait()
			_, err := s.Checkout.Hold(t.Context(), people[i], tokens[i], checkout.HoldInput{})
			if errors.Is(err, booking.ErrFull) {
				return
			}
			if err == nil {
				_, err = s.Checkout.Confirm(t.Context(), people[i], tokens[i])
			}
			if err != nil {
				t.Errorf("a racer got %v", err)
				return
			}
			enrolled.Add(1)
		})
	}
	for i := range singles {
		done.Go(func() {
			start.Wait()
			if _, err := s.Checkout.Hold(t.Context(), singles[i], singleTokens[i], checkout.HoldInput{}); err != nil {
				t.Errorf("a single date: %v", err)
				return
			}
			alone.Add(1)
		})
	}
	start.Done()
	done.Wait()
	groups := apptest.Values[int](t, s.w, `select count(*) from bookings where offering_id = $1 and state = 'confirmed' group by group_id`, course.ID)
	if !apptest.Guarded {
		return len(groups)
	}
	if int(enrolled.Load()) != capacity || len(groups) != capacity || slices.Min(groups) != 4 || !slices.Equal(s.seats(t, dates), all(capacity, 4)) {
		t.Errorf("%d enrolled, groups of %v, taken %v", enrolled.Load(), groups, s.seats(t, dates))
	}
	if int(alone.Load()) != len(singles) {
		t.Errorf("%d of %d single dates", alone.Load(), len(singles))
	}
	return len(groups)
}

// Hold, pay and confirm of a course, killed at every call to the database, before and after it, and tried again: all
// of its dates are booked once, and paid once.
func TestCourseKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	for _, after := range []bool{false, true} {
		n := 0
		for spared := false; !spared; {
			n++
			course, dates := s.course(t, 3, 2200, 1)
			who, token := s.Customer(t, "Ada"), s.enrol(t, course)
			err := d.story(t, k.arm(t.Context(), n, after), who, token, 2200, 0)
			if spared = k.spared(); spared && err != nil {
				t.Fatalf("nobody was killed, and yet: %v", err)
			}
			if got := s.seats(t, dates); slices.Min(got) != slices.Max(got) {
				t.Errorf("killed at call %d (after: %v): taken %v", n, after, got)
			}
			if err := s.story(t, t.Context(), who, token, 2200, 0); err != nil {
				t.Errorf("killed at call %d (after: %v), then: %v", n, after, err)
			}
			if got := s.enrolled(t, course); got != "confirmed 3 in 1 for 2200" || !slices.Equal(s.seats(t, dates), all(1, 3)) {
				t.Errorf("killed at call %d (after: %v): %s, taken %v", n, after, got, s.seats(t, dates))
			}
		}
		t.Logf("%d calls to the database, after: %v", n-1, after)
	}
	s.check(t)
}

// The round trips of a course in a cart: one more than those of a class.
func TestCourseTrips(t *testing.T) {
	s := open(t)
	course, _ := s.course(t, 12, 0, 5)
	ada, token := s.Customer(t, "Ada"), s.enrol(t, course)
	class := s.Fill(t, s.class(t, 0, 5))
	trips := func(token string, run func(token string) error) int {
		return s.w.Statements(func() {
			if err := run(token); err != nil {
				t.Fatal(err)
			}
		})
	}
	for what, run := range map[string]func(token string) error{
		"a look": func(token string) error { _, err := s.Checkout.Cart(t.Context(), ada, token); return err },
		"a hold again": func(token string) error {
			_, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
			return err
		},
	} {
		s.hold(t, ada, token)
		s.hold(t, ada, class)
		if a, b := trips(class, run), trips(token, run); b > a+1 {
			t.Errorf("%s: %d trips for a class, %d for a course", what, a, b)
		}
	}
}
