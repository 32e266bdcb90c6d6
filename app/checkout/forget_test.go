package checkout_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// lingers is a little longer than the retention of abandoned rows.
const lingers = checkout.CartRetention + time.Hour

// left makes a cart with a class and an appointment, and abandons it.
func (s shop) left(t testing.TB, who tenancy.Scope, class apptest.OccurrenceRow, massage uuid.UUID, startsAt time.Time) (token string) {
	t.Helper()
	token = s.Fill(t, class)
	_, err := s.Checkout.AddItem(t.Context(), who, token, checkout.AddItemInput{Slot: &checkout.Slot{OfferingID: massage, StartsAt: startsAt}})
	return must(t, token, err)
}

// forget runs the sweeps that delete abandoned rows.
func (s shop) forget(t testing.TB) {
	t.Helper()
	if err := errors.Join(s.Booking.ExpireDue(t.Context()), s.Booking.ForgetDue(t.Context()), s.Checkout.ForgetDue(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// traces counts the rows of abandoned carts.
const traces = `select (select count(*) from carts) || ' carts, ' || (select count(*) from cart_items) || ' items, ' ||
	(select count(*) from holds) || ' holds, ' || (select count(*) from bookings) || ' bookings, ' ||
	(select count(*) from booking_transitions) || ' transitions, ' || (select count(*) from occurrences where series_id is null) || ' times'`

func (s shop) traces(t testing.TB) string {
	t.Helper()
	return apptest.Value[string](t, s.w, traces)
}

// noTrace is the result of traces without abandoned rows.
const noTrace = "0 carts, 0 items, 0 holds, 0 bookings, 0 transitions, 0 times"

// Abandoned carts are deleted in full, even if the sweeps are killed at any time, and a half deleted one breaks
// nothing.
func TestForgettingKilledAnywhere(t *testing.T) {
	s := open(t)
	s.AddHours(t)
	massage := s.AddAppointment(t, []uuid.UUID{s.AddMember(t, "Mia").ID})
	class := s.AddOffering(t)
	d, k := s.doomed(t)
	calls := 0
	for _, after := range []bool{false, true} {
		for n, alive := 1, true; alive; n++ {
			alive = false
			day := s.w.Clock.Now().Truncate(24 * time.Hour).Add(48 * time.Hour)
			held := s.Customer(t, "Ada")
			s.hold(t, held, s.left(t, held, s.AddOccurrence(t, class, day.Add(15*time.Hour)), massage.ID, day.Add(14*time.Hour)))
			s.left(t, s.Visitor(), s.AddOccurrence(t, class, day.Add(16*time.Hour)), massage.ID, day.Add(17*time.Hour))
			s.w.Clock.Advance(lingers)
			if err := s.Booking.ExpireDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, sweep := range []func(shop) error{
				func(s shop) error { return s.Booking.ForgetDue(k.arm(t.Context(), n, after)) },
				func(s shop) error { return s.Checkout.ForgetDue(k.arm(t.Context(), n, after)) },
			} {
				err := sweep(d)
				if !k.spared() {
					alive = true
					calls++
				} else if err != nil {
					t.Fatal(err)
				}
				s.w.CheckBooks(t)
				if n := apptest.Value[int](t, s.w, `select (select count(*) from holds h where not exists (select from bookings b where b.hold_id = h.id))
					+ (select count(*) from carts c where not exists (select from cart_items i where i.cart_id = c.id))`); n != 0 {
					t.Errorf("killed at call %d (after: %v): %d holds without seats or carts without items", n, after, n)
				}
			}
			s.forget(t)
			got := s.traces(t)
			// real time: a process dies
			for end := time.Now().Add(time.Minute); got != noTrace && time.Now().Before(end); got = s.traces(t) {
				// The sweep skips rows that the killed process still has locked, until Postgres notices its death.
				time.Sleep(10 * time.Millisecond)
				s.forget(t)
			}
			if got != noTrace {
				t.Errorf("killed at call %d (after: %v), then there are %s", n, after, got)
			}
		}
	}
	if calls < 12 {
		t.Errorf("the sweeps were killed %d times only", calls)
	}
}

// Carts still in use are not deleted: sold ones, ones with a payment, recently changed ones, ones in use right now.
func TestForgettingLeaves(t *testing.T) {
	s := open(t)
	who := s.Customer(t, "Ada")

	free := s.class(t, 0, 5)
	booked := s.Fill(t, free)
	s.hold(t, who, booked)
	if err := s.Checkout.Release(t.Context(), who, booked); err != nil {
		t.Fatal(err)
	}
	s.hold(t, who, booked)
	receipt := s.confirm(t, who, booked).Token
	paid, p := s.ready(t, who, s.class(t, 2200, 5))
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	paidReceipt := s.confirm(t, who, paid).Token
	tried, _ := s.ready(t, who, s.class(t, 2200, 5))
	s.Fill(t)
	untouched, touched := s.Fill(t, free), s.Fill(t)
	s.jobs(t)

	s.w.Clock.Advance(checkout.CartRetention - time.Minute)
	s.forget(t)
	if n := apptest.Value[int](t, s.w, "select count(*) from carts"); n != 6 {
		t.Errorf("%d carts a minute early, want all 6", n)
	}
	if _, err := s.Checkout.AddItem(t.Context(), s.Visitor(), touched, checkout.AddItemInput{OccurrenceID: s.class(t, 0, 5).ID}); err != nil {
		t.Fatal(err)
	}
	s.w.Clock.Advance(time.Hour)
	var used []uuid.UUID // of which only the second has been changed
	for _, token := range []string{untouched, touched} {
		c, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
		if err != nil {
			t.Fatal(err)
		}
		used = append(used, c.ID)
	}
	err := pg.Do(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) error {
		if _, err := tx.Exec(t.Context(), "select from carts where id = any($1) for update", used); err != nil {
			return err
		}
		s.forget(t) // it waits for no lock: this would never end
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from carts"); n != 5 {
		t.Errorf("%d carts while somebody works at two of them, want 5", n)
	}
	s.forget(t)
	if n := apptest.Value[int](t, s.w, "select count(*) from carts"); n != 4 {
		t.Errorf("%d carts, want those that are booked, paid, tried and touched", n)
	}
	if _, err := s.Checkout.Cart(t.Context(), s.Visitor(), untouched); fault.From(err) == nil || fault.From(err).Kind != fault.NotFound {
		t.Errorf("a cart that was forgotten: %v", err)
	}
	for name, token := range map[string]string{"booked": booked, "paid": paid, "tried": tried, "touched": touched} {
		if _, err := s.Checkout.Cart(t.Context(), who, token); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, token := range []string{receipt, paidReceipt} {
		if _, err := s.Orders.Receipt(t.Context(), s.Visitor(), token); err != nil {
			t.Errorf("receipt: %v", err)
		}
	}
	if got := apptest.Value[string](t, s.w, `select string_agg(state, ', ' order by state) from bookings`); got != "confirmed, confirmed, expired" {
		t.Errorf("bookings %s, want those that were sold and the one that is on an order", got)
	}
	s.hold(t, who, touched)
	_, err = pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (int64, error) {
		return tx.Exec(t.Context(), "delete from bookings where business_id = $1 and state = 'held'", s.Business.ID)
	})
	if err == nil || !strings.Contains(err.Error(), "never deleted") {
		t.Errorf("bookings are deleted: %v", err)
	}
	s.check(t)
}
