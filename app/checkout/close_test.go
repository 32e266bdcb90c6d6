package checkout_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
	"foyer/billing"
)

// closes ends the service of the studio, as the program does.
func (s shop) closes(t testing.TB, cancel bool) (business.Closing, error) {
	t.Helper()
	h := s.w.Businesses(t, func(o *business.Options) { o.EndAheadTx = waitlist.EndAheadTx(s.Booking) })
	return h.Close(t.Context(), s.Owner, business.CloseInput{CancelBookings: cancel, Reason: "We are moving away."})
}

// A business that closes refunds everything upcoming: paid classes and courses that have begun, with the service fee;
// requests, holds and waitlist entries end. A begun date stays as it is. E111.
func TestCloseRefundsEverything(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	ada, ben, cleo := s.Customer(t, "Ada"), s.Customer(t, "Ben"), s.Customer(t, "Cleo")
	s.bought(t, ada, s.class(t, 2200, 1))
	course, _ := s.course(t, 3, 9000, 5)
	token := s.enrol(t, course)
	s.hold(t, cleo, token)
	total := s.cart(t, token).Totals.TotalAmount
	s.PayCard(t, s.pay(t, cleo, token, total).ClientSecret, apptest.CardGood)
	s.confirm(t, cleo, token)
	s.w.Clock.Advance(49 * time.Hour) // the class and the first date of the course have begun
	late, _ := s.bought(t, ada, s.class(t, 2200, 1))
	s.hold(t, ben, s.Fill(t, s.class(t, 500, 1)))

	_, err := s.closes(t, false)
	refused(t, "without leave to cancel", err, business.ErrFutureBookings)
	if n := detail(err, "bookings"); n != 4 { // two dates of the course, the late class, and the held ones
		t.Errorf("%v are in the way", n)
	}
	done, err := s.closes(t, true)
	if err != nil {
		t.Fatal(err)
	}
	back := total + late.Totals.TotalAmount
	if done.Ended.Bookings != 3 || !slices.Equal(done.Ended.Refunds, []business.Amount{{Currency: "USD", Amount: back}}) {
		t.Errorf("%+v, want %d back", done.Ended, back)
	}
	if got := s.enrolled(t, course); got != "confirmed 1 in 1 for 9000, studio_cancelled 2 in 1 for 0" {
		t.Errorf("the course: %s", got)
	}
	if got := apptest.Value[string](t, s.w, `select string_agg(state, ' ' order by state) from bookings where offering_id <> $1`, course.ID); got != "confirmed expired studio_cancelled" {
		t.Errorf("the classes: %s", got)
	}
	s.jobs(t)
	if got := s.Refunded(t); got != back {
		t.Errorf("the processor gave %d back, want %d", got, back)
	}
	s.check(t)
}

// A customer on the waitlist of a business that closes is notified of the end, and an offered seat is released.
func TestCloseEndsWaitlists(t *testing.T) {
	s := open(t)
	full := s.class(t, 0, 1)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	token := s.Fill(t, full)
	s.hold(t, ada, token)
	s.confirm(t, ada, token)
	offering := apptest.Value[uuid.UUID](t, s.w, "select offering_id from occurrences where id = $1", full.ID)
	if _, err := s.Waitlist.Join(t.Context(), ben, waitlist.JoinInput{OfferingID: offering, OccurrenceID: full.ID}); err != nil {
		t.Fatal(err)
	}
	done, err := s.closes(t, true)
	if err != nil || done.Ended.Bookings != 1 || done.Ended.Waiting != 1 || len(done.Ended.Refunds) != 0 {
		t.Errorf("%+v, %v", done.Ended, err)
	}
	if got := apptest.Value[string](t, s.w, "select state from waitlist_entries"); got != "closed" {
		t.Errorf("the entry is %s", got)
	}
	s.check(t)
}

// A payment that arrives after the business has closed is refunded in full. And the desk can no longer book.
func TestPaidAfterClosing(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	ada := s.Customer(t, "Ada")
	token, p := s.ready(t, ada, o)
	if _, err := s.closes(t, true); err != nil {
		t.Fatal(err)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "confirm", err, checkout.ErrRefunded)
	s.jobs(t)
	if got := s.Refunded(t); got != 2200 {
		t.Errorf("%d came back", got)
	}
	who := booking.CustomerRef{Email: "desk@example.com"}
	_, err = s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: who, OccurrenceID: o.ID})
	refused(t, "at the desk", err, business.ErrClosed)
	s.check(t)
}

