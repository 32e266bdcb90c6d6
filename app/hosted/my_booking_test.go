package hosted_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/tenancy"
)

// books buys the date of a class and returns the address of the booking's page.
func (v *visitor) books(c class, date int) string {
	v.t.Helper()
	v.choose(c, date).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	id := apptest.Value[uuid.UUID](v.t, v.s.World, "select id from bookings where occurrence_id = $1 and state = 'confirmed' order by created_at desc, id desc limit 1", c.Dates[date].ID)
	return "/my/bookings/" + id.String()
}

// strict is a strict policy: a fee of ten, waived once when grace is 1.
func strict(grace int) func(*catalog.Rules) {
	return func(r *catalog.Rules) {
		r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount = 24*60, 12*60, 1000
		r.Reschedule.UntilMinutes = 6 * 60
		r.Grace.LateCancels = grace
	}
}

// TestABookingsPage shows the time and the location, the deadlines as instants, and the actions; only to its
// customer.
func TestABookingsPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, strict(0)))
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.books(yoga, 2)
	if got := v.get("/my").want(200, "Free cancellation until Fri 12 Jun, 9:00; then you lose $22.00; from Fri 12 Jun, 21:00, you also pay a late-cancellation fee of $10.00.").link("Details"); got != path {
		t.Errorf("Details lead to %s", got)
	}
	p := v.get(path).want(200, "Confirmed", "Sunrise Vinyasa", "Saturday, June 13, 9:00 to 10:00 am", "New York time", "12 Quay Street, Portland",
		"Free cancellation until Fri, Jun 12, 9:00 am; then you lose $22.00; from Fri, Jun 12, 9:00 pm, you also pay a late-cancellation fee of $10.00.", "reschedule until Sat, Jun 13, 3:00 am",
		"Add to calendar", "Reschedule", "Cancel", "Receipt", "Book again")
	if google, outlook := p.link("Add to Google Calendar"), p.link("Add to Outlook"); !strings.HasPrefix(google, "https://calendar.google.com/") || !strings.HasPrefix(outlook, "https://outlook.") {
		t.Errorf("calendars on the web are at %s and %s", google, outlook)
	}
	file := v.get(p.link("Add to calendar")).want(200, "DTSTART;TZID=America/New_York:20260613T090000", "SEQUENCE:")
	if got := file.Header.Get("Content-Type"); got != "text/calendar; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	if got := p.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q", got)
	}
	other := s.signedIn(t, "ben@example.com", "Ben Other")
	for _, step := range []string{"", "/cancel", "/move", "/calendar.ics"} {
		other.get(path+step).want(404, "Page not found")
		s.visit(t).get(path + step).wantTo("/my/sign-in")
		v.get("/my/bookings/none" + step).want(404)
	}
	s.Clock.Set(yoga.Dates[2].StartsAt.Add(time.Minute))
	v.get(path).want(200, "Confirmed").lacks("you lose", "you also pay", "Add to calendar", "Add to Google Calendar")
	v.get(path+"/cancel").want(400, "This cannot be cancelled here", "begun")
	v.get(path+"/move").want(400, "This cannot be rescheduled here")
}

// TestABookingThatIsOver shows the outcome, and no deadlines.
func TestABookingThatIsOver(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.books(yoga, 0)
	id := uuid.MustParse(path[strings.LastIndexByte(path, '/')+1:])
	receipt := v.get(path).link("Receipt")
	v.get(receipt).want(200, "Add to calendar")
	s.Clock.Set(yoga.Dates[0].StartsAt.Add(59 * time.Minute))
	v.get(path).want(200, "Confirmed").lacks("Add to calendar")
	v.get(receipt).lacks("Add to calendar")
	s.Clock.Advance(time.Minute)
	v.get(path).want(200, "Completed", "Book again").lacks("Confirmed", "Add to calendar", ">Reschedule<")
	v.get("/my").want(200, "Completed").lacks("Confirmed")
	for _, step := range []struct {
		do   func(context.Context, tenancy.Scope, uuid.UUID) (booking.StudioBooking, error)
		says string
	}{
		{s.Booking.NoShow, "No-show"}, {s.Booking.UndoNoShow, "Completed"}, {s.Booking.CheckIn, "Attended"},
	} {
		if _, err := step.do(t.Context(), s.Owner, id); err != nil {
			t.Fatal(step.says, err)
		}
		v.get(path).want(200, step.says).lacks("Confirmed")
		v.get("/my").want(200, step.says).lacks("Confirmed")
	}
}

