package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	plans "foyer/app/plan"
	"foyer/app/plan/rules"
)

// cardOnce is a card that is accepted once, and declined when it is charged by itself.
const cardOnce = "4000000000000341"

// monthly is a membership for any number of bookings, for 80.00 a month.
func monthly() plans.CreateInput {
	return plans.CreateInput{
		Name: "Unlimited", Description: "For all levels.", Kind: plans.Renewing, PriceAmount: 8000,
		Validity: plans.Validity{Count: 1, Unit: rules.Month}, Benefits: []plans.Benefit{{}},
	}
}

const consent = "Harbour Yoga saves the card that you pay with, and charges it at the start of each billing period " +
	"of Unlimited. The price is $80.00 a month. The membership renews until you cancel it. If you cancel, it ends with " +
	"the billing period that is paid. If several of your cards are saved with Harbour Yoga, the one that you saved last " +
	"is charged. You can cancel under My plans at any time, in as few steps as it takes to join."

// joins buys a membership with a card, and returns the receipt.
func (v *visitor) joins(p plans.Plan, number string) *page {
	v.t.Helper()
	cart := v.get("/shop/"+v.s.Location.Slug+"/plans/"+p.ID.String()).want(200, p.Name).form(p.ID.String()).post().
		wantTo("/cart/").follow()
	return cart.form(cart.url.Path).post().wantTo("/cart/").follow().pay(number).follow().want(200, "Paid, thank you")
}

// renews moves the clock to a time of a day, and runs what is due for memberships.
func (s *shop) renews(t testing.TB, at time.Time) {
	t.Helper()
	s.rest(t)
	s.Clock.Set(at)
	if err := s.Services.Owed.RenewDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.rest(t)
}

var tenthOfJuly = time.Date(2026, 7, 10, 14, 0, 0, 0, time.UTC)

// TestBuyMembership: without the tick nothing is bought, and the error is at the box. With it the words as shown are
// stored, the card is saved, and the renewal is charged to it.
func TestBuyMembership(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.sellsPlan(t, monthly())
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	list := ana.get("/shop/"+s.Location.Slug+"/plans").want(200, "Unlimited", "$80 a month", "Unlimited bookings.",
		"The membership renews until you cancel it.", "Choose plan").lacks("Buy plan")
	own := ana.get(list.link("Choose plan")).want(200, "Unlimited", "$80 a month", "For all levels.", consent,
		"I agree to these payments")
	if strings.Contains(own.Body, "checked") {
		t.Error("the box is ticked")
	}
	f := own.form(p.ID.String())
	f.post("consent", "").want(200, "Tick the box to agree.", consent, "Unlimited")
	f.post("consent", "of other words").want(200, "These terms have changed. Read them, then tick the box.")
	if n := s.count(t, "cart_items"); n != 0 {
		t.Fatalf("%d items without the tick", n)
	}
	cart := f.post().wantTo("/cart/").follow().want(200, "Unlimited", "$80.00", consent)
	pay := cart.form(cart.url.Path).post().wantTo("/cart/").follow().want(200, "Pay $80.00",
		"Harbour Yoga saves the card that you pay with for the renewals that you agreed to.").
		lacks("Save this card for next time")
	pay.pay(apptest.CardGood).follow().want(200, "Paid, thank you", "Unlimited", "Renews until you cancel it")
	if n := s.count(t, "memberships where consented_at is not null and consent_text = $1", consent); n != 1 {
		t.Error("the membership does not have the words as shown")
	}
	if n := s.count(t, "saved_cards where removed_at is null and consent_text = $1", consent); n != 1 {
		t.Errorf("%d saved cards", n)
	}
	ana.get("/my/plans").want(200, "Unlimited bookings", "Renews until you cancel it",
		"Next payment: $80.00 on 10 Jul, charged to Visa ending 4242.", "Cancel membership").
		lacks("Pay now", "Agree to automatic payment")
	s.renews(t, tenthOfJuly)
	s.letter(t, "ana@example.com", "fee")
	ana = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.get("/my/plans").want(200, "Next payment: $80.00 on 10 Aug, charged to Visa ending 4242.")
	ana.get(ana.get("/my/plans").link("Details")).want(200, "Billing period")
	s.CheckBooks(t)
}