// Free carts are confirmed while the business closes: each of them comes wholly before, and is cancelled, or finds it
// closed.
func TestConfirmAgainstClosing(t *testing.T) {
	s := open(t)
	o := s.class(t, 0, 1000)
	var before, after atomic.Int64
	for range walks.Steps(6, 60) {
		carts := map[string]tenancy.Scope{}
		for _, name := range []string{"Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"} {
			who, token := s.Customer(t, name), s.Fill(t, o)
			s.hold(t, who, token)
			carts[token] = who
		}
		var all sync.WaitGroup
		for token, who := range carts {
			all.Go(func() {
				_, err := s.Checkout.Confirm(t.Context(), who, token)
				switch {
				case err == nil:
					before.Add(1)
				case errors.Is(err, booking.ErrHoldExpired), errors.Is(err, booking.ErrNotBookable):
					after.Add(1)
				default:
					t.Errorf("a confirmation got %v", err)
				}
			})
		}
		all.Go(func() {
			if _, err := s.closes(t, true); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		if n := apptest.Value[int](t, s.w, "select count(*) from bookings where state in ('held', 'requested', 'confirmed')"); n != 0 {
			t.Fatalf("%d bookings of a closed business", n)
		}
		if n := apptest.Value[int64](t, s.w, "select count(*) from bookings where state = 'studio_cancelled'"); n != before.Load() {
			t.Errorf("%d were booked before, and %d bookings are cancelled", before.Load(), n)
		}
		s.w.CheckBooks(t)
		s.Resume(t)
	}
	t.Logf("%d before the closing, %d after", before.Load(), after.Load())
}

// A seat that is held while the business is being closed, after the earlier holds have ended, is not confirmed: its
// confirmation waits for the closing, and finds the business closed.
func TestHoldWhileClosing(t *testing.T) {
	s := open(t)
	o := s.class(t, 0, 5)
	ada := s.Customer(t, "Ada")
	s.hold(t, ada, s.Fill(t, s.class(t, 0, 5))) // a customer without a record here yet already waits when they hold
	token := s.Fill(t, o)
	confirmed := make(chan error, 1)
	h := s.w.Businesses(t, func(b *business.Options) {
		b.EndAheadTx = func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in business.CloseInput) (business.Ended, error) {
			ended, err := waitlist.EndAheadTx(s.Booking)(ctx, tx, sc, in)
			s.hold(t, ada, token)
			go func() {
				_, err := s.Checkout.Confirm(t.Context(), ada, token)
				confirmed <- err
			}()
			// real time
			for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
				waiting := apptest.Value[int](t, s.w, `select count(*) from pg_stat_activity
					where datname = current_database() and wait_event_type = 'Lock'`)
				if waiting > 0 || len(confirmed) > 0 {
					break
				}
			}
			return ended, err
		}
	})
	if _, err := h.Close(t.Context(), s.Owner, business.CloseInput{CancelBookings: true}); err != nil {
		t.Fatal(err)
	}
	refused(t, "confirm", <-confirmed, booking.ErrHoldExpired)
	if got := apptest.Value[string](t, s.w, "select state from bookings where occurrence_id = $1", o.ID); got != "held" {
		t.Errorf("her seat is %s", got)
	}
	s.w.CheckBooks(t)
}

// A27: the customer bears the studio's chosen share. An ordered cart keeps its price if the share changes.
func TestA27_ShareOfTheFee(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeSplit)
	h := s.w.Businesses(t)
	share := func(ppm int64) {
		t.Helper()
		b, err := h.Get(t.Context(), s.Owner)
		if err == nil {
			_, err = h.Update(t.Context(), s.Owner, business.UpdateInput{Version: b.Version, SplitPPM: &ppm})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fee := func() int64 {
		t.Helper()
		c, err := s.Checkout.Cart(t.Context(), s.Visitor(), s.Fill(t, s.class(t, 10000, 5)))
		return must(t, c, err).Totals.ServiceFeeAmount
	}
	if got := fee(); got != 101 { // design: 100.00 split in half
		t.Errorf("half of the fee is %d", got)
	}
	got, _ := s.bought(t, s.Customer(t, "Ada"), s.class(t, 10000, 5))
	for ppm, want := range map[int64]int64{0: 0, 250_000: 50, 1_000_000: 204} {
		share(ppm)
		if got := fee(); got != want {
			t.Errorf("%d ppm of the fee are %d, want %d", ppm, got, want)
		}
	}
	later, err := s.Orders.Receipt(t.Context(), s.Visitor(), got.Token)
	if err != nil || later.Totals.ServiceFeeAmount != 101 || later.Totals.TotalAmount != 10101 {
		t.Errorf("the order was changed: %+v, %v", later.Totals, err)
	}
	s.check(t)
}
