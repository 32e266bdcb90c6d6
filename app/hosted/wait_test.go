package hosted_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/catalog"
	"foyer/app/tenancy"
	"foyer/app/waitlist"
)

// full is a class of one seat, booked by Ben; free cancels it as Ben would.
func (s *shop) full(t testing.TB, changes ...func(*apptest.OfferingRow)) (c class, free func()) {
	t.Helper()
	c = s.class(t, "Sunrise Vinyasa", 3, append([]func(*apptest.OfferingRow){seats(1)}, changes...)...)
	ben := s.signedIn(t, "ben@example.com", "Ben Other")
	pay := ben.choose(c, 1).follow()
	if pay.hasForm("/pay/card") {
		pay.pay(apptest.CardGood).follow().want(200, "You’re booked")
	} else {
		pay.form("/pay").post().follow().want(200, "You’re booked")
	}
	_, p := s.session(t, "ben@example.com", "Ben Other")
	return c, func() {
		id := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where occurrence_id = $1 and state = 'confirmed'", c.Dates[1].ID)
		if _, err := s.Booking.CancelMine(t.Context(), tenancy.Visitor(p, s.Business.ID, tenancy.SurfaceHosted), id); err != nil {
			t.Fatal(err)
		}
	}
}

// mode is a policy with that waitlist.
func mode(m catalog.WaitlistMode) func(*catalog.Rules) {
	return func(r *catalog.Rules) { r.Waitlist.Mode = m }
}

// waitPath is the page on which people join the list of a date.
func (s *shop) waitPath(c class, date int) string {
	return "/" + s.Location.Slug + "/" + c.Slug + "/waitlist/" + c.Dates[date].ID.String()
}

// offer waits for the mail of that kind and returns the page it leads to.
func (s *shop) offer(t testing.TB, to string, kind waitlist.LetterKind) string {
	t.Helper()
	return "/my/waitlist/" + s.letter(t, to, "waitlist "+string(kind))
}

// TestJoinAWaitlist goes from the full class through the code to a place on the list, and off it again.
func TestJoinAWaitlist(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, _ := s.full(t)
	v := s.visit(t)
	front := v.get("/"+s.Location.Slug).want(200, "Waitlist Sunrise Vinyasa")
	if got := front.link("Waitlist"); got != s.waitPath(c, 1) {
		t.Errorf("the row leads to %s", got)
	}
	chosen := v.get(s.path(c, &c.Dates[1])).want(200, "This date is full", "Join the waitlist").lacks("Book this time")
	join := v.get(chosen.link("Join the waitlist")).want(200, "Join the waitlist", "Sunrise Vinyasa", "Friday, June 12, 9:00 to 10:00 am", "How it works",
		"we hold it for you for 10 minutes and e-mail you", "Spots that open up are offered until Fri, Jun 12, 8:00 am", "You can leave at any time", "E-mail address").lacks("Who’s coming")
	code := join.form("/sign-in").post("email", "ana@example.com").wantTo("/harbour/").follow().want(200, "ana@example.com")
	back := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).wantTo(s.waitPath(c, 1)).follow().want(200, "Your name", "Who’s coming?", "If I get another spot here at this time, remove me from this waitlist")
	back.form("/waitlist/"+c.Dates[1].ID.String()).post("name", " ").want(400, "There is a problem")
	placed := back.form("/waitlist/"+c.Dates[1].ID.String()).post("name", "Ana Ruiz", "drop", "1").wantTo("/my/waitlist/").follow().
		want(200, "You’re on the waitlist", "Number 1 in line", "Friday, June 12", "Leave the waitlist").lacks("Accept spot")
	if n := s.count(t, "waitlist_entries where drop_if_promoted and state = 'waiting'"); n != 1 {
		t.Errorf("%d places", n)
	}
	again := v.get(s.waitPath(c, 1)).want(200, "Who’s coming?").lacks("Your name").form("/waitlist/" + c.Dates[1].ID.String()).post()
	if !strings.HasSuffix(again.to(), placed.url.Path) {
		t.Errorf("joining again leads to %s", again.to())
	}
	v.get("/my").want(200, "Waitlists", "On the waitlist, number 1 in line")
	if got := s.offer(t, "ana@example.com", waitlist.LetterJoined); got != placed.url.Path {
		t.Errorf("the mail leads to %s, the page is %s", got, placed.url.Path)
	}
	f := s.visit(t).get(placed.url.Path).want(200, "Leave the waitlist").form("/leave") // from the mail, signed in or not
	f.post().wantTo(placed.url.Path).follow().want(200, "You’ve left the waitlist").lacks("Leave the waitlist")
	f.post().wantTo(placed.url.Path)
	v.get("/my").want(200).lacks("Waitlists")
}

