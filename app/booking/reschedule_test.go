package booking_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/policy"
)

// dates are n dates of one class, a day apart, the first two days ahead.
func (d desk) dates(t *testing.T, n, capacity int) []apptest.OccurrenceRow {
	t.Helper()
	f := d.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = capacity, capacity })
	out := make([]apptest.OccurrenceRow, n)
	for i := range out {
		out[i] = d.AddOccurrence(t, f, apptest.Start.Add(time.Duration(48+24*i)*time.Hour))
	}
	return out
}

func to(o apptest.OccurrenceRow) booking.Target { return booking.Target{OccurrenceID: o.ID} }

// A booking is rescheduled to another date of its class and stays the same booking; the seat there is occupied, the
// one here is available.
func TestRescheduleMine(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Reschedule.Max = 2 })
	dates := d.dates(t, 3, 1)
	c, id := d.made(t, dates[0])
	other, held := d.made(t, dates[2])
	_, err := d.s.RescheduleMine(t.Context(), d.me(c), id, to(dates[2]))
	is(t, "to a full date", err, booking.ErrFull)
	_, err = d.s.RescheduleMine(t.Context(), d.me(c), id, to(dates[0]))
	is(t, "to where it is", err, booking.ErrDuplicate)
	got, err := d.s.RescheduleMine(t.Context(), d.me(c), id, to(dates[1]))
	if err != nil || got.Done.OccurrenceID != dates[1].ID || got.Done.FromOccurrenceID != dates[0].ID || got.Done.DifferenceAmount != 0 || got.Done.PriceAmount != 2200 {
		t.Fatalf("%+v (%v)", got, err)
	}
	if d.taken(t, dates[0]) != 0 || d.taken(t, dates[1]) != 1 {
		t.Errorf("%d and %d are taken", d.taken(t, dates[0]), d.taken(t, dates[1]))
	}
	row := apptest.Value[string](t, d.w, `select state || ' ' || reschedules || ' ' || (starts_at = $2 and ends_at = $2 + interval '1 hour') || ' ' || price_amount
		from bookings where id = $1`, id, dates[1].StartsAt)
	if row != "confirmed 1 true 2200" {
		t.Errorf("the booking is %s", row)
	}
	steps, err := d.s.History(t.Context(), d.Owner, id)
	if err != nil || len(steps) != 3 || steps[2].Transition != booking.TransitionReschedule || !steps[2].FromStart.Equal(dates[0].StartsAt) || steps[2].To != booking.Confirmed {
		t.Errorf("%+v (%v)", steps, err)
	}
	if got := d.mailed(t, c); !slices.Equal(got, []string{"moved"}) {
		t.Errorf("mails: %q", got)
	}
	d.w.CheckBooks(t)

	if _, err := d.s.CancelMine(t.Context(), d.me(other), held); err != nil {
		t.Fatal(err)
	}
	if _, err := d.s.RescheduleMine(t.Context(), d.me(c), id, to(dates[2])); err != nil {
		t.Fatal(err)
	}
	_, err = d.s.RescheduleMine(t.Context(), d.me(c), id, to(dates[0]))
	is(t, "a third time", err, booking.ErrNotAllowed)
	if _, err := d.s.RescheduleMine(t.Context(), d.me(other), id, to(dates[0])); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("somebody else's: %v", err)
	}
}

