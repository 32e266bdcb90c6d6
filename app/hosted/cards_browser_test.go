package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/schedule"
	"foyer/app/waitlist"
	"foyer/app/words"
)

// smallPhone returns a visitor with the smallest phone, with script or without.
func smallPhone(noScript bool) browser.Options {
	return browser.Options{Width: 360, Height: 800, NoScript: noScript}
}

// onAPhone makes a journey by touch on the smallest phone, with script and without.
func onAPhone(t *testing.T, journey func(s *shop, f *finger)) {
	for name, noScript := range map[string]bool{"with script": false, "without script": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			f := &finger{looker: s.look(t, smallPhone(noScript)), in: words.In("en-US"), plain: noScript}
			journey(s, f)
			f.quiet()
		})
	}
}

// axe holds the page that is open against axe, which needs a script.
func (f *finger) axe() {
	f.t.Helper()
	if !f.plain {
		f.Axe(f.t)
	}
}

// sound fails when something sticks out of the page or a short word is broken, and for barriers.
func (f *finger) sound() {
	f.t.Helper()
	o := smallPhone(f.plain)
	f.Fits(f.t, []int{o.Width})
	f.Resize(o.Width, o.Height)
	f.axe()
}

// pictured is see, where there is a script.
func (f *finger) pictured(name string) {
	f.t.Helper()
	if !f.plain {
		f.see(name)
		o := smallPhone(f.plain)
		f.Resize(o.Width, o.Height)
	}
}

// joins is a new customer at the last step of booking a date.
func (f *finger) joins(c class, date int, email string) {
	f.t.Helper()
	f.picks(c, date)
	f.signsIn(email)
	f.isNamed("Ana Ruiz", "About you", "Continue")
	f.reaches("/cart/")
}

// picks presses Book on the page of a date.
func (f *finger) picks(c class, date int) {
	f.t.Helper()
	f.at(f.s.path(c, &c.Dates[date]))
	f.tap("#book button[type=submit]")
}

// types pays with a card that is typed, and has it kept.
func (f *finger) types(card string, keep bool) {
	f.t.Helper()
	if f.Exists("details.fold:has(#number):not([open]) summary") {
		f.tap("details.fold:has(#number) summary")
	}
	f.Fill("#number", card)
	f.Fill("#exp", "12/34")
	f.Fill("#cvc", "123")
	if keep {
		f.tap("label[for=keep]")
	}
	f.tap("form[action*='/pay/card'] button")
}

// shows fails unless the page has all of these texts.
func (f *finger) shows(what ...string) {
	f.t.Helper()
	said := strings.Join(strings.Fields(f.Text("main")), " ")
	for _, w := range what {
		if w = strings.Join(strings.Fields(w), " "); !strings.Contains(said, w) {
			f.t.Errorf("%s lacks %q: %s", f.URL(), w, clip(said))
		}
	}
}

// later advances the clock by d and runs the processor's own events meanwhile.
func (s *shop) later(t testing.TB, d time.Duration) {
	t.Helper()
	s.rest(t)
	s.Clock.Advance(d)
	for range 2 { // the second round may complete the first one's work
		if err := s.jobs.Sweeps(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.rest(t)
	}
}

// cardStory is the experience of a customer with a card, and its effect for the studio.
type cardStory struct {
	card  string
	bank  string // their answer to the bank's authentication; empty: there is none
	says  string // why it is declined; empty: it pays
	state string // of the payment then, with its failure
}

// cardStories run in parallel, each list of them in a shop of its own.
var cardStories = map[string][]cardStory{
	"declined": {
		{card: "4000000000000002", says: "Your bank declined the card", state: "awaiting_method generic_decline"},
		{card: "4000000000009995", says: "This card has insufficient funds", state: "awaiting_method insufficient_funds"},
		{card: "4000000000000069", says: "This card has expired", state: "awaiting_method expired_card"},
	},
	"the bank asks": {
		{card: "4000002760003184", bank: "fail", says: "Your bank could not verify your identity", state: "awaiting_method payment_intent_authentication_failure"},
		{card: "4000002760003184", bank: "authorise", state: "succeeded "},
	},
	"paid, and then": {
		{card: "4242424242424242", state: "succeeded "},
		{card: "4000000000000259", state: "succeeded "},
		{card: "4000000000005126", state: "succeeded "},
	},
}

// TestEveryCardInABrowser: each card of the simulator has its documented effect. A declined card has a message with
// the remedy, the spots stay held, and another card pays. Days later the studio has the dispute of one, and a failed
// refund of another; the receipt mentions it.
func TestEveryCardInABrowser(t *testing.T) {
	t.Parallel()
	for name, stories := range cardStories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onAPhone(t, func(s *shop, f *finger) {
				yoga := s.class(f.t, "Sunrise Vinyasa", len(stories)+4)
				receipts := map[string]string{}
				for i, c := range stories {
					if i == 0 {
						f.joins(yoga, i+4, "ana@example.com")
					} else {
						f.picks(yoga, i+4)
					}
					f.tells(c, yoga.Dates[i+4].ID)
					receipts[c.card] = strings.TrimPrefix(f.URL(), s.URL)
				}
				if n := s.count(f.t, "payments where status = 'succeeded' and amount = 2200"); n != len(stories) || s.count(f.t, "payments") != n {
					f.t.Errorf("%d payments of %d orders", n, len(stories))
				}
				if name == "paid, and then" {
					f.daysLater(receipts, yoga.Dates[len(stories)+3].ID)
				}
			})
		})
	}
}

