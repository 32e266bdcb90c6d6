package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/discount"
	plans "foyer/app/plan"
	"foyer/app/plan/rules"
)

// sellsPlan puts a plan on sale online.
func (s *shop) sellsPlan(t testing.TB, in plans.CreateInput) plans.Plan {
	t.Helper()
	in.SoldOnline = true
	p, err := s.Services.Plans.Create(t.Context(), s.Owner, in)
	if err == nil {
		p, err = s.Services.Plans.Publish(t.Context(), s.Owner, p.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pack is a pack of credits for all classes, for 120.00.
func pack(credits int) plans.CreateInput {
	return plans.CreateInput{
		Name: "10-class pack", Description: "For all levels.", Kind: plans.Pack, PriceAmount: 12000,
		Validity: plans.Validity{Count: 3, Unit: rules.Month},
		Benefits: []plans.Benefit{{Credits: &credits, Kinds: []catalog.Kind{catalog.Class}}},
	}
}

// pass is a pass for any number of bookings in 30 days, one a day, for 90.00.
func pass() plans.CreateInput {
	return plans.CreateInput{
		Name: "Monthly pass", Kind: plans.Pass, PriceAmount: 9000,
		Validity: plans.Validity{Count: 30, Unit: rules.Day}, Benefits: []plans.Benefit{{DayMax: 1}},
	}
}

// buysPlan buys the plan of that name, and returns the receipt.
func (v *visitor) buysPlan(name, price string) *page {
	v.t.Helper()
	at := "/shop/" + v.s.Location.Slug
	p := v.get(at+"/plans").want(200, name)
	for _, m := range forms.FindAllStringSubmatch(p.Body, -1) {
		if !strings.Contains(m[2], name) {
			continue
		}
		one := &page{v: v, url: p.url, Status: p.Status, Body: m[0]}
		cart := one.form("/plans").post().wantTo("/cart/").follow().want(200, "Your order", name, price).lacks("spot")
		return cart.form(cart.url.Path).post().wantTo("/cart/").follow().want(200, "Pay "+price).lacks("spot").
			pay(apptest.CardGood).follow().want(200, "Paid, thank you", name, price)
	}
	v.t.Fatalf("%s is not sold", name)
	return nil
}

// TestPlans buys a pack, books a class with it, and has the credit back after a cancellation.
func TestPlans(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	at := "/shop/" + s.Location.Slug
	ana.get(at+"/plans").want(200, "No plans are sold here at the moment.")
	ana.get(s.path(yoga, nil)).want(200).lacks("or use a plan")
	ana.get("/my/plans").want(200, "No active plans.")
	s.sellsPlan(t, pack(10))
	ana.get(ana.get(s.path(yoga, nil)).want(200).link("or use a plan")).want(200, "10-class pack")
	ana.get(ana.get("/"+s.Location.Slug).link("Plans")).want(200, "10-class pack")
	ana.get(ana.get(at).want(200).link("Plans")).want(200, "10-class pack", "$120", "For all levels.",
		"10 credits for all classes, valid for 3 months from the purchase.", "Buy plan")
	receipt := ana.buysPlan("10-class pack", "$120.00").want(200, "Valid until Sep")
	s.letter(t, "ana@example.com", "booked")
	mine := ana.get(receipt.link("My plans")).want(200, "10-class pack", "10 credits left", "Valid until Sep 9",
		"Harbour Yoga")

	const paid = "Paid with 10-class pack: 1 credit"
	pay := ana.choose(yoga, 1).follow().want(200, "Confirm your booking", paid, "Paid with plans", "-$22.00",
		"There is nothing to pay.", "If you cancel until", "1 credit is returned to 10-class pack.", "Pay another way")
	cart := ana.get(pay.link("Edit cart")).want(200, paid, "$0.00", "Paid with plans")
	priced := cart.form("/plan").post("plan", "price").wantTo("/cart/").follow().want(200, "$22.00",
		"Pay with a plan").lacks(paid)
	pay = ana.get(priced.url.Path+"/pay").want(200, "Pay $22.00", "Pay with a plan").lacks(paid)
	pay = pay.form("/plan").post().wantTo("/cart/").follow().want(200, paid, "There is nothing to pay.")
	booked := pay.form("/pay").post().wantTo("/receipt/").follow().want(200, "You’re booked", paid, "Paid with plans",
		"$0.00")
	booked.lacks("Paid with Visa")
	ana.get(mine.link("Details")).want(200, "9 credits left", "Booking", "−1 credit", "Sunrise Vinyasa, Fri, Jun 12",
		"Purchase", "+10 credits")

	my := ana.get(ana.get("/my").want(200, "1 credit is returned to 10-class pack").link("Details")).want(200, paid)
	ask := ana.get(my.link("Cancel")).want(200, "Cancel this booking?", "1 credit is returned to 10-class pack.").
		lacks("nothing was paid")
	ask.form("/cancel").post().wantTo("/my/bookings/").follow().want(200, "Your booking is cancelled.")
	ana.get(mine.link("Details")).want(200, "10 credits left", "Returned", "+1 credit")
	s.CheckBooks(t)
}

// TestPlanCancelledLate: a booking that is cancelled late does not return its credit, and every page says so before.
func TestPlanCancelledLate(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	s.sellsPlan(t, pack(2))
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.buysPlan("10-class pack", "$120.00")
	ana.choose(yoga, 1).follow().form("/pay").post().follow().want(200, "You’re booked")
	s.rest(t)
	s.Clock.Set(yoga.Dates[1].StartsAt.Add(-2 * time.Hour))
	ana = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	my := ana.get(ana.get("/my").want(200).link("Details")).want(200, "1 credit of 10-class pack is not returned")
	ask := ana.get(my.link("Cancel")).want(200, "1 credit of 10-class pack is not returned.").lacks("nothing was paid")
	ask.form("/cancel").post().wantTo("/my/bookings/")
	ana.get("/my/plans").want(200, "1 credit left")
	s.CheckBooks(t)
}

// TestPlanChoices: of several plans the customer chooses, reads why another does not pay, and cannot choose that.
func TestPlanChoices(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	evening := s.AddOccurrence(t, yoga.OfferingRow, yoga.Dates[0].StartsAt.Add(9*time.Hour))
	yoga.Dates = append(yoga.Dates, evening)
	s.sellsPlan(t, pack(10))
	s.sellsPlan(t, pass())
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.buysPlan("10-class pack", "$120.00")
	ana.buysPlan("Monthly pass", "$90.00")
	pay := ana.choose(yoga, 0).follow().want(200, "Paid with Monthly pass", "10-class pack", "10 credits left")
	pay.form("/pay").post().follow().want(200, "You’re booked", "Paid with Monthly pass")
	pay = ana.choose(yoga, 2).follow().want(200, "Paid with 10-class pack: 1 credit",
		"Monthly pass Already used on this day")
	used := apptest.Value[string](t, s.World, "select g.id::text from grants g where g.amount is null")
	pay.form("/plan").post("plan", used).want(400, "This plan cannot pay for this booking", "Already used on this day")
	pay.form("/plan").post("plan", "price").follow().want(200, "Pay $22.00")
	pay.form("/plan").post("plan", used).want(400, "Already used on this day")
}

// TestBuyPlanOnTheLastStep buys a plan beside a held seat, which it then pays for.
func TestBuyPlanOnTheLastStep(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	s.sellsPlan(t, pack(10))
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := ana.choose(yoga, 0).follow().want(200, "Pay $22.00", "Or buy a plan", "10-class pack")
	buy := pay.form("/plans")
	first := buy.post().wantTo("/cart/").follow().want(200, "Pay $120.00", "10-class pack").lacks("Sunrise")
	bought := buy.post().wantTo("/cart/").follow().want(200, "Pay $120.00") // pressed twice, it is bought once
	if bought.url.Path != first.url.Path {
		t.Errorf("%s, and pressed again %s", first.url.Path, bought.url.Path)
	}
	receipt := bought.pay(apptest.CardGood).follow().want(200, "Paid, thank you", "1 class")
	cart := ana.get(receipt.link("Continue")).want(200, "Paid with 10-class pack: 1 credit")
	cart.form(cart.url.Path).post().follow().form("/pay").post().follow().want(200, "You’re booked",
		"Paid with 10-class pack: 1 credit")
	s.CheckBooks(t)
}

// TestPlanRefused: a plan for new customers is refused to one who has booked.
func TestPlanRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	intro := pack(3)
	intro.Name, intro.Kind = "Intro offer", plans.Intro
	p := s.sellsPlan(t, intro)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	f := ana.get("/shop/"+s.Location.Slug+"/plans").want(200, "For new customers.").form("/plans")
	held := f.post().follow()
	ana.choose(yoga, 0)
	ana.get(held.url.Path).want(200, "A plan pays for the bookings that you make after you buy it.")
	ben := s.signedIn(t, "ben@example.com", "Ben Ito")
	ben.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	g := ben.get("/shop/" + s.Location.Slug + "/plans").form("/plans")
	g.post("plan", s.Location.ID.String()).want(200, "This was not added to your cart",
		"This plan is not sold here any more.")
	cart := g.post().follow().want(200, "Your order")
	cart.form(cart.url.Path).post().follow().want(200, "This plan is for new customers")
	carol := s.visit(t)
	open := carol.get("/shop/"+s.Location.Slug+"/plans").form("/plans").post().follow().want(200, "Intro offer")
	if _, err := s.Services.Plans.Archive(t.Context(), s.Owner, p.ID); err != nil {
		t.Fatal(err)
	}
	carol.get(open.url.Path).want(200, "Not included", "This plan is not sold here any more.")
}

// TestPlansAreAccessible walks the pages about plans.
func TestPlansAreAccessible(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	s.sellsPlan(t, pack(10))
	s.sellsPlan(t, pass())
	l := s.look(t, browser.Options{})
	l.at("/" + s.Location.Slug).see("plans-schedule")
	l.at(s.path(yoga, nil)).see("plans-listing")
	l.at("/shop/" + s.Location.Slug).see("plans-shop")
	l.Click(".acts a.btn")
	l.see("plans")
	l.Click(".items li:nth-child(1) form button")
	l.see("plans-cart")
	l.Click("form#go button[type=submit]")
	l.signIn("ana@example.com")
	l.Fill("#name", "Ana Ruiz")
	l.Click("main form button")
	l.see("plans-pay")
	l.pays(apptest.CardGood)
	l.see("plans-receipt")
	l.at(s.path(yoga, &yoga.Dates[1]))
	l.Click(".pick form button")
	l.Wait("#plans")
	browser.Eval[bool](l.Page, `(document.querySelectorAll(".how details").forEach(d => d.open = true), true)`)
	l.see("plans-last-step")
	l.order()
	l.Click(".beside .acts a, details.above[open] .acts a")
	l.Wait("form#go")
	browser.Eval[bool](l.Page, `(document.querySelectorAll(".items details").forEach(d => d.open = true), true)`)
	l.see("plans-held-cart")
	l.Click("form#go button[type=submit]")
	l.Wait("#plans")
	l.Click("form[action$='/pay'] button")
	l.see("plans-booked")
	l.at("/my").see("plans-my-bookings")
	l.at("/my/plans").see("plans-mine")
	l.Click(".items .acts a")
	l.see("plans-history")
	l.at("/my")
	l.Click(".booked .do a")
	l.Click(".twin a:last-child")
	l.see("plans-cancel")
}

// TestDiscountsOfPlans: the pages of plans have the discounts that members have automatically now, in words.
func TestDiscountsOfPlans(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.sellsPlan(t, pack(10))
	month := pass()
	month.Name, month.Kind, month.Validity = "Monthly", plans.Renewing, plans.Validity{Count: 1, Unit: rules.Month}
	m := s.sellsPlan(t, month)
	last := civil.NewDate(2026, time.December, 31)
	gone := civil.NewDate(2026, time.January, 1)
	of := func(ids ...uuid.UUID) []uuid.UUID { return ids }
	for _, in := range []discount.CreateInput{
		{Name: "Workshops", PPM: 200_000, PlanIDs: of(m.ID), OfferingIDs: of(s.AddOffering(t).ID)},
		{
			Name: "Shop", Amount: 500, AppliesTo: discount.Goods, PlanIDs: of(p.ID, m.ID), LastDay: &last,
			LeastAmount: 2000, CustomerUsesMax: 2,
		},
		{Name: "Everybody", PPM: 100_000},
		{Name: "With a code", Code: "GOLD", PPM: 100_000, PlanIDs: of(p.ID)},
		{Name: "Over", PPM: 100_000, PlanIDs: of(p.ID), LastDay: &gone},
		{Name: "Elsewhere", PPM: 100_000, PlanIDs: of(p.ID), LocationIDs: of(s.AddLocation(t, "Riverside").ID)},
	} {
		if _, err := s.Services.Discount.Create(t.Context(), s.Owner, in); err != nil {
			t.Fatal(err)
		}
	}
	v := s.visit(t)
	const goods = "Shop: $5 off products. For a price of $20 or more. 2 times per customer. Until"
	page := v.get("/shop/"+s.Location.Slug+"/plans").want(200, goods, "Workshops: 20% off some bookings.").
		lacks("Everybody:").lacks("With a code").lacks("Over:").lacks("Elsewhere:")
	if n := strings.Count(page.Body, goods); n != 2 {
		t.Errorf("%d plans have the discount on goods", n)
	}
	v.get("/shop/"+s.Location.Slug+"/plans/"+m.ID.String()).want(200, goods, "Workshops: 20% off some bookings.")
}

// TestGuestPasses: guest passes pay for a guest's seat and not for the customer's, with the reason, and have a name of
// their own.
func TestGuestPasses(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 4)
	in := pass()
	in.Name, in.Benefits = "Bring a friend", []plans.Benefit{{Credits: new(2), GuestsOnly: true}}
	s.sellsPlan(t, in)
	ana := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	ana.get("/shop/"+s.Location.Slug+"/plans").
		want(200, "2 guest passes for all bookings, valid for 30 days from the purchase.")
	receipt := ana.buysPlan("Bring a friend", "$90.00")
	ana.get(receipt.link("My plans")).want(200, "2 guest passes left")
	pay := ana.asks(yoga, 1, "2", "Ben").follow().want(200, "Pay $22.00", "Paid with Bring a friend: 1 credit")
	pay.want(200, "Only for guests")
}
