package booking_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/policy"
)

// approval makes the studio decide about each booking of an occurrence's offering.
func (d desk) approval(t *testing.T, o apptest.OccurrenceRow) apptest.OccurrenceRow {
	t.Helper()
	d.w.SQL(t, "update offerings set approval = true where id = (select offering_id from occurrences where id = $1)", o.ID)
	return o
}

// A request occupies no seat: the seat is released when the customer confirms, and occupied again on approval.
func TestApprove(t *testing.T) {
	d := open(t)
	o := d.approval(t, d.class(t, 1))
	first, a := d.made(t, o)
	_, b := d.made(t, o) // two requests for one seat can stand
	if d.state(t, a) != booking.Requested || d.state(t, b) != booking.Requested || d.taken(t, o) != 0 {
		t.Fatalf("%s and %s, %d taken", d.state(t, a), d.state(t, b), d.taken(t, o))
	}
	if got := d.transitions(t, a); !slices.Equal(got, []string{"held", "requested"}) {
		t.Errorf("transitions: %q", got)
	}
	d.w.CheckBooks(t)
	again := d.again(t, first)
	_, err := d.hold(t.Context(), again, nil, seat(o))
	is(t, "asking twice", err, booking.ErrDuplicate)

	got, err := d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: a})
	if err != nil || got.State != booking.Confirmed || d.state(t, a) != booking.Confirmed || d.taken(t, o) != 1 {
		t.Errorf("%+v (%v), %d taken", got, err, d.taken(t, o))
	}
	_, err = d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: a})
	is(t, "twice", err, booking.ErrState)
	_, err = d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: b})
	is(t, "the other one", err, booking.ErrFull)
	if code, where := reason(err); code != "full" || where != o.ID.String() {
		t.Errorf("%s %s", code, where)
	}
	desk := d.Holding(d.Location.ID, policy.BookingManage)
	_, err = d.s.Approve(t.Context(), desk, booking.ApproveInput{BookingID: b, Override: true, Reason: "she may stand"})
	forbidden(t, "more than there is room for, without the feature", err)
	got, err = d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: b, Override: true, Reason: "she may stand"})
	if err != nil || got.State != booking.Confirmed || d.taken(t, o) != 2 {
		t.Errorf("%+v (%v)", got, err)
	}
	if got := apptest.Value[string](t, d.w, "select capacity || ' ' || overrides from occurrences where id = $1", o.ID); got != `2 ["capacity"]` {
		t.Errorf("the date has %s", got)
	}
	if got := d.mailed(t, first); !slices.Equal(got, []string{"approved"}) {
		t.Errorf("mails: %q", got)
	}
	d.w.CheckBooks(t)
}

func TestDecline(t *testing.T) {
	d := open(t)
	o := d.approval(t, d.class(t, 1))
	c, a := d.made(t, o)
	_, err := d.s.Decline(t.Context(), d.Holding(d.Location.ID, policy.BookingView), booking.DeclineInput{BookingID: a})
	forbidden(t, "without the feature", err)
	got, err := d.s.Decline(t.Context(), d.Owner, booking.DeclineInput{BookingID: a, Reason: "not for beginners"})
	if err != nil || got.State != booking.Declined || d.taken(t, o) != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
	_, err = d.s.Decline(t.Context(), d.Owner, booking.DeclineInput{BookingID: a})
	is(t, "twice", err, booking.ErrState)
	if got := d.mailed(t, c); !slices.Equal(got, []string{"declined"}) || d.letters(c)[0].Text != "en "+o.StartsAt.Format(time.RFC3339)+" back 0 fee 0: not for beginners" {
		t.Errorf("mails: %q %q", got, d.letters(c)[0].Text)
	}
	w, b := d.made(t, o)
	if _, err := d.s.CancelMine(t.Context(), d.me(w), b); err != nil || d.state(t, b) != booking.Cancelled {
		t.Errorf("a request is withdrawn: %v", err)
	}
	d.w.CheckBooks(t)
}

