package checkout_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/claim"
	"foyer/app/fault"
)

// rush has all customers hold and confirm their carts at once, and returns the number of successes. All others have
// to be refused for one of these reasons.
func (s shop) rush(t *testing.T, racers int, items func(i int) []checkout.AddItemInput, reasons ...*fault.Error) int {
	t.Helper()
	people, tokens := s.fill(t, racers)
	var filled sync.WaitGroup
	for i := range racers {
		filled.Go(func() {
			for _, in := range items(i) {
				if _, err := s.Checkout.AddItem(t.Context(), people[i], tokens[i], in); err != nil {
					t.Errorf("a cart got %v", err)
				}
			}
		})
	}
	filled.Wait()
	won := make(chan bool, racers)
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range racers {
		done.Go(func() {
			start.Wait()
			_, err := s.Checkout.Hold(t.Context(), people[i], tokens[i], checkout.HoldInput{})
			for _, reason := range reasons {
				if errors.Is(err, reason) {
					return
				}
			}
			if err == nil {
				_, err = s.Checkout.Confirm(t.Context(), people[i], tokens[i])
			}
			if err != nil {
				t.Errorf("a racer got %v", err)
				return
			}
			won <- true
		})
	}
	start.Done()
	done.Wait()
	return len(won)
}

// A74. Two hundred people hold and confirm the same time at once, of a person, of any of three people, of a space as
// a whole, and of a person and a space together, named in either order: exactly as many succeed as there are, the
// others get the conflict, and none waits for ever. Built with the tag nolock more have to succeed, or the race
// proves nothing.
func TestA74_LastTimes(t *testing.T) {
	const racers = 200
	s := open(t)
	s.AddHours(t)
	free := int64(0)
	people := make([]uuid.UUID, 4)
	for i, name := range []string{"Mia", "Ben", "Zoe", "Eve"} {
		people[i] = s.AddMember(t, name).ID
	}
	hall, studio := s.AddSpace(t, "Hall"), s.AddSpace(t, "Studio")
	costless := func(r *apptest.ServiceRow) { r.Price = &free }
	massage, facial := s.AddAppointment(t, people[:3], costless), s.AddAppointment(t, people[3:], costless)
	whole, room := s.AddRental(t, []uuid.UUID{hall.ID}, costless), s.AddRental(t, []uuid.UUID{studio.ID}, costless)
	day := 10
	slot := func(of apptest.ServiceRow, changes ...func(*checkout.Slot)) checkout.AddItemInput {
		in := checkout.Slot{OfferingID: of.ID, StartsAt: time.Date(2026, 6, day, 15, 0, 0, 0, time.UTC)}
		for _, change := range changes {
			change(&in)
		}
		return checkout.AddItemInput{Slot: &in}
	}
	for _, x := range []struct {
		what    string
		want    int
		items   func(i int) []checkout.AddItemInput
		reasons []*fault.Error
	}{
		{"a person", 1, func(int) []checkout.AddItemInput {
			return []checkout.AddItemInput{slot(massage, func(in *checkout.Slot) { in.MemberID = &people[1] })}
		}, []*fault.Error{claim.ErrStaffBusy}},
		{"any of three people", 3, func(int) []checkout.AddItemInput { return []checkout.AddItemInput{slot(massage)} },
			[]*fault.Error{claim.ErrStaffBusy}},
		{"a whole space", 1, func(int) []checkout.AddItemInput { return []checkout.AddItemInput{slot(whole)} },
			[]*fault.Error{claim.ErrSpaceBusy}},
		{"a person and a space", 1, func(i int) []checkout.AddItemInput {
			in := []checkout.AddItemInput{slot(facial), slot(room)}
			if i%2 == 1 {
				in[0], in[1] = in[1], in[0]
			}
			return in
		}, []*fault.Error{claim.ErrStaffBusy, claim.ErrSpaceBusy}},
	} {
		day++
		got := s.rush(t, racers, x.items, x.reasons...)
		for round := 0; !apptest.Guarded && got <= x.want && round < 10; round++ {
			day++
			got = s.rush(t, racers, x.items, x.reasons...)
		}
		switch {
		case apptest.Guarded && got != x.want:
			t.Errorf("%s: %d got it, want %d", x.what, got, x.want)
		case !apptest.Guarded && got <= x.want:
			t.Errorf("%s: without the locks %d got it: this race proves nothing", x.what, got)
		}
	}
	if !apptest.Guarded {
		return
	}
	s.w.CheckBooks(t)
	if n := apptest.Deadlocks(t, s.w); n != 0 {
		t.Errorf("Postgres broke %d deadlocks", n)
	}
}
