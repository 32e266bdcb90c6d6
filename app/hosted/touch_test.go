package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/booking"
	"foyer/app/view"
	"foyer/app/waitlist"
	"foyer/app/words"
)

// finger is a customer with a phone, held in a hand. No element is found by its text, so the same
// journey works in any language; the texts must then be in that language.
type finger struct {
	*looker
	in    *words.Lang
	taps  int
	plain bool // no script: a click stands in for a touch, which waits for one to be painted
}

// speaks chooses a language at the foot of the page. English is the browser's default.
func (f *finger) speaks() {
	f.t.Helper()
	if f.in.Base() == words.English {
		return
	}
	f.tap("footer details:has(.tongues) summary")
	f.tap(".tongues a[hreflang='" + f.in.Base() + "']")
	if got := browser.Eval[string](f.Page, "document.documentElement.lang"); !strings.HasPrefix(got, f.in.Base()+"-") {
		f.t.Fatalf("the page is in %q", got)
	}
}

// reads fails unless the first match begins with these words.
func (f *finger) reads(sel, want string) {
	f.t.Helper()
	if got := strings.Join(strings.Fields(f.Text(sel)), " "); !strings.HasPrefix(got, strings.Join(strings.Fields(want), " ")) {
		f.t.Errorf("%s of %s reads %q, want %q", sel, f.URL(), got, want)
	}
}

// tap touches the middle of the first match.
func (f *finger) tap(sel string) {
	f.t.Helper()
	f.taps++
	if f.plain {
		f.Click(sel)
	} else {
		f.TapAt(sel, 0.5, 0.5)
	}
	f.fits()
}

// signsIn with the code that is mailed.
func (f *finger) signsIn(email string) {
	f.t.Helper()
	before := len(f.s.codes(email))
	f.reads("main form button", f.in.T("Send me a code"))
	f.Fill("#email", email)
	f.tap("main form button")
	f.reads("h1", f.in.T("Enter your code"))
	f.reads("main form button", f.in.T("Sign in"))
	f.Fill("#code", f.s.code(f.t, email, before))
	f.tap("main form button")
}

// isNamed enters the customer's name, on a page with this heading and button.
func (f *finger) isNamed(name, heading, button string) {
	f.t.Helper()
	f.reads("h1", heading)
	f.reads("main form button[type=submit]", button)
	f.Fill("#name", name)
	f.tap("main form button[type=submit]")
}

// pays with the card form of the simulator.
func (f *finger) pays(card string, minor int64) {
	f.t.Helper()
	f.reads("h1", f.in.C("title", "Pay"))
	amount := view.Words{Locale: f.in.Tag()}.Money(view.Price{Minor: minor, Currency: "USD"})
	f.reads("form[action*='/pay/card'] button", f.in.C("button", "Pay {amount}", "amount", amount))
	f.Fill("#number", card)
	f.Fill("#exp", "12/34")
	f.Fill("#cvc", "123")
	f.tap("form[action*='/pay/card'] button")
}

// reaches fails unless the browser comes to an address below that path.
func (f *finger) reaches(path string) {
	f.t.Helper()
	for end := time.Now().Add(30 * time.Second); !strings.HasPrefix(f.URL(), f.s.URL+path); time.Sleep(50 * time.Millisecond) { // real time: a browser's
		if time.Now().After(end) {
			f.t.Fatalf("the browser is at %s, not at %s", f.URL(), path)
		}
	}
	f.fits()
}

// tongues are the languages in which the journeys are made, at a studio that speaks English.
var tongues = []string{words.English, "de"}

// inEveryTongue makes a journey once in each. Words that are the same in two languages would prove nothing: the
// button of the first page is not.
func inEveryTongue(t *testing.T, journey func(s *shop, f *finger)) {
	for _, locale := range tongues {
		t.Run(locale, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			f := &finger{looker: s.look(t, browser.Options{Width: 390, Height: 844}), in: words.In(locale + "-US")}
			if locale != words.English && f.in.T("Book this time") == "Book this time" {
				t.Fatalf("there are no words of %s", locale)
			}
			journey(s, f)
			f.quiet()
		})
	}
}

// standing are the states of the bookings of a date, by attendee, as the studio's roster has them.
func (s *shop) standing(t testing.TB, date uuid.UUID) map[string]booking.State {
	t.Helper()
	roster, err := s.Booking.RosterOf(t.Context(), s.Owner, booking.RosterInput{OccurrenceID: date})
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]booking.State{}
	for _, e := range roster.Entries.Items {
		states[e.Attendee] = e.State
	}
	return states
}