// tells runs the story of a card, from the last step of booking a date to the receipt.
func (f *finger) tells(c cardStory, date uuid.UUID) {
	f.t.Helper()
	f.types(c.card, false)
	if c.bank != "" {
		f.reads("h1", "Is this payment yours?")
		f.axe()
		f.tap("button[value=" + c.bank + "]")
	}
	if got := apptest.Value[string](f.t, f.s.World, `select p.status || ' ' || p.failure_code from payments p join bookings b on b.order_id = p.order_id
		where b.occurrence_id = $1`, date); got != c.state {
		f.t.Errorf("%s: the payment is %q", c.card, got)
	}
	if c.says != "" {
		f.reads("[role=alert]", c.says)
		f.shows("Nothing was charged, and your spots are still held.")
		f.axe()
		f.types(apptest.CardGood, false)
	}
	f.reads("h1", "You’re booked")
	f.axe()
	if got := f.s.standing(f.t, date); got[""] != booking.Confirmed {
		f.t.Errorf("%s: the roster has %v", c.card, got)
	}
}

// daysLater one card has a dispute, and the refund of the last date, which is cancelled, has failed.
func (f *finger) daysLater(receipts map[string]string, last uuid.UUID) {
	f.t.Helper()
	s := f.s
	f.cancels(apptest.Value[uuid.UUID](f.t, s.World, "select id from bookings where occurrence_id = $1", last))
	f.at(receipts["4000000000005126"])
	f.reads("h1", "This booking was cancelled")
	s.later(f.t, 26*time.Hour)
	f.at(receipts["4000000000005126"])
	f.shows("$22.00 could not be refunded to your card. The studio will contact you.")
	f.axe()
	if n := s.count(f.t, "refunds where state = 'failed' and amount = 2200"); n != 1 {
		f.t.Errorf("%d refunds failed", n)
	}
	f.at(receipts["4000000000000259"])
	f.reads("h1", "You’re booked")
	if n := s.count(f.t, `disputes d join payments p on p.id = d.payment_id where d.amount = 2200 and d.status = 'needs_response'`); n != 1 {
		f.t.Errorf("%d disputes", n)
	}
}

// cancels cancels an own booking on its page, and confirms the effects.
func (f *finger) cancels(id uuid.UUID) {
	f.t.Helper()
	f.s.rest(f.t)
	f.at("/my/bookings/" + id.String())
	f.tap("a[href*='/cancel']")
	f.reads("h1", "Cancel this booking?")
	f.axe()
	f.tap("form[action*='/cancel'] button")
	f.reaches("/my/bookings/")
	f.s.rest(f.t)
}

// TestSavedCardsInABrowser: a saved card pays the next time in three taps, the first authentication is enough for a
// fee charged without the customer, and a card that works only once has a message when it is declined.
func TestSavedCardsInABrowser(t *testing.T) {
	t.Parallel()
	for card, story := range map[string]struct{ bank, again, fee string }{
		"4242424242424242": {again: "You’re booked", fee: "paid "},
		"4000002500003155": {bank: "authorise", fee: "paid "},
		"4000000000000341": {again: "Your bank declined the card", fee: "due generic_decline"},
	} {
		t.Run(card, func(t *testing.T) {
			t.Parallel()
			onAPhone(t, func(s *shop, f *finger) {
				s.SetPolicy(f.t, s.AddPolicy(f.t, func(r *catalog.Rules) {
					r.Cancel.FreeUntilMinutes, r.Cancel.LateFromMinutes, r.Cancel.LateFeeAmount, r.NoShow.ReviewMinutes = 0, 24*60, 1000, 60
				}))
				yoga := s.class(f.t, "Sunrise Vinyasa", 3)
				f.joins(yoga, 1, "ana@example.com")
				f.types(card, true)
				if story.bank != "" {
					f.tap("button[value=" + story.bank + "]")
				}
				f.reads("h1", "You’re booked")
				if story.again != "" {
					f.at("/" + s.Location.Slug)
					f.taps = 0
					f.tap("main .row .btn")
					f.tap("#book button[type=submit]")
					f.reads("form[action*='/pay/kept'] button", "Pay $22.00")
					f.axe()
					f.tap("form[action*='/pay/kept'] button")
					f.shows(story.again)
					if f.taps != 3 {
						f.t.Errorf("it took %d taps", f.taps)
					}
				}
				first := apptest.Value[uuid.UUID](f.t, s.World, "select id from bookings where state = 'confirmed' and occurrence_id = $1", yoga.Dates[1].ID)
				s.rest(f.t)
				s.Clock.Set(yoga.Dates[1].StartsAt.Add(-2 * time.Hour))
				if f.at("/my"); f.Exists("#email") {
					f.signsIn("ana@example.com")
				}
				f.cancels(first)
				s.later(f.t, time.Hour)
				if got := apptest.Value[string](f.t, s.World, "select state || ' ' || charge_failed from fees"); got != story.fee {
					f.t.Errorf("the fee is %q", got)
				}
				f.at("/my/payments")
				if story.fee == "paid " {
					f.shows("Late-cancellation fee: Sunrise Vinyasa", "$10.00")
				}
				f.axe()
			})
		})
	}
}