// Refusals of rescheduling by a customer, each with its code.
func TestRescheduleMineRefuses(t *testing.T) {
	d := open(t)
	for name, c := range map[string]struct {
		arrange func(t *testing.T, dates []apptest.OccurrenceRow)
		rules   func(r *catalog.Rules)
		wait    time.Duration
		want    *fault.Error
	}{
		"the policy says no":     {rules: func(r *catalog.Rules) { r.Reschedule.Allowed = false }, want: booking.ErrNotAllowed},
		"too late":               {wait: 25 * time.Hour, want: booking.ErrTooLate},
		"begun":                  {wait: 48 * time.Hour, want: booking.ErrStarted},
		"the target is too soon": {rules: func(r *catalog.Rules) { r.NoticeMinutes, r.Reschedule.UntilMinutes = 60*24*4, 0 }, want: booking.ErrTooLate},
		"the target is too far":  {rules: func(r *catalog.Rules) { r.WindowDays = 1 }, want: booking.ErrTooEarly},
		"cancelled": {want: booking.ErrCancelled, arrange: func(t *testing.T, dates []apptest.OccurrenceRow) {
			d.w.SQL(t, "update occurrences set state = 'cancelled' where id = $1", dates[1].ID)
		}},
		"not published": {want: booking.ErrNotBookable, arrange: func(t *testing.T, dates []apptest.OccurrenceRow) {
			d.w.SQL(t, "update offerings set state = 'draft', published_at = null where id = (select offering_id from occurrences where id = $1)", dates[1].ID)
		}},
		"dearer": {want: booking.ErrPriceDifference, arrange: func(t *testing.T, dates []apptest.OccurrenceRow) {
			d.w.SQL(t, "update offerings set price_amount = 2500 where id = (select offering_id from occurrences where id = $1)", dates[1].ID)
		}},
		"only front-desk seats": {want: booking.ErrFull, arrange: func(t *testing.T, dates []apptest.OccurrenceRow) {
			d.w.SQL(t, "update occurrences set online_capacity = 0 where id = $1", dates[1].ID)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d.w.Clock.Set(apptest.Start)
			d.w.SQL(t, "update locations set policy_id = null")
			dates := d.dates(t, 2, 3)
			who, id := d.made(t, dates[0])
			if c.rules != nil {
				rules := catalog.StandardRules()
				c.rules(&rules)
				d.w.SQL(t, "update bookings set policy = $2 where id = $1", id, rules)
			}
			if c.arrange != nil {
				c.arrange(t, dates)
			}
			d.w.Clock.Advance(c.wait)
			_, err := d.s.RescheduleMine(t.Context(), d.me(who), id, to(dates[1]))
			is(t, name, err, c.want)
			if d.taken(t, dates[0]) != 1 || d.taken(t, dates[1]) != 0 {
				t.Error("a refusal changed the seats")
			}
		})
	}
}

// The studio reschedules bookings too: also to more expensive times, and past the rules with a feature and a reason.
func TestRescheduleByOperator(t *testing.T) {
	d := open(t)
	dates := d.dates(t, 3, 1)
	_, a := d.made(t, dates[0])
	_, b := d.made(t, dates[1])
	d.w.SQL(t, "update offerings set price_amount = 2500 where id = (select offering_id from occurrences where id = $1)", dates[1].ID)
	desk := d.Holding(d.Location.ID, policy.BookingManage)
	move := booking.RescheduleInput{BookingID: a, Target: to(dates[1])}
	_, err := d.s.Reschedule(t.Context(), desk, move)
	is(t, "to a full date", err, booking.ErrFull)
	move.Override, move.Reason = true, "they are friends"
	_, err = d.s.Reschedule(t.Context(), desk, move)
	forbidden(t, "past the rules without the feature", err)
	got, err := d.s.Reschedule(t.Context(), d.Owner, move)
	if err != nil || !slices.Equal(got.Done.Overridden, []string{"capacity"}) || got.Done.DifferenceAmount != 300 {
		t.Errorf("%+v (%v)", got, err)
	}
	if n := apptest.Value[string](t, d.w, "select capacity || ' ' || taken || ' ' || taken_online from occurrences where id = $1", dates[1].ID); n != "2 2 1" {
		t.Errorf("the date has %s", n)
	}
	if n := apptest.Value[int](t, d.w, "select reschedules from bookings where id = $1", a); n != 0 {
		t.Error("the studio's move used one of the customer's up")
	}
	if _, err := d.s.Reschedule(t.Context(), desk, booking.RescheduleInput{BookingID: b, Target: to(dates[2])}); err != nil {
		t.Error(err)
	}
	other := d.class(t, 3)
	if _, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: b, Target: to(other)}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("to another class: %v", err)
	}
	for name, target := range map[string]booking.Target{
		"nowhere": {}, "both": {OccurrenceID: other.ID, StartsAt: other.StartsAt}, "a time of a class": {StartsAt: other.StartsAt},
	} {
		if _, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: b, Target: target}); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.s.Reschedule(t.Context(), d.Owner, booking.RescheduleInput{BookingID: b, Target: booking.Target{OccurrenceID: uuid.New()}}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("to an unknown date: %v", err)
	}
	d.w.CheckBooks(t)
}