// TestRescheduleTooLate shows the past deadline, on the page and after an old link.
func TestRescheduleTooLate(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, strict(0)))
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.books(yoga, 1)
	move := v.get(path).want(200, "reschedule until Fri, Jun 12, 3:00 am").link("Reschedule")
	s.Clock.Set(yoga.Dates[1].StartsAt.Add(-5 * time.Hour))
	const was = "You could reschedule until Fri, Jun 12, 3:00 am."
	v.get(path).want(200, was).lacks(">Reschedule<")
	v.get(move).want(400, "This cannot be rescheduled here", was)
}

// TestCancelInTime shows the refund, asks for confirmation, and does just that; however often the form is sent.
func TestCancelInTime(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.books(yoga, 2)
	ask := v.get(v.get(path).link("Cancel")).want(200, "Cancel this booking?", "Your refund $22.00", "price is refundable until Fri, Jun 12, 9:00 am")
	if n := s.count(t, "bookings where state = 'confirmed'"); n != 1 {
		t.Fatal("asking has cancelled it")
	}
	f := ask.form("/cancel")
	done := f.post().wantTo(path+"?").follow().want(200, "Cancelled", "Your booking is cancelled").lacks("you lose", "Add to")
	f.post().wantTo(path + "?")
	if strings.Contains(done.Body, "/cancel") || strings.Contains(done.Body, "/move") {
		t.Error("it can be changed again")
	}
	if n := s.count(t, "refunds where amount = 2200"); n != 1 {
		t.Errorf("%d refunds", n)
	}
	v.get(path+"/cancel").want(400, "This cannot be cancelled here")
	v.get("/my").want(200, "Cancelled")
	v.get(done.link("Receipt")).want(200, "This booking was cancelled", "$22.00").lacks("Add to calendar", "Confirmed")
}

// TestCancelLate shows the forfeited price and the fee before acting, and that a fee is waived when it is.
func TestCancelLate(t *testing.T) {
	t.Parallel()
	for _, grace := range []int{0, 1} {
		t.Run(fmt.Sprint("grace ", grace), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.SetPolicy(t, s.AddPolicy(t, strict(grace)))
			yoga := s.class(t, "Sunrise Vinyasa", 1)
			v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
			path := v.books(yoga, 0)
			s.Clock.Set(yoga.Dates[0].StartsAt.Add(-2 * time.Hour))
			ask := v.get(path+"/cancel").want(200, "Not refunded $22.00", "The price was refundable until Wed, Jun 10, 9:00 am", "late since Wed, Jun 10, 9:00 pm")
			want := "due"
			if grace == 0 {
				ask.want(200, "Fee $10.00 Payable to Harbour Yoga")
			} else {
				want = "grace_waived"
				ask.want(200, "None this time", "the late-cancellation fee of $10.00 is waived")
			}
			ask.form("/cancel").post().follow().want(200, "Cancelled late")
			if got := apptest.Value[string](t, s.World, "select state from fees"); got != want {
				t.Errorf("the fee is %s", got)
			}
			if n := s.count(t, "refunds"); n != 0 {
				t.Errorf("%d refunds", n)
			}
		})
	}
}

// TestConsequenceChangesMeanwhile: the effects differ from those on the page, so nothing is done and the page is
// shown anew.
func TestConsequenceChangesMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.books(yoga, 2)
	s.Clock.Set(yoga.Dates[2].StartsAt.Add(-24*time.Hour - time.Minute))
	f := v.get(path+"/cancel").want(200, "Your refund $22.00").form("/cancel")
	s.Clock.Advance(2 * time.Minute)
	again := f.post().want(400, "The details have changed", "Nothing was done", "Not refunded $22.00")
	if n := s.count(t, "bookings where state = 'confirmed'"); n != 1 {
		t.Fatal("it was done all the same")
	}
	s.Clock.Advance(16 * time.Minute)
	old := again.form("/cancel").post().want(400, "Review and confirm again", "Not refunded $22.00")
	old.form("/cancel").post("quote", "nonsense").want(400, "Review and confirm again")
	old.form("/cancel").post().wantTo(path + "?")
}

