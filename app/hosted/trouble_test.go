package hosted_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
)

// fillUp lets other people take every seat of a date.
func (s *shop) fillUp(t testing.TB, o apptest.OccurrenceRow) {
	t.Helper()
	s.SQL(t, "update occurrences set taken = capacity, taken_online = online_capacity where id = $1", o.ID)
}

// TestDateFillsUpBeforeItIsChosen has a message on the page of the class, with the other dates in place.
func TestDateFillsUpBeforeItIsChosen(t *testing.T) {
	t.Parallel()
	for _, signedIn := range []bool{false, true} {
		t.Run(map[bool]string{true: "signed in", false: "a stranger"}[signedIn], func(t *testing.T) {
			t.Parallel()
			s := open(t)
			yoga := s.class(t, "Sunrise Vinyasa", 3)
			v := s.visit(t)
			if signedIn {
				v = s.signedIn(t, "ana@example.com", "Ana Ruiz")
			}
			date := v.get(s.path(yoga, &yoga.Dates[0])).want(200, "Book this time")
			s.fillUp(t, yoga.Dates[0])
			full := date.form("/sunrise-vinyasa").post().want(400, "This date has just filled up", "nothing was booked", "This date is full", "All times")
			if full.hasForm("/sunrise-vinyasa") {
				t.Error("the full date can still be booked")
			}
			v.get(s.path(yoga, &yoga.Dates[0])).want(200, "This date is full", "Join the waitlist").lacks("Continue")
			if n := s.count(t, "cart_items"); n != 0 {
				t.Errorf("%d items stay in the cart", n)
			}
		})
	}
}

// TestDateFillsUpDuringSignIn comes to the cart, which offers other dates of the same class at the line itself.
func TestDateFillsUpDuringSignIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 4)
	v := s.visit(t)
	v.choose(yoga, 0).wantTo("/cart/")
	v.choose(yoga, 1).wantTo("/cart/")
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	cart := v.get("/" + s.Location.Slug).link("Continue")
	s.fillUp(t, yoga.Dates[0])
	s.fillUp(t, yoga.Dates[2])
	v.setCookie("foyer_session", token)

	gone := v.get(cart).want(200, "Not included", "This date is full now", "Change to another time", "Sun, Jun 14", "1 class $22.00", "Total $22.00")
	gone.lacks("Sat, Jun 13", "Fri, Jun 12, 9:00 am Sat")
	moved := gone.form("/move").post().wantTo("/cart/").follow().want(200, "2 classes", "$44.00").lacks("This date is full")
	moved.form(cart).post().wantTo(cart+"/pay").follow().want(200, "Pay $44.00")
}

// TestSeatsGoneAtContinue: the last step of holding refuses, and the cart marks the line.
func TestSeatsGoneAtContinue(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v := s.visit(t)
	v.choose(yoga, 0).wantTo("/cart/")
	cart := v.get(v.get("/"+s.Location.Slug).link("Continue")).want(200, "Your booking")
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	v.setCookie("foyer_session", token)
	cart = v.get(cart.url.Path)
	s.fillUp(t, yoga.Dates[0])
	cart.form(cart.url.Path).post().wantTo(cart.url.Path+"?").follow().want(200, "This has just filled up", "This date is full now", "Change to another time")
}

// TestDateIsCancelledOrBegins has a message, on the page of the class and in the cart.
func TestDateIsCancelledOrBegins(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.visit(t)
	date := v.get(s.path(yoga, &yoga.Dates[0])).want(200)
	other := v.get(s.path(yoga, &yoga.Dates[1])).want(200)
	other.form("/sunrise-vinyasa").post().wantTo("/cart/")
	s.SQL(t, "update occurrences set state = 'cancelled' where id in ($1, $2)", yoga.Dates[0].ID, yoga.Dates[1].ID)
	date.form("/sunrise-vinyasa").post().want(400, "This cannot be booked", "cancelled")
	v.get(s.path(yoga, &yoga.Dates[0])).want(200, "cancelled", "All times")
	v.get(v.get("/"+s.Location.Slug).link("Continue")).want(200, "The studio has cancelled this date", "Change to another time")

	s.Clock.Set(yoga.Dates[2].StartsAt.Add(time.Minute))
	v.get(s.path(yoga, &yoga.Dates[2])).want(200, "begun").lacks("Book this time")
}