// Two requests for the one seat, approved at the same moment: one 409, in either order.
func TestApproveRace(t *testing.T) {
	d := open(t)
	rounds := walks.Steps(2, 50)
	if !apptest.Guarded {
		rounds = 4
	}
	for _, capacity := range []int{1, 3, 10} {
		oversold := 0
		for range rounds {
			o := d.approval(t, d.class(t, capacity))
			var ids []uuid.UUID
			for range capacity + 6 {
				_, id := d.made(t, o)
				ids = append(ids, id)
			}
			var yes atomic.Int64
			all(ids, func(id uuid.UUID) {
				_, err := d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: id})
				switch {
				case err == nil:
					yes.Add(1)
				case !errors.Is(err, booking.ErrFull):
					t.Error(err)
				}
			})
			if apptest.Guarded && int(yes.Load()) != capacity {
				t.Errorf("%d of %d seats were given", yes.Load(), capacity)
			}
			oversold += max(0, int(yes.Load())-capacity)
		}
		if !apptest.Guarded && oversold == 0 {
			t.Errorf("capacity %d: without the lock nothing was oversold: this race proves nothing", capacity)
		}
	}
	if apptest.Guarded {
		d.w.CheckBooks(t)
	}
}

// A booking is checked in from the beginning of the local day, and that can be undone until its end, also after the
// end of the session; the sweep completes it.
func TestCheckIn(t *testing.T) {
	d := open(t)
	o := d.class(t, 3) // Friday at noon in UTC: 08:00 in New York
	_, id := d.made(t, o)
	desk := d.Holding(d.Location.ID, policy.BookingCheckin)
	_, err := d.s.CheckIn(t.Context(), desk, id)
	is(t, "the day before", err, booking.ErrTooEarly)
	d.w.Clock.Advance(40 * time.Hour) // 04:00 UTC on Friday: midnight in New York
	for range 2 {
		if got, err := d.s.CheckIn(t.Context(), desk, id); err != nil || got.State != booking.CheckedIn {
			t.Fatalf("%+v (%v)", got, err)
		}
	}
	for range 2 {
		if got, err := d.s.UndoCheckIn(t.Context(), desk, id); err != nil || got.State != booking.Confirmed {
			t.Fatalf("%+v (%v)", got, err)
		}
	}
	if _, err := d.s.CheckIn(t.Context(), desk, id); err != nil {
		t.Fatal(err)
	}
	if err := d.s.CompleteDue(t.Context()); err != nil || d.state(t, id) != booking.CheckedIn {
		t.Errorf("completed before it is over: %v", err)
	}
	d.w.Clock.Advance(9 * time.Hour)
	for range 2 {
		if err := d.s.CompleteDue(t.Context()); err != nil || d.state(t, id) != booking.Completed {
			t.Fatalf("%s (%v)", d.state(t, id), err)
		}
	}
	if _, err := d.s.UndoCheckIn(t.Context(), desk, id); err != nil || d.state(t, id) != booking.Confirmed {
		t.Errorf("undone on the same day: %v", err)
	}
	if _, err := d.s.CheckIn(t.Context(), desk, id); err != nil {
		t.Fatal(err)
	}
	d.w.Clock.Advance(15 * time.Hour) // midnight in New York
	_, err = d.s.UndoCheckIn(t.Context(), desk, id)
	is(t, "the next day", err, booking.ErrTooLate)
	if got := d.transitions(t, id); !slices.Equal(got, []string{"held", "confirmed", "checked_in", "check_in_undone", "checked_in", "completed", "check_in_undone", "checked_in"}) {
		t.Errorf("transitions: %q", got)
	}
	_, err = d.s.CheckIn(t.Context(), d.Holding(d.Location.ID, policy.BookingView), id)
	forbidden(t, "without the feature", err)
	if d.taken(t, o) != 1 {
		t.Error("a guest who is there keeps the seat")
	}
	d.w.CheckBooks(t)
}

