package booking_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/waitlist"
)

// deed is the effect of an act on the seats of a date and on its list.
type deed string

const (
	take    deed = "take"    // requests a seat, from outside the list
	give    deed = "give"    // gives one back
	join    deed = "join"    // goes to the end of the list
	promote deed = "promote" // the studio books an entry of the list, in any position
	leave   deed = "leave"   // goes off the list
	look    deed = "look"    // reads whether an entry waits or has got its seat
)

// seatAct is one act: its name, its effect, and its entry of the list.
type seatAct struct {
	what  string
	deed  deed
	entry string
}

// The answers to an act.
type said string

const (
	yes     said = "yes"      // done; to a look: it waits
	no      said = "no"       // full; to a join: there is room
	hasSeat said = "has seat" // the entry has got its seat before
)

// dateState is a date with its occupied seats and its waiting entries, the first in front. While a round is due, the
// available seats belong to the list.
type dateState struct {
	taken int
	due   bool
	line  string // entries, each with a comma behind it
}

// dealt returns the states to which a due round can lead: it may run at any time after it became due, and books the
// first entries one by one as far as there is room.
func (s dateState) dealt(capacity int) []dateState {
	out := []dateState{s}
	if !s.due {
		return out
	}
	for s.taken < capacity && s.line != "" {
		_, s.line, _ = strings.Cut(s.line, ",")
		s.taken++
		out = append(out, s)
	}
	s.due = false
	return append(out, s)
}

// does returns the state after an act with that answer; false for an answer that a single list would not give.
func (s dateState) does(act seatAct, out said, capacity int) (dateState, bool) {
	free := s.taken < capacity
	waits := strings.Contains(","+s.line, ","+act.entry+",")
	without := func() string { return strings.TrimPrefix(strings.Replace(","+s.line, ","+act.entry+",", ",", 1), ",") }
	switch act.deed {
	case take:
		if free = free && !s.due; free {
			s.taken++
		}
		return s, (out == yes) == free
	case give:
		s.taken, s.due = s.taken-1, s.due || s.line != ""
		return s, out == yes && s.taken >= 0
	case join:
		if room := free && !s.due; room {
			return s, out == no
		}
		s.line += act.entry + ","
		return s, out == yes
	case look:
		return s, (out == yes) == waits
	case leave:
		if waits {
			s.line = without()
		}
		return s, (out == yes) == waits
	case promote:
		switch {
		case !waits:
			return s, out == hasSeat
		case !free:
			return s, out == no
		}
		s.taken, s.line = s.taken+1, without()
		return s, out == yes
	}
	return s, false
}

// dateModel is a date with so many seats: a request succeeds if and only if a seat is available and no entry waits
// for it, and the entries get theirs in their order, unless the studio names one.
func dateModel(capacity int) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{dateState{}} },
		Step: func(state, input, output any) []any {
			var out []any
			for _, s := range state.(dateState).dealt(capacity) {
				if next, can := s.does(input.(seatAct), output.(said), capacity); can {
					out = append(out, next)
				}
			}
			return out
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%s %v", input.(seatAct).what, output) },
	}
	return m.ToModel()
}

