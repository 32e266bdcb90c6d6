package booking_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/policy"
)

// cancelDate does the work of package schedule when a date is cancelled.
func (d desk) cancelDate(t *testing.T, o apptest.OccurrenceRow, why schedule.Because) ([]schedule.CancelledBooking, error) {
	t.Helper()
	return in(t, d, func(tx *pg.Tx) ([]schedule.CancelledBooking, error) {
		if _, err := booking.BookedTx(t.Context(), tx, []uuid.UUID{o.ID}); err != nil {
			return nil, err
		}
		done, err := d.s.CancelBookedTx(t.Context(), tx, d.Owner, []uuid.UUID{o.ID}, why)
		if err != nil {
			return nil, err
		}
		_, err = tx.Exec(t.Context(), "update occurrences set state = 'cancelled' where id = $1", o.ID)
		return done, err
	})
}

// A date cancelled by the studio: bookings, requests and holds end, and all customers are notified.
func TestStudioCancelsDate(t *testing.T) {
	d := open(t)
	o, other := d.class(t, 9), d.class(t, 9)
	a, ida := d.made(t, o)
	_, idb := d.made(t, o)
	d.approval(t, o)
	_, idc := d.made(t, o)
	h := d.mustHold(t, d.cart(t), seat(o), seat(other))
	done, err := d.cancelDate(t, o, schedule.Because{Reason: "flooding"})
	if err != nil || len(done) != 3 {
		t.Fatalf("%+v (%v)", done, err)
	}
	for _, id := range []uuid.UUID{ida, idb, idc} {
		if d.state(t, id) != booking.StudioCancelled {
			t.Errorf("a booking is %s", d.state(t, id))
		}
	}
	if got := apptest.Value[string](t, d.w, "select state from holds where id = $1", h.ID); got != "expired" || d.taken(t, o) != 0 || d.taken(t, other) != 0 {
		t.Errorf("the hold is %s, %d and %d are taken", got, d.taken(t, o), d.taken(t, other))
	}
	if got := d.mailed(t, a); !slices.Equal(got, []string{"studio_cancelled"}) || d.letters(a)[0].Text != "en "+o.StartsAt.Format(time.RFC3339)+" back 0 fee 0: flooding" {
		t.Errorf("mails: %q", d.letters(a))
	}
	if _, err := d.hold(t.Context(), d.cart(t), nil, seat(o)); !errors.Is(err, booking.ErrCancelled) {
		t.Errorf("holding it: %v", err)
	}
	d.w.CheckBooks(t)
}

// Customers hold, book, confirm and cancel while the studio cancels the date: in the end there is no booking left.
func TestStudioCancelsDateRace(t *testing.T) {
	if !apptest.Guarded {
		return
	}
	d := open(t)
	for range 3 {
		o := d.class(t, 40)
		var bookings []func()
		for range 5 {
			c, id := d.made(t, o)
			bookings = append(bookings, func() {
				if _, err := d.s.CancelMine(t.Context(), d.me(c), id); err != nil && !errors.Is(err, booking.ErrState) {
					t.Errorf("cancel: %v", err)
				}
			})
		}
		for _, c := range d.carts(t, 10) {
			bookings = append(bookings, func() {
				h, err := d.hold(t.Context(), c, nil, seat(o))
				if err != nil {
					if !errors.Is(err, booking.ErrCancelled) {
						t.Errorf("hold: %v", err)
					}
					return
				}
				_, err = pg.InTx(t.Context(), d.w.DB, d.Business.ID, func(tx *pg.Tx) (int, error) {
					return 0, booking.ReleaseTx(t.Context(), tx, d.scope(c), h.ID)
				})
				if err != nil {
					t.Errorf("release: %v", err)
				}
			})
		}
		bookings = append(bookings, func() {
			if _, err := d.cancelDate(t, o, schedule.Because{}); err != nil {
				t.Errorf("cancel the date: %v", err)
			}
		})
		all(bookings, func(f func()) { f() })
		if n := apptest.Value[int](t, d.w, `select count(*) from bookings where occurrence_id = $1 and state in ('held', 'requested', 'confirmed')`, o.ID); n != 0 || d.taken(t, o) != 0 {
			t.Errorf("%d have a seat on a date that does not take place", n)
		}
	}
	d.w.CheckBooks(t)
}

// Bookings of a removed date are rescheduled to the nearest date with room, each once; without one, nothing changes.
func TestRescheduleBooked(t *testing.T) {
	d := open(t)
	dates := d.dates(t, 3, 2)
	a, ida := d.made(t, dates[0])
	_, idb := d.made(t, dates[0])
	d.made(t, dates[1])
	move := func(to ...uuid.UUID) (int, error) {
		return in(t, d, func(tx *pg.Tx) (int, error) {
			return d.s.RescheduleBookedTx(t.Context(), tx, d.Owner, []schedule.Transfer{{From: dates[0].ID, To: to}},
				schedule.Because{Reason: "the instructor is ill"})
		})
	}
	_, err := move(dates[1].ID)
	is(t, "not enough room", err, booking.ErrFull)
	if d.taken(t, dates[0]) != 2 || d.taken(t, dates[1]) != 1 {
		t.Error("a refusal moved somebody")
	}
	got, err := move(dates[1].ID, dates[2].ID)
	if err != nil || got != 2 || d.taken(t, dates[0]) != 0 || d.taken(t, dates[1]) != 2 || d.taken(t, dates[2]) != 1 {
		t.Errorf("%d moved (%v)", got, err)
	}
	if d.state(t, ida) != booking.Confirmed || d.state(t, idb) != booking.Confirmed {
		t.Error("a booking did not stay one")
	}
	if got := d.mailed(t, a); !slices.Equal(got, []string{"moved"}) {
		t.Errorf("mails: %q", got)
	}
	d.w.CheckBooks(t)
}

