package booking_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/mail"
	"foyer/app/tenancy"
	"foyer/policy"
)

// made is a free booking confirmed on the storefront.
func (d desk) made(t *testing.T, o apptest.OccurrenceRow, attendee ...string) (cart, uuid.UUID) {
	t.Helper()
	c := d.cart(t)
	s := seat(o)
	if len(attendee) > 0 {
		s.Attendee = attendee[0]
	}
	h := d.mustHold(t, c, s)
	if !d.confirm(t, c, h, d.order(t, h, "fulfilled")) {
		t.Fatal("not confirmed")
	}
	return c, h.Seats[0].BookingID
}

// rules makes a policy the location's default.
func (d desk) rules(t *testing.T, change func(*catalog.Rules)) {
	t.Helper()
	d.SetPolicy(t, d.AddPolicy(t, change))
}

// me is the scope of a person on no studio's page, as /me has it.
func (d desk) me(c cart) tenancy.Scope {
	return tenancy.Scope{Principal: c.person, Surface: tenancy.SurfaceAPI}
}

func (d desk) state(t *testing.T, id uuid.UUID) booking.State {
	t.Helper()
	return apptest.Value[booking.State](t, d.w, "select state from bookings where id = $1", id)
}

// transitions are the stored transitions of a booking.
func (d desk) transitions(t *testing.T, id uuid.UUID) []string {
	t.Helper()
	return apptest.Values[string](t, d.w, `select concat_ws(': ', concat_ws(' from ', reason,
			to_char(from_starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), nullif(note, ''))
		from booking_transitions where booking_id = $1 order by created_at, id`, id)
}

// mailed runs the outbox and returns the subjects of a person's mails, the first one first.
func (d desk) mailed(t *testing.T, c cart) []string {
	t.Helper()
	if _, err := d.sales.RunJobs(t); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range slices.Backward(d.sales.Mail.List(c.person.Email)) {
		out = append(out, m.Subject)
	}
	return out
}

func (d desk) letters(c cart) []mail.Delivered { return d.sales.Mail.List(c.person.Email) }

func is(t *testing.T, what string, err error, want *fault.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Reason)
	}
}

// refusal returns the fault of an error. A test that goes on without one would end all others.
func refusal(t *testing.T, err error) *fault.Error {
	t.Helper()
	f := fault.From(err)
	if f == nil {
		t.Fatalf("%v refuses nothing", err)
	}
	return f
}

func forbidden(t *testing.T, what string, err error) {
	t.Helper()
	if !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("%s: %v, want forbidden", what, err)
	}
}

// The customer cancels in time, and late: the server decides, by the policy from when it was booked.
func TestCancelMine(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 1500 })
	o := d.class(t, 3)
	early, e := d.made(t, o)
	late, l := d.made(t, o)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 9900; r.Cancel.LateFromMinutes = 0 }) // changes no old booking
	got, err := d.s.CancelMine(t.Context(), d.me(early), e)
	if err != nil || got.Done.State != booking.Cancelled || got.Done.Late || got.Done.FeeAmount != 0 || got.Done.Fee != "" || d.state(t, e) != booking.Cancelled {
		t.Errorf("early: %+v (%v)", got, err)
	}
	if d.taken(t, o) != 1 {
		t.Errorf("%d seats are taken", d.taken(t, o))
	}
	d.w.Clock.Advance(24 * time.Hour)
	got, err = d.s.CancelMine(t.Context(), d.me(late), l)
	if err != nil || got.Done.State != booking.LateCancelled || !got.Done.Late || got.Done.FeeAmount != 1500 || got.Done.Fee != fees.Due {
		t.Errorf("late: %+v (%v)", got, err)
	}
	if n := apptest.Value[string](t, d.w, "select kind || ' ' || state || ' ' || amount from fees"); n != "late_cancel due 1500" {
		t.Errorf("fee: %s", n)
	}
	if got := d.transitions(t, l); !slices.Equal(got, []string{"held", "confirmed", "cancelled_late"}) {
		t.Errorf("transitions: %q", got)
	}
	if got := d.mailed(t, late); !slices.Equal(got, []string{"cancelled"}) {
		t.Errorf("mails: %q", got)
	}
	d.w.CheckBooks(t)

	_, err = d.s.CancelMine(t.Context(), d.me(late), l)
	is(t, "again", err, booking.ErrState)
	if _, err := d.s.CancelMine(t.Context(), d.me(early), l); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("somebody else's: %v", err)
	}
	_, err = d.s.CancelMine(t.Context(), tenancy.Scope{}, l)
	if !fault.IsKind(err, fault.Unauthorized) {
		t.Errorf("nobody: %v", err)
	}
}

func TestCancelMineRefuses(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.Allowed = false })
	o := d.class(t, 3)
	c, id := d.made(t, o)
	_, err := d.s.CancelMine(t.Context(), d.me(c), id)
	is(t, "not allowed", err, booking.ErrNotAllowed)
	d.w.Clock.Advance(48 * time.Hour)
	_, err = d.s.CancelMine(t.Context(), d.me(c), id)
	is(t, "begun", err, booking.ErrStarted)
	if d.state(t, id) != booking.Confirmed || d.taken(t, o) != 1 {
		t.Error("a refusal changed something")
	}
}

