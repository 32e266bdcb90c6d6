package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/booking"
)

// asks fills in the number of people for a date, and their names.
func (v *visitor) asks(c class, date int, people, names string) *page {
	v.t.Helper()
	return v.get(v.s.path(c, &c.Dates[date])).want(200, "How many people").form("/"+c.Slug).post("people", people, "names", names)
}

// TestFriendsOnOneReceipt: three at one class are priced and seated at once, and read as one line from the cart to My
// bookings, where each can be cancelled alone. The desk has an entry for each of them.
func TestFriendsOnOneReceipt(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.asks(yoga, 0, "3", "Ben").follow().want(200, "Added: Sunrise Vinyasa, Thu, Jun 11, 9:00 am, for 3 people.",
		"3 people · you, Ben and Guest 2", "1 class, 3 people", "Pay $66.00")
	if n := s.count(t, "bookings where state = 'held'"); n != 3 {
		t.Fatalf("%d seats are kept", n)
	}
	cart := v.get(pay.link("Edit cart")).want(200, "One more person", "Without a name, it shows Guest 2.")
	pay = cart.form(cart.url.Path).post().follow().want(200, "you, Ben and Guest 2")
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "3 people · you, Ben and Guest 2", "1 class, 3 people")
	if n := strings.Count(v.get(receipt.url.Path+"/calendar.ics").Body, "BEGIN:VEVENT"); n != 1 {
		t.Errorf("%d entries in the calendar", n)
	}
	mine := v.get("/my").want(200, "3 people", "you, Ben and Guest 2", "Details: you", "Details: Ben", "Details: Guest 2")
	if n := strings.Count(mine.Body, `class="booked"`); n != 1 {
		t.Errorf("three friends are %d rows", n)
	}
	roster, err := s.Booking.RosterOf(t.Context(), s.Owner, booking.RosterInput{OccurrenceID: yoga.Dates[0].ID})
	if err != nil || len(roster.Entries.Items) != 3 {
		t.Fatalf("the roster has %d entries (%v)", len(roster.Entries.Items), err)
	}
	v.get(mine.link("Details: Ben")).want(200, "Ben").lacks("Guest 2")
}

// TestFriendsFindNoRoom: there is no room for all of them, so none is booked, and the page shows the free spots and
// keeps the entered values.
func TestFriendsFindNoRoom(t *testing.T) {
	t.Parallel()
	for _, signedIn := range []bool{false, true} {
		t.Run(map[bool]string{true: "signed in", false: "a stranger"}[signedIn], func(t *testing.T) {
			t.Parallel()
			s := open(t)
			yoga := s.class(t, "Sunrise Vinyasa", 2, seats(2))
			v := s.visit(t)
			if signedIn {
				v = s.signedIn(t, "ana@example.com", "Ana Ruiz")
			}
			tight := v.asks(yoga, 0, "3", "Ben, Cleo").want(400, "Not enough spots", "2 spots are left on this date", "nothing was booked")
			if f := tight.form("/sunrise-vinyasa"); f.Fields.Get("people") != "2" || f.Fields.Get("names") != "Ben, Cleo" {
				t.Errorf("the form has %v", f.Fields)
			}
			if n, m := s.count(t, "cart_items"), s.count(t, "bookings where state = 'held'"); n != 0 || m != 0 {
				t.Errorf("%d items and %d seats stay", n, m)
			}
			tight.form("/sunrise-vinyasa").post("names", "Ben").wantTo("/cart/")
			if n := s.count(t, "cart_items"); n != 2 {
				t.Errorf("%d people are in the cart", n)
			}
		})
	}
}

// TestAnotherOfTheSameClass raises the number, and the page says so before and after; after the last spot it has the
// reason why not.
func TestAnotherOfTheSameClass(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1, seats(3))
	v := s.visit(t)
	v.choose(yoga, 0).wantTo("/cart/")
	more := v.get(s.path(yoga, &yoga.Dates[0])).want(200, "Already in your cart: 1 person.", "How many more people?", "Up to 2", "Add to cart")
	more.form("/sunrise-vinyasa").post("people", "1", "names", "Ben").wantTo("/cart/").follow().want(200, "for 2 people", "you and Ben", "$44.00")
	v.choose(yoga, 0).follow().want(200, "you, Ben and Guest 2", "$66.00")
	v.get(s.path(yoga, &yoga.Dates[0])).want(200, "All remaining spots are already in your cart.").lacks("Add to cart", "Book this time")
	more.form("/sunrise-vinyasa").post("people", "2").want(400, "Not enough spots")
	v.get("/"+s.Location.Slug).want(200, "1 class, 3 people", "$66.00")
}

// tap touches the middle of the first match with a finger.
func (l *looker) tap(sel string) {
	l.t.Helper()
	l.TapAt(sel, 0.5, 0.5)
}