// TestMembershipTerms: the page of a membership has all of its terms, and other plans have none.
func TestMembershipTerms(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := monthly()
	in.Renewal = plans.Renewal{IntroAmount: 4000, IntroPeriods: 2, MinPeriods: 6, NoticeDays: 14}
	p := s.sellsPlan(t, in)
	fixed := monthly()
	fixed.Name, fixed.Count, fixed.Renewal = "A year", 3, plans.Renewal{MinPeriods: 4, Ends: true}
	q := s.sellsPlan(t, fixed)
	v := s.visit(t)
	at := "/shop/" + s.Location.Slug + "/plans/"
	v.get(at+p.ID.String()).want(200,
		"The first 2 payments are $40.00 each, and after that the price is $80.00 a month.",
		"The membership renews until you cancel it.", "It runs for at least 6 payments.",
		"To end it with a billing period, cancel at least 14 days before that period ends.")
	v.get(at+q.ID.String()).want(200, "$80 every 3 months",
		"The membership ends after 4 payments. It cannot be cancelled before that.").lacks("You can cancel")
	v.get(at + s.sellsPlan(t, pack(10)).ID.String()).want(404)
	v.get(at + "unknown").want(404)
}

// TestMembershipBesideSeats: on the last step a membership leads to its page, and is bought beside the held seat, which
// it then pays for.
func TestMembershipBesideSeats(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	p := s.sellsPlan(t, monthly())
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := ana.choose(yoga, 0).follow().want(200, "Pay $22.00", "Or buy a plan", "Unlimited $80 a month")
	if pay.hasForm("/plans") {
		t.Error("a membership is bought by one press")
	}
	own := ana.get(pay.link("Choose plan")).want(200, consent)
	own.form(p.ID.String()).post("consent", "").want(200, "Tick the box to agree.").form(p.ID.String()).post().
		wantTo("/cart/").follow().want(200, "Pay $80.00", "Unlimited").lacks("Sunrise").
		pay(apptest.CardGood).follow().want(200, "Paid, thank you")
	cart := ana.get("/" + s.Location.Slug).want(200)
	held := ana.get(cart.link("Continue")).want(200, "Paid with Unlimited")
	held.form(held.url.Path).post().follow().form("/pay").post().follow().
		want(200, "You’re booked", "Paid with Unlimited")
	s.CheckBooks(t)
}

// TestPayRenewalByLink: the saved card is declined at the renewal. My plans says so with a way to pay, as the mail
// does; once it is paid the membership goes on.
func TestPayRenewalByLink(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.sellsPlan(t, monthly())
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.joins(p, cardOnce)
	s.renews(t, tenthOfJuly)
	link := s.letter(t, "ana@example.com", "fee")
	link = link[strings.Index(link, "/receipt/"):]
	ana = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	mine := ana.get("/my/plans").want(200, "Your card could not be charged.",
		"A payment of $80.00 has been due since 10 Jul.", "If it is not paid before 24 Jul, the membership ends.", "Pay now")
	if got := mine.link("Pay now"); got != link {
		t.Errorf("%s in My plans, %s in the mail", got, link)
	}
	s.rest(t)
	s.Clock.Advance(4 * 24 * time.Hour)
	ana = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.get("/my/plans").want(200, "A payment of $80.00 has been overdue since 10 Jul. Until you pay it, the plan pays "+
		"for no more bookings.")
	guest := s.visit(t)
	guest.get(link).want(200, "Pay for your membership", "For Unlimited.", "Pay $80.00").
		lacks("Pay for your booking", "fee", "Save this card").
		form("/pay").post(card(apptest.CardGood)...).follow().want(200, "Paid, thank you", "Unlimited", "$80.00")
	guest.get(link).want(200, "There is nothing to pay here")
	ana.get("/my/plans").want(200, "Next payment: $80.00 on 10 Aug").lacks("Pay now")
	s.CheckBooks(t)
}