// Holding, requesting and being approved, booking at the desk, rescheduling to here, waiting and being promoted by
// the list or by the studio, releasing, leaving and cancelling, concurrently: the history of one date is one that a
// single desk with a single list could have written (linearizable). Proof 1 of the seats, over all ways to one.
func TestHistoriesOfADate(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_LastSeat covers this case
	}
	all := map[string]int{}
	for capacity, people := range map[int]int{1: 8, 3: 8, 10: 14} {
		t.Run(fmt.Sprint(capacity), func(t *testing.T) {
			d := open(t)
			d.SetPolicy(t, d.AddPolicy(t, func(r *catalog.Rules) { r.Waitlist.Mode = catalog.WaitlistAuto }))
			free := int64(0)
			o := d.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online, o.Price = capacity, capacity, &free })
			d.w.SQL(t, "update offerings set approval = true where id = $1", o.ID)
			date := d.AddOccurrence(t, o, apptest.Start.Add(48*time.Hour))
			other := d.AddOccurrence(t, o, apptest.Start.Add(72*time.Hour), func(o *apptest.OccurrenceRow) { o.Capacity, o.Online = 1000, 1000 })
			seed := walks.Seed(t)
			book := history{start: time.Now()} // real time: porcupine compares when acts began and ended
			var done sync.WaitGroup
			for i, c := range d.carts(t, people) {
				g := &sitter{
					desk: d, t: t, r: rand.New(rand.NewPCG(seed, uint64(i))), id: i, cart: c, class: o.ID, date: date, other: other, book: &book,
				}
				done.Go(func() {
					for range walks.Steps(25, 60) {
						g.step()
					}
				})
			}
			done.Wait()
			d.w.CheckBooks(t)
			if n := apptest.Deadlocks(t, d.w); n != 0 {
				t.Errorf("Postgres broke %d deadlocks", n)
			}
			if got := porcupine.CheckOperationsTimeout(dateModel(capacity), book.list, time.Minute); got != porcupine.Ok {
				t.Errorf("the history of %d acts is %s", len(book.list), got)
			}
			for _, op := range book.list {
				all[fmt.Sprint(op.Input.(seatAct).what, " ", op.Output)]++
				if op.Output == hasSeat {
					all["served by the list"]++
				}
			}
		})
	}
	t.Logf("what was answered: %v", all)
	// That a request is refused when the date is full is a matter of luck here, and of TestApprove.
	for _, seen := range []string{"approve yes", "promote yes", "promote no", "served by the list", "join yes", "leave yes", "hold no"} {
		if all[seen] == 0 {
			t.Errorf("%q never happened: the histories prove nothing about it", seen)
		}
	}
}

// The model is no rubber stamp: it refuses histories that a single list would not write, and accepts correct ones.
func TestDateModelRefuses(t *testing.T) {
	line := func(acts ...string) (list []porcupine.Operation) {
		for i, a := range acts {
			f := strings.Split(a, "/") // deed/answer/entry
			act := seatAct{what: f[0], deed: deed(f[0])}
			if len(f) > 2 {
				act.entry = f[2]
			}
			list = append(list, porcupine.Operation{ClientId: i, Input: act, Output: said(f[1]), Call: int64(2 * i), Return: int64(2*i + 1)})
		}
		return list
	}
	for name, list := range map[string][]porcupine.Operation{
		"sold twice":                       line("take/yes", "take/yes"),
		"kept back":                        line("take/no"),
		"refunded and never captured":      line("give/yes"),
		"waiting where there is room":      line("join/yes/a"),
		"no waiting where it is full":      line("take/yes", "join/no/a"),
		"past those who wait":              line("take/yes", "join/yes/a", "give/yes", "take/yes", "look/yes/a"),
		"the second before the first":      line("take/yes", "join/yes/a", "join/yes/b", "give/yes", "look/has seat/b", "look/yes/a"),
		"promoted to a seat that is taken": line("take/yes", "join/yes/a", "promote/yes/a"),
		"a seat for who left":              line("take/yes", "join/yes/a", "leave/yes/a", "give/yes", "take/no"),
	} {
		if porcupine.CheckOperations(dateModel(1), list) {
			t.Errorf("%s: taken for a right history", name)
		}
	}
	for name, list := range map[string][]porcupine.Operation{
		"sold once":           line("take/yes", "take/no", "give/yes", "take/yes"),
		"the first in line":   line("take/yes", "join/yes/a", "join/yes/b", "give/yes", "look/has seat/a", "look/yes/b", "take/no"),
		"not booked yet":      line("take/yes", "join/yes/a", "give/yes", "look/yes/a", "take/no", "look/has seat/a"),
		"the studio's choice": line("take/yes", "join/yes/a", "join/yes/b", "give/yes", "promote/yes/b", "look/yes/a"),
	} {
		if !porcupine.CheckOperations(dateModel(1), list) {
			t.Errorf("%s: taken for a wrong history", name)
		}
	}
}

// history has the events, with their times.
type history struct {
	start time.Time
	mu    sync.Mutex
	list  []porcupine.Operation
}