// TestFriendsByTouch: two friends book one class in one order on a phone, with script and without, and one cancels
// late.
func TestFriendsByTouch(t *testing.T) {
	t.Parallel()
	for name, noScript := range map[string]bool{"with script": false, "without script": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			yoga := s.class(t, "Sunrise Vinyasa", 1, seats(4))
			l := s.look(t, browser.Options{Width: 390, Height: 844, NoScript: noScript})
			tap := l.Click // a finger's touch is held until the page is painted, which takes script to see
			if !noScript {
				tap = l.tap
			}
			l.at(s.path(yoga, &yoga.Dates[0]))
			if noScript {
				l.Fill("#people", "2")
			} else {
				tap("[data-step='1']")
			}
			tap(".pick summary")
			l.Fill("#names", "Ben")
			l.fits()
			if !noScript {
				l.Axe(t)
			}
			tap("#book button")
			l.signIn("ana@example.com")
			l.Fill("#name", "Ana Ruiz")
			tap("main form button")
			l.Wait("#number")
			if got := l.order().Text(".order"); !strings.Contains(got, "you and Ben") || !strings.Contains(got, "$44.00") {
				t.Fatalf("the order is %q", got)
			}
			l.fits()
			l.pays(apptest.CardGood)
			l.Wait(".items")
			if got := l.Text(".items"); !strings.Contains(got, "2 people · you and Ben") {
				t.Errorf("the receipt says %q", got)
			}
			s.rest(t)
			s.Clock.Set(yoga.Dates[0].StartsAt.Add(-time.Hour))
			l.at("/my")
			l.Wait(".booked .do a:nth-child(2)")
			which := 1
			if !strings.Contains(l.Text(".booked .do a:nth-child(1)"), "Ben") {
				which = 2
			}
			tap([]string{"", ".booked .do a:nth-child(1)", ".booked .do a:nth-child(2)"}[which])
			tap("a[href*='/cancel']")
			l.fits()
			tap("form[action*='/cancel'] button")
			l.Wait(".note")
			l.quiet()
			roster, err := s.Booking.RosterOf(t.Context(), s.Owner, booking.RosterInput{OccurrenceID: yoga.Dates[0].ID})
			if err != nil {
				t.Fatal(err)
			}
			states := map[string]booking.State{}
			for _, e := range roster.Entries.Items {
				states[e.Attendee] = e.State
			}
			if states[""] != booking.Confirmed || states["Ben"] == booking.Confirmed {
				t.Errorf("the roster has %v", states)
			}
			if n := s.count(t, "bookings where attendee = 'Ben' and state = 'late_cancelled'"); n != 1 {
				t.Errorf("%d bookings were cancelled late", n)
			}
		})
	}
}

// TestSetAsideByTouch: a class of the cart fills up, and the others are booked all the same.
func TestSetAsideByTouch(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v := s.visit(t)
	v.choose(yoga, 0).wantTo("/cart/")
	v.choose(yoga, 1).wantTo("/cart/")
	cart := v.get("/" + s.Location.Slug).link("Continue")
	s.fillUp(t, yoga.Dates[0])
	l := s.look(t, browser.Options{Width: 390, Height: 844})
	l.at(cart)
	if got := l.Text("section[aria-labelledby='aside']"); !strings.Contains(got, "This date is full now.") || !strings.Contains(got, "June 11") {
		t.Fatalf("set aside is %q", got)
	}
	l.fits()
	l.Axe(t)
	l.tap("#go button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.tap("main form button")
	l.pays(apptest.CardGood)
	l.Wait(".items")
	if got := l.Text(".items"); !strings.Contains(got, "June 12") || strings.Contains(got, "June 11") {
		t.Errorf("booked is %q", got)
	}
	l.quiet()
}

// TestSetAsideLeavesTheRest: each reason stands at its line, the total is without it, and continuing books the others
// at once.
func TestSetAsideLeavesTheRest(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga, slow := s.class(t, "Sunrise Vinyasa", 3), s.class(t, "Slow Burn", 1)
	v := s.visit(t)
	v.choose(yoga, 0).wantTo("/cart/")
	v.choose(yoga, 1).wantTo("/cart/")
	v.choose(slow, 0).wantTo("/cart/").follow().want(200, "Added: Slow Burn")
	path := v.get("/" + s.Location.Slug).link("Continue")
	token, _ := s.session(t, "ana@example.com", "Ana Ruiz")
	v.setCookie("foyer_session", token)
	s.SQL(t, "update occurrences set state = 'cancelled' where id = $1", yoga.Dates[0].ID)
	s.SQL(t, "update offerings set price_amount = 2500 where id = $1", slow.ID)
	cart := v.get(path).want(200, "Not included", "The studio has cancelled this date.", "It costs more than when you added it.", "Keep it for $25.00",
		"1 class $22.00", "Continue without these items")
	cart.form(path).post().wantTo(path+"/pay").follow().want(200, "Pay $22.00").lacks("Slow Burn")
	if n := s.count(t, "cart_items"); n != 1 {
		t.Errorf("%d items stay", n)
	}
}