// TestAgreeToAutomaticPayment: a customer who has not agreed is sent a link; they agree on a page with the words, once
// they are those of now.
func TestAgreeToAutomaticPayment(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.sellsPlan(t, monthly())
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.joins(p, apptest.CardGood)
	s.SQL(t, "update memberships set consented_at = null, consent_text = ''")
	mine := ana.get("/my/plans").want(200, "Next payment: $80.00 on 10 Jul. You get a link to pay it by e-mail.")
	ask := ana.get(mine.link("Agree to automatic payment")).want(200, "Your saved card: Visa ending 4242.",
		"Harbour Yoga charges your saved card at the start of each billing period of Unlimited. The price is $80.00 a month.",
		"You can cancel under My plans at any time").lacks("saves the card")
	f := ask.form("/agree")
	f.post("agreed", "other words").want(400, "The details have changed", "Nothing was done.")
	f.post().wantTo("/my/plans/").follow().want(200, "You agreed to automatic payment.", "charged to Visa ending 4242.").
		lacks("Agree to automatic payment")
	const stored = "memberships where consented_at is not null and consent_text like 'Harbour Yoga charges your%'"
	if n := s.count(t, stored); n != 1 {
		t.Error("the words are not stored")
	}
	s.signedIn(t, "ben@example.com", "Ben Ito").get(ask.path()).want(404)
}

// TestCancelMembership: the page says what a cancellation does before, is confirmed by one press, and is shown again if
// that has changed; from then on the membership has its last day, and cannot be cancelled again.
func TestCancelMembership(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := monthly()
	in.Renewal = plans.Renewal{MinPeriods: 3}
	p := s.sellsPlan(t, in)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.joins(p, apptest.CardGood)
	mine := ana.get("/my/plans").want(200)
	ask := ana.get(mine.link("Cancel membership")).want(200, "Cancel this membership?", "Unlimited",
		"Wednesday, September 9. You can book with it until then.", "$160.00", "2 more payments are due until then.",
		"Keep membership")
	f := ask.form("/cancel")
	f.post("ends", "2026-07-10").want(400, "The details have changed", "2 more payments are due until then.")
	f.post("version", "").want(400, "The details have changed")
	s.SQL(t, "update memberships set version = version + 1")
	stale := f.post().want(400, "The details have changed")
	stale.form("/cancel").post().wantTo("/my/plans/").follow().want(200, "Your membership is cancelled. We e-mailed you",
		"Cancelled. It does not renew.", "Valid until 9 Sep", "Next payment: $80.00 on 10 Jul").lacks("Cancel membership")
	s.letter(t, "ana@example.com", "plan canceled")
	stale.form("/cancel").post().wantTo("/my/plans/")
	ana.get(ask.path()).wantTo("/my/plans/")
	s.CheckBooks(t)
}

// TestCancelUnpaidMembership: a membership whose billing period is not paid ends at once, and that payment is not due
// any more.
func TestCancelUnpaidMembership(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.sellsPlan(t, monthly())
	s.signedIn(t, "ana@example.com", "Ana Ruiz").joins(p, cardOnce)
	s.renews(t, tenthOfJuly)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	mine := ana.get("/my/plans").want(200, "Pay now")
	pay := mine.link("Pay now")
	ana.get(mine.link("Cancel membership")).want(200,
		"It ends at once, because the billing period from Friday, July 10 is not paid.",
		"That payment is no longer due, and nothing more is charged.").form("/cancel").post().follow().
		want(200, "Your membership is cancelled.", "Ended").lacks("Pay now", "Cancel membership")
	ana.get(pay).want(200, "There is nothing to pay here")
	s.CheckBooks(t)
}