// TestRescheduleQuoteChangesMeanwhile refuses a reschedule with a changed price difference. Nothing is done before
// the page has shown it.
func TestRescheduleQuoteChangesMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.books(yoga, 2)
	ask := v.get(path+"/move?to="+yoga.Dates[4].ID.String()).want(200, "Nothing").form("/move")
	s.SQL(t, "update offerings set price_amount = 1200")
	again := ask.post().want(400, "The details have changed", "Nothing was done", "The new time costs $10.00 less")
	if n := s.count(t, "bookings where occurrence_id = $1 and state = 'confirmed'", yoga.Dates[2].ID); n != 1 {
		t.Fatal("it was done all the same")
	}
	again.form("/move").post().wantTo(path + "?")
	if n := s.count(t, "bookings where occurrence_id = $1 and state = 'confirmed'", yoga.Dates[4].ID); n != 1 {
		t.Errorf("%d bookings there", n)
	}
}

// TestMoveAClass shows the dates with room, asks for confirmation, and reschedules; the booking keeps its page.
func TestMoveAClass(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.books(yoga, 2)
	s.fillUp(t, yoga.Dates[3])
	times := v.get(v.get(path).link("Reschedule")).want(200, "Reschedule your booking", "It can be rescheduled until Fri, Jun 12, 9:00 am", "Friday Jun 12", "Monday Jun 15").lacks("Saturday Jun 13", "Sunday Jun 14")
	ask := v.get(times.link("Jun 15")).want(200, "Saturday, June 13, 9:00 to 10:00 am", "Monday, June 15, 9:00 to 10:00 am", "Nothing", "Free cancellation until Sun, Jun 14, 9:00 am; after that you lose $22.00.", "Reschedule to Mon, Jun 15, 9:00 am")
	ask.form("/move").post().wantTo(path+"?").follow().want(200, "Your booking is rescheduled", "Monday, June 15")
	ask.form("/move").post().wantTo(path + "?")
	if n := s.count(t, "bookings where occurrence_id = $1 and state = 'confirmed'", yoga.Dates[4].ID); n != 1 {
		t.Errorf("%d bookings there", n)
	}
	v.get(path+"/move?to="+yoga.Dates[3].ID.String()).want(400, "This time is no longer available", "Choose a new time")
	v.get(path+"/move?to="+uuid.NewString()).want(400, "not offered any more")
	v.get(path+"/move?to=nonsense").want(200, "Choose a new time")
	s.SQL(t, "update offerings set price_amount = 9900")
	v.get(path+"/move?to="+yoga.Dates[0].ID.String()).want(400, "This cannot be rescheduled here", "The new time costs more")
	s.Clock.Set(yoga.Dates[4].StartsAt.Add(-time.Hour))
	v.get(path+"/move").want(400, "This cannot be rescheduled here", "Rescheduling was possible until Sun, Jun 14, 9:00 am")
}

// TestRescheduleAnAppointment shows the free times of the same length, also those that overlap its own.
func TestRescheduleAnAppointment(t *testing.T) {
	t.Parallel()
	s := open(t)
	m, ana, jo := s.massage(t)
	v := s.signedIn(t, "cleo@example.com", "Cleo Hart")
	v.get("/harbour/massage?with="+ana.ID.String()+"&minutes=90").form("/massage").post("start", start(ten.AddDate(0, 0, 1))).follow().want(200, "Pay $85.00").
		pay(apptest.CardGood).follow().want(200, "You’re booked", "With Ana Ruiz")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where state = 'confirmed'")
	path := "/my/bookings/" + id.String()
	s.AddBusy(t, m, ten.AddDate(0, 0, 2), func(b *apptest.BusyRow) { b.Members = []uuid.UUID{ana.ID} })
	times := v.get(path+"/move?from=2026-06-12").want(200, "Any instructor", "Ana Ruiz", "Jo Park", "Friday Jun 12", "10:15 am")
	if strings.Contains(times.Body, "to=2026-06-12T14%3A00") {
		t.Error("the time where it is already is offered")
	}
	withAna := v.get(times.link("Ana Ruiz")).want(200, "10:15 am") // overlaps its own time
	ask := v.get(withAna.link("10:15")).want(200, "Friday, June 12, 10:00 to 11:30 am", "Friday, June 12, 10:15 to 11:45 am", "Nothing")
	ask.form("/move").post().wantTo(path+"?").follow().want(200, "Your booking is rescheduled", "10:15 to 11:45 am", "With Ana Ruiz")
	v.get(path+"/move?with="+ana.ID.String()+"&to="+start(ten.AddDate(0, 0, 2))).want(400, "This time is no longer available")
	v.get(path+"/move?with="+jo.ID.String()+"&to="+start(ten.AddDate(0, 0, 2))).want(200, "Saturday, June 13", "With Jo Park")
}

