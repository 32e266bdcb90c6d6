package hosted_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/apptest/untranslated"
	"foyer/app/civil"
	plans "foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/view"
	"foyer/app/words"
)

// planJourneys are what customers do with plans, by name. They are made one after the other at one studio, each by a
// customer of their own, and may advance the clock.
var planJourneys = []struct {
	name string
	make func(f *finger, on *planStudio)
}{
	{"a pack", (*finger).usesPack},
	{"the next period", (*finger).booksNextPeriod},
	{"a membership", (*finger).livesWithMembership},
}

// planStudio is a studio with plans on sale, and a class.
type planStudio struct {
	yoga             class
	pack, few, intro plans.Plan
}

// TestJourneysOfPlans makes every journey on the smallest phone, with script and without, in two languages. Every page
// on the way fits the phone, has targets for a finger, no barrier, and no English where it is German.
func TestJourneysOfPlans(t *testing.T) {
	t.Parallel()
	for _, locale := range tongues {
		for how, noScript := range map[string]bool{"with script": false, "without script": true} {
			t.Run(locale+" "+how, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				on := s.withPlans(t)
				for _, j := range planJourneys {
					t.Run(j.name, func(t *testing.T) {
						f := &finger{looker: s.look(t, smallPhone(noScript)), in: words.In(locale + "-US"), plain: noScript}
						j.make(f, on)
						f.quiet()
						s.CheckBooks(t)
					})
				}
			})
		}
	}
}

// withPlans sells a pack, a membership with credits, and one with an introductory price that can be frozen.
func (s *shop) withPlans(t testing.TB) *planStudio {
	t.Helper()
	few, intro := monthly(), monthly()
	few.Name, few.PriceAmount, few.Benefits = "Two a month", 4000, []plans.Benefit{{Credits: new(2)}}
	intro.Renewal = plans.Renewal{IntroAmount: 5000, IntroPeriods: 1}
	intro.Freeze = rules.Freeze{Allowed: true, MinDays: 7, MaxDays: 30, PerYear: 2}
	return &planStudio{
		yoga: s.class(t, "Sunrise Vinyasa", 3),
		pack: s.sellsPlan(t, pack(10)), few: s.sellsPlan(t, few), intro: s.sellsPlan(t, intro),
	}
}

// usesPack finds the pack from the timetable, buys it as a new customer, books a class with a credit, and reads what
// is left.
func (f *finger) usesPack(on *planStudio) {
	f.opens("ana@example.com", "")
	f.press(".below a[href$='/plans']")
	f.shows(on.pack.Name, f.in.N(10, "{n} credit for {offerings}", "{n} credits for {offerings}",
		"offerings", f.in.T("all classes")))
	f.page("pack-plans")
	f.press("#plan-" + on.pack.ID.String() + " button")
	f.shows(on.pack.Name, f.money(12000))
	f.page("pack-cart")
	f.press("form#go button[type=submit]")
	f.signsIn("ana@example.com")
	f.isNamed("Ana Ruiz", f.in.T("About you"), f.in.T("Continue"))
	f.reaches("/cart/")
	f.page("pack-pay")
	f.pays(apptest.CardGood, 12000)
	f.reaches("/receipt/")
	f.reads("h1", f.in.T("Paid, thank you"))
	f.page("pack-receipt")
	f.press("main a[href^='/my/plans']")
	f.shows(f.in.C("plans", "Active") + " " + on.pack.Name + " " + f.left(10))
	f.page("pack-mine")
	f.press(".items li > p:last-child a")
	f.page("pack-history")
	f.press("main .acts a.btn")
	f.press("main .row .btn")
	f.press("#book button[type=submit]")
	f.reads("h1", f.in.T("Confirm your booking"))
	paid := f.in.T("Paid with {plan}: {credits}", "plan", on.pack.Name, "credits", f.in.N(1, "{n} credit", "{n} credits"))
	f.shows(paid, f.in.T("There is nothing to pay."))
	f.page("pack-confirm")
	f.press("form[action$='/pay'] button[type=submit]")
	f.reads("h1", f.in.T("You’re booked"))
	f.shows(on.yoga.Name, paid)
	f.page("pack-booked")
	f.press("header nav a")
	f.shows(on.yoga.Name)
	f.page("pack-bookings")
	f.press("main a[href^='/my/plans']")
	f.shows(f.left(9))
	f.press(".items li > p:last-child a")
	f.shows(f.in.C("credits", "Booking"), "−"+f.in.N(1, "{n} credit", "{n} credits"), on.yoga.Name)
	f.page("pack-used")
}