// An instructor checks in the guests of their own sessions only.
func TestCheckInOwnSession(t *testing.T) {
	d := open(t)
	instructor := d.Join(t, "instructor@example.com", apptest.Everywhere(policy.Instructor))
	member := apptest.Value[uuid.UUID](t, d.w, "select id from members where person_id = $1", instructor.Person())
	own := d.class(t, 3, func(o *apptest.OccurrenceRow) { o.Member = &member })
	_, a := d.made(t, own)
	_, b := d.made(t, d.class(t, 3))
	d.w.Clock.Advance(48 * time.Hour)
	if _, err := d.s.CheckIn(t.Context(), instructor, a); err != nil {
		t.Error(err)
	}
	_, err := d.s.CheckIn(t.Context(), instructor, b)
	forbidden(t, "somebody else's session", err)
	if _, err := d.s.CheckIn(t.Context(), instructor, uuid.New()); !fault.IsKind(err, fault.NotFound) {
		t.Error(err)
	}
}

// A no-show is marked after the start; its fee is in review, and goes when the mark does.
func TestNoShow(t *testing.T) {
	d := open(t)
	d.rules(t, func(r *catalog.Rules) { r.NoShow.FeeAmount, r.NoShow.ReviewMinutes = 2500, 90 })
	o := d.class(t, 3)
	_, id := d.made(t, o)
	_, err := d.s.NoShow(t.Context(), d.Owner, id)
	is(t, "before the start", err, booking.ErrTooEarly)
	d.w.Clock.Advance(48 * time.Hour)
	_, err = d.s.NoShow(t.Context(), d.Holding(d.Location.ID, policy.BookingCheckin), id)
	forbidden(t, "without the feature", err)
	for range 2 {
		got, err := d.s.NoShow(t.Context(), d.Owner, id)
		if err != nil || got.State != booking.NoShow {
			t.Fatalf("%+v (%v)", got, err)
		}
	}
	until := d.w.Clock.Now().Add(90 * time.Minute)
	if n := apptest.Value[int](t, d.w, `select count(*) from bookings b join fees p on p.booking_id = b.id
		where b.review_at = $1 and p.review_until = $1 and p.state = 'due' and p.amount = 2500`, until); n != 1 {
		t.Error("the review is not as long as the policy says")
	}
	if got, err := d.s.UndoNoShow(t.Context(), d.Owner, id); err != nil || got.State != booking.Confirmed {
		t.Fatalf("%+v (%v)", got, err)
	}
	if _, err := d.s.NoShow(t.Context(), d.Owner, id); err != nil {
		t.Fatal(err)
	}
	if got := apptest.Value[string](t, d.w, "select string_agg(state, ',' order by created_at, id) from fees"); got != "withdrawn,due" {
		t.Errorf("fees: %s", got)
	}
	_, err = d.s.CheckIn(t.Context(), d.Owner, id)
	is(t, "checking in who did not come", err, booking.ErrState)
	d.w.CheckBooks(t)
}

// A request without a decision until it began is declined.
func TestRequestsDoNotWaitForEver(t *testing.T) {
	d := open(t)
	c, id := d.made(t, d.approval(t, d.class(t, 1)))
	d.w.Clock.Advance(48*time.Hour - time.Minute)
	if err := d.s.CompleteDue(t.Context()); err != nil || d.state(t, id) != booking.Requested {
		t.Fatalf("%s (%v)", d.state(t, id), err)
	}
	d.w.Clock.Advance(time.Minute)
	_, err := d.s.Approve(t.Context(), d.Owner, booking.ApproveInput{BookingID: id})
	is(t, "approving what has begun", err, booking.ErrStarted)
	if err := d.s.CompleteDue(t.Context()); err != nil || d.state(t, id) != booking.Declined {
		t.Fatalf("%s (%v)", d.state(t, id), err)
	}
	if got := d.mailed(t, c); !slices.Equal(got, []string{"declined"}) {
		t.Errorf("mails: %q", got)
	}
	d.w.CheckBooks(t)
}
