package booking_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/pg"
)

// seatAct is what somebody does to the seats of one date: what they ask for, and whether they got it.
type seatAct struct {
	what string
	wish int // seats more; negative gives back
}

// seatsModel is a date with so many seats: an act that asks for one gets it if and only if one is free.
func seatsModel(capacity int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			taken, act, got := state.(int), input.(seatAct), output.(bool)
			fits := taken+act.wish <= capacity
			if act.wish > 0 && got != fits {
				return false, taken
			}
			if got {
				taken += act.wish
			}
			return taken >= 0, taken
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%s %v", input.(seatAct).what, output) },
	}
}

// Holding, booking at the desk, asking and being approved, moving here, releasing and cancelling, by many at once: the
// history of one date is one that a single desk with a single list could have written (linearizable). Proof 1 of the
// seats, over all the ways to one.
func TestHistoriesOfADate(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastSeat says what happens then
	}
	for _, capacity := range []int{1, 3} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			d := open(t)
			o := d.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = capacity, capacity })
			date := d.AddOccurrence(t, o, apptest.Start.Add(48*time.Hour))
			other := d.AddOccurrence(t, o, apptest.Start.Add(72*time.Hour), func(o *apptest.OccurrenceRow) { o.Capacity, o.Online = 1000, 1000 })
			seed := walks.Seed(t)
			book := history{start: time.Now()}
			var done sync.WaitGroup
			for i, c := range d.carts(t, 8) {
				g := &sitter{desk: d, t: t, r: rand.New(rand.NewPCG(seed, uint64(i))), id: i, cart: c, date: date, other: other, book: &book}
				done.Go(func() {
					for range 20 {
						g.step()
					}
				})
			}
			done.Wait()
			d.w.CheckBooks(t)
			if got := porcupine.CheckOperationsTimeout(seatsModel(capacity), book.list, time.Minute); got != porcupine.Ok {
				t.Errorf("the history of %d acts is %s", len(book.list), got)
			}
		})
	}
}

// The model is no rubber stamp: two who got the last seat, one after the other, and one who was refused a free one.
func TestSeatsModelRefuses(t *testing.T) {
	at := func(i int, got bool) porcupine.Operation {
		return porcupine.Operation{ClientId: i, Input: seatAct{"hold", 1}, Output: got, Call: int64(2 * i), Return: int64(2*i + 1)}
	}
	for name, list := range map[string][]porcupine.Operation{"sold twice": {at(0, true), at(1, true)}, "kept back": {at(0, false)}} {
		if porcupine.CheckOperations(seatsModel(1), list) {
			t.Errorf("%s: taken for a right history", name)
		}
	}
	if !porcupine.CheckOperations(seatsModel(1), []porcupine.Operation{at(0, true), at(1, false)}) {
		t.Error("sold once: taken for a wrong history")
	}
}

// history is what happened, with the times between which it did.
type history struct {
	start time.Time
	mu    sync.Mutex
	list  []porcupine.Operation
}

// note runs one act and writes it down. An act that is refused for another reason than want of a seat had no effect and
// is left out.
func (h *history) note(client int, act seatAct, run func() error) (bool, error) {
	call := time.Since(h.start)
	err := run()
	end := time.Since(h.start)
	full := errors.Is(err, booking.ErrFull)
	if err != nil && !full {
		return false, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, porcupine.Operation{ClientId: client, Input: act, Call: int64(call), Output: err == nil, Return: int64(end)})
	return err == nil, nil
}

// sitter is somebody who takes a seat of the date in one way or another, and gives it back.
type sitter struct {
	desk
	t           *testing.T
	r           *rand.Rand
	id          int
	cart        cart
	date, other apptest.OccurrenceRow
	book        *history
	hold        *booking.Hold
	seat        uuid.UUID // a confirmed booking of the date
}

func (s *sitter) step() {
	switch {
	case s.hold != nil:
		s.act("release", -1, func() error {
			_, err := pg.InTx(s.t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (int, error) {
				return 0, booking.ReleaseTx(s.t.Context(), tx, s.scope(s.cart), s.hold.ID)
			})
			return err
		})
		s.hold = nil
	case s.seat != uuid.Nil:
		s.act("cancel", -1, func() error {
			_, err := s.s.Cancel(s.t.Context(), s.Owner, booking.CancelInput{BookingID: s.seat, By: booking.ByStudio})
			return err
		})
		s.seat = uuid.Nil
	default:
		[]func(){s.takeHold, s.takeBook, s.takeAndMove}[s.r.IntN(3)]()
	}
}

func (s *sitter) act(what string, wish int, run func() error) bool {
	got, err := s.book.note(s.id, seatAct{what: what, wish: wish}, run)
	if err != nil {
		s.t.Errorf("%s: %v", what, err)
	}
	return got
}

func (s *sitter) takeHold() {
	s.act("hold", 1, func() error {
		h, err := s.desk.hold(s.t.Context(), s.cart, nil, seat(s.date))
		if err == nil {
			s.hold = &h
		}
		return err
	})
}

// who is somebody new each time, so that nobody is booked twice.
func (s *sitter) who() booking.Who {
	return booking.Who{Email: fmt.Sprintf("%s@example.com", uuid.NewString()), Name: "Somebody"}
}

func (s *sitter) takeBook() {
	s.act("book", 1, func() error {
		b, err := s.s.Book(s.t.Context(), s.Owner, booking.BookInput{Who: s.who(), OccurrenceID: s.date.ID})
		if err == nil {
			s.seat = b.Booking.ID
		}
		return err
	})
}

// takeAndMove books the other date and moves from there.
func (s *sitter) takeAndMove() {
	b, err := s.s.Book(s.t.Context(), s.Owner, booking.BookInput{Who: s.who(), OccurrenceID: s.other.ID})
	if err != nil {
		s.t.Errorf("book the other date: %v", err)
		return
	}
	s.act("move", 1, func() error {
		_, err := s.s.Reschedule(s.t.Context(), s.Owner, booking.RescheduleInput{
			BookingID: b.Booking.ID, Target: booking.Target{OccurrenceID: s.date.ID},
		})
		if err == nil {
			s.seat = b.Booking.ID
		}
		return err
	})
}