// The studio cancels for the customer, for itself, and for the customer as if in time, with a feature and a reason.
func TestCancelByOperator(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 1500 })
	o := d.class(t, 10)
	_, a := d.made(t, o)
	_, b := d.made(t, o)
	_, c := d.made(t, o)
	d.w.Clock.Advance(30 * time.Hour)
	desk := d.Holding(d.Location.ID, policy.BookingManage)
	cancel := func(sc tenancy.Scope, in booking.CancelInput) (booking.Did[booking.Cancellation], error) {
		return d.s.Cancel(t.Context(), sc, in)
	}

	got, err := cancel(desk, booking.CancelInput{BookingID: a, By: booking.ByCustomer})
	if err != nil || got.Done.State != booking.LateCancelled || got.Done.Fee != fees.Due {
		t.Errorf("for the customer: %+v (%v)", got, err)
	}
	got, err = cancel(desk, booking.CancelInput{BookingID: b, By: booking.ByStudio, Reason: "flooding"})
	if err != nil || got.Done.State != booking.StudioCancelled || got.Done.Late || got.Done.Fee != "" {
		t.Errorf("by the studio: %+v (%v)", got, err)
	}
	if m := d.transitions(t, b); m[len(m)-1] != "cancelled_by_studio: flooding" {
		t.Errorf("transitions: %q", m)
	}
	waive := booking.CancelInput{BookingID: c, By: booking.ByCustomer, FeeMode: booking.FeeWaive, Reason: "she is ill"}
	_, err = cancel(desk, waive)
	forbidden(t, "waived without the feature", err)
	boss := d.Holding(d.Location.ID, policy.BookingManage, policy.BookingOverride)
	wordless := waive
	wordless.Reason = " "
	if _, err := cancel(boss, wordless); !fault.IsKind(err, fault.Validation) {
		t.Errorf("waived without a reason: %v", err)
	}
	got, err = cancel(boss, waive)
	if err != nil || got.Done.State != booking.LateCancelled || !got.Done.Late || got.Done.Fee != fees.Waived {
		t.Errorf("waived: %+v (%v)", got, err)
	}
	if r := apptest.Value[string](t, d.w, "select reason from fees where booking_id = $1", c); r != "she is ill" {
		t.Errorf("the fee says %q", r)
	}
	_, err = cancel(d.Holding(d.Location.ID, policy.BookingView), booking.CancelInput{BookingID: a, By: booking.ByStudio})
	forbidden(t, "without the feature", err)
	elsewhere := d.AddLocation(t, "Elsewhere")
	_, err = cancel(d.Holding(elsewhere.ID, policy.BookingManage), booking.CancelInput{BookingID: a, By: booking.ByStudio})
	forbidden(t, "at another location", err)
	if _, err := cancel(desk, booking.CancelInput{BookingID: uuid.New(), By: booking.ByStudio}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	if _, err := cancel(desk, booking.CancelInput{BookingID: a, By: "me", FeeMode: "x"}); len(fault.From(err).Fields) != 2 {
		t.Errorf("wrong input: %v", err)
	}
	d.w.CheckBooks(t)
}

// Waivers of the grace rule are counted separately for late cancellations and no-shows, and are available again after
// its days.
func TestGrace(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) {
		r.Cancel.LateFeeAmount, r.NoShow.FeeAmount = 1500, 2500
		r.Grace = catalog.GraceRules{Days: 30, LateCancels: 1, NoShows: 2}
	})
	c := d.cart(t)
	slip := func(noShow bool) fees.State {
		t.Helper()
		o := d.AddOccurrence(t, d.AddOffering(t), d.w.Clock.Now().Add(time.Hour))
		own := d.again(t, c)
		h := d.mustHold(t, own, seat(o))
		d.confirm(t, own, h, d.order(t, h, "fulfilled"))
		id := h.Seats[0].BookingID
		if !noShow {
			got, err := d.s.CancelMine(t.Context(), d.me(c), id)
			if err != nil {
				t.Fatal(err)
			}
			return got.Done.Fee
		}
		d.w.Clock.Advance(time.Hour)
		if _, err := d.s.NoShow(t.Context(), d.Owner, id); err != nil {
			t.Fatal(err)
		}
		return apptest.Value[fees.State](t, d.w, "select state from fees where booking_id = $1", id)
	}
	for i, step := range []struct {
		wait   time.Duration
		noShow bool
		want   fees.State
	}{
		{0, false, fees.GraceWaived}, {0, false, fees.Due}, {0, true, fees.GraceWaived}, {0, true, fees.GraceWaived},
		{0, true, fees.Due}, {29 * 24 * time.Hour, false, fees.Due}, {2 * 24 * time.Hour, false, fees.GraceWaived},
		{0, true, fees.GraceWaived},
	} {
		d.w.Clock.Advance(step.wait)
		if got := slip(step.noShow); got != step.want {
			t.Errorf("slip %d (no-show: %v) is %s, want %s", i, step.noShow, got, step.want)
		}
	}
	d.w.CheckBooks(t)
}

// Late cancellations at the same moment do not share one waiver.
func TestGraceRace(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) {
		r.Cancel.LateFeeAmount = 1500
		r.Grace = catalog.GraceRules{Days: 30, LateCancels: 1}
	})
	c := d.cart(t)
	var ids []uuid.UUID
	for range 8 {
		o := d.AddOccurrence(t, d.AddOffering(t), apptest.Start.Add(time.Hour))
		own := d.again(t, c)
		h := d.mustHold(t, own, seat(o))
		d.confirm(t, own, h, d.order(t, h, "fulfilled"))
		ids = append(ids, h.Seats[0].BookingID)
	}
	all(ids, func(id uuid.UUID) {
		if _, err := d.s.CancelMine(t.Context(), d.me(c), id); err != nil {
			t.Error(err)
		}
	})
	if n := apptest.Value[int](t, d.w, "select count(*) from fees where state = 'grace_waived'"); n != 1 {
		t.Errorf("%d were waived", n)
	}
}
