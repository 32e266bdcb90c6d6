package hosted_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/web"
	"foyer/app/web/op"
)

// TestFieldsOfTheFrame: both packages name the field alike.
func TestFieldsOfTheFrame(t *testing.T) {
	t.Parallel()
	if view.FieldTicket != web.FieldTicket {
		t.Errorf("%q and %q", view.FieldTicket, web.FieldTicket)
	}
}

// TestBookingInTheFrame goes from the schedule to the receipt with no cookie at all, through every kind of error on
// the way, and from there to the booking, a rescheduling and a cancellation. Everything stays in the frame. E127,
// E147, E148.
func TestBookingInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 18)
	v := s.frame(t)
	front := v.enter("/"+s.Location.Slug).want(200, "Sunrise Vinyasa")
	if front.ticket() != "" {
		t.Error("a page with nothing to remember has a ticket")
	}
	v.get(front.link("Book")).want(200, "Your time")
	list := v.enter(s.path(yoga, nil)).want(200, "Next times")
	date := v.get(list.link("9:00")).want(200, "Your time")
	date.form("/sunrise-vinyasa").post("occurrence", uuid.NewString()).want(400, "This cannot be booked")
	door := date.form("/sunrise-vinyasa").post().wantTo("/cart/").follow().want(200, "Your e-mail")
	door.form("/sign-in").post("email", "nobody@").want(400)
	code := door.form("/sign-in").post("email", "ana@example.com").wantTo("/cart/").follow().want(200, "ana@example.com")
	code.form("/resend").post().want(400, "A code is on its way")
	code.form("/code").post("code", "000000").want(400, "This code is not valid")
	v.get(code.link("Use another address")).want(200, "Your e-mail")
	details := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).wantTo("/cart/").follow().want(200, "About you")
	details.form("/details").post("name", " ").want(400)
	pay := details.form("/details").post("name", "Ana Ruiz").wantTo("/cart/").follow().want(200, "Pay $22.00", "Held for 10:00")
	pay = pay.form("/extend").post().wantTo("/cart/").follow().want(200, "Held for 20:00")

	cart := v.get(pay.link("Edit cart")).want(200, "Your booking")
	more := v.get(cart.link("Add another")).want(200, "1 class", "Continue")
	more = v.get(more.link("Later classes")).want(200, "Jun 25")
	more = v.get(v.get(more.link("Continue")).want(200).link("Add another"))
	two := v.get(hrefOf(t, more, yoga.Dates[1].ID)).want(200, "Your time").form("/sunrise-vinyasa").post().wantTo("/cart/").follow().want(200, "Pay $44.00")
	cart = v.get(two.link("Edit cart")).want(200, "2 classes").form("/remove").post().wantTo("/cart/").follow().want(200, "1 class")
	pay = cart.form(cart.url.Path).post().wantTo("/cart/").follow().want(200, "Pay $22.00")
	pay = pay.pay(apptest.CardDeclined).follow().want(200, "Your bank declined the card")
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Visa ending 4242")

	v.get(receipt.link("Add to calendar")).want(200, "BEGIN:VCALENDAR")
	mine := v.get(receipt.link("My bookings")).want(200, "ana@example.com", "Sunrise Vinyasa")
	one := v.get(mine.link("Details")).want(200, "Confirmed")
	v.get(one.link("Add to calendar")).want(200, "BEGIN:VCALENDAR")
	move := v.get(one.link("Reschedule")).want(200, "Choose a new time")
	to := v.get(hrefOf(t, move, yoga.Dates[4].ID)).want(200, "Reschedule your booking?")
	one = to.form("/move").post().wantTo("/my/bookings/").follow().want(200, "Your booking is rescheduled")
	ask := v.get(one.link("Cancel")).want(200, "Cancel this booking?")
	v.get(ask.link("Keep it")).want(200)
	gone := ask.form("/cancel").post().wantTo("/my/bookings/").follow().want(200, "Your booking is cancelled")
	v.get(gone.link("Book again")).want(200, "Next times")
	out := v.get(gone.link("My bookings")).form("/my/sign-out").post().wantTo("/my/sign-in?").follow().want(200, "Your e-mail", "We send you a code to see your bookings")
	if n := s.count(t, "sessions where revoked_at is null"); n != 0 {
		t.Errorf("%d sessions are open", n)
	}
	out.form("/sign-in").post("email", "ana@example.com").wantTo("/my/sign-in/code?").follow().want(200)
}

// hrefOf is the target of the link with a date in its address.
func hrefOf(t testing.TB, p *page, date uuid.UUID) string {
	t.Helper()
	for _, m := range links.FindAllStringSubmatch(p.Body, -1) {
		if href := attributes(m[1])["href"]; strings.Contains(href, date.String()) {
			return href
		}
	}
	t.Fatalf("%s has no link to the date %s", p.url, date)
	return ""
}