// TestUnknownDates are ignored, and a form that names one has a message.
func TestUnknownDates(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga, other := s.class(t, "Sunrise Vinyasa", 1), s.class(t, "Reformer Basics", 1)
	v := s.visit(t)
	for _, wanted := range []string{"nonsense", other.Dates[0].ID.String(), "0190a1b2-0000-7000-8000-0000000000ff", "2026-06-11T09:00:00Z"} {
		v.get(s.path(yoga, nil)+"?time="+wanted).want(200, "Next times").lacks("Your time")
	}
	f := v.get(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa")
	f.post("occurrence", "nonsense").want(400, "not offered any more")
	f.post("occurrence", "0190a1b2-0000-7000-8000-0000000000ff").want(400, "not offered any more")
}

// TestPriceRises is shown before anything is held, and accepted by going on under the new total. A74.
func TestPriceRises(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	v.choose(yoga, 0).wantTo("/cart/")
	path := v.get("/" + s.Location.Slug).link("Continue")
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	v.setCookie("foyer_session", token)
	cart := v.get(path).want(200, "$22.00")
	s.SQL(t, "update offerings set price_amount = 2500 where id = $1", yoga.ID)
	dearer := cart.form(path).post().wantTo(path+"?").follow().want(200, "The price has changed", "Not included", "It costs more", "was $22.00", "$25.00")
	if n := s.count(t, "holds"); n != 0 || dearer.hasForm(path) {
		t.Fatalf("%d holds at a price nobody agreed to, or the way to one", n)
	}
	dearer = dearer.form("/keep").post().wantTo(path).follow().want(200, "Total $25.00").lacks("Not included")
	pay := dearer.form(path).post().wantTo(path+"/pay").follow().want(200, "Pay $25.00")

	s.SQL(t, "update offerings set price_amount = 9900 where id = $1", yoga.ID)
	v.get(pay.url.Path).want(200, "Pay $25.00")
	pay.pay(apptest.CardGood).follow().want(200, "$25.00")
}

// TestHoldEnds offers the same seats again while they are free, and other dates when they are not.
func TestHoldEnds(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "Pay $22.00")

	s.Clock.Advance(11 * time.Minute)
	ended := v.get(pay.url.Path).wantTo("/cart/").follow().want(200, "Your hold has expired", "they are still available", "Hold them again")
	again := ended.form("/again").post().wantTo(pay.url.Path).follow().want(200, "Pay $22.00", "Held for 10:00")

	s.Clock.Advance(11 * time.Minute)
	s.fillUp(t, yoga.Dates[0])
	gone := v.get(again.url.Path).wantTo("/cart/").follow().want(200, "Your hold has expired", "Your spots were released and are no longer available", "This date is full now")
	moved := gone.form("/move").post().wantTo("/cart/").follow().want(200, "Friday, June 12")
	moved.form(moved.url.Path).post().follow().want(200, "Pay $22.00").pay(apptest.CardGood).follow().want(200, "You’re booked", "June 12")
	if n := s.count(t, "payments where status = 'succeeded'"); n != 1 {
		t.Errorf("%d payments succeeded", n)
	}
}