// note runs one act and records it. An act that is refused for another reason than a lack of seats had no effect and
// is left out.
func (h *history) note(client int, act seatAct, run func() (said, error)) (said, error) {
	call := time.Since(h.start)
	out, err := run()
	end := time.Since(h.start)
	switch {
	case errors.Is(err, booking.ErrFull), errors.Is(err, waitlist.ErrSeatsFree):
		out = no
	case errors.Is(err, waitlist.ErrHasSeat), errors.Is(err, waitlist.ErrNotWaiting):
		out = hasSeat
	case err != nil:
		return out, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, porcupine.Operation{ClientId: client, Input: act, Call: int64(call), Output: out, Return: int64(end)})
	return out, nil
}

// sitter is a customer who occupies a seat of the date in one way or another, and releases it.
type sitter struct {
	desk
	t           *testing.T
	r           *rand.Rand
	id          int
	cart        cart
	class       uuid.UUID
	date, other apptest.OccurrenceRow
	book        *history
	hold        *booking.Hold
	seat        uuid.UUID // a confirmed booking of the date
	request     uuid.UUID // a booking that waits for the studio's word
	entry       uuid.UUID // of its list
}

func (s *sitter) step() {
	switch {
	case s.hold != nil:
		s.act("release", give, func() error {
			_, err := pg.InTx(s.t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (int, error) {
				return 0, booking.ReleaseTx(s.t.Context(), tx, s.scope(s.cart), s.hold.ID)
			})
			return err
		})
		s.hold = nil
	case s.seat != uuid.Nil:
		s.act("cancel", give, func() error {
			_, err := s.s.Cancel(s.t.Context(), s.Owner, booking.CancelInput{BookingID: s.seat, By: booking.ByStudio})
			return err
		})
		s.seat = uuid.Nil
	case s.request != uuid.Nil:
		s.answer()
	case s.entry != uuid.Nil:
		[]func(){s.look, s.look, s.promote, s.leave, s.round}[s.r.IntN(5)]()
	default:
		[]func(){s.takeHold, s.takeBook, s.takeAndMove, s.ask, s.join, s.join}[s.r.IntN(6)]()
	}
}

// act does something that is answered with yes or no.
func (s *sitter) act(what string, d deed, run func() error) bool {
	return s.do(seatAct{what: what, deed: d}, func() (said, error) { return yes, run() }) == yes
}

func (s *sitter) do(act seatAct, run func() (said, error)) said {
	out, err := s.book.note(s.id, act, run)
	if err != nil {
		s.t.Errorf("%s: %v", act.what, err)
	}
	return out
}

func (s *sitter) takeHold() {
	s.act("hold", take, func() error {
		h, err := s.desk.hold(s.t.Context(), s.cart, nil, seat(s.date))
		if err == nil {
			s.hold = &h
		}
		return err
	})
}

// who is a new customer each time, so that none is booked twice.
func (s *sitter) who() booking.CustomerRef {
	return booking.CustomerRef{Email: fmt.Sprintf("%s@example.com", uuid.NewString()), Name: "Somebody"}
}

func (s *sitter) takeBook() {
	s.act("book", take, func() error {
		b, err := s.s.Book(s.t.Context(), s.Owner, booking.BookInput{Customer: s.who(), OccurrenceID: s.date.ID})
		if err == nil {
			s.seat = b.Booking.ID
		}
		return err
	})
}

// takeAndMove books the other date and reschedules from there.
func (s *sitter) takeAndMove() {
	b, err := s.s.Book(s.t.Context(), s.Owner, booking.BookInput{Customer: s.who(), OccurrenceID: s.other.ID})
	if err != nil {
		s.t.Errorf("book the other date: %v", err)
		return
	}
	s.act("move", take, func() error {
		_, err := s.s.Reschedule(s.t.Context(), s.Owner, booking.RescheduleInput{
			BookingID: b.Booking.ID, Target: booking.Target{OccurrenceID: s.date.ID},
		})
		if err == nil {
			s.seat = b.Booking.ID
		}
		return err
	})
}