// booksNextPeriod books a class after the end of the period that is paid, with a credit of the next one, which is then
// paid by the saved card; the credit stays used.
func (f *finger) booksNextPeriod(on *planStudio) {
	began := f.today()
	f.s.signedIn(f.t, "caro@example.com", "Caro Lind").joins(on.few, apptest.CardGood)
	renews := nextMonth(began)
	later := on.yoga
	later.Dates = []apptest.OccurrenceRow{f.s.AddOccurrence(f.t, on.yoga.OfferingRow, f.s.noon(renews.AddDays(4)))}
	f.opens("caro@example.com", "Caro Lind")
	f.at(f.s.path(later, &later.Dates[0]))
	f.page("next-class")
	f.press("#book button[type=submit]")
	paid := f.in.T("Paid with {plan}: {credits}", "plan", on.few.Name, "credits", f.in.N(1, "{n} credit", "{n} credits"))
	f.shows(paid)
	f.page("next-confirm")
	f.press("form[action$='/pay'] button[type=submit]")
	f.reads("h1", f.in.T("You’re booked"))
	f.shows(paid)
	f.at("/my/plans")
	f.shows(f.left(2))
	f.page("next-mine")
	f.press(".items li > p:last-child a")
	period := func(from civil.Date) string {
		return f.in.T("From {from} to {to}", "from", f.day(from), "to", f.day(nextMonth(from).AddDays(-1)))
	}
	f.shows("−"+f.in.N(1, "{n} credit", "{n} credits")+" "+f.left(1), period(began), period(renews))
	f.lacks(f.in.T("Unlimited bookings"))
	f.page("next-history")
	f.s.renews(f.t, f.s.noon(renews))
	f.returns("caro@example.com")
	f.shows(f.left(1), f.day(nextMonth(renews)))
	f.page("next-paid")
}

// livesWithMembership joins at an introductory price, freezes, pays after the card is declined, and cancels.
func (f *finger) livesWithMembership(on *planStudio) {
	began := f.today()
	f.opens("ben@example.com", "Ben Ito")
	joins := f.presses(func() {
		f.press(".below a[href$='/plans']")
		f.press("#plan-" + on.intro.ID.String() + " a.btn")
		monthly := f.in.T("{price} a month", "price", f.money(8000))
		f.shows(
			f.in.N(1, "The first payment is {amount}, and after that the price is {price}.",
				"The first {n} payments are {amount} each, and after that the price is {price}.",
				"amount", f.money(5000), "price", monthly),
			f.in.T("The membership renews until you cancel it."),
			f.in.T("You can cancel under My plans at any time, in as few steps as it takes to join."))
		f.page("member-terms")
		f.press("label[for=consent]")
		f.press(".pick form button")
		f.shows(on.intro.Name, f.money(5000))
		f.page("member-cart")
		f.press("form#go button[type=submit]")
		f.page("member-pay")
		f.pays(cardOnce, 5000)
		f.reads("h1", f.in.T("Paid, thank you"))
	})
	f.page("member-receipt")
	f.freezes(began)

	renews := nextMonth(began).AddDays(10)
	f.s.renews(f.t, f.s.noon(renews))
	f.returns("ben@example.com")
	f.shows(f.in.T("Your card could not be charged."),
		f.in.T("A payment of {amount} has been due since {date}.", "amount", f.money(8000), "date", f.day(renews)))
	f.page("member-declined")
	link := f.s.letter(f.t, "ben@example.com", "fee")
	f.Goto(link)
	f.page("member-link")
	f.press("details:has(#number) summary")
	f.page("member-other-card")
	f.Fill("#number", apptest.CardGood)
	f.Fill("#exp", "12/34")
	f.Fill("#cvc", "123")
	f.reads("form:has(#number) button", f.in.C("button", "Pay {amount}", "amount", f.money(8000)))
	f.press("form:has(#number) button")
	f.reads("h1", f.in.T("Paid, thank you"))
	f.page("member-recovered")

	f.at("/" + f.s.Location.Slug)
	cancels := f.presses(func() {
		f.press("header nav a")
		f.press("main a[href^='/my/plans']")
		f.shows(f.money(8000), f.day(nextMonth(renews)))
		f.page("member-mine")
		f.press("a[href$='/cancel']")
		f.reads("h1", f.in.T("Cancel this membership?"))
		f.shows(f.in.T("Nothing more is charged."))
		f.page("member-cancel")
		f.press("main form button")
		f.shows(f.in.T("Cancelled. It does not renew."))
	})
	f.page("member-cancelled")
	if cancels > joins {
		f.t.Errorf("%d presses to cancel, %d to join", cancels, joins)
	}
	if joins != 6 || cancels != 4 {
		f.t.Errorf("%d presses to join and %d to cancel, want 6 and 4", joins, cancels)
	}
}