// TestMoneyInABrowser: a service fee has its line in the cart, at the last step and on the receipt; credit pays first
// unless the customer chooses otherwise, and a card the remainder with a smaller fee; refunds go to each payment
// method, and the receipt lists them. A studio that cancels refunds the service fee, too.
func TestMoneyInABrowser(t *testing.T) {
	t.Parallel()
	onAPhone(t, func(s *shop, f *finger) {
		s.SQL(f.t, "update businesses set fee_mode = 'split' where business_id = $1", s.Business.ID)
		yoga := s.class(f.t, "Sunrise Vinyasa", 6)
		f.joins(yoga, 3, "ana@example.com")
		f.reads("form[action*='/pay/card'] button", "Pay $22.22")
		f.order()
		f.shows("Service fee", "$0.22", "$22.22")
		f.types(apptest.CardGood, false)
		f.shows("Service fee", "$0.22", "Paid with Visa ending 4242")
		s.credits(f.t, "ana@example.com", 1200)

		f.picks(yoga, 4)
		f.reads("#credit", "Your credit")
		f.shows("$12.00 is paid with your credit of $12.00.", "Pay without my credit")
		f.reads("form[action*='/pay/card'] button", "Pay $10.10")
		f.pictured("pay-credit")
		f.tap("form[action*='/pay/credit'] button")
		f.reads("form[action*='/pay/credit'] button", "Use my credit, $12.00")
		f.reads("form[action*='/pay/card'] button", "Pay $22.22")
		f.tap("form[action*='/pay/credit'] button")
		f.order()
		f.shows("Service fee", "$0.10", "Amount due")
		f.tap("details.above .acts a")
		f.reads("h1", "Your booking")
		f.shows("Service fee", "$0.10", "$22.10", "Amount due")
		f.pictured("cart-credit")
		f.tap("form[id=go] button")
		f.types(apptest.CardGood, false)
		f.reads("h1", "You’re booked")
		f.shows("Service fee", "$22.10", "Paid with your credit", "$12.00", "Paid with Visa ending 4242", "$10.10")
		f.pictured("receipt-credit")
		mixed := strings.TrimPrefix(f.URL(), s.URL)

		f.cancels(apptest.Value[uuid.UUID](f.t, s.World, "select id from bookings where occurrence_id = $1", yoga.Dates[4].ID))
		s.later(f.t, time.Minute)
		f.at(mixed)
		f.reads("h1", "This booking was cancelled")
		f.shows("$10.00 was refunded to your card", "$12.00 of it was refunded as credit with the studio.")
		f.pictured("receipt-back")
		if n := s.count(f.t, "credits where balance = 1200"); n != 1 {
			f.t.Error("the credit is not back")
		}

		f.picks(yoga, 5)
		f.types(apptest.CardGood, false)
		third := strings.TrimPrefix(f.URL(), s.URL)
		calendar := schedule.New(schedule.Options{DB: s.DB, Bookings: waitlist.Calendar(s.Booking), Cards: s.Billing.Env()})
		if _, err := calendar.CancelDate(f.t.Context(), s.Owner, schedule.CancelDateInput{OfferingID: yoga.ID, OccurrenceID: yoga.Dates[5].ID}); err != nil {
			f.t.Fatal(err)
		}
		s.later(f.t, time.Minute)
		f.at(third)
		f.reads("h1", "The studio cancelled this booking")
		f.shows("$10.10 was refunded to your card", "$12.00 of it was refunded as credit with the studio.")
		f.axe()
	})
}