// TestJoinWhoElse: one person has one place; another attendee has another.
func TestJoinWhoElse(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, _ := s.full(t)
	ben := s.signedIn(t, "ben@example.com", "Ben Other")
	f := ben.get(s.waitPath(c, 1)).form("/waitlist/" + c.Dates[1].ID.String())
	f.post().want(400, "You are already booked for this")
	f.post("attendee", strings.Repeat("x", 121)).want(400, "at most 120 characters")
	f.post("attendee", "Cleo <b>Hart</b>").wantTo("/my/waitlist/").follow().want(200, "Cleo <b>Hart</b>")
}

// TestNoWaitlist redirects to the class if there is no open waitlist.
func TestNoWaitlist(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, free := s.full(t)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get(s.waitPath(c, 0)).wantTo("/harbour/sunrise-vinyasa?time=").follow().want(200, "Book this time")
	v.get("/harbour/sunrise-vinyasa/waitlist/nonsense").want(404)
	v.get("/harbour/sunrise-vinyasa/waitlist/" + uuid.NewString()).want(404)
	v.get("/harbour/nothing/waitlist/" + c.Dates[1].ID.String()).want(404)
	f := v.get(s.waitPath(c, 1)).form("/waitlist/" + c.Dates[1].ID.String())
	s.SetPolicy(t, s.AddPolicy(t, mode(catalog.WaitlistOff)))
	f.post().wantTo("/harbour/sunrise-vinyasa?time=").follow().want(200, "This date is full", "Choose another time below").lacks("Join the waitlist")
	v.get("/"+s.Location.Slug).want(200, "Full Sunrise Vinyasa").lacks("Waitlist Sunrise")
	s.SQL(t, "update locations set policy_id = null")
	free()
	f.post().wantTo("/harbour/sunrise-vinyasa?time=").follow().want(200, "Book this time")
	s.Clock.Set(c.Dates[1].StartsAt.Add(time.Minute))
	v.get(s.waitPath(c, 1)).want(404)
}

// TestAcceptAnOffer: the page of the mail counts down, and taking the place goes on to pay; a scanner that opens it
// does nothing.
func TestAcceptAnOffer(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, free := s.full(t)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get(s.waitPath(c, 1)).form("/waitlist/" + c.Dates[1].ID.String()).post().wantTo("/my/waitlist/")
	free()
	path := s.offer(t, "ana@example.com", waitlist.LetterOffered)
	scanner := s.visit(t)
	for range 3 {
		scanner.get(path).want(200, "A spot is available for you", "Held for you for 10:00", "$22.00", "Accept spot and pay", "Decline spot")
	}
	if n := s.count(t, "waitlist_entries where state = 'offered'"); n != 1 {
		t.Fatal("opening the page has answered")
	}
	v.get("/my").want(200, "A spot is held for you until", "Respond")
	pay := v.get(path).form("/accept").post().wantTo("/cart/").follow().want(200, "Pay $22.00", "Sunrise Vinyasa", "Friday, June 12")
	v.get(path).want(200, "Your spot is held", "Not booked yet").form("/accept").post().wantTo("/cart/") // the same cart
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Friday, June 12")
	v.get(path).want(200, "You’re booked", "See the booking").lacks("Accept spot")
	if n := s.count(t, "bookings where state = 'confirmed' and occurrence_id = $1", c.Dates[1].ID); n != 1 {
		t.Errorf("%d bookings", n)
	}
}