// TestWithdrawARequest costs nothing.
func TestWithdrawARequest(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.massage(t, func(r *apptest.ServiceRow) { r.Approval = true })
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get("/harbour/massage").form("/massage").post("start", start(ten)).follow().pay(apptest.CardGood).follow().want(200, "Requested")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where state = 'requested'")
	p := v.get("/my/bookings/"+id.String()).want(200, "Requested", "Harbour Yoga answers every request by e-mail. $60.00 is authorized on your card", "Free to withdraw until the studio answers").lacks("Add to calendar", "Reschedule")
	ask := v.get(p.link("Withdraw")).want(200, "Withdraw this request?", "Released $60.00", "It was authorized on your card and not charged.")
	ask.form("/cancel").post().follow().want(200, "Cancelled")
	s.work(t)
	v.get("/my/payments").want(200, "It was authorized on your card and not charged.")
}

// TestCancelLateInABrowser sees the fee first, on a phone, with script and without.
func TestCancelLateInABrowser(t *testing.T) {
	t.Parallel()
	for name, noScript := range map[string]bool{"with script": false, "without script": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.SetPolicy(t, s.AddPolicy(t, strict(0)))
			yoga := s.class(t, "Sunrise Vinyasa", 1)
			l := s.look(t, browser.Options{Width: 390, Height: 844, NoScript: noScript})
			l.at(s.path(yoga, &yoga.Dates[0]))
			l.Click(".pick form button")
			l.signIn("ana@example.com")
			l.Fill("#name", "Ana Ruiz")
			l.Click("main form button")
			l.pays(apptest.CardGood)
			s.Clock.Set(yoga.Dates[0].StartsAt.Add(-2 * time.Hour))
			l.at("/my").fits()
			l.Click(".booked .do a")
			l.fits()
			l.Click("a[href$='/cancel']")
			if got := l.Text(".outcome"); !strings.Contains(got, "$10.00") || !strings.Contains(got, "$22.00") {
				t.Fatalf("%s says %q", l.URL(), got)
			}
			if n := s.count(t, "fees"); n != 0 {
				t.Fatalf("%d fees before anything was done", n)
			}
			l.fits()
			l.Click("form[action$='/cancel'] button")
			if got := l.Text(".done"); !strings.Contains(got, "Cancelled late") {
				t.Fatalf("%s says %q", l.URL(), got)
			}
			if got := apptest.Value[int](t, s.World, "select amount from fees where state = 'due'"); got != 1000 {
				t.Errorf("the fee is %d", got)
			}
			l.quiet()
		})
	}
}

// TestEveryPageOfMyBookingsIsAccessible checks a booking, and the pages that change it.
func TestEveryPageOfMyBookingsIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, strict(0)))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	s.massage(t)
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	v := s.visit(t)
	v.setCookie("foyer_session", token)
	path := v.books(yoga, 2)
	v.get("/harbour/massage").form("/massage").post("start", start(ten.AddDate(0, 0, 3))).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	own := "/my/bookings/" + apptest.Value[uuid.UUID](t, s.World, "select b.id from bookings b join offerings o on o.id = b.offering_id where o.kind = 'appointment'").String()

	l := s.look(t, browser.Options{})
	l.at("/my/sign-in")
	l.signIn("ana@example.com")
	l.see("my-full")
	l.at(path).see("my-booking")
	l.at(path + "/cancel").see("my-cancel")
	l.at(path + "/move").see("my-move")
	l.at(path + "/move?to=" + yoga.Dates[4].ID.String()).see("my-move-to")
	l.at(own + "/move").see("my-move-appointment")
	s.Clock.Set(yoga.Dates[2].StartsAt.Add(-2 * time.Hour))
	l.at(path + "/cancel").see("my-cancel-late")
	l.at(path + "/move").see("my-move-late")
	l.at(path + "/cancel")
	l.Click("form[action$='/cancel'] button")
	l.see("my-cancelled")
}