// ask requests a seat with approval: the seat is held until the customer confirms, and available until the studio
// approves.
func (s *sitter) ask() {
	ctx, shop, who := s.t.Context(), s.sales.Checkout, s.sales.Customer(s.t, "asks")
	c, err := shop.Create(ctx, who, checkout.CreateInput{LocationID: s.Location.ID})
	if err == nil {
		_, err = shop.AddItem(ctx, who, c.Token, checkout.AddItemInput{OccurrenceID: s.date.ID})
	}
	if errors.Is(err, booking.ErrFull) {
		return // a read from outside, before any request
	}
	if err != nil {
		s.t.Errorf("a cart: %v", err)
		return
	}
	var h booking.Hold
	if !s.act("cart", take, func() error { h, err = shop.Hold(ctx, who, c.Token, checkout.HoldInput{}); return err }) {
		return
	}
	s.act("ask", give, func() error { _, err := shop.Confirm(ctx, who, c.Token); return err })
	s.request = h.Seats[0].BookingID
}

// answer is the studio's word to a request: yes, as long as there is a seat.
func (s *sitter) answer() {
	if s.r.IntN(4) == 0 {
		if _, err := s.s.Decline(s.t.Context(), s.Owner, booking.DeclineInput{BookingID: s.request}); err != nil {
			s.t.Errorf("decline: %v", err)
		}
		s.request = uuid.Nil
		return
	}
	if s.act("approve", take, func() error {
		_, err := s.s.Approve(s.t.Context(), s.Owner, booking.ApproveInput{BookingID: s.request})
		return err
	}) {
		s.seat, s.request = s.request, uuid.Nil
	}
}

// join adds a new customer to the list. The entry gets its id by that, so its name in the model is that of its
// person.
func (s *sitter) join() {
	who := s.sales.Customer(s.t, "waits")
	act := seatAct{what: "join", deed: join, entry: who.Person().String()}
	var entry waitlist.CustomerEntry
	if s.do(act, func() (out said, err error) {
		entry, err = s.sales.Waitlist.Join(s.t.Context(), who, waitlist.JoinInput{OccurrenceID: s.date.ID, OfferingID: s.class})
		return yes, err
	}) == yes {
		s.entry = entry.ID
	}
}

// onList is an act on the sitter's entry, and the entry's token.
func (s *sitter) onList(d deed) (seatAct, string) {
	token := s.sales.Waitlist.Token(s.entry)
	w, err := s.sales.Waitlist.Find(s.t.Context(), s.sales.Visitor(), token)
	if err != nil {
		s.t.Fatalf("find: %v", err)
	}
	return seatAct{what: string(d), deed: d, entry: w.PersonID.String()}, token
}

// got takes the seat that the entry became.
func (s *sitter) got(token string) {
	w, err := s.sales.Waitlist.Find(s.t.Context(), s.sales.Visitor(), token)
	if err != nil || w.BookingID == nil {
		s.t.Errorf("a promoted entry without a booking: %+v %v", w.Entry, err)
		return
	}
	s.seat, s.entry = *w.BookingID, uuid.Nil
}

func (s *sitter) look() {
	act, token := s.onList(look)
	out := s.do(act, func() (said, error) {
		w, err := s.sales.Waitlist.Find(s.t.Context(), s.sales.Visitor(), token)
		if w.State == waitlist.Promoted {
			return hasSeat, err
		}
		if err == nil && w.State != waitlist.Waiting {
			err = fmt.Errorf("an entry is %s", w.State)
		}
		return yes, err
	})
	if out == hasSeat {
		s.got(token)
	}
}

func (s *sitter) promote() {
	act, token := s.onList(promote)
	out := s.do(act, func() (said, error) {
		_, err := s.sales.Waitlist.Promote(s.t.Context(), s.Owner, waitlist.EntryInput{OfferingID: s.class, OccurrenceID: s.date.ID, EntryID: s.entry})
		return yes, err
	})
	if slices.Contains([]said{yes, hasSeat}, out) {
		s.got(token)
	}
}

func (s *sitter) leave() {
	act, token := s.onList(leave)
	out := s.do(act, func() (said, error) {
		_, err := s.sales.Waitlist.LeaveBy(s.t.Context(), s.sales.Visitor(), token)
		return yes, err
	})
	switch out {
	case yes:
		s.entry = uuid.Nil
	case hasSeat:
		s.got(token)
	}
}

// round is the sweep, which may run at any time.
func (s *sitter) round() {
	if err := s.sales.Waitlist.RoundsDue(s.t.Context()); err != nil {
		s.t.Errorf("rounds: %v", err)
	}
}