// TestPaymentAfterTheHoldEnded: a payment that the processor captured all the same is booked while the seat is free,
// and refunded otherwise: never money without a seat. Our own form accepts none then.
func TestPaymentAfterTheHoldEnded(t *testing.T) {
	t.Parallel()
	for _, full := range []bool{false, true} {
		t.Run(map[bool]string{true: "full", false: "free"}[full], func(t *testing.T) {
			t.Parallel()
			s := open(t)
			yoga := s.class(t, "Sunrise Vinyasa", 2, seats(1))
			v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
			pay := v.choose(yoga, 0).follow().want(200, "Pay $22.00")
			s.Clock.Advance(11 * time.Minute)
			if full {
				if err := s.Booking.ExpireDue(t.Context()); err != nil {
					t.Fatal(err)
				}
				s.fillUp(t, yoga.Dates[0])
			}
			pay.pay(apptest.CardGood).wantTo("/cart/").follow().want(200, "Your hold has expired")
			if n := s.count(t, "payments where status = 'succeeded'"); n != 0 {
				t.Errorf("%d payments succeeded", n)
			}
			f := pay.form("/pay/card")
			f.Action = "/__sim/pay"
			done := f.post(card(apptest.CardGood)...).follow()
			if !full {
				done.want(200, "You’re booked")
				return
			}
			done.want(200, "This was not booked", "it is refunded to your card in full", "$22.00").lacks("Confirmed", "Add to calendar")
			s.letter(t, "ana@example.com", "refunded")
			v.get("/my").want(200).lacks("Sunrise Vinyasa")
		})
	}
}

// TestBookingTheSameSeatTwice requires the other attendee's name.
func TestBookingTheSameSeatTwice(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")

	twice := v.choose(yoga, 0).wantTo("/cart/").follow().want(200, "There is a problem", "You are already booked for Sunrise Vinyasa at this time")
	f := twice.form(twice.url.Path)
	for name := range f.Fields {
		if strings.HasPrefix(name, "who.") {
			f.post(name, "Ben Ruiz").wantTo("/cart/").follow().want(200, "Pay $22.00", "Ben Ruiz")
			return
		}
	}
	t.Error("nobody is asked who is coming")
}

// TestFormsSentTwice have one effect: add, code, payment, confirmation. Each first answer comes again.
func TestFormsSentTwice(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	add := v.get(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa")
	first, second := add.post().wantTo("/cart/"), add.post().wantTo("/cart/")
	if first.to() != second.to() || s.count(t, "carts") != 1 || s.count(t, "cart_items") != 1 {
		t.Fatalf("two clicks: %s and %s, %d carts, %d items", first.to(), second.to(), s.count(t, "carts"), s.count(t, "cart_items"))
	}
	send := first.follow().form("/sign-in")
	send.post("email", "ana@example.com").wantTo("/cart/")
	code := send.post("email", "ana@example.com").wantTo("/cart/").follow().want(200).form("/code")
	digits := s.code(t, "ana@example.com", 0)
	code.post("code", digits).wantTo("/cart/")
	details := code.post("code", digits)
	if n := s.count(t, "challenges"); n != 1 {
		t.Errorf("%d codes were made", n)
	}
	if n := s.count(t, "sessions"); n != 1 {
		t.Errorf("%d sessions were opened", n)
	}
	form := v.open(strings.TrimSuffix(send.p.url.Path, "/sign-in") + "/details").form("/details")
	if details.Status != 303 {
		// The code's cookie went with the first answer, so the second click comes to the first step.
		t.Errorf("the second click on Sign in answers %d", details.Status)
	}
	form.post("name", "Ana Ruiz").wantTo("/cart/")
	pay := form.post("name", "Ana Ruiz").wantTo("/cart/").follow().want(200, "Pay $22.00")
	done := pay.pay(apptest.CardGood)
	again := pay.pay(apptest.CardGood)
	done.follow().want(200, "You’re booked")
	again.follow().want(200, "You’re booked")
	v.open(done.to()).want(200, "You’re booked")
	if n := s.count(t, "payments"); n != 1 {
		t.Errorf("%d payments", n)
	}
	if n := s.count(t, "bookings where state = 'confirmed'"); n != 1 {
		t.Errorf("%d seats are booked", n)
	}
}

// TestClicksAtTheSameTime: ten at once make one cart with one seat.
func TestClicksAtTheSameTime(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.visit(t)
	add := v.get(s.path(yoga, &yoga.Dates[0])).form("/sunrise-vinyasa")
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if p := add.post(); p.Status != 303 {
				t.Errorf("a click answers %d: %s", p.Status, clip(p.text()))
			}
		})
	}
	all.Wait()
	if carts, items := s.count(t, "carts"), s.count(t, "cart_items"); carts != 1 || items != 1 {
		t.Errorf("%d carts, %d items", carts, items)
	}
}