// freezes a membership for ten days of its first period, after reading what that does.
func (f *finger) freezes(began civil.Date) {
	f.t.Helper()
	from, last := began.AddDays(10), began.AddDays(19)
	f.press("main a[href^='/my/plans']")
	f.press("a[href$='/freeze']")
	f.reads("h1", f.in.T("Freeze your plan"))
	f.page("member-freeze")
	f.Choose("#from", from.String())
	f.Choose("#last", last.String())
	f.press("main form button")
	f.reads("h1", f.in.T("Freeze this plan?"))
	w := f.view()
	f.shows(f.money(8000), w.Date(view.Noon(from, w.Zone)), w.Date(view.Noon(last, w.Zone)),
		w.Date(view.Noon(nextMonth(began).AddDays(10), w.Zone)))
	f.page("member-freeze-ask")
	f.press("main form button")
	f.shows(f.in.T("The freeze is set. We e-mailed you the details."),
		f.in.T("Frozen from {from} to {to}.", "from", f.day(from), "to", f.day(last)))
	f.page("member-frozen")
}

// lacks fails if the page has one of these texts.
func (f *finger) lacks(what ...string) {
	f.t.Helper()
	said := strings.Join(strings.Fields(f.Text("main")), " ")
	for _, w := range what {
		if strings.Contains(said, w) {
			f.t.Errorf("%s says %q: %s", f.URL(), w, clip(said))
		}
	}
}

// opens the timetable in the language of the journey, signed in if there is a name.
func (f *finger) opens(email, name string) {
	f.t.Helper()
	if name != "" {
		token, _ := f.s.session(f.t, email, name)
		f.at("/" + f.s.Location.Slug)
		browser.Eval[string](f.Page, fmt.Sprintf("document.cookie = 'foyer_session=%s; path=/'", token))
	}
	f.at("/" + f.s.Location.Slug)
	f.speaks()
}

// returns signs a customer in again, on the page of their plans: a session is shorter than a month.
func (f *finger) returns(email string) {
	f.t.Helper()
	f.at("/my/plans")
	f.signsIn(email)
	f.reads("h1", f.in.T("My plans"))
}

// presses counts the taps of a part of a journey.
func (f *finger) presses(part func()) int {
	f.t.Helper()
	f.taps = 0
	part()
	return f.taps
}

// The least height and width of a target: of any by WCAG 2.2, and of a button.
const anyTarget, buttonTarget = 24, 44

// press taps the first match, which must be large enough for a finger.
func (f *finger) press(sel string) {
	f.t.Helper()
	f.Wait(sel)
	size := browser.Eval[[]float64](f.Page, fmt.Sprintf(`((e, r = e.getBoundingClientRect()) =>
		[r.width, r.height, e.matches('.btn') ? %d : %d])(document.querySelector(%q))`, buttonTarget, anyTarget, sel))
	if least := size[2]; size[0] < least || size[1] < least {
		f.t.Errorf("%s on %s is %.0f × %.0f px", sel, f.URL(), size[0], size[1])
	}
	f.tap(sel)
}

// inGerman finds English on a German page of a studio with these plans.
var inGerman = sync.OnceValues(func() (*untranslated.Reader, error) {
	return untranslated.For("de", []string{"10-class pack", "Two a month", "Unlimited", "For all levels."})
})

// page checks the page that is open, and takes a picture of it.
func (f *finger) page(name string) {
	f.t.Helper()
	f.sound()
	if f.in.Base() == "de" {
		german, err := inGerman()
		if err != nil {
			f.t.Fatal(err)
		}
		for _, english := range german.Find(browser.Eval[[]string](f.Page, untranslated.Pieces("de"))) {
			f.t.Errorf("%s is not translated: %s", f.URL(), english)
		}
	}
	if *shots != "" {
		how := map[bool]string{true: "plain", false: "script"}[f.plain]
		f.FullPage(filepath.Join(*shots, fmt.Sprintf("journey-%s-%s-%s.png", name, f.in.Base(), how)))
	}
}

// view writes as the page that is open: those of My plans are not of one country.
func (f *finger) view() view.Words {
	f.t.Helper()
	locale := browser.Eval[string](f.Page, "document.documentElement.lang")
	return view.Words{Locale: locale, Zone: civil.ZoneOrUTC(f.s.Location.Zone), Now: f.s.Clock.Now()}
}

func (f *finger) money(minor int64) string {
	return f.view().Money(view.Price{Minor: minor, Currency: "USD"})
}

func (f *finger) day(d civil.Date) string {
	w := f.view()
	return w.Day(view.Noon(d, w.Zone))
}

// left returns what My plans says of credits.
func (f *finger) left(n int) string { return f.in.N(n, "{n} credit left", "{n} credits left") }

// today is the day of the studio.
func (f *finger) today() civil.Date {
	return civil.LocalDate(f.s.Clock.Now(), civil.ZoneOrUTC(f.s.Location.Zone))
}

// nextMonth returns the same day of the next month.
func nextMonth(d civil.Date) civil.Date { return civil.DateOf(d.Utc().AddDate(0, 1, 0)) }

// noon is that time of a day at the studio.
func (s *shop) noon(d civil.Date) time.Time { return view.Noon(d, civil.ZoneOrUTC(s.Location.Zone)) }
