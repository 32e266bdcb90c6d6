package booking_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/pg"
)

// rehearsed runs a verb as a quote and then for real, and fails the test when the quote changed something, when the
// two differ, or when the real one failed.
func rehearsed[T pg.Effective](t *testing.T, d desk, verb func(context.Context) (T, error)) {
	t.Helper()
	ask := pg.QuoteKey{Credential: [32]byte{1}, Request: sha256.Sum256([]byte(uuid.NewString()))}
	const all = `select md5(coalesce((select string_agg(b::text, '' order by id) from bookings b), '') || coalesce((select string_agg(o::text, '' order by id) from occurrences o), '')
		|| (select count(*) from booking_transitions) || (select count(*) from fees) || (select count(*) from customers) || (select count(*) from river.river_job))`
	before := apptest.Value[string](t, d.w, all)
	told, quote, err := pg.DryRun(t.Context(), ask, verb)
	if err != nil {
		t.Fatal(err)
	}
	if apptest.Value[string](t, d.w, all) != before {
		t.Fatal("a quote did something")
	}
	done, err := pg.Redeem(t.Context(), ask, quote.ID, verb)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(told.Effects())
	two, _ := json.Marshal(done.Effects())
	if string(one) != string(two) {
		t.Errorf("told %s\ndone %s", one, two)
	}
	if apptest.Value[string](t, d.w, all) == before {
		t.Error("the real call did nothing")
	}
	again, err := pg.Redeem(t.Context(), ask, quote.ID, verb)
	if three, _ := json.Marshal(again.Effects()); err != nil || string(three) != string(two) {
		t.Errorf("again: %s (%v)", three, err)
	}
}

// Every verb with a quote does the same as its quote, once, and its quote changes nothing.
func TestQuotedVerbs(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount, r.Cancel.LateFromMinutes = 1500, 60*24*9 })
	dates := d.dates(t, 4, 3)
	offering := apptest.Value[uuid.UUID](t, d.w, "select offering_id from occurrences where id = $1", dates[0].ID)
	_, a := d.made(t, dates[0])
	c, b := d.made(t, dates[0])
	_, e := d.made(t, dates[1])
	rehearsed(t, d, func(ctx context.Context) (booking.Did[booking.Rescheduled], error) {
		return d.s.Reschedule(ctx, d.Owner, booking.RescheduleInput{BookingID: a, Target: to(dates[2])})
	})
	rehearsed(t, d, func(ctx context.Context) (booking.Did[booking.Cancellation], error) {
		return d.s.Cancel(ctx, d.Owner, booking.CancelInput{BookingID: a, By: booking.ByCustomer})
	})
	rehearsed(t, d, func(ctx context.Context) (booking.DidMine[booking.Rescheduled], error) {
		return d.s.RescheduleMine(ctx, d.me(c), b, to(dates[2]))
	})
	rehearsed(t, d, func(ctx context.Context) (booking.DidMine[booking.Cancellation], error) {
		return d.s.CancelMine(ctx, d.me(c), b)
	})
	rehearsed(t, d, func(ctx context.Context) (booking.Did[booking.Made], error) {
		return d.s.Book(ctx, d.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "rosa@example.com"}, OccurrenceID: dates[3].ID})
	})
	first := civil.Date{Year: 2026, Month: 6, Day: 12}
	rehearsed(t, d, func(ctx context.Context) (booking.Recurring, error) {
		return d.s.BookRecurring(ctx, d.Owner, booking.RecurringInput{
			Customer: booking.CustomerRef{Email: "ben@example.com"}, OfferingID: offering, From: first, Until: first.AddDays(9), OnClash: booking.ClashSkip,
		})
	})
	unknown := uuid.New()
	rehearsed(t, d, func(ctx context.Context) (booking.Rows[booking.Cancellation], error) {
		return d.s.BulkCancel(ctx, d.Owner, []uuid.UUID{e, unknown}, booking.CancelInput{By: booking.ByStudio})
	})
	d.w.CheckBooks(t)
}

// A call whose effects have changed since the quote is refused.
func TestQuoteOfAnotherWorld(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 1500 })
	o := d.class(t, 3)
	c, id := d.made(t, o)
	ask := pg.QuoteKey{Credential: [32]byte{1}, Request: [32]byte{2}}
	cancel := func(ctx context.Context) (booking.DidMine[booking.Cancellation], error) {
		return d.s.CancelMine(ctx, d.me(c), id)
	}
	d.w.Clock.Set(o.StartsAt.AddDate(0, 0, -1).Add(-1e9))
	told, quote, err := pg.DryRun(t.Context(), ask, cancel)
	if err != nil || told.Done.Late {
		t.Fatalf("%+v (%v)", told.Done, err)
	}
	d.w.Clock.Advance(2e9) // it is late now
	got, err := pg.Redeem(t.Context(), ask, quote.ID, cancel)
	if !errors.Is(err, pg.ErrQuoteChanged) || !got.Done.Late || d.state(t, id) != booking.Confirmed {
		t.Errorf("%+v (%v)", got.Done, err)
	}
}