// TestCancelBookedMembership: a membership that pays for bookings after its last day is not cancelled before they are.
func TestCancelBookedMembership(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	yoga.Dates = append(yoga.Dates, s.AddOccurrence(t, yoga.OfferingRow, time.Date(2026, 7, 14, 13, 0, 0, 0, time.UTC)))
	p := s.sellsPlan(t, monthly())
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.joins(p, apptest.CardGood)
	ana.choose(yoga, 1).follow().want(200, "Paid with Unlimited").form("/pay").post().follow().want(200, "You’re booked")
	ask := ana.get(ana.get("/my/plans").want(200).link("Cancel membership")).want(200,
		"This membership pays for 1 booking after its last day. Cancel that booking first.")
	if ask.hasForm("/cancel") {
		t.Error("it can be cancelled")
	}
	my := ana.get(ana.get(ask.link("My bookings")).want(200).link("Details"))
	ana.get(my.link("Cancel")).form("/cancel").post().follow().want(200, "Your booking is cancelled.")
	ana.get(ask.path()).want(200, "Thursday, July 9. You can book with it until then.", "Nothing more is charged.").
		form("/cancel").post().follow().want(200, "Valid until 9 Jul").lacks("Next payment")
	s.CheckBooks(t)
}

// TestMembershipsAreAccessible walks the pages about memberships.
func TestMembershipsAreAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	in := monthly()
	in.Renewal = plans.Renewal{IntroAmount: 4000, IntroPeriods: 1, MinPeriods: 3}
	in.Freeze = rules.Freeze{Allowed: true, MinDays: 7, PerYear: 2}
	other := monthly()
	other.Name, other.PriceAmount, other.Position = "Off-peak", 6000, 1
	in.ChangeIDs = []uuid.UUID{s.sellsPlan(t, other).ID}
	s.sellsPlan(t, in)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	l := s.look(t, browser.Options{})
	l.at("/shop/" + s.Location.Slug + "/plans").see("memberships")
	l.Click(".items .acts a")
	l.see("membership")
	l.at(s.path(yoga, &yoga.Dates[0]))
	l.Click(".pick form button")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	l.Wait("#plans")
	browser.Eval[bool](l.Page, `(document.querySelectorAll(".how details").forEach(d => d.open = true), true)`)
	l.see("membership-last-step")
	l.Click(".how details a.btn")
	l.Click("#consent")
	l.Click(".pick form button")
	l.Wait("form[action*='/pay/card']")
	l.see("membership-pay")
	l.pays(apptest.CardGood)
	l.see("membership-receipt")
	s.SQL(t, "update memberships set consented_at = null, consent_text = ''")
	l.at("/my/plans").see("memberships-mine")
	l.Click(".items a[href$='/agree']")
	l.see("membership-agree")
	l.Click("main form button")
	l.see("membership-mine")
	l.Click(".acts a[href$='/change']")
	l.see("membership-changes")
	l.Click(".items a.btn")
	l.see("membership-change")
	l.Click("main form button")
	l.see("membership-changing")
	l.Click(".acts a[href$='/withdraw']")
	l.see("membership-withdraw")
	l.Click("main form button")
	l.Click(".acts a[href$='/freeze']")
	browser.Eval[bool](l.Page, `(document.querySelector("#from").value = "2026-06-20",
		document.querySelector("#last").value = "2026-06-29", true)`)
	l.see("membership-freeze")
	l.Click("main form button")
	l.see("membership-freeze-ask")
	l.Click("main form button")
	l.see("membership-frozen")
	l.Click(".acts a[href$='/unfreeze']")
	l.see("membership-unfreeze")
	l.Click("main form button")
	l.Click(".acts a[href$='/cancel']")
	l.see("membership-cancel")
	l.Click("main form button")
	l.see("membership-cancelled")
}