// TestAppointmentsInTheFrame chooses a length, a day and a person, and books.
func TestAppointmentsInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.massage(t)
	s.sauna(t)
	v := s.frame(t)
	front := v.enter("/"+s.Location.Slug).want(200, "Massage")
	room := v.get(front.link("Book Sauna by the sea")).want(200)
	room = v.get(room.link("2 h")).want(200)
	page := v.get(front.link("Book Deep tissue massage")).want(200, "Choose a time")
	v.get(page.link("Later times")).want(200)
	page = v.enter("/harbour/massage?from=2026-06-11").want(200)
	page.form("/massage").post("start", "2020-01-01T00:00:00Z").want(400)
	page.form("/massage").post("start", start(ten)).wantTo("/cart/").follow().want(200, "Your e-mail", "Deep tissue massage")
	room.form("/sauna").post("start", start(ten)).wantTo("/cart/").follow().want(200, "Your e-mail", "Sauna")
}

// TestWaitlistsInTheFrame joins a list, answers an offer, and changes to its customer.
func TestWaitlistsInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, free := s.full(t)
	s.SetPolicy(t, s.AddPolicy(t, mode(catalog.WaitlistOffer)))
	v := s.frame(t)
	full := v.enter(s.path(c, &c.Dates[1])).want(200, "This date is full")
	join := v.get(full.link("Join the waitlist")).want(200, "How it works")
	code := join.form("/sign-in").post("email", "ana@example.com").follow().want(200, "ana@example.com")
	form := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).follow().want(200, "Your name")
	form.form("/waitlist/"+c.Dates[1].ID.String()).post("name", "").want(400)
	placed := form.form("/waitlist/"+c.Dates[1].ID.String()).post("name", "Ana Ruiz").wantTo("/my/waitlist/").follow().want(200, "Number 1 in line")
	v.get(placed.link("Other times")).want(200)
	free()
	s.offer(t, "ana@example.com", waitlist.LetterOffered)
	v.get(placed.link("My bookings")).want(200, "Respond")
	stranger := s.frame(t)
	offered := stranger.enter(placed.url.Path).want(200, "A spot is available for you")
	offered.form("/accept").post().wantTo(placed.url.Path+"/sign-in?").follow().want(200, "Your e-mail")
	pay := v.get(placed.path()).want(200).form("/accept").post().wantTo("/cart/").follow().want(200, "Pay $22.00")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked")
	v.get(placed.path()).want(200, "You’re booked")
	left := s.frame(t)
	second := left.enter(s.waitPath(c, 1)).want(200)
	second.form("/sign-in").post("email", "cleo@example.com").follow().want(200, "cleo@example.com")
}

// TestRefusalsStayInTheFrame: pages of every status, redirects of former addresses, and pages of several locations.
func TestRefusalsStayInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.frame(t)
	for _, path := range []string{"/nowhere", "/harbour/nothing", "/harbour/a/b/c", "/cart/none", "/cart/none/pay", "/receipt/none", "/my/waitlist/none", "/my/bookings/none"} {
		v.enter(path).want(404)
	}
	v.enter("/").want(200)
	v.enter("/my").wantTo("/my/sign-in?").follow().want(200)
	v.enter("/my/bookings/" + uuid.NewString()).wantTo("/my/sign-in?")
	v.enter("/Harbour?x=1").want(301)
	v.enter("/Harbour/sunrise-vinyasa").want(301)

	date := v.enter(s.path(yoga, &yoga.Dates[0])).want(200)
	refused := date.form("/sunrise-vinyasa").post("_token", "").want(403, "This form has expired")
	if got := refused.link("Go back"); !strings.HasPrefix(got, "/harbour?") {
		t.Errorf("a refused form leads to %s", got)
	}
	date.form("/sunrise-vinyasa").post("_key", "").want(403)
	v.headers.Set("Sec-Fetch-Site", "cross-site")
	date.form("/sunrise-vinyasa").post().want(403)
	v.headers.Set("Sec-Fetch-Site", "same-origin")

	cart := date.form("/sunrise-vinyasa").post()
	s.Pause(t)
	v.enter("/harbour").want(200, "is not taking online bookings at the moment")
	cart.follow().form("/sign-in").post("email", "ana@example.com").follow().want(200)
	s.SQL(t, "update businesses set status = 'active' where business_id = $1", s.Business.ID)
	s.SQL(t, "alter table occurrences rename to elsewhere")
	v.enter(s.path(yoga, nil)).want(500, "Something went wrong")
	s.SQL(t, "alter table elsewhere rename to occurrences")
}

// TestLimitsStayInTheFrame: the page about too many requests stays in the frame.
func TestLimitsStayInTheFrame(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.Limits = op.Limits{WriteMax: 1} })
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	date := s.frame(t).enter(s.path(yoga, &yoga.Dates[0])).want(200)
	date.form("/sunrise-vinyasa").post()
	date.form("/sunrise-vinyasa").post().want(429, "Too many requests", "Go back")
}