// Two friends book one class in one order, and one of them cancels late: the other keeps the seat, and nothing comes
// back.
func TestJourneyOfTwoFriends(t *testing.T) {
	t.Parallel()
	inEveryTongue(t, func(s *shop, f *finger) {
		yoga := s.class(f.t, "Sunrise Vinyasa", 1, seats(4))
		f.at("/" + s.Location.Slug)
		f.speaks()
		f.reads("h1", f.in.N(14, "Schedule: next {n} day", "Schedule: next {n} days"))
		f.reads("main .row .btn", f.in.C("action", "Book"))
		f.tap("main .row .btn")
		f.tap("[data-step='1']")
		f.tap(".pick summary")
		f.Fill("#names", "Ben")
		f.reads("#book button[type=submit]", f.in.T("Book this time"))
		f.tap("#book button")
		f.reads("h1", f.in.T("Your e-mail"))
		f.signsIn("ana@example.com")
		f.isNamed("Ana Ruiz", f.in.T("About you"), f.in.T("Continue"))
		f.reaches("/cart/")
		f.pays(apptest.CardGood, 4400)
		f.reaches("/receipt/")
		f.reads("h1", f.in.T("You’re booked"))
		if n := s.count(f.t, "orders where state = 'fulfilled' and total_amount = 4400"); n != 1 {
			f.t.Fatalf("%d orders of both", n)
		}
		s.rest(f.t)
		s.Clock.Set(yoga.Dates[0].StartsAt.Add(-time.Hour))
		f.at("/my")
		f.reads("h1", f.in.T("My bookings"))
		ben := apptest.Value[uuid.UUID](f.t, s.World, "select id from bookings where attendee = 'Ben'").String()
		f.tap(".booked a[href*='" + ben + "']")
		f.reads("a[href*='/cancel']", f.in.C("button", "Cancel"))
		f.tap("a[href*='/cancel']")
		f.reads("h1", f.in.T("Cancel this booking?"))
		f.reads("form[action*='/cancel'] button", f.in.T("Cancel booking"))
		f.tap("form[action*='/cancel'] button")
		f.reaches("/my")
		s.rest(f.t)
		if got := s.standing(f.t, yoga.Dates[0].ID); got[""] != booking.Confirmed || got["Ben"] == booking.Confirmed {
			f.t.Errorf("the roster has %v", got)
		}
		if n, m := s.count(f.t, "bookings where attendee = 'Ben' and state = 'late_cancelled'"), s.count(f.t, "refunds"); n != 1 || m != 0 {
			f.t.Errorf("%d cancelled late, %d refunds", n, m)
		}
	})
}

// A returning customer books a free class in three taps: the class, the seat, and the confirmation.
func TestJourneyInThreeTaps(t *testing.T) {
	t.Parallel()
	inEveryTongue(t, func(s *shop, f *finger) {
		free := s.class(f.t, "Open House", 2, priced(0))
		book := func(taps int) {
			f.at("/" + s.Location.Slug)
			if taps > 3 {
				f.speaks()
			}
			f.taps = 0
			f.reads("main .row .btn", f.in.C("action", "Book"))
			f.tap("main .row .btn")
			f.reads("#book button[type=submit]", f.in.T("Book this time"))
			f.tap("#book button")
			if taps > 3 {
				f.signsIn("ana@example.com")
				f.isNamed("Ana Ruiz", f.in.T("About you"), f.in.T("Continue"))
			}
			f.reaches("/cart/")
			f.reads("h1", f.in.T("Confirm your booking"))
			f.reads("form[action$='/pay'] button[type=submit]", f.in.T("Book now"))
			f.tap("form[action$='/pay'] button[type=submit]")
			f.reaches("/receipt/")
			f.reads("h1", f.in.T("You’re booked"))
			if f.taps != taps {
				f.t.Errorf("%d taps, want %d", f.taps, taps)
			}
		}
		book(6)
		s.Clock.Set(free.Dates[0].StartsAt.Add(2 * time.Hour))
		book(3)
		for _, date := range free.Dates {
			if n := s.count(f.t, "bookings where occurrence_id = $1 and state in ('confirmed', 'completed')", date.ID); n != 1 {
				f.t.Errorf("%d bookings of %s", n, date.StartsAt)
			}
		}
	})
}

// A class is full; a waiting customer gets an offer when a seat is free, accepts it and pays.
func TestJourneyFromTheWaitlist(t *testing.T) {
	t.Parallel()
	inEveryTongue(t, func(s *shop, f *finger) {
		yoga, free := s.full(f.t)
		f.at("/" + s.Location.Slug)
		f.speaks()
		join := "main a[href*='/waitlist/" + yoga.Dates[1].ID.String() + "']"
		f.reads(join, f.in.C("action", "Waitlist"))
		f.tap(join)
		f.reads("h1", f.in.T("Join the waitlist"))
		f.signsIn("ana@example.com")
		f.isNamed("Ana Ruiz", f.in.T("Join the waitlist"), f.in.T("Join the waitlist"))
		f.reaches("/my/waitlist/")
		f.reads("h1", f.in.T("You’re on the waitlist"))
		s.rest(f.t)
		free()
		s.rest(f.t)
		f.at(s.offer(f.t, "ana@example.com", waitlist.LetterOffered))
		f.reads("h1", f.in.T("A spot is available for you"))
		f.tap("form[action$='/accept'] button")
		f.reaches("/cart/")
		f.pays(apptest.CardGood, 2200)
		f.reaches("/receipt/")
		f.reads("h1", f.in.T("You’re booked"))
		if got := s.standing(f.t, yoga.Dates[1].ID); got[""] != booking.Confirmed || len(got) != 1 {
			f.t.Errorf("the roster has %v", got)
		}
		if n := s.count(f.t, "payments where outcome = 'fulfilled' and amount = 2200"); n != 2 {
			f.t.Errorf("%d have paid, want Ben and Ana", n)
		}
	})
}