// TestAcceptSignsInFirst: the offer is accepted after signing in.
func TestAcceptSignsInFirst(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, free := s.full(t, priced(0))
	s.signedIn(t, "ana@example.com", "Ana Ruiz").get(s.waitPath(c, 1)).form("/waitlist/" + c.Dates[1].ID.String()).post().wantTo("/my/waitlist/")
	free()
	path := s.offer(t, "ana@example.com", waitlist.LetterOffered)
	before := len(s.codes("ana@example.com"))
	v := s.visit(t)
	door := v.get(path).want(200, "Accept spot").form("/accept").post().wantTo(path+"/sign-in").follow().want(200, "We send you a code")
	code := door.form("/sign-in").post("email", "ana@example.com").follow()
	code.form("/code").post("code", s.code(t, "ana@example.com", before)).wantTo("/receipt/").follow().want(200, "You’re booked", "Sunrise Vinyasa")
	v.get(path).want(200, "You’re booked")
}

// TestOfferToSomebodyElse has a message, with a link to sign in as the right person.
func TestOfferToSomebodyElse(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, free := s.full(t)
	s.signedIn(t, "ana@example.com", "Ana Ruiz").get(s.waitPath(c, 1)).form("/waitlist/" + c.Dates[1].ID.String()).post().wantTo("/my/waitlist/")
	free()
	path := s.offer(t, "ana@example.com", waitlist.LetterOffered)
	v := s.signedIn(t, "cleo@example.com", "Cleo Hart")
	p := v.get(path).want(200, "This spot is held for another customer", "cleo@example.com").lacks("Accept spot", "ana@example.com", "Decline spot")
	s.SQL(t, "update waitlist_entries set person_id = null")
	v.get(path).want(200, "Accept spot").form("/accept").post().want(400, "This spot is held for another customer")
	p.form("/switch").post().wantTo(path+"/sign-in").follow().want(200, "Your e-mail")
	if v.cookie("foyer_session") != "" {
		t.Error("they are still signed in")
	}
}

// TestDeclineAndExpire are shown as they are, whatever is pressed on an old page.
func TestDeclineAndExpire(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, free := s.full(t)
	for _, who := range []string{"ana", "cleo"} {
		s.signedIn(t, who+"@example.com", who).get(s.waitPath(c, 1)).form("/waitlist/" + c.Dates[1].ID.String()).post().wantTo("/my/waitlist/")
	}
	free()
	path := s.offer(t, "ana@example.com", waitlist.LetterOffered)
	page := s.visit(t).get(path).want(200, "Decline spot")
	decline, accept := page.form("/decline"), page.form("/accept")
	decline.post().wantTo(path).follow().want(200, "You declined the spot", "The spot went to the next person in line").lacks("Accept spot")
	decline.post().wantTo(path)
	accept.post().wantTo(path+"/sign-in").follow().want(200, "You declined the spot")

	second := s.offer(t, "cleo@example.com", waitlist.LetterOffered)
	v := s.signedIn(t, "cleo@example.com", "cleo")
	late := v.get(second).want(200, "Accept spot").form("/accept")
	s.rest(t)
	s.Clock.Advance(11 * time.Minute)
	late.post().want(400, "This did not work", "The offer has expired", "The spot went to the next person in line")
	v.get(second).want(200, "The offer has expired").form("/leave").post().follow().want(200, "You’ve left the waitlist")
	v.get("/my/waitlist/" + strings.Repeat("A", 43)).want(404)
	v.get("/my/waitlist/short").want(404)
}

// TestAutoAndRace: an automatically booked customer sees that, and where the first wins there is no position.
func TestAutoAndRace(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, mode(catalog.WaitlistAuto)))
	c, free := s.full(t)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path := v.get(s.waitPath(c, 1)).want(200, "we book it for you", "You then pay for it at the studio.", "you have 30 minutes to cancel free of charge").
		form("/waitlist/"+c.Dates[1].ID.String()).post().follow().want(200, "Number 1 in line", "we book it for you").url.Path
	free()
	s.offer(t, "ana@example.com", waitlist.LetterPromoted)
	p := v.get(path).want(200, "You’re booked", "Booked").lacks("free of charge until")
	v.get(p.link("See the booking")).want(200, "Confirmed", "Sunrise Vinyasa")

	s = open(t)
	s.SetPolicy(t, s.AddPolicy(t, mode(catalog.WaitlistRace)))
	c, free = s.full(t)
	v = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	path = v.get(s.waitPath(c, 1)).want(200, "The first to accept it gets it").form("/waitlist/"+c.Dates[1].ID.String()).post().follow().want(200, "Waiting").lacks("in line").url.Path
	free()
	s.offer(t, "ana@example.com", waitlist.LetterFree)
	race := v.get(path).want(200, "A spot is available", "Accept spot and pay", "Leave the waitlist").form("/accept")
	s.fillUp(t, c.Dates[1])
	race.post().want(400, "This did not work", "This time is full")
}

