package waitlist_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/waitlist"
)

// crowding is random joining and leaving on the list of one date.
type crowding struct {
	*list
	o        apptest.OccurrenceRow
	r        *rand.Rand
	entrants []entrant
	byHand   bool // the last step was the studio's: it need not keep the order
}

// step does something to the list, or tries to. Only refusals are expected.
func (c *crowding) step() (what string, err error) {
	ctx := context.Background()
	c.byHand = false
	recent := c.entrants[max(0, len(c.entrants)-6):]
	someone := func() entrant { return recent[c.r.IntN(len(recent))] }
	n := c.r.IntN(22)
	if len(c.entrants) == 0 {
		n = 0
	}
	switch n {
	case 0, 1, 2:
		in := waitlist.JoinInput{OfferingID: c.offering(c.o), OccurrenceID: c.o.ID, Party: 1 + c.r.IntN(2)}
		sc := c.Customer(c.t, "waiter")
		w, err := c.Waitlist.Join(ctx, sc, in)
		if err == nil {
			c.entrants = append(c.entrants, entrant{w, sc, c.Waitlist.Token(w.ID)})
		}
		return "join", err
	case 3, 4, 5:
		ids := read[uuid.UUID](c.list, "select id from bookings where occurrence_id = $1 and state = 'confirmed' order by id", c.o.ID)
		if len(ids) == 0 {
			return "nothing to cancel", nil
		}
		_, err := c.Booking.Cancel(ctx, c.Owner, booking.CancelInput{BookingID: ids[c.r.IntN(len(ids))], By: booking.ByStudio})
		return "cancel", err
	case 6, 7:
		_, err := c.accept(someone())
		return "accept", err
	case 8:
		return "decline", c.decline(someone())
	case 9:
		return "leave", c.leave(someone())
	case 10, 11:
		c.w.Clock.Advance(time.Duration(1+c.r.IntN(8)) * time.Minute)
		if err := c.Booking.ExpireDue(ctx); err != nil {
			return "expire", err
		}
		return "sweep", c.Waitlist.RoundsDue(ctx)
	case 15, 16, 17, 18, 19, 20, 21:
		sc, cart := c.Customer(c.t, "visitor"), c.Fill(c.t, c.o)
		if _, err := c.Checkout.Hold(ctx, sc, cart, holdAny); err != nil || n == 15 {
			return "hold", err
		}
		_, err := c.Checkout.Confirm(ctx, sc, cart)
		return "buy", err
	}
	c.byHand = true
	in := c.entry(someone(), c.o)
	if c.r.IntN(3) == 0 {
		override(&in)
	}
	switch n {
	case 12:
		_, err = c.Waitlist.Skip(ctx, c.Owner, in)
		return "skip", err
	case 13:
		_, err = c.Waitlist.Offer(ctx, c.Owner, in)
		return "offer", err
	}
	_, err = c.Waitlist.Promote(ctx, c.Owner, in)
	return "promote", err
}

// Standing is where an entry stood at some moment.
type Standing struct {
	ID    uuid.UUID
	State waitlist.State
	Rank  int64
	Party int
}

func (c *crowding) line() map[uuid.UUID]Standing {
	out := map[uuid.UUID]Standing{}
	for _, s := range read[Standing](c.list, "select id, state, rank, party from waitlist_entries where occurrence_id = $1", c.o.ID) {
		out[s.ID] = s
	}
	return out
}

// jumped finds an entry that still waits although a later one, with no smaller party, got seats.
func jumped(before, after map[uuid.UUID]Standing) string {
	for id, y := range after {
		if before[id].State != waitlist.Waiting || y.State != waitlist.Offered && y.State != waitlist.Promoted {
			continue
		}
		for other, x := range after {
			if x.State == waitlist.Waiting && before[other].State == waitlist.Waiting && x.Rank < y.Rank && x.Party <= y.Party {
				return fmt.Sprintf("%v was served before %v", y, x)
			}
		}
	}
	return ""
}

// Under any acts of customers and the studio, with restarts of the program between: occupied and offered seats never
// exceed the capacity, the counters match the rows, every log leads to its entry's state, and the first entry is
// served first.
func TestWaitlistSequences(t *testing.T) {
	for _, mode := range []catalog.WaitlistMode{catalog.WaitlistAuto, catalog.WaitlistOffer, catalog.WaitlistRace} {
		t.Run(string(mode), func(t *testing.T) {
			l := openList(t, mode)
			l.free = true
			seed := walks.Seed(t)
			c := &crowding{list: l, o: l.full(4), r: rand.New(rand.NewPCG(seed, 0))}
			did := map[string]int{}
			for i := range walks.Steps(60, 600) {
				before := c.line()
				what, err := c.step()
				if err != nil && !fault.IsKind(err, fault.Conflict) && !fault.IsKind(err, fault.Validation) {
					t.Fatalf("step %d, %s: %v", i, what, err)
				}
				if err == nil {
					did[what]++
				}
				if c.r.IntN(3) > 0 { // the jobs of the last steps run, or the program was killed before
					c.jobs()
				}
				l.Sales = l.On(t, l.w.DB)
				if rows := c.broken(); len(rows) > 0 {
					t.Fatalf("after step %d, %s: %v", i, what, rows)
				}
				if late := jumped(before, c.line()); late != "" && !c.byHand && mode != catalog.WaitlistRace {
					t.Fatalf("after step %d, %s: %s", i, what, late)
				}
			}
			t.Logf("done: %v", did)
		})
	}
}

// Eight at once on one list: all counters and logs agree in the end, and Postgres never had to break a deadlock.
func TestWaitlistTogether(t *testing.T) {
	if !apptest.Guarded {
		return // TestA74_WaitlistLastSeat covers this case
	}
	for _, mode := range []catalog.WaitlistMode{catalog.WaitlistAuto, catalog.WaitlistOffer, catalog.WaitlistRace} {
		t.Run(string(mode), func(t *testing.T) {
			l := openList(t, mode)
			l.free = true
			o := l.full(5)
			shared := l.crowd(o, 12)
			seed := walks.Seed(t)
			var done sync.WaitGroup
			for i := range 8 {
				c := &crowding{list: l, o: o, r: rand.New(rand.NewPCG(seed, uint64(i))), entrants: append([]entrant{}, shared...)}
				done.Go(func() {
					for range walks.Steps(10, 100) {
						what, err := c.step()
						if err != nil && !fault.IsKind(err, fault.Conflict) && !fault.IsKind(err, fault.Validation) {
							t.Errorf("%s: %v", what, err)
						}
						if err := l.Waitlist.RunRound(context.Background(), booking.RoundJob{Business: l.Business.ID, Occurrence: o.ID}); err != nil {
							t.Errorf("round: %v", err)
						}
					}
				})
			}
			done.Wait()
			l.check()
			if n := apptest.Value[int](t, l.w, "select deadlocks from pg_stat_database where datname = current_database()"); n != 0 {
				t.Errorf("Postgres broke %d deadlocks", n)
			}
		})
	}
}