// A rescheduled date reschedules its bookings; their customers are notified once, with the time that is valid when
// the mail is sent.
func TestRetimeBooked(t *testing.T) {
	d := open(t)
	o := d.class(t, 9)
	c, id := d.made(t, o)
	for _, hours := range []int{1, 2} {
		_, err := in(t, d, func(tx *pg.Tx) (int, error) {
			if _, err := tx.Exec(t.Context(), `update occurrences set starts_at = $2, ends_at = $2::timestamptz + interval '1 hour' where id = $1`,
				o.ID, o.StartsAt.Add(time.Duration(hours)*time.Hour)); err != nil {
				return 0, err
			}
			if err := booking.RetimeBookedTx(t.Context(), tx, []uuid.UUID{o.ID}); err != nil {
				return 0, err
			}
			return booking.NoticeTx(t.Context(), tx, []schedule.Notice{{Kind: schedule.NoticeRescheduled, DateID: o.ID, Was: o.StartsAt}})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := apptest.Value[time.Time](t, d.w, "select starts_at from bookings where id = $1", id); !got.Equal(o.StartsAt.Add(2 * time.Hour)) {
		t.Errorf("it starts at %s", got)
	}
	if got := d.mailed(t, c); !slices.Equal(got, []string{"moved"}) { // the first of the two is not so any more
		t.Errorf("mails: %q", got)
	}
	steps, err := d.s.History(t.Context(), d.Owner, id)
	if err != nil || len(steps) != 4 || !steps[2].FromStart.Equal(o.StartsAt) || steps[3].Transition != booking.TransitionRetime {
		t.Errorf("%+v (%v)", steps, err)
	}
	d.w.CheckBooks(t)
}

// A substitute: the customers and both instructors are notified of the new instructor.
func TestNoticeOfSubstitute(t *testing.T) {
	d := open(t)
	ana := d.AddInstructor(t, "Ana")
	o := d.class(t, 9, func(o *apptest.OccurrenceRow) { o.Member = &ana.ID })
	c, _ := d.made(t, o)
	ben := d.AddInstructor(t, "Ben")
	_, err := in(t, d, func(tx *pg.Tx) (int, error) {
		return booking.NoticeTx(t.Context(), tx, []schedule.Notice{
			{Kind: schedule.NoticeSubstituted, DateID: o.ID}, {Kind: schedule.NoticeUnassigned, DateID: o.ID, MemberID: &ben.ID},
			{Kind: schedule.NoticeGiven, DateID: o.ID, MemberID: &ana.ID}, {Kind: schedule.NoticeGiven, DateID: o.ID, MemberID: &ben.ID},
			{Kind: schedule.NoticeRestored, DateID: o.ID},
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.mailed(t, c); !slices.Equal(got, []string{"substituted"}) {
		t.Errorf("mails: %q", got)
	}
	for member, want := range map[uuid.UUID]string{ana.ID: "given", ben.ID: "taken"} { // Ben does not have it any more
		email := apptest.Value[string](t, d.w, "select email from members where id = $1", member)
		if got := d.sales.Mail.List(email); len(got) != 1 || got[0].Subject != want {
			t.Errorf("%s got %+v", email, got)
		}
	}
}

// The history of a booking needs the grants for the booking.
func TestHistoryNeedsTheFeature(t *testing.T) {
	d := open(t)
	_, id := d.made(t, d.class(t, 9))
	_, err := d.s.History(t.Context(), d.Holding(d.AddLocation(t, "Elsewhere").ID, policy.BookingView), id)
	forbidden(t, "elsewhere", err)
	_, err = d.s.History(t.Context(), d.Holding(d.Location.ID, policy.CRMView), id)
	forbidden(t, "without the feature", err)
	got, err := d.s.History(t.Context(), d.Holding(d.Location.ID, policy.BookingView), id)
	if err != nil || len(got) != 2 || got[0].Transition != booking.TransitionHold || got[0].From != "" || got[1].To != booking.Confirmed || got[1].ActorName == "" {
		t.Errorf("%+v (%v)", got, err)
	}
}

// A customer with bookings on several dates in another room gets one mail, with the studio's reason, without the
// booking that has ended meanwhile.
func TestNoticeOfSeveralDatesIsOneMail(t *testing.T) {
	d := open(t)
	dates := d.dates(t, 3, 9)
	var list []schedule.Notice
	var first uuid.UUID
	for _, o := range dates {
		made, err := d.s.Book(t.Context(), d.Owner, booking.BookInput{OccurrenceID: o.ID, Customer: booking.CustomerRef{Name: "Ana", Email: "ana@example.com"}})
		if err != nil {
			t.Fatal(err)
		}
		if first == uuid.Nil {
			first = made.Booking.ID
		}
		list = append(list, schedule.Notice{Kind: schedule.NoticeRoom, DateID: o.ID, Room: true, Reason: "the floor is wet"})
	}
	sent, err := in(t, d, func(tx *pg.Tx) (int, error) { return booking.NoticeTx(t.Context(), tx, list) })
	if err != nil || sent != 1 {
		t.Fatalf("%d mails, %v", sent, err)
	}
	if _, err := d.s.Cancel(t.Context(), d.Owner, booking.CancelInput{BookingID: first, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.sales.RunJobs(t); err != nil {
		t.Fatal(err)
	}
	var rooms []string
	for _, m := range d.sales.Mail.List("ana@example.com") {
		if m.Subject == "room" {
			rooms = append(rooms, m.Text)
		}
	}
	if want := "en " + dates[1].StartsAt.Format(time.RFC3339) + " back 0 fee 0: the floor is wet"; !slices.Equal(rooms, []string{want}) {
		t.Errorf("%q", rooms)
	}
}