// TestWaitlistInABrowser joins and accepts on a phone, with script and without.
func TestWaitlistInABrowser(t *testing.T) {
	t.Parallel()
	for name, noScript := range map[string]bool{"with script": false, "without script": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			c, free := s.full(t)
			l := s.look(t, browser.Options{Width: 390, Height: 844, NoScript: noScript})
			l.at("/" + s.Location.Slug)
			l.Click("a[href*='/waitlist/']")
			l.fits()
			l.signIn("ana@example.com")
			l.Fill("#name", "Ana Ruiz")
			l.Click("#drop")
			l.fits()
			l.Click("main form button[type=submit]")
			if got := l.Text(".done"); !strings.Contains(got, "Number 1 in line") {
				t.Fatalf("%s says %q", l.URL(), got)
			}
			l.fits()
			free()
			l.at(s.offer(t, "ana@example.com", waitlist.LetterOffered)).fits()
			if got := l.Text("h1"); got != "A spot is available for you" {
				t.Fatalf("%s says %q", l.URL(), got)
			}
			l.Click("form[action$='/accept'] button")
			l.pays(apptest.CardGood)
			if got := l.Text("h1"); got != "You’re booked" {
				t.Fatalf("%s says %q", l.URL(), got)
			}
			l.quiet()
			if n := s.count(t, "bookings where state = 'confirmed' and occurrence_id = $1", c.Dates[1].ID); n != 1 {
				t.Errorf("%d bookings", n)
			}
		})
	}
}

// TestEveryPageOfAWaitlistIsAccessible checks joining, waiting, an offer, and its outcomes.
func TestEveryPageOfAWaitlistIsAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, free := s.full(t)
	l := s.look(t, browser.Options{})
	l.at(s.path(c, &c.Dates[1])).see("listing-waitlist")
	l.at(s.waitPath(c, 1)).see("wait-sign-in")
	l.signIn("ana@example.com")
	l.see("wait-join")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button[type=submit]")
	l.see("wait-place")
	l.at("/my").see("my-waiting")
	free()
	path := s.offer(t, "ana@example.com", waitlist.LetterOffered)
	l.at(path).see("wait-offer")
	l.at("/my").see("my-offer")
	s.rest(t)
	s.Clock.Advance(11 * time.Minute)
	l.at(path).see("wait-over")
	l.Click("form[action$='/leave'] button")
	l.see("wait-left")
}

// TestPoliciesOfWaitlistsAndBookings: never cached, never framed, and no foreign script runs there.
func TestPoliciesOfWaitlistsAndBookings(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, _ := s.full(t)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	join := s.waitPath(c, 1)
	waiting := v.get(join).form("/waitlist/" + c.Dates[1].ID.String()).post().follow().url.Path
	own := v.books(c, 2)
	for _, path := range []string{join, waiting, own, own + "/cancel", own + "/move", own + "/calendar.ics"} {
		p := v.get(path).want(200)
		if got := p.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
		csp := p.Header.Get("Content-Security-Policy")
		if !strings.HasSuffix(path, ".ics") && (!strings.Contains(csp, "default-src 'self'") || !strings.Contains(csp, "frame-ancestors 'none'")) {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
	for _, path := range []string{join, waiting + "/accept", waiting + "/decline", waiting + "/leave", waiting + "/switch", own + "/cancel", own + "/move"} {
		v.send("POST", path, url.Values{}).want(403, "This form has expired")
	}
	if n := s.count(t, "waitlist_entries where state = 'waiting'"); n != 1 {
		t.Errorf("%d wait", n)
	}
}
